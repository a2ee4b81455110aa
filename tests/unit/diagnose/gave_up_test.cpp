// Programs that give up: checks, exceptions, the interpreter, the GIL, libraries that refuse each other.
#include <gtest/gtest.h>

#include "snapshot_builder.h"

namespace sigwhy::diagnose {

// ---- failed-check

TEST(FailedCheck, Assert) {
  Build b;
  b.frames({{"raise", libc}, {"abort", libc}, {"", libc}, {"__assert_fail", libc}, {"train_batch", mine}}).aborts();
  b.text(TextKind::abort_message, "python: op.c:2: train_batch: Assertion `n > 0' failed.\n");
  EXPECT_EQ(verdict(b), "failed-check proven");
  EXPECT_EQ(b.diagnosis().findings[0].claim, "assertion `n > 0' failed in train_batch (op.c:2)");
}

TEST(FailedCheck, AbseilsCheck) {
  Build b;
  b.frames({{"raise", libc},
            {"abort", libc},
            {"tsl::internal::LogMessageFatal::~LogMessageFatal()", torch},
            {"tensorflow::Tensor::CheckIsAlignedAndSingleElement() const", torch}});
  b.aborts().text(TextKind::failed_check,
                  "tensor.cc:681: Check failed: 1 == NumElements() (1 vs. 0)Must have a one element tensor");
  EXPECT_EQ(verdict(b), "failed-check proven");
}

TEST(FailedCheck, TextWithoutTheFrame) {
  Build b;
  b.frames({{"raise", libc}, {"abort", libc}, {"", torch}})
      .aborts()
      .text(TextKind::failed_check, "x.cc:1: Check failed: a");
  EXPECT_EQ(verdict(b), "failed-check strong");
}

TEST(FailedCheck, PrintedAndNotKept) {
  Build b;
  b.frames({{"raise", libc}, {"abort", libc}, {"arrow::util::ArrowLog::~ArrowLog()", mine}, {"load", mine}}).aborts();
  EXPECT_EQ(verdict(b), "failed-check plausible");
  b.text(TextKind::stderr_tail, "epoch 1\ntable.cc:83: Check failed: rows > 0 \nlib.so(+0x10)[0x7f19]\n");
  EXPECT_EQ(verdict(b), "failed-check strong");
  EXPECT_EQ(b.diagnosis().findings[0].claim, "table.cc:83: Check failed: rows > 0");
}

TEST(FailedCheck, OwnAbortIsOnlyPlausible) {
  Build b;
  b.frames({{"raise", libc}, {"abort", libc}, {"give_up", app}}).aborts();
  EXPECT_EQ(verdict(b), "failed-check plausible");
}

TEST(FailedCheck, NotForALibrarysSilentAbort) {
  Build b;
  b.frames({{"raise", libc}, {"abort", libc}, {"at::die", torch}, {"main", app}}).aborts();
  EXPECT_EQ(verdict(b), "unknown");
  EXPECT_EQ(b.diagnosis().certain[0], "at::die() in libtorch_cpu.so called abort()");
}

TEST(FailedCheck, NotForAFaultWithOldWords) {
  Build b;
  b.frames({{"f", mine}}).reads(8, 0x18).base("rax", 0, 0x18).text(TextKind::failed_check, "x.cc:1: Check failed: a");
  EXPECT_EQ(verdict(b), "null-pointer proven");
  EXPECT_EQ(b.diagnosis().unexplained.size(), 1u);
}

TEST(FailedCheck, PureVirtual) {
  Build b;
  b.frames(
       {{"raise", libc}, {"abort", libc}, {"std::terminate()", cpp}, {"__cxa_pure_virtual", cpp}, {"Pool::run()", app}})
      .aborts();
  b.text(TextKind::terminate, "pure virtual method called");
  EXPECT_EQ(verdict(b), "failed-check proven");
  EXPECT_NE(found(b.diagnosis(), Cause::use_after_free), nullptr);
  Build in_destructor = b;
  in_destructor.frames({{"Pool::~Pool()", app}});
  EXPECT_EQ(found(in_destructor.diagnosis(), Cause::use_after_free), nullptr);
}

// ---- uncaught-cpp-exception and what explains it

static Build terminates(const char* type, const char* what) {
  Build b;
  b.frames({{"raise", libc},
            {"abort", libc},
            {"", cpp},
            {"std::terminate()", cpp},
            {"__cxa_throw", cpp},
            {"load(char const*)", app}})
      .aborts();
  const auto words = std::string("terminate called after throwing an instance of '") + type + "'\n  what():  " + what;
  return b.text(TextKind::terminate, words.c_str()).exception(type, what);
}

TEST(UncaughtException, Proven) {
  const auto b = terminates("std::runtime_error", "no such file");
  EXPECT_EQ(verdict(b), "uncaught-cpp-exception proven");
  EXPECT_EQ(b.diagnosis().findings[0].claim,
            "nothing caught the exception std::runtime_error (\"no such file\"), thrown in load() in app");
}

TEST(UncaughtException, WithoutTheText) {
  auto b = terminates("std::runtime_error", "x");
  b.s.texts.clear();
  EXPECT_EQ(verdict(b), "uncaught-cpp-exception proven");
  b.s.threads[0].frames.erase(b.s.threads[0].frames.begin() + 4);  // no __cxa_throw
  EXPECT_EQ(verdict(b), "uncaught-cpp-exception strong");
}

TEST(UncaughtException, NotForAnExceptionThatIsMerelyAlive) {
  Build b;
  b.frames({{"f", app}}).reads(8, 0).base("rax", 0).exception("std::runtime_error", "x");
  EXPECT_EQ(verdict(b), "null-pointer proven");
  EXPECT_EQ(b.diagnosis().unexplained.size(), 1u);
}

TEST(UncaughtException, NotForAJoinableThread) {
  auto b = terminates("x", "y");
  b.s.texts[0].text = "terminate called without an active exception";
  b.s.exceptions.clear();
  EXPECT_EQ(verdict(b), "failed-check plausible");
  b.s.threads[0].frames[4].symbol = "std::thread::~thread()";
  EXPECT_EQ(verdict(b), "failed-check proven");
}

TEST(OutOfMemoryRefused, LimitMakesItStrong) {
  auto b = terminates("std::bad_alloc", "std::bad_alloc");
  EXPECT_EQ(verdict(b), "uncaught-cpp-exception proven");
  ASSERT_NE(found(b.diagnosis(), Cause::out_of_memory_refused), nullptr);
  b.limit("address-space", 1u << 30);
  EXPECT_EQ(verdict(b), "out-of-memory-refused strong");
}

TEST(OutOfMemoryRefused, NotWhenCaughtNorForOthers) {
  Build b;
  b.frames({{"f", app}})
      .reads(8, 0)
      .base("rax", 0)
      .exception("std::bad_alloc", "std::bad_alloc")
      .limit("address-space", 1);
  EXPECT_EQ(found(b.diagnosis(), Cause::out_of_memory_refused), nullptr);
  EXPECT_EQ(found(terminates("std::logic_error", "x").diagnosis(), Cause::out_of_memory_refused), nullptr);
}

TEST(ImpossibleAllocation, LengthErrorOfTheLibrary) {
  EXPECT_EQ(verdict(terminates("std::length_error", "vector::_M_default_append")), "impossible-allocation strong");
  EXPECT_EQ(verdict(terminates("std::bad_array_new_length", "std::bad_array_new_length")),
            "impossible-allocation strong");
}

TEST(ImpossibleAllocation, NotTheProgramsOwnLengthError) {
  EXPECT_EQ(verdict(terminates("std::length_error", "name too long")), "uncaught-cpp-exception proven");
  EXPECT_EQ(verdict(terminates("std::out_of_range", "vector::_M_range_check")), "uncaught-cpp-exception proven");
}

// ---- gil-not-held

static Build translator() {
  Build b;
  b.frames({{"_PyErr_GetTopmostException", python},
            {"PyErr_SetString", python},
            {"pybind11::detail::translate_exception(std::__exception_ptr::exception_ptr)", mine},
            {"pybind11::cpp_function::dispatcher(_object*, _object*, _object*)", mine},
            {"_PyEval_EvalFrameDefault", python}});
  b.reads(8, 0x78).base("rdi", 0, 0x78);
  return b;
}

TEST(GilNotHeld, BelowTheTranslator) {
  const auto b = translator();
  EXPECT_EQ(verdict(b), "gil-not-held proven");
  EXPECT_EQ(found(b.diagnosis(), Cause::null_pointer), nullptr);
}

TEST(GilNotHeld, TheExceptionExplainsIt) {
  auto b = translator();
  b.exception("std::runtime_error", "no");
  EXPECT_EQ(verdict(b), "uncaught-cpp-exception strong");
  EXPECT_EQ(found(b.diagnosis(), Cause::uncaught_cpp_exception)->explains, Cause::gil_not_held);
  auto deeper = translator();
  deeper.exception("std::length_error", "vector::_M_default_append");
  EXPECT_EQ(verdict(deeper), "impossible-allocation strong");
}

TEST(GilNotHeld, ThreadWithoutPython) {
  Build b;
  b.frames({{"PyErr_Occurred", python}, {"report", mine}, {"worker", mine}, {"start_thread", libc}, {"clone3", libc}})
      .on_thread(at::thread_stack_end - 0x100);
  b.reads(8, 0x60).base("rax", 0, 0x60);
  EXPECT_EQ(verdict(b), "gil-not-held strong");
}

Build appending(bool known) {
  Build b;
  b.frames({{"PyList_Append", python}, {"add", mine}, {"start_thread", libc}, {"clone3", libc}}).on_thread(at::thread_stack_end - 0x100);
  b.writes(8, 0x7f1234560000).base("rax", 0x7f1234560000);
  b.s.threads.push_back({.tid = 1, .gil = GilState::released});
  b.s.interpreters.push_back({.version = "3.11", .threads = known ? 2u : 1u});
  return b;
}

TEST(GilNotHeld, ThreadThatPythonDoesNotKnow) {
  EXPECT_EQ(verdict(appending(false)), "gil-not-held strong");
  EXPECT_NE(verdict(appending(true)), "gil-not-held strong");  // one state was not found: it may be this thread's
}

TEST(GilNotHeld, PythonsOwnWords) {
  Build b;
  b.frames({{"raise", libc},
            {"abort", libc},
            {"fatal_error_exit", python},
            {"_Py_FatalErrorFunc", python},
            {"PyThreadState_Get", python},
            {"f", mine}})
      .aborts();
  b.text(
      TextKind::python_fatal,
      "Fatal Python error: PyThreadState_Get: the function must be called with the GIL held, but the GIL is released");
  EXPECT_EQ(verdict(b), "gil-not-held proven");
}

TEST(GilNotHeld, MakerOfObjectsCalledThroughCtypes) {
  Build b;
  b.frames({{"PyList_New", python}, {"", ffi}, {"ffi_call", ffi}, {"", ctypes}, {"_PyEval_EvalFrameDefault", python}})
      .reads(8, 0x10)
      .base("rax", 0, 0x10);
  EXPECT_EQ(verdict(b), "gil-not-held strong");
}

TEST(GilNotHeld, NotForWordsInALog) {
  Build b;
  b.frames({{"raise", libc}, {"abort", libc}, {"", python}, {"_PyEval_EvalFrameDefault", python}}).aborts();
  b.text(TextKind::python_fatal, "Fatal Python error: drop_gil: GIL is not locked");
  EXPECT_EQ(verdict(b), "unknown");
}

TEST(GilNotHeld, NotForANullObject) {
  Build b;
  b.frames({{"PyObject_GetAttr", python}, {"f", mine}, {"_PyEval_EvalFrameDefault", python}})
      .reads(8, 8)
      .base("rdi", 0, 8);
  EXPECT_EQ(verdict(b), "null-pointer strong");
}

TEST(GilNotHeld, NotForTheLibrarysOwnNull) {
  Build b;  // called through ctypes, GIL released, but no Python function is above the library
  b.frames({{"sum_rows", mine},
            {"ffi_call_unix64", ffi},
            {"_ctypes_callproc", ctypes},
            {"_PyEval_EvalFrameDefault", python}})
      .reads(8, 0x60)
      .base("rdi", 0, 0x60);
  EXPECT_EQ(verdict(b), "null-pointer proven");
}

// ---- python-fatal-error

TEST(PythonFatalError, Proven) {
  Build b;
  b.frames({{"raise", libc}, {"abort", libc}, {"fatal_error_exit", python}, {"none_dealloc", python}}).aborts();
  b.text(TextKind::python_fatal, "Fatal Python error: none_dealloc: deallocating None");
  EXPECT_EQ(verdict(b), "python-fatal-error proven");
  EXPECT_EQ(b.diagnosis().findings[0].claim, "the Python interpreter gave up: none_dealloc: deallocating None");
}

TEST(PythonFatalError, TextOnly) {
  Build b;
  b.aborts().text(TextKind::python_fatal, "Fatal Python error: init failed");
  EXPECT_EQ(verdict(b), "python-fatal-error strong");
  b.frames({{"raise", libc}, {"abort", libc}, {"os_abort", python}});  // words of a log, and an abort of its own
  EXPECT_EQ(verdict(b), "failed-check plausible");
}

TEST(PythonFatalError, NotForFaulthandlersReport) {
  Build b;
  b.frames({{"f", mine}})
      .reads(8, 0)
      .base("rax", 0)
      .text(TextKind::python_fatal, "Fatal Python error: Segmentation fault");
  EXPECT_EQ(verdict(b), "null-pointer proven");
  Build aborted;
  aborted.frames({{"raise", libc}, {"abort", libc}, {"give_up", app}})
      .aborts()
      .text(TextKind::python_fatal, "Fatal Python error: Aborted");
  EXPECT_EQ(verdict(aborted), "failed-check plausible");
}

// ---- libraries that refuse each other

TEST(ProtobufConflict, FileTwice) {
  Build b;
  b.frames({{"raise", libc}, {"abort", libc}, {"f", torch}}).aborts();
  b.text(TextKind::protobuf_fatal, "descriptor.cc:1: File already exists in database: any.proto");
  EXPECT_EQ(verdict(b), "protobuf-conflict proven");
}

TEST(ProtobufConflict, RuntimeTooOld) {
  Build b;
  b.frames({{"raise", libc}, {"abort", libc}, {"f", torch}}).aborts();
  b.text(TextKind::protobuf_fatal,
         "common.cc:86: This program requires version 3.6.0 of the Protocol Buffer runtime library");
  EXPECT_EQ(verdict(b), "protobuf-conflict proven");
}

TEST(ProtobufConflict, NotForOtherChecks) {
  Build b;
  b.frames({{"raise", libc}, {"abort", libc}, {"f", torch}})
      .aborts()
      .text(TextKind::protobuf_fatal, "message.cc:9: CHECK failed: index >= 0");
  EXPECT_EQ(found(b.diagnosis(), Cause::protobuf_conflict), nullptr);
  Build fault;
  fault.frames({{"f", torch}})
      .reads(8, 0)
      .base("rax", 0)
      .text(TextKind::protobuf_fatal, "File already exists in database: any.proto");
  EXPECT_EQ(found(fault.diagnosis(), Cause::protobuf_conflict), nullptr);
}

TEST(OpenmpConflict, Error15) {
  Build b;
  b.frames({{"raise", libc}, {"abort", libc}, {"__kmp_abort_process", mine}}).aborts();
  b.text(TextKind::openmp_error, "OMP: Error #15: Initializing libomp.so, but found libiomp5.so already initialized.");
  EXPECT_EQ(verdict(b), "openmp-conflict proven");
}

TEST(OpenmpConflict, NotForOtherErrors) {
  Build b;
  b.frames({{"raise", libc}, {"abort", libc}, {"f", torch}})
      .aborts()
      .text(TextKind::openmp_error, "OMP: Error #34: System unable to allocate resources");
  EXPECT_EQ(found(b.diagnosis(), Cause::openmp_conflict), nullptr);
  Build quiet;
  quiet.frames({{"f", torch}}).reads(8, 0).base("rax", 0).text(TextKind::openmp_error, "OMP: Error #15: x");
  EXPECT_EQ(found(quiet.diagnosis(), Cause::openmp_conflict), nullptr);
}

}  // namespace sigwhy::diagnose
