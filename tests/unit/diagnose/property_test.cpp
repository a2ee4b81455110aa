// What holds for every snapshot, sound or not: judging never crashes, every reference leads somewhere, every strong
// finding names its rival, every firm one a fix, and the same snapshot gives the same words.
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <random>

#include "evidence/json.h"
#include "snapshot_builder.h"

namespace sigwhy::diagnose {

namespace {

// RFC 6901, as far as our references use it.
const rapidjson::Value* resolve(const rapidjson::Value& root, std::string_view path) {
  const rapidjson::Value* at = &root;
  while (!path.empty()) {
    if (path.front() != '/') return nullptr;
    path.remove_prefix(1);
    const std::string key(path.substr(0, path.find('/')));
    path.remove_prefix(key.size());
    if (at->IsArray()) {
      const auto index = std::strtoul(key.c_str(), nullptr, 10);
      if (key.empty() || index >= at->Size()) return nullptr;
      at = &(*at)[static_cast<rapidjson::SizeType>(index)];
    } else if (at->IsObject() && at->HasMember(key.c_str())) {
      at = &(*at)[key.c_str()];
    } else {
      return nullptr;
    }
  }
  return at;
}

void check_finding(const Finding& f, const rapidjson::Value& snapshot) {
  const auto name = std::string(to_name(f.cause)) + ": " + f.claim;
  EXPECT_FALSE(f.claim.empty());
  EXPECT_LE(f.claim.size(), 200u) << name;
  EXPECT_FALSE(f.claim.ends_with('.') && !f.claim.ends_with("...")) << name;
  EXPECT_FALSE(f.evidence_for.empty()) << name;
  EXPECT_TRUE(f.strength != Strength::strong || (f.rival && !f.rival->empty())) << name;
  EXPECT_TRUE(f.strength < Strength::strong || !f.fix.empty()) << name;
  for (const auto* list : {&f.evidence_for, &f.evidence_against})
    for (const auto& fact : *list) {
      EXPECT_FALSE(fact.sentence.empty()) << name;
      EXPECT_FALSE(fact.evidence.empty()) << name << " / " << fact.sentence;
      for (const auto& ref : fact.evidence)
        EXPECT_NE(resolve(snapshot, ref.path), nullptr) << name << " / " << ref.path;
    }
}

void check(const Snapshot& s) {
  Case c;
  c.snapshot = s;
  c.diagnosis = diagnose(s);
  const auto text = to_json(c);
  rapidjson::Document document;
  document.Parse(text.data(), text.size());
  ASSERT_FALSE(document.HasParseError());
  for (const auto& f : c.diagnosis.findings) check_finding(f, document["snapshot"]);
  const bool none = c.diagnosis.verdict == Cause::unknown || c.diagnosis.verdict == Cause::clean_exit;
  EXPECT_TRUE(none || c.diagnosis.findings.at(0).cause == c.diagnosis.verdict);
  c.diagnosis = diagnose(s);
  EXPECT_EQ(to_json(c), text);
}

class Chance {
 public:
  explicit Chance(unsigned seed) : engine_(seed) {}
  std::uint64_t below(std::uint64_t n) { return std::uniform_int_distribution<std::uint64_t>(0, n - 1)(engine_); }
  bool one_in(std::uint64_t n) { return below(n) == 0; }
  template <class T> const T& of(const std::vector<T>& list) { return list[below(list.size())]; }
  std::uint64_t address() {
    static const std::vector<std::uint64_t> places = {0,
                                                      8,
                                                      0x18,
                                                      0xfff,
                                                      0x10000,
                                                      0xffffffffffffffd0,
                                                      ~0ull,
                                                      at::heap,
                                                      at::heap_end,
                                                      at::map_end,
                                                      at::map_end + 0x10,
                                                      at::arena_end,
                                                      at::stack,
                                                      at::stack - 8,
                                                      at::guard,
                                                      at::thread_stack,
                                                      at::file,
                                                      at::file_end,
                                                      at::app_constants,
                                                      at::libc_data,
                                                      0xdeadbeef,
                                                      0x4141414141414141,
                                                      0xdddddddddddddddd,
                                                      at::heap >> 12,
                                                      (at::heap >> 12) ^ (at::heap + 0x40),
                                                      0x8000000000000000,
                                                      0x7fffffffffff,
                                                      at::heap | (1ull << 62)};
    return of(places) + (one_in(3) ? below(64) : 0);
  }

 private:
  std::mt19937_64 engine_;
};

void add_stack(Build& b, Chance& c) {
  static const std::vector<std::pair<const char*, In>> known = {{"raise", libc},
                                                                {"abort", libc},
                                                                {"free", libc},
                                                                {"malloc", libc},
                                                                {"", libc},
                                                                {"f(int)", app},
                                                                {"crop", mine},
                                                                {"PyErr_SetString", python},
                                                                {"pybind11::detail::translate_exception(int)", mine},
                                                                {"_PyEval_EvalFrameDefault", python},
                                                                {"start_thread", libc},
                                                                {"std::terminate()", cpp},
                                                                {"__assert_fail", libc},
                                                                {"__stack_chk_fail", libc},
                                                                {"__memcpy_evex", libc},
                                                                {"ffi_call", ffi},
                                                                {"_CallPythonObject", ctypes},
                                                                {"", nowhere},
                                                                {"_PyObject_Malloc", python},
                                                                {"at::native::g<std::pair<a,b>>(x)", torch},
                                                                {"fatal_error_exit", python}};
  for (std::uint64_t n = c.below(7); n > 0; --n) b.frames({c.of(known)});
}

void add_fault(Build& b, Chance& c) {
  static const std::vector<Access> kinds = {Access::read, Access::write, Access::read_write, Access::execute};
  static const std::vector<const char*> mnemonics = {"mov", "ret", "call", "idiv", "ud2", "rep movsb", ""};
  b.access(c.of(kinds), 1ull << c.below(7), c.address());
  if (!c.one_in(4)) b.base("rax", c.address(), c.one_in(9) ? INT64_MIN : static_cast<std::int64_t>(c.below(128)) - 64);
  if (b.s.fault->operand && c.one_in(2)) b.index("rdx", c.address(), 1ull << c.below(4));
  auto& i = *b.s.fault->instruction;
  i.mnemonic = i.text = c.of(mnemonics);
  i.deliberate_trap = c.one_in(8);
  i.is_call = c.one_in(6);
  if (c.one_in(4)) i.missing_features = {"avx512f"};
  if (c.one_in(4)) i.division = Division{.is_signed = c.one_in(2), .width_bytes = 4, .divisor = c.below(3) - 1};
  if (c.one_in(3)) b.s.fault->pc = {c.address()};
  if (c.one_in(8)) b.s.fault->operand = 9;
  if (c.one_in(8)) b.s.fault->instruction.reset();
  if (c.one_in(8)) b.s.fault->address.reset();
  if (c.one_in(8)) b.s.fault->access.reset();
  b.s.fault->address_computed = c.one_in(2);
}

void add_rest(Build& b, Chance& c) {
  static const std::vector<const char*> words = {
      "free(): invalid pointer",
      "double free or corruption (!prev)",
      "a: b.c:1: f: Assertion `x' failed.",
      "Assertion `",
      ": Assertion `'",
      "terminate called after throwing an instance of 'x",
      "Fatal Python error: PyThreadState_Get: the function must be called with the GIL held",
      "OMP: Error #15: x",
      "",
      "already exists in database",
      "pthread_create() failed",
      "pure virtual method called",
      "*** buffer overflow detected ***"};
  for (std::uint64_t n = c.below(3); n > 0; --n) b.text(static_cast<TextKind>(c.below(8)), c.of(words));
  if (c.one_in(3)) b.exception(c.one_in(2) ? "std::length_error" : "std::bad_alloc", "vector::_M_default_append");
  if (c.one_in(3))
    b.pointer("freed", c.address(),
              HeapBlock{.start = {c.address()}, .bytes = c.below(99), .state = static_cast<BlockState>(c.below(6))});
  if (c.one_in(3)) b.rsp(c.address());
  if (c.one_in(4)) b.reg("rdx", c.address()).reg("rdi", c.address());
  if (c.one_in(4)) b.s.threads[0].repetition = Repetition{c.below(9), c.below(3), c.below(9), {}};
  if (c.one_in(4)) b.limit(c.one_in(2) ? "address-space" : "stack-size", c.below(1 << 22));
  if (c.one_in(6)) b.region(at::file).file_bytes = c.below(0x20000);
  if (c.one_in(6)) b.region(at::file).file_system = FileSystem{"tmpfs", 100, c.below(8192)};
  if (c.one_in(6)) b.s.process.switches["MALLOC_PERTURB_"] = c.one_in(2) ? "221" : "x";
}

PyValue some_value(Chance& c) {
  static const std::vector<const char*> names = {"x", "w", "rows", "path", "self", "n"};
  static const std::vector<const char*> types = {"numpy.ndarray", "list", "int", "str", "NoneType", "dict"};
  static const std::vector<const char*> texts = {"3", "-1", "99999999999999999999999", "'/d/x.npz'", "None", "'", ""};
  PyValue v{.name = c.of(names), .type = c.of(types), .argument = c.one_in(2)};
  if (c.one_in(2)) v.text = c.of(texts);
  if (c.one_in(3)) v.array = c.below(4);
  for (std::uint64_t n = c.below(3); n > 0; --n)
    v.elements.push_back({.type = c.of(types), .length = c.below(3), .count = c.below(4), .first = c.below(9)});
  if (c.one_in(4)) v.items.push_back({.name = ".w", .type = c.of(types), .array = c.below(4)});
  return v;
}

PythonFrame some_frame(Chance& c) {
  static const std::vector<const char*> files = {"/home/u/fit.py",
                                                 "/v/site-packages/numpy/lib/npyio.py",
                                                 "<string>",
                                                 "",
                                                 "/v/site-packages/torch/serialization.py",
                                                 "/home/u/a_pb2.py"};
  static const std::vector<const char*> lines = {"x @ w", "np.array(rows)", "f('a", "raise x", "", "np.load(path)"};
  PythonFrame frame{.file = c.of(files), .function = "f", .line = 3};
  if (c.one_in(2)) frame.text = c.of(lines);
  for (std::uint64_t n = c.below(4); n > 0; --n) frame.values.push_back(some_value(c));
  return frame;
}

void add_exceptions(Build& b, Chance& c) {
  static const std::vector<const char*> types = {"ValueError",
                                                 "MemoryError",
                                                 "OSError",
                                                 "SystemExit",
                                                 "ImportError",
                                                 "RecursionError",
                                                 "KeyboardInterrupt",
                                                 "zipfile.BadZipFile",
                                                 "TypeError",
                                                 "numpy.core._exceptions._UFuncNoLoopError",
                                                 "",
                                                 "RuntimeError"};
  static const std::vector<const char*> words = {
      "operands could not be broadcast together with shapes (3,4) (5,)",
      "Invalid dtype: object",
      "[Errno 28] x",
      "",
      "size mismatch [",
      "x.so: undefined symbol: ",
      ": version `' not found (required by ",
      "in user code:\n\n",
      "{{}} ",
      "tried to allocate 999999999999999999999 bytes DefaultCPUAllocator",
      "inhomogeneous shape",
      "[Errno 24]",
      "\x1b[1m",
      "DataLoader worker (pid 7)",
      "Unable to allocate 1 GiB for an array with shape (9, 9999999999, 99999999999) float64"};
  b.s.termination = {.kind = TerminationKind::exited, .exit_code = static_cast<int>(c.below(3))};
  b.s.host.memory_bytes = c.one_in(3) ? 0 : 1ull << 35;
  for (std::uint64_t n = 1 + c.below(3); n > 0; --n) {
    PyException e{.link = static_cast<ExceptionLink>(c.below(4)), .type = c.of(types), .message = c.of(words)};
    if (c.one_in(3)) e.attributes.push_back(some_value(c));
    for (std::uint64_t frames = c.below(5); frames > 0; --frames) e.traceback.push_back(some_frame(c));
    b.s.python_exceptions.push_back(std::move(e));
  }
  for (std::uint64_t n = c.below(4); n > 0; --n)
    b.s.arrays.push_back(
        {.dtype = c.one_in(2) ? "object" : "float32", .shape = {3, static_cast<std::int64_t>(c.below(9))}});
  if (c.one_in(3)) b.s.process.tree.push_back({.pid = 7, .parent = 100, .ended = Termination{.signal = 9}});
}

void damage(Build& b, Chance& c) {
  auto& s = b.s;
  if (c.one_in(12)) s.threads.clear();
  else if (c.one_in(12)) s.threads[0].died = false;
  else if (c.one_in(12)) s.threads[0].stack.reset();
  if (c.one_in(12)) s.regions.clear();
  if (c.one_in(12)) s.modules.resize(c.below(3));
  if (c.one_in(12)) s.termination.code.reset();
  if (c.one_in(12)) s.termination.signal.reset();
  if (c.one_in(12)) s.fault.reset();
  else if (c.one_in(12) && s.fault) s.fault->thread = c.below(1000);
  for (auto& r : s.regions) {
    if (c.one_in(40)) r.permissions.clear();
    if (c.one_in(40)) std::swap(r.start, r.end);
  }
}

// Arrays at places that matter or nowhere, with shapes, strides and holders that may lie.
void add_arrays(Build& b, Chance& c) {
  const auto count = c.below(4);
  auto& frames = b.s.threads[0].python;
  for (std::uint64_t i = 0; i < 1 + c.below(3); ++i) {
    frames.push_back({.file = c.one_in(2) ? "/home/u/train.py" : "/v/site-packages/numpy/x.py", .function = "step"});
    if (c.one_in(2)) frames.back().line = 57;
    if (!c.one_in(3)) frames.back().text = "crop(a0, a1, number)";
    frames.back().values.push_back({.name = "number", .type = "int", .text = std::to_string(c.address())});
  }
  for (std::uint64_t i = 0; i < count; ++i) {
    Array a{.name = "a" + std::to_string(i), .type = "ndarray", .dtype = "float32", .item_bytes = c.below(9)};
    a.holders.push_back({.name = a.name, .thread = c.below(2), .frame = c.below(4)});
    std::vector<std::int64_t> strides;
    for (std::uint64_t d = 0; d < c.below(4); ++d) {
      a.shape.push_back(static_cast<std::int64_t>(c.one_in(9) ? ~0ull >> c.below(64) : c.below(1u << c.below(24))));
      strides.push_back(static_cast<std::int64_t>(c.one_in(3) ? 0 - c.below(99) : c.below(1u << c.below(24))));
    }
    if (c.one_in(2)) a.strides = strides;
    if (!c.one_in(6)) a.data = Address{c.address()};
    if (c.one_in(2)) a.memory_start = c.one_in(4) ? Address{c.address()} : a.data;
    if (c.one_in(2)) a.memory_bytes = c.below(1u << 20);
    if (c.one_in(5)) a.points_to = Address{c.address()};
    a.bytes = c.below(1u << 20);
    frames.back().values.push_back({.name = a.name, .type = "ndarray", .argument = true, .array = c.below(5)});
    b.s.arrays.push_back(std::move(a));
  }
}

}  // namespace

TEST(Properties, RandomSnapshots) {
  static const std::vector<std::pair<int, int>> signals = {{SIGSEGV, 1},  {SIGSEGV, 2}, {SIGSEGV, 128}, {SIGBUS, 2},
                                                           {SIGBUS, 128}, {SIGFPE, 1},  {SIGILL, 2},    {SIGTRAP, 128},
                                                           {SIGABRT, -6}, {SIGTERM, 0}, {SIGALRM, 128}, {SIGXCPU, 128},
                                                           {SIGXFSZ, 0},  {SIGPIPE, 0}, {SIGKILL, 0},   {SIGINT, 128}};
  for (unsigned seed = 0; seed < 6000 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Chance c(seed);
    Build b;
    add_stack(b, c);
    const auto& [number, code] = c.of(signals);
    b.signal(number, code);
    if (code <= 0 || c.one_in(10))
      b.s.termination.sender =
          Sender{.pid = c.one_in(2) ? 100 : 7, .relation = static_cast<SenderRelation>(c.below(8))};
    if (!c.one_in(8)) add_fault(b, c);
    add_rest(b, c);
    if (c.one_in(2)) add_arrays(b, c);
    damage(b, c);
    check(b.s);
  }
}

TEST(Properties, RandomExceptions) {
  for (unsigned seed = 0; seed < 6000 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Chance c(seed);
    Build b;
    add_exceptions(b, c);
    add_rest(b, c);
    damage(b, c);
    check(b.s);
  }
}

TEST(Properties, EmptySnapshot) {
  check(Snapshot{});
  Snapshot s;
  s.termination = {.kind = TerminationKind::signalled, .signal = SIGSEGV};
  check(s);
}

TEST(Properties, HostileNames) {
  Build b;
  b.frames({{"operator<<<<<<((((", app}, {"{{{{lambda", mine}, {"\xff\xfe\x01", torch}}).reads(8, 0).base("rax", 0);
  b.s.modules[0].path = std::string(5000, 'x');
  check(b.s);
}

}  // namespace sigwhy::diagnose
