// The exported functions, made from hooked.inc. Each one has three parts:
//   own_NAME    the quick way past the guard, a few instructions; else it jumps (a tail call: the stack and all
//               registers that a callee keeps are the caller's own again) to
//   enter_NAME  which pushes those registers, so that the stack of the call can be unwound later, and calls
//   slow_NAME   which does the work.
#include "guard/hooks.h"

#include <cstring>
#include <type_traits>

#include "guard/loader.h"
#include "guard/next.h"
#include "guard/requests.h"

#define STRING(x) #x
#define CALLER_REGISTER_1 "%rsi"
#define CALLER_REGISTER_2 "%rdx"
#define CALLER_REGISTER_3 "%rcx"
#define PUSH(r) "push %" r "\n.cfi_adjust_cfa_offset 8\n"
#define WITHOUT_PARENTHESES(...) __VA_ARGS__

using namespace sigwhy::guard;

// jemalloc, tcmalloc, mimalloc, the sanitizers.
extern "C" {
[[gnu::weak]] int mallctl(const char*, void*, u64*, void*, u64);
[[gnu::weak]] void* tc_malloc(u64);
[[gnu::weak]] void* mi_malloc(u64);
[[gnu::weak]] void __asan_init();
[[gnu::weak]] void __tsan_init();
[[gnu::weak]] void __msan_init();
}

namespace {

enum Place {
#define HOOKED(count, result, symbol, ...) at_##symbol,
#include "guard/hooked.inc"
#undef HOOKED
  functions
};
void* next_functions[functions];

const char* const names[functions] = {
#define HOOKED(count, result, symbol, ...) #symbol,
#include "guard/hooked.inc"
#undef HOOKED
};

constexpr bool is_operator(Place place) { return place >= at__Znwm; }

// The C++ library may be loaded later than us, or not at all: then its forms are malloc and free.
template <typename Function>
Function next_function(Place place) {
  void*& next = next_functions[place];
  if (!next && is_operator(place)) next = next_definition(names[place]);
  if (!next && is_operator(place)) next = bound_function(place < at__ZdlPv ? "malloc" : "free");
  return reinterpret_cast<Function>(next);
}

bool is_unsettled() {
  if (route == Route::unknown) find_route();
  return route == Route::unknown;
}

}  // namespace

// clang-format off
#define HOOKED(count, result, symbol, parameters, arguments, quick, plain, slow)                                      \
  extern "C" {                                                                                                        \
  [[gnu::visibility("hidden")]] result enter_##symbol parameters;                                                     \
  [[gnu::visibility("hidden"), gnu::used]] result slow_##symbol(WITHOUT_PARENTHESES parameters, const Caller& caller);\
  [[gnu::visibility("hidden")]] result own_##symbol parameters;                                                       \
  [[gnu::visibility("default"), gnu::alias(STRING(own_##symbol))]] result symbol parameters;                          \
  }                                                                                                                   \
  asm(".text\n.p2align 4\n.hidden enter_" #symbol "\n.globl enter_" #symbol "\n.type enter_" #symbol ",@function\n"   \
      "enter_" #symbol ":\n.cfi_startproc\nendbr64\n"                                                                 \
      PUSH("r15") PUSH("r14") PUSH("r13") PUSH("r12") PUSH("rbx") PUSH("rbp")                                         \
      "mov %rsp, " CALLER_REGISTER_##count "\n"                                                                       \
      "sub $8, %rsp\n.cfi_adjust_cfa_offset 8\n"                                                                      \
      "call slow_" #symbol "\n"                                                                                       \
      "add $56, %rsp\n.cfi_adjust_cfa_offset -56\n"                                                                   \
      "ret\n.cfi_endproc\n.size enter_" #symbol ",.-enter_" #symbol "\n");                                            \
  result own_##symbol parameters {                                                                                    \
    if (quick) [[likely]] return plain;                                                                               \
    return enter_##symbol arguments;                                                                                  \
  }
#include "guard/hooked.inc"
#undef HOOKED

// clang-format on

// Never called: its calls are bound like everybody's, and next.cpp reads to what.
#define HOOKED(count, result, symbol, ...) "call " #symbol "@PLT\n"
asm(".text\n.hidden bound_like_everybody\nbound_like_everybody:\n"
#include "guard/hooked.inc"
    "ud2\n");
#undef HOOKED

namespace {

// Only malloc, calloc and free are called that early, by the loader.
template <typename Result, typename... Arguments>
Result early(Place place, Arguments... arguments) {
  if constexpr (std::is_same_v<Result, void*> && (std::is_same_v<Arguments, u64> && ...))
    if (place == at_malloc || place == at_calloc) return from_pool((arguments * ...));
  return Result();
}

template <typename Result, typename First, typename... More>
Result elsewhere(Place place, First first, More... more) {
  if constexpr (std::is_pointer_v<First>)
    if (is_from_pool(reinterpret_cast<const void*>(first))) return Result();
  const auto next = next_function<Result (*)(First, More...)>(place);
  if (!next) return Result();
  return next(first, more...);
}

}  // namespace

// clang-format off
// What is asked for while the loader is being asked comes from the pool, and is never freed.
#define HOOKED(count, result, symbol, parameters, arguments, quick, plain, slow)                                      \
  result slow_##symbol(WITHOUT_PARENTHESES parameters, [[maybe_unused]] const Caller& caller) {                       \
    if (is_unsettled()) [[unlikely]] return early<result>(at_##symbol, WITHOUT_PARENTHESES arguments);                \
    if (route == Route::other || (is_operator(at_##symbol) && operators_replaced)) [[unlikely]]                       \
      return elsewhere<result>(at_##symbol, WITHOUT_PARENTHESES arguments);     \
    return slow;                                                                                                      \
  }
// clang-format on
#include "guard/hooked.inc"
#undef HOOKED

namespace sigwhy::guard {

void* our_malloc() { return reinterpret_cast<void*>(&::own_malloc); }

void* our_function(const char* name) {
#define HOOKED(count, result, symbol, ...) \
  if (!is_operator(at_##symbol) && std::strcmp(name, #symbol) == 0) return reinterpret_cast<void*>(&own_##symbol);
#include "guard/hooked.inc"
#undef HOOKED
  return nullptr;
}

// Not what they are bound to: who has them himself comes to us only to ask for the next.
void find_next_functions() {
  for (int place = 0; place < functions; ++place) next_functions[place] = next_definition(names[place]);
}

bool has_operators_of_its_own() {
#define HOOKED(count, result, symbol, ...)                                                                    \
  if (const void* bound = bound_function(#symbol);                                                            \
      is_operator(at_##symbol) && bound && bound != reinterpret_cast<void*>(&own_##symbol))                   \
    return true;
#include "guard/hooked.inc"
#undef HOOKED
  constexpr char always_the_library_s[] = "_ZSt15set_new_handlerPFvvE";
  return !come_together("_Znwm", always_the_library_s) || !come_together("_ZdlPv", always_the_library_s);
}

bool has_known_allocator() { return mallctl || tc_malloc || mi_malloc || __asan_init || __tsan_init || __msan_init; }

}  // namespace sigwhy::guard
