// Exceptions that report a refusal: memory, files, disk (of threads and mappings: refused_thread_test.cpp); and files
// that are not what they should be.
#include <gtest/gtest.h>

#include "exception_builder.h"

namespace sigwhy::diagnose {

namespace {

constexpr std::uint64_t gib = 1ull << 30;

Thrown numpy_refusal(const char* size, const char* shape) {
  Thrown t("numpy.core._exceptions._ArrayMemoryError",
           std::string("Unable to allocate ") + size + " for an array with shape " + shape + " and data type float64",
           {"MemoryError", "Exception"});
  t.at("/home/u/fit.py", "<module>", 4, "parts = [np.ones((1024, 1024, 32)) for _ in range(20)]");
  return t;
}

// The regions of the builder are small: one mapping stands for the rest.
void maps(Thrown& t, std::uint64_t bytes) {
  t.s.regions.push_back({.start = {0x7e0000000000}, .end = {0x7e0000000000 + bytes}, .permissions = "rw-p"});
}

}  // namespace

// ---- memory

TEST(MemoryRefused, BeneathTheMachinesMemory) {
  const auto t = numpy_refusal("256. MiB", "(1024, 1024, 32)");
  EXPECT_EQ(verdict(t), "out-of-memory-refused strong");
  EXPECT_TRUE(t.claim().starts_with("256 MiB were refused, for a float64 array (1024, 1024, 32)"));
}

TEST(MemoryRefused, MoreThanTheMachineHas) {
  Thrown t("RuntimeError",
           "[enforce fail at alloc_cpu.cpp:118] err == 0. DefaultCPUAllocator: can't allocate memory: you tried to "
           "allocate 400000000000 bytes. Error code 12 (Cannot allocate memory)");
  t.at("/home/u/fit.py", "<module>", 4, "torch.zeros(n, 100)");
  EXPECT_EQ(verdict(t), "out-of-memory-refused proven");
}

TEST(MemoryRefused, WithoutAMessage) {
  Thrown t("MemoryError", "");
  t.at("/home/u/fit.py", "<module>", 4, "table = [0.0] * (vocab * dim)")
      .number("vocab", "1000000")
      .number("dim", "100000");
  EXPECT_EQ(verdict(t), "out-of-memory-refused strong");
  EXPECT_TRUE(t.speaks());
}

TEST(MemoryRefused, HiddenBehindTheCleanup) {
  Thrown t("RuntimeError", "could not finish the record");
  t.at("/home/u/fit.py", "close", 20, "writer.finish()").behind(ExceptionLink::context, "MemoryError", "");
  t.at("/home/u/fit.py", "write", 14, "buffer += chunk");
  EXPECT_EQ(verdict(t), "out-of-memory-refused strong");
}

TEST(MemoryRefused, NotForTheGpu) {
  Thrown t("tensorflow.python.framework.errors_impl.ResourceExhaustedError",
           "OOM when allocating tensor with shape[1024,1024] and type float on /job:localhost/replica:0/task:0/device:"
           "GPU:0 by allocator GPU_0_bfc [Op:Fill]");
  t.at("/home/u/fit.py", "<module>", 4, "tf.zeros(shape)");
  EXPECT_FALSE(found(t.diagnosis(), Cause::out_of_memory_refused));
}

TEST(ImpossibleAllocation, FourTebibytes) {
  Thrown t(
      "tensorflow.python.framework.errors_impl.ResourceExhaustedError",
      "{{function_node __wrapped__RandomStandardNormal}} OOM when allocating tensor with shape[1024,1024,1024,1024] "
      "and type float on /job:localhost/replica:0/task:0/device:CPU:0 by allocator mklcpu [Op:RandomStandardNormal]",
      {"tensorflow.python.framework.errors_impl.OpError", "Exception"});
  t.at("/home/u/fit.py", "<module>", 4, "tf.random.normal([1024] * 4)");
  EXPECT_EQ(verdict(t), "impossible-allocation proven");
  EXPECT_EQ(t.claim(), "a float32 array (1024, 1024, 1024, 1024) needs 4.0 TiB; the machine has 32 GiB");
}

TEST(ImpossibleAllocation, ALengthFromTheWrongBytes) {
  Thrown t("MemoryError", "");
  t.at("/home/u/read.py", "<module>", 5, "data = f.read(n)").number("n", "1378683651880976127");
  EXPECT_EQ(verdict(t), "impossible-allocation strong");
}

TEST(ImpossibleAllocation, NotForALargeNumberElsewhere) {
  Thrown t("MemoryError", "");
  t.at("/home/u/read.py", "<module>", 5, "data = f.read(n)").number("n", "4096").number("seed", "1378683651880976127");
  EXPECT_EQ(verdict(t), "out-of-memory-refused strong");
}

// ---- limits

TEST(ResourceLimit, AddressSpace) {
  auto t = numpy_refusal("256. MiB", "(1024, 1024, 32)");
  t.limit("address-space", 2 * gib);
  maps(t, 1900ull << 20);
  EXPECT_EQ(verdict(t), "resource-limit proven");
  EXPECT_TRUE(t.claim().starts_with("the address space of this process is limited to 2.0 GiB"));
  EXPECT_TRUE(found(t.diagnosis(), Cause::out_of_memory_refused));
}

TEST(ResourceLimit, NotWithRoomBeneathTheLimit) {
  auto t = numpy_refusal("256. MiB", "(1024, 1024, 32)");
  t.limit("address-space", 64 * gib);
  maps(t, 1900ull << 20);
  EXPECT_EQ(verdict(t), "out-of-memory-refused strong");
}

TEST(ResourceLimit, OpenFiles) {
  Thrown t("OSError", "[Errno 24] Too many open files: '/tmp/shard-00253'");
  t.attribute("errno", "24").attribute("filename", "'/tmp/shard-00253'").at("/home/u/fit.py", "<module>", 7, "open(p)");
  t.limit("open-files", 256);
  EXPECT_EQ(verdict(t), "resource-limit strong");  // nobody counted
  t.s.process.descriptor_count = 256;
  EXPECT_EQ(verdict(t), "resource-limit proven");
  EXPECT_TRUE(t.speaks());
  t.s.process.descriptor_count = 5;  // they were closed on the way out
  t.s.process.descriptor_slots = 256;
  EXPECT_EQ(verdict(t), "resource-limit strong");
}

// inotify answers so for a limit of the user's.
TEST(ResourceLimit, AnotherThatSaysEmfile) {
  Thrown t("OSError", "[Errno 24] Too many open files");
  t.attribute("errno", "24").at("/home/u/fit.py", "<module>", 7, "watch(p)");
  t.limit("open-files", 20000);
  t.s.process.descriptor_count = 9;
  t.s.process.descriptor_slots = 64;
  EXPECT_EQ(verdict(t), "python-exception proven");
  const auto d = t.diagnosis();
  ASSERT_TRUE(found(d, Cause::resource_limit));
  EXPECT_EQ(found(d, Cause::resource_limit)->claim, "a limit other than that on open files may have refused it: 9 of 20,000 are open");
}

TEST(ResourceLimit, Data) {
  auto t = numpy_refusal("256. MiB", "(1024, 1024, 32)");
  t.limit("data-size", 2 * gib);
  EXPECT_EQ(verdict(t), "resource-limit strong");
  t.s.process.data_bytes = 1900ull << 20;
  EXPECT_EQ(verdict(t), "resource-limit proven");
  EXPECT_TRUE(t.claim().starts_with("the data of this process is limited to 2.0 GiB"));
}

TEST(ResourceLimit, LockedMemory) {
  Thrown t("OSError", "[Errno 12] Cannot allocate memory");
  t.attribute("errno", "12").at("/home/u/fit.py", "<module>", 7, "check(libc.mlock(buffer, size))");
  EXPECT_EQ(verdict(t), "out-of-memory-refused strong");
  t.limit("locked-memory", 64 << 10);
  EXPECT_EQ(verdict(t), "resource-limit strong");
  EXPECT_EQ(t.claim(), "more memory was to be locked than the 64 KiB that this process may lock");
  t.s.python_exceptions[0].traceback[0].text = "room = mmap.mmap(-1, size)";
  EXPECT_EQ(verdict(t), "out-of-memory-refused strong");
}

TEST(ResourceLimit, NotForAnotherErrno) {
  Thrown t("FileNotFoundError", "[Errno 2] No such file or directory: '/data/x.npy'", {"OSError", "Exception"});
  t.attribute("errno", "2").attribute("filename", "'/data/x.npy'").at("/home/u/fit.py", "<module>", 7, "open(p)");
  t.limit("open-files", 256);
  EXPECT_EQ(verdict(t), "python-exception proven");
  EXPECT_FALSE(t.speaks());
}

// ---- disk

TEST(DiskFull, NamesTheFile) {
  Thrown t("OSError", "[Errno 28] No space left on device");
  t.attribute("errno", "28").at(site + "numpy/lib/format.py", "write_array", 730).path("fp.name", "/data/x.npy");
  t.at("/home/u/fit.py", "save", 31, "np.save(path, x)").path("path", "/data/x.npy");
  EXPECT_EQ(verdict(t), "disk-full proven");
  EXPECT_EQ(t.claim(), "the file system is full: /data/x.npy could not be written");
  EXPECT_TRUE(t.speaks());
}

TEST(DiskFull, BehindTheErrorOfTheClose) {
  Thrown t("RuntimeError", "[enforce fail at inline_container.cc:595] . unexpected pos 64 vs 0");
  t.at(site + "torch/serialization.py", "__exit__", 700).at("/home/u/fit.py", "save", 31, "torch.save(state, path)");
  t.behind(ExceptionLink::context, "OSError", "[Errno 28] No space left on device").attribute("errno", "28");
  t.at(site + "torch/serialization.py", "_save", 800).at("/home/u/fit.py", "save", 31, "torch.save(state, path)");
  EXPECT_EQ(verdict(t), "disk-full strong");
}

// ---- disk, told by a library in words of its own

Thrown short_write(std::optional<std::uint64_t> free_bytes, const char* line = "np.save(path, x)") {
  Thrown t("OSError", "250000 requested and 131056 written");
  t.at(site + "numpy/lib/format.py", std::string(line).find("save") != std::string::npos ? "write_array" : "read_array", 730);
  t.at("/home/u/fit.py", "keep", 31, line).path("path", "/data/x.npy");
  t.s.inputs.push_back({.path = "/data/x.npy", .seen = "a value of keep()", .bytes = 1'048'576});
  if (free_bytes) t.s.inputs[0].file_system = FileSystem{"ext4", 100 * gib, *free_bytes};
  return t;
}

TEST(DiskFull, ByTheRoomThatIsLeft) {
  const auto t = short_write(4096);
  EXPECT_EQ(verdict(t), "disk-full strong");
  EXPECT_EQ(t.claim(),
            "the file system is full: /data/x.npy could not be written whole, and 4,096 bytes of 100 GiB are left for it");
  EXPECT_TRUE(t.speaks());
  EXPECT_EQ(verdict(short_write(std::nullopt)), "python-exception proven");
}

TEST(DiskFull, NotForAnErrorOfReading) {
  EXPECT_EQ(verdict(short_write(4096, "x = np.load(path)")), "python-exception proven");
}

TEST(DiskFull, NamedByTheMessage) {
  const auto claim = [](const char* type, const char* message) {
    Thrown t(type, message, {"OpError", "OSError", "Exception"});
    t.at("/home/u/fit.py", "keep", 31, "writer.write(record)");
    return t.claim();
  };
  EXPECT_EQ(claim("tensorflow.python.framework.errors_impl.ResourceExhaustedError",
                  "out/a.tfrecord; No space left on device"),
            "the file system is full: out/a.tfrecord could not be written");
  EXPECT_EQ(claim("OSError", "Can't write data (file write failed: filename = 'out/a.h5', errno = 28, error message = "
                             "'No space left on device')"),
            "the file system is full: out/a.h5 could not be written");
}

TEST(DiskFull, NotProvenWhereItWasHandled) {
  const auto after = [](const char* type, const char* base) {
    Thrown t(type, "'cache'", {base, "Exception"});
    t.at("/home/u/fit.py", "save", 33, "path = places['cache']");
    t.behind(ExceptionLink::context, "OSError", "[Errno 28] No space left on device: '/data/x.npy'");
    t.attribute("errno", "28").attribute("filename", "'/data/x.npy'").at("/home/u/fit.py", "save", 31, "write(path)");
    return verdict(t);
  };
  EXPECT_EQ(after("RuntimeError", "Exception"), "disk-full strong");
  EXPECT_EQ(after("KeyError", "LookupError"), "python-exception proven");
}

TEST(DiskFull, NotForSharedMemoryOrWatches) {
  Thrown t("OSError", "[Errno 28] No space left on device");
  t.attribute("errno", "28").at("/usr/lib/python3.11/multiprocessing/synchronize.py", "__init__", 57);
  t.at("/home/u/fit.py", "main", 31, "lock = mp.Lock()");
  EXPECT_EQ(verdict(t), "python-exception proven");
}

// ---- files

TEST(CorruptInput, TheArchiveTheLoaderGot) {
  Thrown t("zipfile.BadZipFile", "File is not a zip file");
  t.at("/usr/lib/python3.11/zipfile.py", "_RealGetContents", 1369)
      .at("/usr/lib/python3.11/zipfile.py", "__init__", 1302);
  t.at(site + "numpy/lib/npyio.py", "load", 432).path("file", "/data/d.npz");
  t.at("/home/u/fit.py", "main", 9, "x = np.load(p)['x']").path("p", "/data/d.npz");
  EXPECT_EQ(verdict(t), "corrupt-input strong");
  EXPECT_TRUE(t.claim().starts_with("/data/d.npz is cut short"));
  EXPECT_TRUE(t.speaks());
}

TEST(CorruptInput, ALengthTheFileContradicts) {
  Thrown t("ValueError", "cannot reshape array of size 609 into shape (1000,100)");
  t.at(site + "numpy/lib/format.py", "read_array", 832)
      .at(site + "numpy/lib/npyio.py", "load", 432)
      .path("file", "e.npy");
  t.at("/home/u/fit.py", "main", 9, "x = np.load('e.npy')");
  EXPECT_EQ(verdict(t), "corrupt-input proven");
}

// The same words from a part of NumPy that reads no file: the array is the program's own.
TEST(CorruptInput, NotWhatNumPyReshapesItself) {
  Thrown t("ValueError", "cannot reshape array of size 609 into shape (1000,100)");
  t.at(site + "numpy/lib/shape_base.py", "tile", 1272).at("/home/u/fit.py", "main", 4, "np.tile(x, 3)");
  t.path("source", "/data/x.npy");
  EXPECT_FALSE(verdict(t).starts_with("corrupt-input"));
}

TEST(CorruptInput, NotForAReshapeOfTheUsers) {
  Thrown t("ValueError", "cannot reshape array of size 609 into shape (1000,100)");
  t.at("/home/u/fit.py", "main", 9, "x = x.reshape(1000, 100)").array("x", "float64", {609}).path("p", "/data/e.npy");
  EXPECT_EQ(verdict(t), "shape-mismatch proven");
}

TEST(CorruptInput, ARecordWithAWrongChecksum) {
  Thrown t("tensorflow.python.framework.errors_impl.DataLossError", "corrupted record at 41900 [Op:IteratorGetNext]");
  t.at(site + "tensorflow/python/framework/ops.py", "raise_from_not_ok_status", 5983);
  t.at("/home/u/fit.py", "main", 9, "for record in data:").path("shard", "/data/train.tfrecord").number("n", "3");
  EXPECT_EQ(verdict(t), "corrupt-input proven");
  EXPECT_TRUE(t.claim().starts_with("/data/train.tfrecord is cut short"));
}

// Cython's frames have the names of sources that are not here: they are no lines of the user's.
TEST(CorruptInput, ATableThatACompiledReaderRefuses) {
  Thrown t("pyarrow.lib.ArrowInvalid", "Parquet magic bytes not found in footer.", {"ValueError", "Exception"});
  t.at("pyarrow/error.pxi", "pyarrow.lib.check_status", 91).at("pyarrow/_dataset.pyx", "inspect", 3000);
  t.at(site + "pyarrow/parquet/core.py", "read_table", 2900);
  t.at("/home/u/fit.py", "<module>", 3, "rows = pq.read_table('rows.parquet')");
  EXPECT_EQ(verdict(t), "corrupt-input strong");
  Thrown page("OSError", "Corrupt snappy compressed data.", {"Exception"});
  page.at("pyarrow/error.pxi", "pyarrow.lib.check_status", 91);
  page.at("/home/u/fit.py", "<module>", 3, "rows = reader.read_all()");
  EXPECT_EQ(verdict(page), "corrupt-input strong");
  Thrown made("pyarrow.lib.ArrowInvalid", "Could not convert 'x' with type str", {"ValueError", "Exception"});
  made.at("pyarrow/error.pxi", "pyarrow.lib.check_status", 91).at("/home/u/fit.py", "<module>", 3, "pa.array(rows)");
  EXPECT_EQ(verdict(made), "python-exception proven");
}

TEST(CorruptInput, JsonOfAFileOrOfAText) {
  Thrown t("json.decoder.JSONDecodeError", "Expecting value: line 1 column 6 (char 5)", {"ValueError", "Exception"});
  t.at("/usr/lib/python3.11/json/decoder.py", "raw_decode", 355)
      .at("/usr/lib/python3.11/json/__init__.py", "load", 293);
  t.at("/home/u/fit.py", "main", 9, "cfg = json.load(open(path))").path("path", "/data/cfg.json");
  EXPECT_EQ(verdict(t), "corrupt-input strong");
  auto& own = t.s.python_exceptions[0].traceback.back();
  own.text = "cfg = json.loads(body)";
  own.values = {{.name = "body", .type = "str", .length = 5}};
  EXPECT_EQ(verdict(t), "python-exception proven");
}

// torch.load refuses a sound checkpoint that holds more than weights.
TEST(CorruptInput, NotForAnObjectThatMayNotBeLoaded) {
  Thrown t(
      "_pickle.UnpicklingError",
      "Weights only load failed. In PyTorch 2.6, we changed the default value of the `weights_only` argument in "
      "`torch.load` from `False` to `True`. ... WeightsUnpickler error: Unsupported global: GLOBAL my.Model was not "
      "an allowed global by default.",
      {"_pickle.PickleError", "Exception"});
  t.at(site + "torch/serialization.py", "load", 1470)
      .path("f", "m.pt")
      .at("/home/u/fit.py", "main", 9, "torch.load('m.pt')");
  EXPECT_EQ(verdict(t), "python-exception proven");
}

}  // namespace sigwhy::diagnose
