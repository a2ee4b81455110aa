// Which exception of a chain it was, whose frame counts, what a sys.exit() means; imports, workers, recursion.
#include <gtest/gtest.h>

#include "exception_builder.h"

namespace sigwhy::diagnose {

using enum ExceptionLink;

// ---- the chain

TEST(ExceptionChain, ACauseIsTheRoot) {
  Thrown t("RuntimeError", "training failed");
  t.at("/home/u/fit.py", "main", 9, "raise RuntimeError('training failed') from e");
  t.behind(cause, "ValueError", "operands could not be broadcast together with shapes (3,2) (4,) ");
  t.at("/home/u/fit.py", "step", 5, "a + b").array("a", "float64", {3, 2}).array("b", "float64", {4});
  EXPECT_EQ(verdict(t), "shape-mismatch proven");
}

// TensorFlow tries `sparse_read` first and falls back: the context explains nothing.
TEST(ExceptionChain, AFailedFirstTryIsNotTheRoot) {
  Thrown t("tensorflow.python.framework.errors_impl.InvalidArgumentError",
           "indices[0] = 7 is not in [0, 3) [Op:GatherV2]");
  t.at(site + "tensorflow/python/framework/ops.py", "raise_from_not_ok_status", 5983)
      .at("/home/u/fit.py", "main", 4, "f()");
  t.behind(context, "AttributeError",
           "'tensorflow.python.framework.ops.EagerTensor' object has no attribute 'sparse_read'");
  t.at(site + "tensorflow/python/ops/array_ops.py", "gather", 5048);
  EXPECT_EQ(verdict(t), "python-exception proven");
  EXPECT_TRUE(t.claim().starts_with("nothing caught InvalidArgumentError: indices[0] = 7"));
}

// NumPy hangs an inner error under its own that was never raised in Python.
TEST(ExceptionChain, AnErrorWithoutAPlaceIsNotTheRoot) {
  Thrown t("ValueError", "setting an array element with a sequence.");
  t.at("/home/u/fit.py", "main", 4, "batch.astype(np.float32)");
  t.array("batch", "object", {32}, {lists(28, 31, 0), lists(27, 1, 17)});
  t.behind(cause, "TypeError", "float() argument must be a string or a real number, not 'list'");
  EXPECT_EQ(verdict(t), "ragged-batch proven");
}

TEST(ExceptionChain, TheUsersFrameIsNeitherPackageNorGenerated) {
  Thrown t("ValueError", "Invalid dtype: object");
  t.at("/tmp/__autograph_generated_filex1.py", "tf__step", 11, "retval_ = model(x)");
  t.at("<__array_function__ internals>", "concatenate", 200).at("<frozen importlib._bootstrap>", "_call", 2);
  t.at(site + "keras/src/utils/traceback_utils.py", "error_handler", 122);
  t.at("/home/u/lib/python/fit.py", "main", 40, "model.fit(batch)").array("batch", "object", {3}, {lists(2, 3, 0)});
  EXPECT_EQ(verdict(t), "dtype-mismatch proven");
  EXPECT_EQ(t.diagnosis().findings[0].whose, Whose::your_code);
}

// ---- how it left

TEST(SystemExit, OfALibraryIsADecision) {
  Thrown t("SystemExit", "2", {"BaseException"});
  t.at("/usr/lib/python3.11/argparse.py", "exit", 2640).at("/home/u/fit.py", "main", 4, "args = parser.parse_args()");
  t.behind(context, "argparse.ArgumentError", "argument --n: invalid int value: 'x'");
  t.at("/usr/lib/python3.11/argparse.py", "_get_value", 2511);
  EXPECT_EQ(verdict(t), "unknown");
  EXPECT_EQ(t.diagnosis().certain[0], "the program ended itself with sys.exit(2)");
  EXPECT_FALSE(t.speaks());
}

TEST(SystemExit, InAnExceptBlockIsThatExceptionsDeath) {
  Thrown t("SystemExit", "1", {"BaseException"});
  t.at("/home/u/fit.py", "main", 9, "sys.exit(1)").behind(context, "KeyError", "'lr'", {"LookupError", "Exception"});
  t.at("/home/u/fit.py", "main", 7, "rate = cfg['lr']");
  EXPECT_EQ(verdict(t), "python-exception proven");
  EXPECT_EQ(t.claim(), "the program ended itself while it handled KeyError: 'lr'");
  EXPECT_FALSE(t.speaks());
}

TEST(SystemExit, AloneIsNothing) {
  Thrown t("SystemExit", "", {"BaseException"});
  t.attribute("code", "3").at("/home/u/fit.py", "main", 9, "sys.exit(3)");
  EXPECT_EQ(verdict(t), "unknown");
  EXPECT_EQ(t.diagnosis().certain[0], "the program ended itself with sys.exit(3)");
}

TEST(HandledException, OfACleanEndIsNothing) {
  Thrown t("ValueError", "operands could not be broadcast together with shapes (3,2) (4,) ");
  t.at("/home/u/fit.py", "step", 5, "a + b").array("a", "float64", {3, 2}).array("b", "float64", {4});
  t.s.termination.exit_code = 0;
  EXPECT_EQ(verdict(t), "clean-exit");
  EXPECT_FALSE(t.speaks());
}

// An exception in flight when the process was shot is not what ended it.
TEST(HandledException, OfADeathBySignalIsNoCause) {
  Thrown t("ValueError", "Invalid dtype: object");
  t.at("/home/u/fit.py", "main", 40, "model.fit(batch)").frames({{"f", mine}}).reads(8, 0x18).base("rax", 0, 0x18);
  EXPECT_EQ(verdict(t), "null-pointer proven");
}

TEST(KilledByUser, KeyboardInterrupt) {
  Thrown t("KeyboardInterrupt", "", {"BaseException"});
  t.at("/home/u/fit.py", "main", 40, "time.sleep(60)");
  EXPECT_EQ(verdict(t), "killed-by-user strong");
  t.sent(SIGINT, 0, SenderRelation::terminal, SI_KERNEL);
  EXPECT_EQ(verdict(t), "killed-by-user proven");
  t.sent(SIGINT, 100, SenderRelation::itself, SI_USER);  // os.kill(os.getpid(), …), _thread.interrupt_main()
  EXPECT_EQ(verdict(t), "python-exception proven");
}

TEST(KilledByUser, NotIfTheProgramRaisesItItself) {
  Thrown t("KeyboardInterrupt", "", {"BaseException"});
  t.at("/home/u/fit.py", "main", 40, "raise KeyboardInterrupt");
  EXPECT_EQ(verdict(t), "python-exception proven");
}

// ---- workers

TEST(WorkerDeath, TheTreeKnowsWhich) {
  Thrown t("RuntimeError", "DataLoader worker (pid(s) 24061) exited unexpectedly");
  t.at(site + "torch/utils/data/dataloader.py", "_try_get_data", 1251)
      .at("/home/u/fit.py", "main", 4, "for x in loader:");
  t.child(24061, "pt_data_worker", SIGSEGV, "SIGSEGV").child(24062, "pt_data_worker", SIGTERM, "SIGTERM");
  EXPECT_EQ(verdict(t), "python-exception proven");
  EXPECT_EQ(t.claim(), "its worker (pt_data_worker, process 24061) died of SIGSEGV; the exception only reports that");
  EXPECT_TRUE(t.speaks());
}

// Who sent SIGKILL is not known, and the message says the rest itself.
TEST(WorkerDeath, KilledByNobodyKnowsWhom) {
  Thrown t("RuntimeError", "DataLoader worker (pid 24061) is killed by signal: Killed.");
  t.at("/home/u/fit.py", "main", 4, "for x in loader:");
  t.child(24061, "pt_data_worker", SIGKILL, "SIGKILL");
  EXPECT_TRUE(verdict(t).starts_with("unknown"));
  EXPECT_FALSE(t.speaks());
}

// The pool has killed the others when the first was gone.
TEST(WorkerDeath, TheOneThatCrashed) {
  Thrown t("joblib.externals.loky.process_executor.TerminatedWorkerError", "A worker process was unexpectedly terminated");
  t.s.python_exceptions[0].bases = {"BrokenProcessPool", "RuntimeError"};
  t.at("/home/u/fit.py", "main", 4, "Parallel(n_jobs=2)(jobs)");
  t.child(24061, "python", SIGKILL, "SIGKILL").child(24062, "python", SIGSEGV, "SIGSEGV");
  EXPECT_EQ(t.claim(), "its worker (python, process 24062) died of SIGSEGV; the exception only reports that");
}

TEST(WorkerDeath, NotOneOfSeveral) {
  Thrown t("concurrent.futures.process.BrokenProcessPool", "A process in the process pool was terminated abruptly");
  t.at("/usr/lib/python3.11/concurrent/futures/_base.py", "result", 456)
      .at("/home/u/fit.py", "main", 4, "list(results)");
  t.child(7, "python", SIGSEGV, "SIGSEGV").child(8, "python", SIGABRT, "SIGABRT");
  EXPECT_TRUE(t.claim().starts_with("nothing caught BrokenProcessPool"));
  EXPECT_FALSE(t.speaks());
}

// ---- recursion

TEST(Recursion, NamesTheCircle) {
  Thrown t("RecursionError", "maximum recursion depth exceeded in comparison", {"RuntimeError", "Exception"});
  t.at("/usr/lib/python3.11/abc.py", "__instancecheck__", 119);
  for (int i = 0; i < 490; ++i)
    t.at("/home/u/tree.py", "visit", 7, "walk(node)").at("/home/u/tree.py", "walk", 12, "visit(c)");
  t.at("/home/u/tree.py", "<module>", 20, "walk(root)");
  EXPECT_EQ(verdict(t), "python-exception proven");
  EXPECT_EQ(t.claim(), "walk() and visit() called each other until Python's recursion limit, at least 982 calls deep");
  EXPECT_TRUE(t.speaks());
}

TEST(Recursion, NotForAFewCalls) {
  Thrown t("RecursionError", "maximum recursion depth exceeded", {"RuntimeError", "Exception"});
  for (int i = 0; i < 3; ++i) t.at("/home/u/tree.py", "visit", 7, "visit(node)");
  EXPECT_TRUE(t.claim().starts_with("nothing caught RecursionError"));
}

// ---- imports

TEST(AbiMismatch, NumPysStructs) {
  Thrown t(
      "ValueError",
      "numpy.dtype size changed, may indicate binary incompatibility. Expected 96 from C header, got 88 from PyObject");
  t.at("interval.pyx", "init pandas._libs.interval", 1).at(site + "pandas/_libs/__init__.py", "<module>", 18);
  t.at("/home/u/fit.py", "<module>", 1, "import pandas");
  EXPECT_EQ(verdict(t), "abi-mismatch proven");
  EXPECT_EQ(t.claim(),
            "the compiled modules of pandas were built for another version of NumPy than the one installed: for one "
            "whose numpy.dtype has 96 bytes, where it has 88 now");
}

TEST(AbiMismatch, BothVersionsAndTheBrokenRequirement) {
  Thrown t("ImportError",
           "A module that was compiled using NumPy 1.x cannot be run in\nNumPy 2.0.0 as it may crash. To support both");
  t.at(site + "cv2/__init__.py", "<module>", 8).at("/home/u/fit.py", "<module>", 1, "import cv2");
  t.s.inventory = Inventory{.packages = {{.name = "cv2", .version = "4.9", .broken = {{"numpy<2", "2.0.0"}}},
                                         {.name = "numpy", .version = "2.0.0"}}};
  EXPECT_EQ(verdict(t), "abi-mismatch proven");
  EXPECT_EQ(t.claim(),
            "the compiled modules of cv2 4.9 were built for another version of NumPy than 2.0.0: for NumPy 1.x, and "
            "run with NumPy 2.0.0");
}

TEST(AbiMismatch, ASymbolOfAnotherPython) {
  Thrown t("ImportError", "/home/u/ext.so: undefined symbol: PyList_Extend");
  t.at("/home/u/fit.py", "<module>", 1, "import ext").switched("LD_LIBRARY_PATH", "/opt/lib");
  t.s.interpreters.push_back({.version = "3.11.7"});
  EXPECT_EQ(verdict(t), "abi-mismatch strong");
  EXPECT_EQ(t.claim(),
            "ext.so needs PyList_Extend, which this Python 3.11.7 does not have: it was built for another version");
}

TEST(MixedLibraries, AnOlderCopyInFront) {
  Thrown t("ImportError",
           "/usr/lib/python3.11/lib-dynload/_sqlite3.cpython-311-x86_64-linux-gnu.so: undefined symbol: sqlite3_limit");
  t.at("/usr/lib/python3.11/sqlite3/dbapi2.py", "<module>", 27).at("/home/u/fit.py", "<module>", 1, "import sqlite3");
  EXPECT_EQ(verdict(t), "abi-mismatch strong");
  t.switched("LD_LIBRARY_PATH", "/opt/old/lib");
  EXPECT_EQ(verdict(t), "mixed-libraries strong");
}

TEST(MixedLibraries, AnotherPrefixsCppLibrary) {
  Thrown t("ImportError", "/opt/conda/lib/libstdc++.so.6: version `GLIBCXX_3.4.30' not found (required by /v/x.so)");
  t.at("/home/u/fit.py", "<module>", 1, "import x");
  EXPECT_EQ(verdict(t), "mixed-libraries strong");
  t.s.python_exceptions[0].message =
      "/lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.38' not found (required by /v/x.so)";
  EXPECT_EQ(verdict(t), "abi-mismatch proven");
}

TEST(AbiMismatch, NotForAMissingNameOrModule) {
  Thrown t("ImportError", "cannot import name 'nope' from 'os' (/usr/lib/python3.11/os.py)");
  t.at("/home/u/fit.py", "<module>", 1, "from os import nope");
  EXPECT_EQ(verdict(t), "python-exception proven");
  Thrown u("ModuleNotFoundError", "No module named 'pandas'", {"ImportError", "Exception"});
  u.at("/home/u/fit.py", "<module>", 1, "import pandas");
  EXPECT_EQ(verdict(u), "python-exception proven");
}

TEST(ProtobufConflict, InPython) {
  Thrown t("TypeError", "Couldn't build proto file into descriptor pool: duplicate file name caffe.proto");
  t.at("/home/u/b_pb2.py", "<module>", 9, "DESCRIPTOR = _pool.AddSerializedFile(b'...')");
  EXPECT_EQ(verdict(t), "protobuf-conflict proven");
  Thrown older("TypeError", "Descriptors cannot not be created directly.\nIf this call came from a _pb2.py file, ...");
  older.at(site + "google/protobuf/descriptor.py", "__new__", 560).at(site + "x/a_pb2.py", "<module>", 36);
  EXPECT_EQ(verdict(older), "protobuf-conflict proven");
}

TEST(ProtobufConflict, GeneratedCodeNewerThanTheRuntime) {
  Thrown t("ImportError", "cannot import name builder");
  t.at("/home/u/detector_pb2.py", "<module>", 5, "from google.protobuf.internal import builder as _builder");
  t.at("/home/u/fit.py", "<module>", 2, "import detector_pb2");
  EXPECT_EQ(verdict(t), "protobuf-conflict strong");
  t.s.inventory = Inventory{.packages = {{.name = "protobuf", .version = "3.17.3"}}};
  EXPECT_EQ(t.diagnosis().findings[0].claim,
            "generated code is newer than the installed protobuf 3.17.3: cannot import name builder");
  t.s.inventory->packages.push_back({.name = "protobuf", .version = "4.25.1"});  // nobody knows which of them ran
  EXPECT_EQ(t.diagnosis().findings[0].claim,
            "generated code is newer than the protobuf that is installed: cannot import name builder");
  // the same words of a module of the user's own
  t.s.python_exceptions[0].traceback[0].file = "/home/u/detector.py";
  t.s.python_exceptions[0].traceback[0].text = "from shapes import builder";
  EXPECT_EQ(verdict(t), "python-exception proven");
}

TEST(ProtobufConflict, TheOneThatRanIsNamed) {
  const auto claim = [](const std::string& folder) {
    Thrown t("ImportError", "cannot import name 'runtime_version' from 'google.protobuf' (" + folder +
                                "/google/protobuf/__init__.py)");
    t.at(site + "tensorflow/core/framework/attr_value_pb2.py", "<module>", 9, "from google.protobuf import runtime_version");
    t.at("/home/u/fit.py", "<module>", 1, "import tensorflow");
    t.s.inventory.emplace();
    t.s.inventory->packages.push_back({.name = "protobuf", .version = "7.36.2", .folder = "/v/lib/python3.11/site-packages"});
    return t.claim();
  };
  EXPECT_TRUE(claim("/home/u/vendored").starts_with("generated code is newer than the protobuf that is found first, in /home/u/vendored: "));
  EXPECT_TRUE(claim("/v/lib/python3.11/site-packages").starts_with("generated code is newer than the installed protobuf 7.36.2: "));
}

// pip install --target puts protobuf where it looks like the user's own code.
TEST(ProtobufConflict, ARuntimeOutsideOfSitePackages) {
  Thrown t("google.protobuf.runtime_version.VersionError", "Detected incompatible Gencode/Runtime versions");
  t.at("/srv/lib/google/protobuf/runtime_version.py", "_ReportVersionError", 50, "raise VersionError(msg)");
  t.at("/srv/gen/train_pb2.py", "<module>", 12).at("/home/u/fit.py", "<module>", 2, "import train_pb2");
  EXPECT_EQ(verdict(t), "protobuf-conflict proven");
  t.s.python_exceptions[0].traceback[0].file = "/home/u/runtime_version.py";
  EXPECT_EQ(verdict(t), "python-exception proven");
}

TEST(ProtobufMessage, DamagedOrTooLarge) {
  Thrown t("google.protobuf.message.DecodeError", "Error parsing message");
  t.at("/home/u/fit.py", "<module>", 2, "assert Batch.FromString(data)");
  EXPECT_EQ(verdict(t), "corrupt-input strong");
  auto& frame = t.s.python_exceptions[0].traceback[0];
  frame.values.push_back({.name = "data", .type = "bytes", .length = 2'147'483'647});
  EXPECT_EQ(verdict(t), "corrupt-input strong");
  frame.values[0].length = 2'147'483'648;
  EXPECT_EQ(verdict(t), "python-exception proven");
}

}  // namespace sigwhy::diagnose
