// Exceptions that pass on what a GPU's driver or allocator said. The messages are what real libraries said: PyTorch
// 1.1 to 2.11, TensorFlow 2, JAX, CuPy.
#include <gtest/gtest.h>

#include "exception_builder.h"

namespace sigwhy::diagnose {

namespace {

const std::string hint =
    " If reserved but unallocated memory is large try setting "
    "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.";

Thrown torch_refusal(const std::string& message, const char* line = "h = layer(h)") {
  Thrown t("torch.OutOfMemoryError", message, {"RuntimeError", "Exception"});
  t.at("/home/u/fit.py", "step", 12, line);
  return t;
}

// Torch's own picture: what was asked for, free, the process's and in reserve; the GPU has 24 GiB.
Thrown torch_picture(const std::string& asked, const std::string& free, const std::string& mine,
                     const std::string& given, const std::string& idle) {
  return torch_refusal("CUDA out of memory. Tried to allocate " + asked +
                       ". GPU 0 has a total capacity of 24.00 GiB of "
                       "which " +
                       free + " is free. Including non-PyTorch memory, this process has " + mine +
                       " memory in use. Of the allocated memory " + given + " is allocated by PyTorch, and " + idle +
                       " is reserved by PyTorch but unallocated." + hint);
}

void on_gpu(Thrown& t, const std::string& name, std::vector<std::int64_t> shape, std::uint64_t bytes) {
  t.array(name, "float32", std::move(shape), {}, ArrayKind::torch);
  t.s.arrays.back().device = "cuda:0";
  t.s.arrays.back().bytes = bytes;
}

void opens_gpu(Thrown& t) {
  t.s.regions.push_back({.start = {0x200000000}, .end = {0x200200000}, .path = "/dev/nvidia0"});
}

Thrown jax_refusal(const char* type = "jaxlib.xla_extension.XlaRuntimeError") {
  Thrown t(type, "RESOURCE_EXHAUSTED: Out of memory while trying to allocate 160000000000 bytes.",
           {"RuntimeError", "Exception"});
  t.at(site + "jax/_src/dispatch.py", "apply_primitive", 88).at("/home/u/fit.py", "<module>", 4, "x = jnp.zeros(n)");
  return t;
}

std::string first_fix(const Thrown& t) { return t.diagnosis().findings[0].fix[0]; }

}  // namespace

// ---- memory

TEST(GpuMemory, HeldByAnotherProcess) {
  const auto t = torch_picture("4.00 GiB", "1.50 GiB", "2.00 GiB", "1.25 GiB", "0 bytes");
  EXPECT_EQ(verdict(t), "gpu-out-of-memory proven");
  EXPECT_EQ(t.claim(),
            "the GPU had no room for 4.00 GiB: 1.50 GiB of its 24.00 GiB were free; 20 GiB are held outside this "
            "process");
  EXPECT_TRUE(first_fix(t).starts_with("End the other process"));
  EXPECT_TRUE(t.speaks());
}

TEST(GpuMemory, MoreThanTheGpuHas) {
  const auto t = torch_picture("30.29 GiB", "23.50 GiB", "518.00 MiB", "0 bytes", "0 bytes");
  EXPECT_EQ(verdict(t), "gpu-out-of-memory proven");
  EXPECT_EQ(t.claim(), "30.29 GiB were asked for at once, and the whole GPU has 24.00 GiB");
  EXPECT_FALSE(t.speaks());
}

TEST(GpuMemory, InPieces) {
  const auto t = torch_picture("3.00 GiB", "1.66 GiB", "22.20 GiB", "17.00 GiB", "4.84 GiB");
  EXPECT_EQ(verdict(t), "gpu-out-of-memory proven");
  EXPECT_NE(t.claim().find("4.84 GiB lie in reserve"), std::string::npos);
  EXPECT_NE(first_fix(t).find("expandable_segments"), std::string::npos);
}

TEST(GpuMemory, HeldByTheProgramsOwnNames) {
  auto t = torch_picture("8.00 GiB", "1.00 GiB", "22.80 GiB", "22.00 GiB", "0 bytes");
  for (int i = 0; i < 2; ++i) on_gpu(t, "kept[" + std::to_string(i) + "]", {1 << 30}, 8ull << 30);
  EXPECT_EQ(verdict(t), "gpu-out-of-memory proven");
  EXPECT_NE(t.claim().find("the 2 tensors in `kept` hold 16 GiB"), std::string::npos);
  EXPECT_TRUE(first_fix(t).starts_with("Keep less in `kept`"));
  EXPECT_TRUE(t.speaks());
}

// Seen on an H200: a list of losses, four bytes each, kept 138 GiB alive.
TEST(GpuMemory, HeldByAGraphWithoutAName) {
  auto t = torch_picture("2.00 GiB", "869.12 MiB", "23.00 GiB", "22.50 GiB", "0 bytes");
  on_gpu(t, "images", {65536, 8192}, 2ull << 30);
  for (int i = 0; i < 9; ++i) on_gpu(t, "history[" + std::to_string(i) + "]", {}, 4);
  EXPECT_NE(t.claim().find("of the 22.50 GiB it gave this process, names hold 2.0 GiB"), std::string::npos);
  EXPECT_TRUE(first_fix(t).starts_with("Keep numbers in `history`"));
}

// Views have no memory of their own, which cannot be seen on a GPU.
TEST(GpuMemory, NotASumThatCannotBe) {
  auto t = torch_picture("8.00 GiB", "1.00 GiB", "22.80 GiB", "22.00 GiB", "0 bytes");
  for (int i = 0; i < 4; ++i) on_gpu(t, "views[" + std::to_string(i) + "]", {1 << 30}, 8ull << 30);
  EXPECT_EQ(t.claim().find("views"), std::string::npos);
}

TEST(GpuMemory, ALimitOfTheProgramsOwn) {
  const auto t = torch_refusal(
      "CUDA out of memory. Tried to allocate 20.00 GiB. GPU 0 has a total capacity of 139.80 GiB of which 139.29 GiB "
      "is "
      "free. Including non-PyTorch memory, this process has 518.00 MiB memory in use. 13.98 GiB allowed; Of the "
      "allocated memory 0 bytes is allocated by PyTorch, and 0 bytes is reserved by PyTorch but unallocated." +
      hint);
  EXPECT_EQ(verdict(t), "gpu-out-of-memory proven");
  EXPECT_EQ(t.claim(), "20.00 GiB were asked for on the GPU, where this process may use 13.98 GiB");
}

// Below a container PyTorch lists the process itself under the host's number for it, and not as "this process".
TEST(GpuMemory, NotItselfByAnotherNumber) {
  const auto t = torch_refusal(
      "CUDA out of memory. Tried to allocate 496.00 MiB. GPU 0 has a total capacty of 14.75 GiB of which 235.06 MiB is "
      "free. Process 20398 has 14.52 GiB memory in use. Of the allocated memory 14.06 GiB is allocated by PyTorch, and "
      "330.42 MiB is reserved by PyTorch but unallocated.");
  EXPECT_EQ(verdict(t), "gpu-out-of-memory proven");
  EXPECT_EQ(t.claim().find("outside this process"), std::string::npos);
}

TEST(GpuMemory, OlderWordings) {
  const auto old = [](const char* tail) {
    Thrown t("RuntimeError", std::string("CUDA out of memory. Tried to allocate 1.72 GiB (GPU 0; 10.76 GiB total "
                                         "capacity; 4.01 GiB already allocated; 356.00 MiB free; ") +
                                 tail);
    t.at("/home/u/fit.py", "step", 12, "loss.backward()");
    EXPECT_EQ(verdict(t), "gpu-out-of-memory proven") << tail;
    return t.claim();
  };
  EXPECT_NE(old("5.54 GiB cached)").find("5.54 GiB lie in reserve"), std::string::npos);
  EXPECT_NE(old("4.20 GiB reserved in total by PyTorch) If reserved memory is >> allocated memory try setting "
                "max_split_size_mb to avoid fragmentation.")
                .find("6.2 GiB are held outside this library"),
            std::string::npos);
  Thrown oldest("RuntimeError",
                "cuda runtime error (2) : out of memory at /pytorch/aten/src/THC/generic/THCStorage.cu:58");
  oldest.at("/home/u/fit.py", "step", 12, "loss.backward()");
  EXPECT_EQ(verdict(oldest), "gpu-out-of-memory strong");
}

// The driver refused what it says was free: somebody was faster, or it lies in pieces.
TEST(GpuMemory, NotProvenWithRoom) {
  const auto t = torch_picture("2.26 GiB", "3.03 GiB", "1.24 GiB", "0.78 GiB", "0 bytes");
  EXPECT_EQ(verdict(t), "gpu-out-of-memory strong");
}

TEST(GpuMemory, TensorFlowNamesTheDevice) {
  const auto on = [](const char* device, const char* allocator) {
    Thrown t(
        "tensorflow.python.framework.errors_impl.ResourceExhaustedError",
        std::string("{{function_node __wrapped__Fill}} OOM when allocating tensor with shape[1024,1024,512] and type "
                    "float on /job:localhost/replica:0/task:0/device:") +
            device + " by allocator " + allocator + " [Op:Fill]",
        {"tensorflow.python.framework.errors_impl.OpError", "Exception"});
    t.at(site + "tensorflow/python/framework/ops.py", "raise_from_not_ok_status", 5983);
    t.at("/home/u/GPU/fit.py", "<module>", 4, "tf.zeros(shape)");
    opens_gpu(t);
    return t;
  };
  EXPECT_EQ(verdict(on("GPU:0", "GPU_0_bfc")), "gpu-out-of-memory strong");
  EXPECT_EQ(on("GPU:0", "GPU_0_bfc").claim(), "the GPU had no room for 2.0 GiB, a float32 array (1024, 1024, 512)");
  EXPECT_EQ(verdict(on("CPU:0", "cpu")), "out-of-memory-refused strong");
  EXPECT_EQ(verdict(on("CPU:0", "mklcpu")), "out-of-memory-refused strong");
  EXPECT_EQ(verdict(on("GPU:0", "gpu_host_bfc")), "out-of-memory-refused strong");
}

// JAX says the same of the host's memory.
TEST(GpuMemory, JaxOnlyWithAGpuOpen) {
  EXPECT_EQ(verdict(jax_refusal()), "python-exception proven");
  auto t = jax_refusal("jax.errors.JaxRuntimeError");
  opens_gpu(t);
  EXPECT_EQ(verdict(t), "gpu-out-of-memory strong");
  EXPECT_EQ(t.claim(), "the GPU had no room for 149 GiB");
  EXPECT_TRUE(t.speaks());
}

// As JAX says it since it names the allocator.
TEST(GpuMemory, JaxNamesTheAllocator) {
  const auto refused_by = [](const std::string& allocator) {
    Thrown t("jax.errors.JaxRuntimeError", "RESOURCE_EXHAUSTED: Out of memory while trying to allocate 8.00GiB with allocator " + allocator +
                                               " on device 0. [executable_name='jit_add']");
    return t.at("/home/u/fit.py", "<module>", 5, "kept[-1].block_until_ready()").claim();
  };
  EXPECT_EQ(refused_by("GPU_0_bfc"), "the GPU had no room for 8.00 GiB");
  EXPECT_NE(refused_by("gpu_host_bfc"), "the GPU had no room for 8.00 GiB");
}

TEST(GpuMemory, CuPyIsNoMemoryErrorOfTheHost) {
  Thrown t("cupy.cuda.memory.OutOfMemoryError",
           "Out of memory allocating 251,658,240,000 bytes (allocated so far: 8,589,934,592 bytes).",
           {"MemoryError", "Exception"});
  t.at("cupy/cuda/memory.pyx", "cupy.cuda.memory.alloc", 773).at("/home/u/fit.py", "<module>", 4, "cupy.empty(n)");
  EXPECT_EQ(verdict(t), "gpu-out-of-memory strong");
  EXPECT_EQ(t.claim(), "the GPU had no room for 234 GiB");
}

// What the driver said has a number on newer exceptions. Pinned memory is the host's.
TEST(GpuMemory, ByTheDriversNumber) {
  const auto refused = [](const char* line) {
    Thrown t("torch.AcceleratorError",
             "CUDA error: out of memory\nSearch for `cudaErrorMemoryAllocation' in https://docs",
             {"RuntimeError", "Exception"});
    t.attribute("error_code", "2").at("/home/u/fit.py", "<module>", 4, line);
    return verdict(t);
  };
  EXPECT_EQ(refused("x = x.cuda()"), "gpu-out-of-memory strong");
  EXPECT_EQ(refused("x = torch.empty(n, pin_memory=True)"), "python-exception proven");
}

TEST(GpuMemory, ALoaderThatPinsIsNoPinnedRefusal) {
  auto t = torch_picture("4.00 GiB", "1.50 GiB", "2.00 GiB", "1.25 GiB", "0 bytes");
  t.at("/home/u/fit.py", "<module>", 30, "fit(DataLoader(rows, pin_memory=True))");
  EXPECT_EQ(verdict(t), "gpu-out-of-memory proven");
}

TEST(GpuMemory, NotForAWorkerOfAGpu) {
  Thrown t("RuntimeError", "the worker for GPU 3 was killed: out of memory");
  t.at(site + "launcher/run.py", "wait", 90).at("/home/u/fit.py", "<module>", 9, "launch(main)");
  EXPECT_EQ(verdict(t), "python-exception proven");
}

TEST(GpuMemory, NotForTheUsersOwnWords) {
  Thrown t("RuntimeError", "CUDA out of memory. Tried to allocate 4.00 GiB.");
  t.at("/home/u/fit.py", "check", 4, "raise RuntimeError(text)").at("/home/u/fit.py", "<module>", 9, "check()");
  EXPECT_EQ(verdict(t), "python-exception proven");
}

TEST(GpuMemory, NotProvenWhereItWasHandled) {
  Thrown t("RuntimeError", "could not save the last state");
  t.at("/home/u/fit.py", "save", 20, "save(state)");
  t.behind(
      ExceptionLink::context, "torch.OutOfMemoryError",
      "CUDA out of memory. Tried to allocate 30.00 GiB. GPU 0 has a total capacity of 24.00 GiB of which 1.00 GiB is "
      "free.",
      {"RuntimeError", "Exception"});
  t.at("/home/u/fit.py", "step", 14, "h = layer(h)");
  EXPECT_EQ(verdict(t), "gpu-out-of-memory strong");
}

// ---- kernels

namespace {

const std::string late =
    "\nCUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be "
    "incorrect.\nFor debugging consider passing CUDA_LAUNCH_BLOCKING=1\n";

const std::string gather =
    "/pytorch/aten/src/ATen/native/cuda/IndexKernelUtils.cu:16: vectorized_gather_kernel: block: [15,0,0], thread: "
    "[31,0,0] Assertion `ind >=0 && ind < ind_dim_size` failed.\n";
const std::string traceback = "Traceback (most recent call last):\n  File \"fit.py\", line 4, in pick\n";

Thrown torch_error(const std::string& message, const char* number) {
  Thrown t("torch.AcceleratorError", message + late, {"RuntimeError", "Exception"});
  t.attribute("error_code", number).at("/home/u/fit.py", "pick", 4, "return (rows * 2).sum().item()");
  return t;
}

Thrown failed_gather() {
  auto t = torch_error("CUDA error: device-side assert triggered", "710");
  on_gpu(t, "table", {1000, 16}, 64000);
  on_gpu(t, "index", {20}, 160);
  t.s.arrays.back().dtype = "int64";
  return t;
}

void prints(Thrown& t, const std::string& text) { t.s.texts.push_back({.kind = TextKind::stderr_tail, .text = text}); }

}  // namespace

TEST(GpuAssert, NamesWhatCanBeAnIndex) {
  const auto t = failed_gather();
  EXPECT_EQ(verdict(t), "gpu-assert proven");
  EXPECT_EQ(
      t.claim(),
      "a GPU kernel stopped at a check of its own; fit.py:4 reports it; integer tensors there: `index` int64 (20,)");
  EXPECT_EQ(t.diagnosis().findings[0].fix.size(), 2u);
  EXPECT_TRUE(t.speaks());
}

TEST(GpuAssert, TellsTheConditionThatWasPrinted) {
  auto t = failed_gather();
  prints(t, gather + traceback);
  EXPECT_TRUE(t.claim().starts_with(
      "the GPU kernel vectorized_gather_kernel stopped at its own check: ind >=0 && ind < ind_dim_size"));
}

TEST(GpuAssert, NotTheConditionOfAnEarlierRun) {
  auto t = failed_gather();
  prints(t, gather + traceback + "torch.AcceleratorError: ...\n" + traceback);
  EXPECT_TRUE(t.claim().starts_with("a GPU kernel stopped at a check of its own"));
}

TEST(GpuAssert, ALineThatWaitedForTheKernelLaunchedIt) {
  auto t = failed_gather();
  t.switched("CUDA_LAUNCH_BLOCKING", "1");
  const auto d = t.diagnosis();
  EXPECT_EQ(d.findings[0].fix.size(), 1u);
  EXPECT_NE(d.findings[0].evidence_for.back().sentence.find("was launched by the line"), std::string::npos);
}

TEST(GpuAssert, OlderWordings) {
  for (const char* words :
       {"CUDA error: device-side assert triggered",
        "cuda runtime error (59) : device-side assert triggered at /pytorch/aten/src/THC/x.cu:265"}) {
    Thrown t("RuntimeError", words);
    t.at("/home/u/fit.py", "step", 12, "loss.backward()");
    EXPECT_EQ(verdict(t), "gpu-assert proven") << words;
  }
}

TEST(GpuIllegalAccess, ByNumberAndByWords) {
  EXPECT_EQ(verdict(torch_error("CUDA error: an illegal memory access was encountered", "700")),
            "gpu-illegal-access proven");
  Thrown cupy("cupy_backends.cuda.api.runtime.CUDARuntimeError",
              "cudaErrorIllegalAddress: an illegal memory access was encountered", {"RuntimeError", "Exception"});
  cupy.at("cupy_backends/cuda/api/runtime.pyx", "check_status", 146).at("/home/u/fit.py", "<module>", 9, "print(y)");
  EXPECT_EQ(verdict(cupy), "gpu-illegal-access proven");
  EXPECT_NE(cupy.claim().find("fit.py:9 reports it"), std::string::npos);
  EXPECT_TRUE(cupy.speaks());
}

TEST(GpuIllegalAccess, ALineThatWaitedForTheKernelLaunchedIt) {
  auto t = torch_error("CUDA error: an illegal memory access was encountered", "700");
  t.switched("CUDA_LAUNCH_BLOCKING", "1");
  EXPECT_EQ(t.claim(), "a GPU kernel that fit.py:4 launched accessed memory that is not there");
}

// Numbers mean the driver's errors only on exceptions that pass them on.
TEST(GpuErrors, NotForOtherNumbersAndWords) {
  for (const char* number : {"2", "700", "710"}) {
    Thrown t("storage.ServiceError", "request refused");
    t.attribute("status", number).at("/home/u/fit.py", "<module>", 9, "send(batch)");
    EXPECT_EQ(verdict(t), "python-exception proven") << number;
  }
  Thrown emulator("RuntimeError", "an illegal memory access was encountered");
  emulator.at(site + "machine/core.py", "step", 90).at("/home/u/fit.py", "<module>", 9, "run(image)");
  EXPECT_EQ(verdict(emulator), "python-exception proven");
  EXPECT_EQ(verdict(torch_error("CUDA error: invalid device ordinal", "101")), "python-exception proven");
}

}  // namespace sigwhy::diagnose
