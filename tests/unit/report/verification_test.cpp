// What `sigwhy verify` says, compared with a golden file.
#include "report/verification.h"

#include "../../golden/golden.h"

namespace sigwhy::report {

TEST(Verification, EachFileInAParagraph) {
  Verification verification;
  const auto add = [&](const char* path, Checked checked) { verification.files.push_back({.path = path, .checked = std::move(checked)}); };
  add("train.tfrecord",
      {.soundness = Soundness::broken,
       .flaw = Flaw{18'231, "", "record 17, length", "its checksum is 0x1a2b3c4d, its bytes give 0x5e6f7081; a single flipped bit in byte 18,233 explains it"}});
  add("train.tfrecord.gz", {.soundness = Soundness::broken,
                            .flaw = Flaw{1'204'224, "the data after gunzip", "record 1,999, data", "it ends after 12 of 600 bytes; the record begins at byte 1,204,200"}});
  add("digits-train.tfrecord-00003-of-00010",
      {.soundness = Soundness::sound, .holds = "200 records", .remarks = {"of its set of 10 shards 1 is not there: digits-train.tfrecord-00007-of-00010"}});
  add("weights.npz", {.soundness = Soundness::sound, .holds = "3 arrays"});
  add("notes.txt", {});
  add("huge.gz", {.soundness = Soundness::not_checked, .why = "its walk did not end within 600 s and was stopped at byte 8,589,934,592 of 17,179,869,184"});
  golden::expect("report/verification.txt", draw_verification(verification, Look{}));
}

}  // namespace sigwhy::report
