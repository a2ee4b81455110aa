"""What programs say themselves when they die, and to which causes it points.

The messages are those of the C and C++ libraries, of CPython, NumPy, TensorFlow,
torch and protobuf. Read generously: a message counts for every cause that an
engineer who reads it could name, and it is never counted against a witness.
"""

import re

MESSAGES = [(re.compile(pattern, re.MULTILINE), frozenset(causes.split())) for pattern, causes in (
    (r"double free or corruption|free\(\): |munmap_chunk\(\): |realloc\(\): invalid",
     "invalid-free heap-corruption"),
    (r"malloc\(\): |corrupted size vs|corrupted double-linked|malloc_consolidate"
     r"|sysmalloc: Assertion|corrupted top size|bad (leading|trailing) pad byte",
     "heap-corruption"),
    (r"stack smashing detected", "stack-smashed"),
    (r"buffer overflow detected", "failed-check out-of-bounds stack-smashed"),
    (r"Assertion.*failed|Check fail|CHECK fail|INTERNAL ASSERT FAILED|libprotobuf FATAL"
     r"|pure virtual method called|^F\d{4} ", "failed-check"),
    (r"terminate called", "uncaught-cpp-exception"),
    (r"std::length_error", "impossible-allocation"),
    (r"bad_alloc|MemoryError|[Uu]nable to allocate|[Oo]ut of memory|OOM when allocating"
     r"|ResourceExhausted|an't allocate memory|annot allocate memory",
     "out-of-memory-refused impossible-allocation gpu-out-of-memory"),
    (r"device-side assert triggered|cudaErrorAssert", "gpu-assert"),
    (r"an illegal memory access was encountered", "gpu-illegal-access"),
    (r"Fatal Python error: (?!Segmentation fault|Aborted|Bus error|Floating.point"
     r"|Illegal instruction)", "python-fatal-error"),
    (r"Fatal Python error: .*(GIL|thread state|PyThreadState)", "gil-not-held"),
    (r"stack overflow|RecursionError|maximum recursion depth", "stack-overflow"),
    (r"No space left on device|database or disk is full", "disk-full shared-memory-full"),
    (r"insufficient shared memory|out of shared memory", "shared-memory-full"),
    (r"Too many open files|Resource temporarily unavailable|an't start new thread"
     r"|File too large", "resource-limit"),
    (r"undefined symbol|symbol lookup error|GLIBC(XX)?_[\d.]+' not found|compiled using"
     r" NumPy 1|binary incompatibility|compiled against (ABI|API) version|wrong ELF class"
     r"|multiarray failed to import|invalid ELF header", "abi-mismatch mixed-libraries"),
    (r"Descriptors cannot|already exists in database|gencode|duplicate file name"
     r"|protobuf\S* .*(version|runtime)|cannot import name 'runtime_version'",
     "protobuf-conflict"),
    (r"OMP: Error #15|copies of the OpenMP runtime", "openmp-conflict"),
    (r"inhomogeneous|non-rectangular|[Rr]agged|different shapes|array element with a seq"
     r"|each tensor to be equal size|Cannot add tensor to the batch", "ragged-batch shape-mismatch"),
    (r"[Ss]hapes? .*(aligned|mismatch|incompatible|broadcast|not equal|invalid)"
     r"|[Ii]ncompatible (shape|with the layer)|annot reshape|size mismatch|mat1 and mat2"
     r"|Input to reshape|cardinality is ambiguous", "shape-mismatch"),
    (r"dtype|annot cast|expected scalar type|does not match type|data type"
     r"|could not convert string to float", "dtype-mismatch"),
    (r"NoneType|operand type\(s\).*'list'|not an? (array|tensor)|no attribute 'shape'|Unrecognized data type",
     "not-an-array"),
    (r"EOFError|BadZipFile|DataLoss|[Tt]runcated|[Cc]orrupt(?!ed (size|double|top)|ion \()|[Bb]ad CRC"
     r"|nvalid (magic|header)|annot be parsed|Failed to interpret file|Error parsing message"
     r"|DecodeError|UnpicklingError|PytorchStreamReader failed|Unable to open file"
     r"|annot reshape array of size", "corrupt-input"),
    (r"BlockingIOError|nable to lock file|database is locked|Text file busy", "file-contention"),
    (r"BufferError|modified by an inplace operation|refers to a single memory location"
     r"|references or is referenced", "aliased-buffer"),
    (r"KeyboardInterrupt", "killed-by-user"),
    (r"Traceback \(most recent call last\)", "python-exception"),
)]

# The line of source that a traceback quotes is not a message.
QUOTED_SOURCE = re.compile(r'(?m)^ +File ".*", line \d+.*\n {4}.*\n')

# Signals whose very name tells what happened, or nearly.
SIGNALS = {
    "SIGFPE": frozenset({"division-by-zero"}),
    "SIGTRAP": frozenset({"deliberate-trap"}),
    "SIGILL": frozenset({"unsupported-instruction"}),
    "SIGXCPU": frozenset({"time-limit"}),
    "SIGALRM": frozenset({"time-limit"}),
    "SIGXFSZ": frozenset({"resource-limit"}),
    "SIGINT": frozenset({"killed-by-user"}),
    "SIGHUP": frozenset({"killed-by-user"}),
    "SIGQUIT": frozenset({"killed-by-user"}),
    "SIGTERM": frozenset({"killed-by-process", "killed-by-user"}),
}


def pointed_to(text, ended):
    """The causes that a program's own words and its signal point to."""
    text = QUOTED_SOURCE.sub("", text)
    found = set(SIGNALS.get(ended, ()))
    for pattern, causes in MESSAGES:
        if pattern.search(text):
            found |= causes
    return frozenset(found)
