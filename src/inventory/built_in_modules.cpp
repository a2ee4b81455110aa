// Modules of the standard library that are compiled C. Whether one of them is a file in lib-dynload or part of the
// program is decided where Python is built: pyenv and conda leave most as files, Debian and the portable builds link
// most into the program. So a name of this list that has no file is taken to be there. Gathered from
// sys.builtin_module_names and lib-dynload of CPython 2.7 and 3.6 to 3.14.
#include <algorithm>
#include <string_view>

#include "inventory/module_finder.h"

namespace sigwhy::inventory {

static constexpr std::string_view names[] = {
    "__builtin__", "__main__", "_abc", "_ast", "_asyncio", "_bisect", "_blake2", "_bz2", "_codecs", "_codecs_cn",
    "_codecs_hk", "_codecs_iso2022", "_codecs_jp", "_codecs_kr", "_codecs_tw", "_collections", "_contextvars",
    "_crypt", "_csv", "_ctypes", "_curses", "_curses_panel", "_datetime", "_decimal", "_elementtree", "_functools",
    "_hashlib", "_heapq", "_hmac", "_hotshot", "_imp", "_interpchannels", "_interpqueues", "_interpreters", "_io",
    "_json", "_locale", "_lsprof", "_lzma", "_md5", "_multibytecodec", "_multiprocessing", "_opcode", "_operator",
    "_peg_parser", "_pickle", "_posixshmem", "_posixsubprocess", "_queue", "_random", "_remote_debugging",
    "_scproxy", "_sha", "_sha1", "_sha2", "_sha256", "_sha3", "_sha512", "_signal", "_socket", "_sqlite3", "_sre",
    "_ssl", "_stat", "_statistics", "_string", "_struct", "_suggestions", "_symtable", "_sysconfig", "_thread",
    "_tkinter", "_tokenize", "_tracemalloc", "_types", "_typing", "_uuid", "_warnings", "_weakref",
    "_xxinterpchannels", "_xxsubinterpreters", "_zoneinfo", "_zstd", "array", "atexit", "audioop", "binascii",
    "builtins", "bz2", "cPickle", "cStringIO", "cmath", "crypt", "datetime", "errno", "exceptions", "faulthandler",
    "fcntl", "future_builtins", "gc", "grp", "imp", "itertools", "linuxaudiodev", "marshal", "math", "mmap", "nis",
    "operator", "ossaudiodev", "parser", "posix", "pwd", "pyexpat", "readline", "resource", "select", "signal",
    "spwd", "strop", "sys", "syslog", "termios", "thread", "time", "unicodedata", "xxsubtype", "zipimport", "zlib",
};

bool may_be_built_in(std::string_view name) { return std::ranges::binary_search(names, name); }

}  // namespace sigwhy::inventory
