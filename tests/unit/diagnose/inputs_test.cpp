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

Thrown data_loss(const char* message, Input input) {
  Thrown t("tensorflow.python.framework.errors_impl.DataLossError", message);
  t.at(site + "tensorflow/python/framework/ops.py", "raise_from_not_ok_status", 7209);
  t.at("/home/ada/nets/train.py", "<module>", 5, "for r in tf.data.TFRecordDataset('/data/t.tfrecord'): pass");
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

TEST(LookedAt, ASoundFileIsNotCalledDamaged) {
  const auto t = bad_zip(looked_at("/data/a.npz", Soundness::sound, "npz"));
  EXPECT_EQ(verdict(t), "corrupt-input strong");
  EXPECT_EQ(claim(t), "a.npz was refused by its reader (File is not a zip file); read as npz, it is sound: 200 records");
  EXPECT_EQ(claim(bad_zip(looked_at("/data/a.npz", Soundness::sound, "npy"))),
            "a.npz is a sound npy file (200 records), and was given to a reader of zip archives");
}

TEST(LookedAt, AModelThatWasGivenToAnotherReader) {
  Thrown t("_pickle.UnpicklingError", "invalid load key, '\\xa0'.");
  t.at(site + "torch/serialization.py", "_legacy_load", 1744).path("f", "/data/m.safetensors");
  t.at("/home/ada/nets/train.py", "<module>", 5, "torch.load('/data/m.safetensors', weights_only=False)");
  t.s.inputs.push_back(looked_at("/data/m.safetensors", Soundness::sound, "safetensors"));
  EXPECT_EQ(verdict(t), "corrupt-input strong");
  EXPECT_EQ(claim(t), "m.safetensors is a sound safetensors file (200 records), and was given to a reader of PyTorch files");
  t.s.inputs[0].checked.format = "torch";
  EXPECT_EQ(claim(t).find("was given to a reader"), std::string::npos);
}

TEST(LookedAt, ACompressionThatTheReaderWasNotTold) {
  const auto held = [](const char* holds) {
    auto input = looked_at("/data/t.tfrecord", Soundness::sound, "tfrecord");
    input.checked.holds = holds;
    return input;
  };
  const auto t = data_loss("corrupted record at 0 [Op:IteratorGetNext]", held("50 records, compressed by gzip"));
  EXPECT_EQ(verdict(t), "corrupt-input strong");
  EXPECT_EQ(claim(t),
            "t.tfrecord is a sound TFRecord file (50 records, compressed by gzip); the reader was not told that it is "
            "compressed");
  EXPECT_TRUE(t.speaks());
  EXPECT_EQ(claim(data_loss("inflate() failed with error -3: incorrect header check", held("50 records"))),
            "t.tfrecord is a sound TFRecord file (50 records, not compressed); the reader was told that it is "
            "compressed");
  // it had read some of them
  EXPECT_EQ(claim(data_loss("corrupted record at 516", held("50 records, compressed by gzip"))).find("told"),
            std::string::npos);
}

TEST(LookedAt, ARecordThatIsWrongFromTheStartProvesNothing) {
  const auto nothing = looked_at("/data/other", Soundness::unknown_format);
  EXPECT_EQ(verdict(data_loss("corrupted record at 0 (Is this even a TFRecord file?)", nothing)), "corrupt-input strong");
  EXPECT_EQ(verdict(data_loss("corrupted record at 516", nothing)), "corrupt-input proven");
}

TEST(LookedAt, AMemberOfAnArchiveIsNoFile) {
  Thrown t("zipfile.BadZipFile", "Bad CRC-32 for file 'x.npy'");
  t.at("/usr/lib/python3.11/zipfile.py", "ZipExtFile._update_crc", 973)
      .value({.name = "self", .type = "ZipExtFile", .items = {{.name = ".name", .type = "str", .text = "'x.npy'"}}});
  t.at("/home/ada/nets/train.py", "<module>", 5, "x = data['x']");
  EXPECT_EQ(claim(t).find("x.npy is"), std::string::npos);
  t.s.inputs.push_back(looked_at("/data/d.npz", Soundness::broken, "npz"));
  EXPECT_EQ(claim(t), "d.npz is broken at byte 20,064 (record 17): it ends in the middle of a record");
}

TEST(LookedAt, WhatStandsInItsPlace) {
  auto input = looked_at("/data/a.npz", Soundness::broken, "");
  input.checked.flaw = Flaw{.what = "it is an HTML page, not the file itself; get the file again"};
  const auto t = bad_zip(input);
  EXPECT_EQ(claim(t), "a.npz is broken: it is an HTML page, not the file itself; get the file again");
  EXPECT_TRUE(t.speaks());
}

// A checkpoint is walked as a whole, from each of its files.
TEST(LookedAt, OneFlawThatTwoFilesLeadTo) {
  Thrown t("IndexError", "Read less bytes than requested");
  t.at(site + "tensorflow/python/training/py_checkpoint_reader.py", "get_tensor", 66);
  t.at("/home/ada/nets/train.py", "<module>", 5, "model.load_weights(prefix)");
  auto index = looked_at("/data/m.index", Soundness::broken, "checkpoint");
  index.checked.flaw->inside = "m.data-00000-of-00001";
  t.s.inputs = {index, looked_at("/data/m.data-00000-of-00001", Soundness::broken, "checkpoint")};
  EXPECT_EQ(verdict(t), "corrupt-input strong");
  EXPECT_TRUE(claim(t).starts_with("m.data-00000-of-00001 is broken at byte 20,064"));
  EXPECT_TRUE(t.speaks());
  t.s.inputs[0].checked.flaw->offset = 7;  // two flaws: which of them it was is not known
  EXPECT_EQ(claim(t).find("byte 20,064"), std::string::npos);
}

TEST(LookedAt, AFileThatOnlyTheSourceLineNamesIsSaid) {
  Thrown t("google.protobuf.message.DecodeError", "Error parsing message");
  t.at(site + "onnx/__init__.py", "load_model", 210).path("f", "m.onnx");
  t.at("/home/ada/nets/train.py", "<module>", 5, "onnx.load('m.onnx')");
  EXPECT_TRUE(t.speaks());
  t.s.python_exceptions[0].message = "Error parsing m.onnx";
  EXPECT_FALSE(t.speaks());
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
