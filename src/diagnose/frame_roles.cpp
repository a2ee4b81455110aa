#include "diagnose/frame_roles.h"

#include <algorithm>
#include <array>

namespace sigwhy::diagnose {

namespace {

struct Name {
  std::string_view text;  // a trailing '*' makes it a prefix
  Role role;
};

// The first match wins, so exact names and narrow prefixes stand before broad ones.
constexpr auto names = std::to_array<Name>({
    {"malloc", Role::heap},
    {"calloc", Role::heap},
    {"realloc", Role::heap},
    {"reallocarray", Role::heap},
    {"free", Role::heap},
    {"cfree", Role::heap},
    {"memalign", Role::heap},
    {"aligned_alloc", Role::heap},
    {"posix_memalign", Role::heap},
    {"valloc", Role::heap},
    {"pvalloc", Role::heap},
    {"malloc_trim", Role::heap},
    {"__libc_malloc*", Role::heap},
    {"__libc_free*", Role::heap},
    {"__libc_calloc*", Role::heap},
    {"__libc_realloc*", Role::heap},
    {"__libc_memalign*", Role::heap},
    {"__GI___libc_malloc", Role::heap},
    {"__GI___libc_free", Role::heap},
    {"__GI___libc_realloc", Role::heap},
    {"__GI___libc_calloc", Role::heap},
    {"_int_malloc", Role::heap},
    {"_int_free*", Role::heap},
    {"_int_realloc", Role::heap},
    {"_int_memalign", Role::heap},
    {"_mid_memalign*", Role::heap},
    {"malloc_consolidate", Role::heap},
    {"unlink_chunk*", Role::heap},
    {"sysmalloc*", Role::heap},
    {"systrim*", Role::heap},
    {"tcache_*", Role::heap},
    {"munmap_chunk", Role::heap},
    {"mremap_chunk", Role::heap},
    {"malloc_printerr", Role::heap},
    {"__malloc_arena_thread_freeres", Role::heap},
    {"__malloc_assert", Role::heap},
    {"heap_trim*", Role::heap},
    {"operator new", Role::heap},
    {"operator delete", Role::heap},
    {"_Znwm", Role::heap},
    {"_Znam", Role::heap},
    {"_ZdlPv*", Role::heap},
    {"_ZdaPv*", Role::heap},
    {"je_*", Role::heap},
    {"mi_malloc*", Role::heap},
    {"mi_free*", Role::heap},
    {"tc_malloc*", Role::heap},
    {"tc_free*", Role::heap},
    {"tcmalloc::*", Role::heap},

    {"_PyObject_Malloc", Role::python_heap},
    {"_PyObject_Free", Role::python_heap},
    {"_PyObject_Realloc", Role::python_heap},
    {"_PyObject_Calloc", Role::python_heap},
    {"PyObject_Malloc", Role::python_heap},
    {"PyObject_Free", Role::python_heap},
    {"PyObject_Realloc", Role::python_heap},
    {"pymalloc_*", Role::python_heap},
    {"PyMem_*", Role::python_heap},
    {"_PyMem_*", Role::python_heap},
    {"gc_collect_*", Role::python_heap},
    {"collect", Role::python_heap},
    {"visit_decref", Role::python_heap},
    {"visit_reachable", Role::python_heap},
    {"subtract_refs", Role::python_heap},
    {"deduce_unreachable", Role::python_heap},

    {"__memcpy_chk*", Role::bulk_copy},
    {"__memmove_chk*", Role::bulk_copy},
    {"__memset_chk*", Role::bulk_copy},
    {"memcpy*", Role::bulk_copy},
    {"memmove*", Role::bulk_copy},
    {"memset*", Role::bulk_copy},
    {"mempcpy*", Role::bulk_copy},
    {"memcmp*", Role::bulk_copy},
    {"memchr*", Role::bulk_copy},
    {"bcopy", Role::bulk_copy},
    {"strlen*", Role::bulk_copy},
    {"strnlen*", Role::bulk_copy},
    {"strcpy*", Role::bulk_copy},
    {"strncpy*", Role::bulk_copy},
    {"strcat*", Role::bulk_copy},
    {"strncat*", Role::bulk_copy},
    {"strcmp*", Role::bulk_copy},
    {"strncmp*", Role::bulk_copy},
    {"strchr*", Role::bulk_copy},
    {"strrchr*", Role::bulk_copy},
    {"stpcpy*", Role::bulk_copy},
    {"__memcpy*", Role::bulk_copy},
    {"__memmove*", Role::bulk_copy},
    {"__memset*", Role::bulk_copy},
    {"__mempcpy*", Role::bulk_copy},
    {"__memcmp*", Role::bulk_copy},
    {"__memchr*", Role::bulk_copy},
    {"__strlen*", Role::bulk_copy},
    {"__strnlen*", Role::bulk_copy},
    {"__strcpy*", Role::bulk_copy},
    {"__strncpy*", Role::bulk_copy},
    {"__strcat*", Role::bulk_copy},
    {"__strcmp*", Role::bulk_copy},
    {"__strncmp*", Role::bulk_copy},
    {"__strchr*", Role::bulk_copy},
    {"__stpcpy*", Role::bulk_copy},

    {"__stack_chk_fail*", Role::stack_check},
    {"__chk_fail", Role::fortify},
    {"__fortify_fail*", Role::fortify},
    {"__fdelt_chk", Role::fortify},
    {"__GI___fortify_fail*", Role::fortify},
    {"__GI___chk_fail", Role::fortify},

    {"std::terminate", Role::cpp_terminate},
    {"__cxxabiv1::__terminate", Role::cpp_terminate},
    {"__gnu_cxx::__verbose_terminate_handler", Role::cpp_terminate},
    {"__gxx_personality_v0", Role::cpp_terminate},
    {"__cxa_call_terminate", Role::cpp_terminate},
    {"__clang_call_terminate", Role::cpp_terminate},
    {"__cxa_throw", Role::cpp_terminate},
    {"__cxa_rethrow", Role::cpp_terminate},
    {"__cxa_pure_virtual", Role::cpp_terminate},
    {"std::rethrow_exception", Role::cpp_terminate},

    {"__assert_fail*", Role::assertion},
    {"__GI___assert_fail", Role::assertion},
    {"__assert_perror_fail", Role::assertion},
    {"std::__glibcxx_assert_fail", Role::assertion},
    {"std::__replacement_assert", Role::assertion},
    {"tensorflow::internal::LogMessageFatal*", Role::assertion},
    {"tsl::internal::LogMessageFatal*", Role::assertion},
    // absl::log_internal, or with the name of a release in between: absl::lts_20250814::log_internal
    {"absl::*log_internal::LogMessageFatal*", Role::assertion},
    {"absl::*log_internal::LogMessage::Die", Role::assertion},
    {"absl::*log_internal::LogMessage::FailWithoutStackTrace", Role::assertion},
    {"absl::*log_internal::LogMessage::FailQuietly", Role::assertion},
    {"absl::*log_internal::LogMessage::*", Role::giving_up},
    {"google::LogMessageFatal*", Role::assertion},
    {"google::LogMessage::Fail", Role::assertion},
    {"rust_panic*", Role::assertion},
    {"core::panicking::*", Role::assertion},
    {"g_assertion_message*", Role::assertion},
    {"llvm::report_fatal_error", Role::assertion},

    {"Py_FatalError", Role::python_fatal},
    {"_Py_FatalError*", Role::python_fatal},
    {"fatal_error*", Role::python_fatal},
    {"Py_ExitStatusException", Role::python_fatal},

    {"abort", Role::giving_up},
    {"__GI_abort", Role::giving_up},
    {"raise", Role::giving_up},
    {"__GI_raise", Role::giving_up},
    {"gsignal", Role::giving_up},
    {"pthread_kill*", Role::giving_up},
    {"__pthread_kill*", Role::giving_up},
    {"__libc_message*", Role::giving_up},
    {"__libc_fatal", Role::giving_up},
    {"kill", Role::giving_up},
    {"tgkill", Role::giving_up},

    {"pybind11::detail::translate_*", Role::translator},
    {"pybind11::detail::try_translate_*", Role::translator},
    {"pybind11::detail::apply_exception_translators", Role::translator},
    {"pybind11::detail::get_internals::*", Role::translator},
    {"pybind11::set_error", Role::translator},
    {"pybind11::raise_from", Role::translator},
    {"boost::python::handle_exception_impl", Role::translator},
    {"nanobind::detail::nb_func_convert_cpp_exception", Role::translator},
    {"pybind11::error_already_set::*", Role::translator},

    {"PyErr_*", Role::thread_state},
    {"_PyErr_*", Role::thread_state},
    {"PyThreadState_*", Role::thread_state},
    {"_PyThreadState_*", Role::thread_state},
    {"_PyInterpreterState_*", Role::thread_state},
    {"PyInterpreterState_*", Role::thread_state},
    {"PyGILState_*", Role::thread_state},
    {"PyEval_SaveThread", Role::thread_state},
    {"PyEval_RestoreThread", Role::thread_state},
    {"PyEval_ReleaseThread", Role::thread_state},
    {"_Py_EnterRecursiveCall*", Role::thread_state},
    {"_Py_CheckFunctionResult", Role::thread_state},
    {"PyEval_GetFrame", Role::thread_state},
    {"get_*_state", Role::thread_state},
    // Makers of objects that are given none: what is null in them is the interpreter's state.
    {"PyList_New", Role::thread_state},
    {"PyTuple_New", Role::thread_state},
    {"PyDict_New", Role::thread_state},
    {"PyLong_From*", Role::thread_state},
    {"PyFloat_FromDouble", Role::thread_state},
    {"PyUnicode_From*", Role::thread_state},
    {"PyUnicode_New", Role::thread_state},
    {"PyBytes_From*", Role::thread_state},
    {"Py_BuildValue", Role::thread_state},

    {"_PyEval_EvalFrame*", Role::python_eval},
    {"PyEval_EvalFrame*", Role::python_eval},
    {"_PyEval_Vector", Role::python_eval},
    {"PyEval_EvalCode*", Role::python_eval},
    {"_PyFunction_Vectorcall", Role::python_eval},
    {"Py_RunMain", Role::python_eval},
    {"Py_Main", Role::python_eval},
    {"Py_BytesMain", Role::python_eval},
    {"PyRun_*", Role::python_eval},
    {"thread_run", Role::python_eval},
    {"t_bootstrap", Role::python_eval},

    {"_CallPythonObject", Role::callback},
    {"closure_fcn", Role::callback},
    {"ffi_closure_*", Role::callback},
    {"cffi_call_python", Role::callback},
    {"general_invoke_callback", Role::callback},
    {"ffi_call*", Role::foreign_call},
    {"_ctypes_callproc", Role::foreign_call},
    {"_call_function_pointer", Role::foreign_call},
    {"cdata_call", Role::foreign_call},

    {"start_thread", Role::thread_start},
    {"clone", Role::thread_start},
    {"clone3", Role::thread_start},
    {"__clone*", Role::thread_start},
    {"pythread_wrapper", Role::thread_start},
    {"call_init*", Role::initialiser},
    {"_dl_init*", Role::initialiser},
    {"_GLOBAL__sub_I*", Role::initialiser},
    {"__static_initialization_and_destruction_*", Role::initialiser},
});

bool matches(std::string_view pattern, std::string_view name) {
  const auto star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == name;
  if (!name.starts_with(pattern.substr(0, star))) return false;
  const auto rest = pattern.substr(star + 1);
  if (rest.empty()) return true;
  // "absl::*::LogMessageFatal*": an inline namespace in between.
  const auto word = rest.substr(0, rest.find('*'));
  return name.find(word, star) != std::string_view::npos;
}

std::string_view file_name(std::string_view path) {
  if (path.ends_with(" (deleted)")) path.remove_suffix(10);
  const auto slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

bool starts_with_any(std::string_view text, std::initializer_list<std::string_view> list) {
  return std::ranges::any_of(list, [&](std::string_view start) { return text.starts_with(start); });
}

bool is_framework(std::string_view package) {
  return starts_with_any(
      package, {"tensorflow", "tf_", "torch", "jax", "keras", "numpy", "scipy", "tflite", "ai_edge_litert", "xla"});
}

// Plain words ("collect", "memcpy_rows") are names that anybody may use: they mean what the table says only in
// the file that the table speaks of.
bool is_at_home(Role role, Family family, std::string_view name) {
  switch (role) {
    case Role::python_heap:
    case Role::python_fatal:
    case Role::python_eval:
    case Role::thread_state: return family == Family::python || name.starts_with("Py") || name.starts_with("_Py");
    case Role::bulk_copy: return family == Family::libc || family == Family::loader || name.starts_with("__");
    default: return true;
  }
}

}  // namespace

Role role_of(std::string_view bare_name, Family family) {
  for (const auto& name : names)
    if (matches(name.text, bare_name) && is_at_home(name.role, family, bare_name)) return name.role;
  return Role::other;
}

bool gives_back(std::string_view name) {
  return starts_with_any(name, {"free", "cfree", "realloc", "operator delete", "_ZdlPv", "_ZdaPv", "__libc_free",
                                "__GI___libc_free", "__libc_realloc", "__GI___libc_realloc", "_int_free",
                                "_int_realloc", "munmap_chunk", "mremap_chunk", "tc_free", "mi_free", "je_free"});
}

Family family_of(const Module& module) {
  const auto file = file_name(module.path);
  if (module.origin == Origin::kernel || file.starts_with("[v")) return Family::kernel;
  if (starts_with_any(file, {"ld-linux", "ld-2", "ld.so", "ld-musl"})) return Family::loader;
  if (starts_with_any(file, {"libc.so", "libc-2", "libpthread", "libm.so", "libm-2", "libdl.", "libdl-", "librt"}))
    return Family::libc;
  if (file == "libsigwhy_guard.so") return Family::libc;  // our own allocator, in the C library's place
  if (starts_with_any(file, {"libstdc++", "libgcc_s", "libc++"})) return Family::cpp_runtime;
  if (starts_with_any(file, {"libffi.", "libffi-", "_ctypes.", "_cffi_backend"})) return Family::bridge;
  if (module.origin == Origin::interpreter || file.starts_with("libpython")) return Family::python;
  switch (module.origin) {
    case Origin::program: return Family::program;
    case Origin::user: return Family::user;
    case Origin::package: return is_framework(module.package.value_or("")) ? Family::framework : Family::extension;
    case Origin::system: return Family::system;
    default: return Family::unknown;
  }
}

Whose whose_of(Family family) {
  switch (family) {
    case Family::program:
    case Family::user:
    case Family::bridge: return Whose::your_code;
    case Family::extension: return Whose::extension;
    case Family::framework: return Whose::framework;
    default: return Whose::unknown;
  }
}

bool is_runtime(Family family) {
  return family == Family::libc || family == Family::loader || family == Family::cpp_runtime ||
         family == Family::kernel;
}

}  // namespace sigwhy::diagnose
