#include "diagnose/sound_input.h"

#include <fmt/format.h>

#include <algorithm>

#include "diagnose/array_words.h"
#include "diagnose/input_file.h"
#include "diagnose/phrases.h"
#include "diagnose/python_failure.h"

namespace sigwhy::diagnose {

namespace {

// What a reader is for, in words, and which formats of ours it takes; none: it reads something that no walk knows.
struct Kind {
  std::string_view title;
  std::vector<std::string_view> formats;
};

bool comes_from(const PyException& e, std::string_view file) {
  return std::ranges::any_of(e.traceback,
                             [&](const PythonFrame& frame) { return frame.file.find(file) != frame.file.npos; });
}

bool is_record_reader(const PyException& e) {
  return is_a(e, {"DataLossError"}) && has_any(e.message, {"record at", "inflate() failed"});
}

std::optional<Kind> expected_by(const PyException& e) {
  if (is_record_reader(e)) return Kind{"TFRecord files", {"tfrecord"}};
  if (is_a(e, {"BadZipFile", "BadZipfile"})) return Kind{"zip archives", {"zip", "npz", "keras", "torch"}};
  if (is_a(e, {"BadGzipFile"})) return Kind{"gzip files", {"gzip", "tfrecord"}};
  if (is_a(e, {"SafetensorError"})) return Kind{"safetensors files", {"safetensors"}};
  if (is_a(e, {"UnidentifiedImageError"})) return Kind{"images", {}};
  if (is_a(e, {"HDF5ExtError"}) || comes_from(e, "h5py/")) return Kind{"HDF5 files", {"hdf5"}};
  if (comes_from(e, "torch/serialization.py")) return Kind{"PyTorch files", {"torch"}};
  if (is_a(e, {"UnpicklingError"})) return Kind{"pickles", {}};
  if (comes_from(e, "numpy/lib/")) return Kind{"NumPy files", {"npy", "npz"}};
  return std::nullopt;
}

// TFRecord is compressed as a whole, and nothing but the reader's options says so.
enum class Compression { none, gzip, zlib };

Compression compression_of(const Checked& checked) {
  if (checked.holds.ends_with("compressed by gzip")) return Compression::gzip;
  return checked.holds.ends_with("compressed by zlib") ? Compression::zlib : Compression::none;
}

const char* option_of(Compression compression) {
  switch (compression) {
    case Compression::gzip: return "compression_type=\"GZIP\"";
    case Compression::zlib: return "compression_type=\"ZLIB\"";
    case Compression::none: break;
  }
  return "no compression_type";
}

// A reader that was told the wrong compression fails at the first byte; further on it had understood the file.
bool refused_for_compression(const Checked& checked, const PyException& e) {
  if (has_any(e.message, {"inflate() failed"})) return true;
  return compression_of(checked) != Compression::none && fails_at_first_record(e.message);
}

void say_compression(const Input& input, const PyException& e, Finding& out) {
  const auto name = one_line(file_name(input.path), 60);
  const auto compression = compression_of(input.checked);
  const bool was_inflated = has_any(e.message, {"inflate() failed"});
  const auto told = compression == Compression::none ? "the reader was told that it is compressed"
                    : was_inflated                   ? "the reader was told another compression"
                                                     : "the reader was not told that it is compressed";
  const auto plain = compression == Compression::none ? ", not compressed" : "";
  out.claim = fmt::format("{} is a sound TFRecord file ({}{}); {}", name, input.checked.holds, plain, told);
  out.fix = {fmt::format("Open {} with {}.", name, option_of(compression))};
  out.whose = Whose::your_code;
}

void say_other_kind(const Input& input, const Kind& expected, Finding& out) {
  const auto name = one_line(file_name(input.path), 60);
  out.claim = fmt::format("{} is a sound {} file ({}), and was given to a reader of {}", name, input.checked.format,
                          one_line(input.checked.holds, 60), expected.title);
  out.fix = {
      fmt::format("Read {} with what is for {} files, or name the file that was meant.", name, input.checked.format)};
  out.whose = Whose::your_code;
}

void say_refused(const Input& input, const PyException& e, Finding& out) {
  const auto name = one_line(file_name(input.path), 60);
  const auto said = one_line(core_message(e.message), 80);
  out.claim =
      fmt::format("{} was refused by its reader{}; read as {}, it is sound: {}", name,
                  said.empty() ? "" : " (" + said + ")", input.checked.format, one_line(input.checked.holds, 60));
  out.fix = {fmt::format("Look whether this reader is for {} files, and whether {} is written while it is read.",
                         input.checked.format, name)};
}

}  // namespace

bool fails_at_first_record(std::string_view message) {
  const auto at = message.find("record at 0");
  return at != message.npos && !message.substr(at).starts_with("record at 0x");
}

bool is_sound(const Facts& f, std::size_t at) { return f.snapshot.inputs[at].checked.soundness == Soundness::sound; }

void say_sound(const Facts& f, std::size_t at, const PyException& e, Finding& out) {
  const Input& input = f.snapshot.inputs[at];
  const auto expected = expected_by(e);
  const bool fits = expected && std::ranges::find(expected->formats, input.checked.format) != expected->formats.end();
  if (fits && is_record_reader(e) && refused_for_compression(input.checked, e)) say_compression(input, e, out);
  else if (expected && !fits) say_other_kind(input, *expected, out);
  else say_refused(input, e, out);
  out.claim = one_line(out.claim, longest_claim);
  out.strength = std::min(out.strength, Strength::strong);
  out.rival = "the file was changed while it was read";
  out.evidence_for.push_back(fact("walk",
                                  fmt::format("read as {}, {} is sound now: {}", input.checked.format,
                                              one_line(file_name(input.path), 60), input.checked.holds),
                                  {input_ref(at)}));
}

}  // namespace sigwhy::diagnose
