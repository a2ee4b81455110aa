// A file that is not what its reader needs: cut short, damaged, or of another format. Some exception classes mean just
// that (BadZipFile, DataLossError); other readers say it in a ValueError or OSError of their own, which counts only
// from inside the reader. A checksum or a length that the file itself contradicts leaves no other reading.
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "diagnose/array_error.h"
#include "diagnose/array_words.h"
#include "diagnose/broken_input.h"
#include "diagnose/input_file.h"
#include "diagnose/large_message.h"
#include "diagnose/phrases.h"
#include "diagnose/rule.h"
#include "diagnose/sound_input.h"

namespace sigwhy::diagnose::rules {

namespace {

bool is_class_of_it(const PyException& e) {
  if (e.type.find("google.protobuf") != std::string::npos) return is_a(e, {"DecodeError"});
  return is_a(e, {"BadZipFile", "BadZipfile", "BadGzipFile", "DataLossError", "tarfile.ReadError", "LZMAError",
                  "UnpicklingError", "SafetensorError", "UnidentifiedImageError", "HDF5ExtError", "zipfile.error"});
}

// Data from anywhere, a socket or a string as well: they need a file to be about one.
bool is_parser_class(const PyException& e) {
  return is_a(e, {"zlib.error", "JSONDecodeError", "ParseError", "ExpatError", "EOFError", "DecodeError", "ParserError",
                  "EmptyDataError", "wave.Error", "ArrowInvalid"}) ||
         (is_a(e, {"DatabaseError"}) && has_any(e.message, {"not a database", "malformed"}));
}

struct Reader {
  std::string_view file;  // part of the path of one of its frames
  std::initializer_list<std::string_view> words;
};

const std::initializer_list<std::string_view> numpy_words = {"cannot reshape array of size",
                                                             "EOF: reading",
                                                             "magic string",
                                                             "Failed to read all data",
                                                             "Cannot load file containing pickled data",
                                                             "Cannot parse header",
                                                             "could not convert string",
                                                             "number of columns changed"};

// What readers say from inside their own files.
const Reader readers[] = {
    // Only NumPy's file readers: the rest of numpy/lib works on arrays that the program made itself.
    {"numpy/lib/format.py", numpy_words},
    {"numpy/lib/_format_impl.py", numpy_words},
    {"numpy/lib/npyio.py", numpy_words},
    {"numpy/lib/_npyio_impl.py", numpy_words},
    {"numpy/core/memmap.py", {"mmap length is greater than file size"}},
    {"numpy/_core/memmap.py", {"mmap length is greater than file size"}},
    {"torch/", {"PytorchStreamReader failed", "unexpected EOF", "might be corrupted", "Invalid magic number"}},
    {"torch/serialization.py", {"[Errno 22] Invalid argument"}},  // of an archive without its end, since torch 2.6
    {"h5py/", {"truncated file", "signature not found", "bad object header", "wrong fixed array", "checksum"}},
    {"tensorflow/python/",
     {"Cannot parse file", "too short to be an sstable", "Read less bytes than requested", "Unknown image file format",
      "Invalid JPEG data", "Invalid PNG", "corrupted record", "truncated record", "not an sstable",
      "Perhaps the file is corrupt",
      "Could not parse example input"}},
    {"PIL/", {"truncated", "cannot identify image file", "broken data stream"}},
    {"bz2.py", {"Invalid data stream"}},
    {"pyarrow/", {"Corrupt ", "deserialize thrift", "decompress failed", "decompression failed"}},
    {"safetensors/", {"header", "incomplete"}},
    {"pandas/io/", {"Error tokenizing data", "No columns to parse", "not a valid"}},
};

bool reader_says(const PyException& e) {
  for (const auto& reader : readers)
    if (has_any(e.message, reader.words) && std::ranges::any_of(e.traceback, [&](const PythonFrame& frame) {
          return frame.file.find(reader.file) != std::string::npos;
        }))
      return true;
  return false;
}

// torch.load and h5py are C code: no frame of theirs below the user's line, but the words are theirs alone.
bool only_they_say(const PyException& e) {
  return has_any(e.message, {"PytorchStreamReader failed", "truncated file: eof =", "pickle data was truncated"});
}

// A checksum, or a length that the file states itself.
bool contradicts_itself(const PyException& e) {
  if (fails_at_first_record(e.message)) return false;
  return has_any(e.message,
                 {"Bad CRC-32", "CRC check failed", "corrupted record", "truncated record", "stored_eof",
                  "data was truncated", "Failed to read all data", "more bytes. The file might be corrupted"}) ||
         (is_a(e, {"ValueError"}) && has_any(e.message, {"cannot reshape array of size"}));
}

// Sound pickles that may not be loaded here: an object that weights_only forbids, an id that only their writer knows.
bool is_sound_pickle(const PyException& e) {
  if (has_any(e.message, {"Weights only load failed"})) return !has_any(e.message, {"load key", "EOF", "truncated"});
  return has_any(e.message, {"persistent id", "persistent_load"});
}

struct Seen {
  std::size_t exception;
  bool by_class;
};

std::optional<Seen> seen(const Facts& f) {
  for (const auto at : f.failure->told) {
    const auto& e = f.snapshot.python_exceptions[at];
    if (is_sound_pickle(e)) return std::nullopt;
    if (is_class_of_it(e)) return Seen{at, true};
    if (reader_says(e) || only_they_say(e)) return Seen{at, true};
    if (is_parser_class(e)) return Seen{at, false};
  }
  return std::nullopt;
}

std::string words_for(const Facts& f, const PyException& e, const std::optional<InputFile>& file) {
  const auto said = one_line(core_message(e.message), 110);
  if (!file)
    return fmt::format("the input is damaged or not of the expected format: {}", said.empty() ? f.failure->type : said);
  return fmt::format("{} is cut short, damaged or not of the expected format{}", one_line(file->path, 80),
                     said.empty() ? "" : ": " + said);
}

// "corrupted record at 492": the reader stumbled just where this file breaks.
bool names_place(const PyException& e, const Input& input) {
  if (!input.checked.flaw || input.checked.flaw->offset == 0) return false;
  const auto place = " at " + std::to_string(input.checked.flaw->offset);
  const auto at = e.message.find(place);
  if (at == std::string::npos) return false;
  const auto behind = at + place.size();
  return behind == e.message.size() || !std::isdigit(static_cast<unsigned char>(e.message[behind]));
}

std::optional<Finding> complained(const Facts& f) {
  const auto found = seen(f);
  if (!found) return std::nullopt;
  const auto& e = f.snapshot.python_exceptions[found->exception];
  const auto file = file_of(f, found->exception);
  const bool certain = found->by_class && contradicts_itself(e);
  if (!found->by_class && !file) return std::nullopt;
  const bool firm = found->by_class || file->named;
  Finding out = finding(Cause::corrupt_input,
                        certain ? Strength::proven
                        : firm  ? Strength::strong
                                : Strength::plausible,
                        words_for(f, e, file));
  const auto said = one_line(core_message(e.message), 120);
  out.evidence_for.push_back(fact("exception",
                                  fmt::format("{}{}{}", class_name(e.type), said.empty() ? "" : ": ", said),
                                  {ref(fmt::format("/python_exceptions/{}", found->exception))}));
  if (file)
    out.evidence_for.push_back(
        fact("file", fmt::format("it was read from {}", one_line(file->path, 100)), file->evidence));
  if (!certain) out.rival = "a sound file of another kind than the one this reader is for";
  out.fix.push_back(
      file ? fmt::format(
                 "Get {} again and compare its size; write such files under another name and rename them when whole.",
                 one_line(file_name(file->path), 60))
           : std::string("Get the file again; write such files under another name and rename them when whole."));
  out.whose = Whose::environment;
  out.retryable = Retryable::no;
  const auto at = file ? input_at(f, file->path) : only_broken_input(f);
  if (at && is_sound(f, *at)) say_sound(f, *at, e, out);
  else if (at) add_walk(f, *at, file.has_value() || names_place(e, f.snapshot.inputs[*at]), out);
  return out;
}

std::optional<Finding> check(const Facts& f) {
  if (f.signal) return died_reading(f);
  if (!f.failure || raised_by_user(f) || large_message(f)) return std::nullopt;
  if (auto found = complained(f)) return found;
  return failed_after_reading(f);
}

}  // namespace

extern const Rule corrupt_input{.title = "corrupt input", .check = check};

}  // namespace sigwhy::diagnose::rules
