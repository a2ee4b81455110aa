// A public bug is named where package, version, operation and end all fit, and never changes the verdict.
#include <gtest/gtest.h>

#include "snapshot_builder.h"

namespace sigwhy::diagnose {

namespace {

constexpr const char* site = "/v/lib/python3.11/site-packages";

PythonFrame python_frame(const std::string& file, const char* function) {
  return {.file = file, .function = function, .line = 10};
}

Build with_package(Build b, const char* name, const char* version) {
  if (!b.s.inventory) b.s.inventory.emplace();
  b.s.inventory->packages.push_back({.name = name, .version = version, .origin = "wheel", .folder = site});
  return b;
}

// TensorFlow divides by zero in an operation that was called from Python.
Build divides_in_gather(const char* version, int signal = SIGFPE) {
  Build b;
  b.frames({{"tensorflow::ResourceGatherOp::Compute(tensorflow::OpKernelContext*)", torch},
            {"_PyEval_EvalFrameDefault", python}});
  b.s.modules[torch].path = std::string(site) + "/tensorflow/python/_pywrap_tensorflow_internal.so";
  if (signal == SIGFPE) b.signal(SIGFPE, FPE_INTDIV).runs("idiv");
  else b.reads(8, 0, SEGV_MAPERR);
  b.s.threads[0].python = {
      python_frame(std::string(site) + "/tensorflow/python/ops/gen_resource_variable_ops.py",
                   "resource_gather_eager_fallback"),
      python_frame(std::string(site) + "/tensorflow/python/ops/gen_resource_variable_ops.py", "resource_gather"),
      python_frame("/home/ada/nets/train.py", "<module>")};
  return with_package(b, "tensorflow-cpu", version);
}

std::vector<std::string> ids(const Build& b) {
  std::vector<std::string> found;
  for (const auto& bug : b.diagnosis().known) found.push_back(bug.id);
  return found;
}

using Ids = std::vector<std::string>;

}  // namespace

TEST(Known, PackageVersionOperationAndEndFit) {
  const auto known = divides_in_gather("2.5.0").diagnosis().known;
  ASSERT_EQ(known.size(), 1u);
  EXPECT_EQ(known[0].id, "CVE-2021-37653");
  EXPECT_EQ(known[0].package, "tensorflow-cpu");
  EXPECT_EQ(known[0].version, "2.5.0");
  EXPECT_EQ(known[0].fixed_in, (Ids{"2.5.1", "2.6.0"}));
  EXPECT_EQ(known[0].summary, "a division by zero in ResourceGather");
}

TEST(Known, NotInAReleaseThatHasTheFixNorInACandidate) {
  EXPECT_EQ(ids(divides_in_gather("2.5.1")), Ids{});
  EXPECT_EQ(ids(divides_in_gather("2.6.0")), Ids{});
  EXPECT_EQ(ids(divides_in_gather("2.5.0rc2")), Ids{});
}

TEST(Known, NotAnotherOperation) {
  auto b = divides_in_gather("2.5.0");
  b.s.threads[0].python[0].function = "identity_eager_fallback";
  b.s.threads[0].python[1].function = "identity";
  b.s.threads[0].frames[0].symbol = "tensorflow::IdentityOp::Compute(tensorflow::OpKernelContext*)";
  EXPECT_EQ(ids(b), Ids{});
}

TEST(Known, NotAnotherEnd) {
  // A null pointer where only a division by zero and a failed check are public.
  EXPECT_EQ(ids(divides_in_gather("2.5.0", SIGSEGV)), Ids{});
  auto killed = divides_in_gather("2.5.0");
  killed.s.fault.reset();
  killed.sent(SIGKILL, 1, SenderRelation::other);
  EXPECT_EQ(ids(killed), Ids{});
}

TEST(Known, ByTheKernelsClassWhereNoPythonFrameNamesIt) {
  auto b = divides_in_gather("2.5.0");
  b.s.threads[0].python.erase(b.s.threads[0].python.begin(), b.s.threads[0].python.begin() + 2);
  EXPECT_EQ(ids(b), Ids{"CVE-2021-37653"});
}

TEST(Known, NotTheOperationOfSomebodyElsesLibrary) {
  auto b = divides_in_gather("2.5.0");
  b.s.threads[0].python.erase(b.s.threads[0].python.begin(), b.s.threads[0].python.begin() + 2);
  b.s.modules[torch].path = "/home/ada/nets/ops/libgather.so";
  EXPECT_EQ(ids(b), Ids{});
}

TEST(Known, NotWhereTwoVersionsAreInstalled) {
  EXPECT_EQ(ids(with_package(divides_in_gather("2.5.0"), "tensorflow", "2.8.0")), Ids{});
}

TEST(Known, TorchByItsOperator) {
  Build b;
  b.frames({{"at::native::(anonymous namespace)::channel_shuffle_kernel_impl(at::TensorBase&, long)", torch},
            {"at::(anonymous namespace)::(anonymous namespace)::wrapper_CPU__native_channel_shuffle(at::Tensor const&, "
             "long)",
             torch},
            {"_PyEval_EvalFrameDefault", python}})
      .signal(SIGFPE, FPE_INTDIV)
      .runs("idiv");
  EXPECT_EQ(ids(with_package(b, "torch", "2.6.0+cpu")), Ids{"pytorch#146787"});
  EXPECT_EQ(ids(with_package(b, "torch", "2.9.0")), Ids{});
}

TEST(Known, TheVerdictIsTheSameWithoutIt) {
  auto with = divides_in_gather("2.5.0"), without = divides_in_gather("2.16.1");
  EXPECT_EQ(verdict(with), verdict(without));
}

}  // namespace sigwhy::diagnose
