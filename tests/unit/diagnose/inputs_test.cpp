// Files that were looked at after the death: what a walk over them adds to a reader's complaint or to a crash inside a
// reader, and who else has them.
#include <gtest/gtest.h>

#include "exception_builder.h"

namespace sigwhy::diagnose {

namespace {

Input looked_at(const char* path, Soundness soundness, const char* format = "npy") {
  Input input{.path = path, .seen = "a value of load()", .bytes = 20'064};
  input.checked = {.format = format, .soundness = soundness};
  if (soundness == Soundness::broken)
    input.checked.flaw = Flaw{.offset = 20'064, .where = "record 17", .what = "it ends in the middle of a record"};
  if (soundness == Soundness::sound) input.checked.holds = "200 records";
  return input;
}

Input held(Input input, bool writes, bool locks) {
  input.holders.push_back({.pid = 4711, .command = "python writer.py", .writes = writes, .locks = locks});
  return input;
}

Thrown bad_zip(Input input) {
  Thrown t("zipfile.BadZipFile", "File is not a zip file");
  t.at(site + "numpy/lib/npyio.py", "load", 400).path("file", "/data/a.npz");
  t.at("/home/ada/nets/train.py", "<module>", 5, "x = np.load(path)");
  t.s.inputs.push_back(std::move(input));
  return t;
}

Thrown refused_lock(Input input) {
  Thrown t("BlockingIOError", "[Errno 11] Unable to synchronously open file (unable to lock file, errno = 11)", {"OSError"});
  t.at(site + "h5py/_hl/files.py", "make_fid", 235).path("name", "/data/a.h5");
  t.at("/home/ada/nets/train.py", "<module>", 5, "f = h5py.File(path)");
  t.s.inputs.push_back(std::move(input));
  return t;
}

std::string claim(const Build& b) { return b.diagnosis().findings.at(0).claim; }

}  // namespace

TEST(LookedAt, TheWalkSaysWhereItBreaks) {
  const auto t = bad_zip(looked_at("/data/a.npz", Soundness::broken));
  EXPECT_EQ(verdict(t), "corrupt-input proven");
  EXPECT_EQ(claim(t), "a.npz is broken at byte 20,064 (record 17): it ends in the middle of a record");
}

TEST(LookedAt, ASoundFileSpeaksAgainst) {
  const auto t = bad_zip(looked_at("/data/a.npz", Soundness::sound));
  EXPECT_EQ(verdict(t), "corrupt-input strong");
  ASSERT_EQ(t.diagnosis().findings.at(0).evidence_against.size(), 1u);
}

TEST(LookedAt, NotAnotherFile) {
  const auto t = bad_zip(looked_at("/data/other.npz", Soundness::broken));
  EXPECT_EQ(verdict(t), "corrupt-input strong");
  EXPECT_EQ(claim(t).find("byte"), std::string::npos);
}

TEST(LookedAt, AnErrorThatSaysNothingOfAFileIsOnlyPlausible) {
  Thrown t("KeyError", "'labels'", {"LookupError"});
  t.at("/home/ada/nets/train.py", "main", 9, "y = data['labels']").path("path", "/data/a.npz");
  t.s.inputs.push_back(looked_at("/data/a.npz", Soundness::broken));
  EXPECT_NE(t.diagnosis().verdict, Cause::corrupt_input);
}

TEST(LookedAt, AnErrorInsideTheFunctionThatGotIt) {
  Thrown t("ValueError", "Missing registration for opcode_index 0");
  t.at(site + "tensorflow/lite/python/interpreter.py", "Interpreter.__init__", 490)
      .value({.name = "model_path", .type = "str", .argument = true, .text = "'/data/m.tflite'"});
  t.at("/home/ada/nets/run.py", "<module>", 6, "tf.lite.Interpreter(path)");
  t.s.inputs.push_back(looked_at("/data/m.tflite", Soundness::broken, "tflite"));
  EXPECT_EQ(verdict(t), "corrupt-input strong");
  t.s.inputs[0] = looked_at("/data/m.tflite", Soundness::sound, "tflite");
  EXPECT_NE(t.diagnosis().verdict, Cause::corrupt_input);
}

TEST(LookedAt, ANativeReaderThatDiesOfIt) {
  Build b;
  b.frames({{"tflite::impl::InterpreterBuilder::ParseTensors(flatbuffers::Vector<int> const*)", mine}, {"main", app}}).reads(8, 0);
  b.s.inputs.push_back(looked_at("/data/m.tflite", Soundness::broken, "tflite"));
  EXPECT_EQ(verdict(b), "corrupt-input strong");
  b.s.inputs[0] = looked_at("/data/m.tflite", Soundness::sound, "tflite");
  EXPECT_NE(b.diagnosis().verdict, Cause::corrupt_input);
  b.s.inputs[0] = looked_at("/data/m.npy", Soundness::broken, "npy");  // another reader's
  EXPECT_NE(b.diagnosis().verdict, Cause::corrupt_input);
}

TEST(FileContention, TheLockAnotherHolds) {
  const auto t = refused_lock(held(looked_at("/data/a.h5", Soundness::unknown_format), false, true));
  EXPECT_EQ(verdict(t), "file-contention proven");
  EXPECT_EQ(claim(t), "python writer.py (process 4711) holds a lock on a.h5");
}

TEST(FileContention, NotWhereNobodyIsSeen) {
  const auto t = refused_lock(looked_at("/data/a.h5", Soundness::unknown_format));
  EXPECT_NE(t.diagnosis().verdict, Cause::file_contention);
}

TEST(FileContention, NotForASocketsErrno) {
  Thrown t("BlockingIOError", "[Errno 11] Resource temporarily unavailable", {"OSError"});
  t.attribute("errno", "11").at("/home/ada/nets/serve.py", "<module>", 5, "one.recv(1)");
  t.s.inputs.push_back(held(looked_at("/data/a.h5", Soundness::unknown_format), true, true));
  EXPECT_NE(t.diagnosis().verdict, Cause::file_contention);
}

TEST(FileContention, AWriterExplainsTheBrokenFile) {
  const auto t = bad_zip(held(looked_at("/data/a.npz", Soundness::broken), true, false));
  EXPECT_EQ(verdict(t), "file-contention strong");
  EXPECT_EQ(t.diagnosis().findings.at(0).explains, Cause::corrupt_input);
}

TEST(FileContention, NotWhereItWasLastWrittenBefore) {
  auto input = held(looked_at("/data/a.npz", Soundness::broken), true, false);
  input.changed_during_run = false;
  EXPECT_EQ(verdict(bad_zip(input)), "corrupt-input proven");
}

}  // namespace sigwhy::diagnose
