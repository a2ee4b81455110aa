"""Two real protobufs in one process: Debian's C++ library, with code that its protoc generated, and the one inside
grpcio-tools, which exports its symbols. They meet when the wheel's symbols are opened for all (RTLD_GLOBAL), as
TensorFlow did with its own for years; in another order they live side by side."""
import pathlib
import shutil
import signal
import subprocess
import sys

import pytest

from conftest import TOP
from test_library_copies import family, finding

sys.path.insert(0, str(TOP / "tests/protobuf"))
sys.path.insert(0, str(TOP / "lab"))
from stage.environments import environment  # noqa: E402
from matrix import installed  # noqa: E402

pytestmark = pytest.mark.long

PROTO = """\
syntax = "proto3";
package train;
message Layer { string name = 1; repeated float weight = 2; map<string, int64> sizes = 3; }
message Batch { string name = 1; repeated Layer layer = 2; }
"""
USER = r"""
#include "train.pb.h"
#include <google/protobuf/text_format.h>
extern "C" {
int read_batch() {
  train::Batch batch;
  return batch.ParseFromString(std::string("\x0a\x05" "first\x12\x07\x0a\x05" "dense", 16));
}
int read_layer() {
  train::Layer layer;
  return layer.ParseFromString(std::string("\x0a\x05" "dense\x12\x04\0\0\x80\x3f", 13));
}
int write_text() {
  train::Layer layer;
  layer.set_name("dense");
  return (int)layer.DebugString().size();
}
int read_text() {
  train::Layer layer;
  return google::protobuf::TextFormat::ParseFromString("name: 'dense'", &layer);
}
int stumble() { volatile int* nothing = nullptr; return *nothing; }
}
"""
OPENED = """\
import ctypes, os, sys
sys.setdlopenflags(os.RTLD_NOW | os.RTLD_GLOBAL)
from grpc_tools import _protoc_compiler
library = ctypes.CDLL("./libtrain.so")
print("got", library.{call}())
"""
# Unique symbols (STB_GNU_UNIQUE) are shared also between files that were opened for themselves: of some objects both
# copies get the one that came first. It must be that of the copy that is used.
APART = """\
import ctypes
library = ctypes.CDLL("./libtrain.so")
from grpc_tools import _protoc_compiler
print("got", library.{call}())
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    if not shutil.which("protoc") or not pathlib.Path("/usr/include/google/protobuf/message.h").exists():
        pytest.skip("no protoc, or no libprotobuf to link with")
    folder = tmp_path_factory.mktemp("protobuf")
    (folder / "train.proto").write_text(PROTO)
    (folder / "user.cpp").write_text(USER)
    subprocess.run(["protoc", "--cpp_out=.", "train.proto"], cwd=folder, check=True)
    subprocess.run(["g++", "-g", "-O1", "-shared", "-fPIC", "-o", "libtrain.so", "user.cpp", "train.pb.cc", "-lprotobuf"],
                   cwd=folder, check=True)
    return folder / "libtrain.so"


@pytest.fixture
def run(bench, library):
    def start(tools, script, call):
        (bench.folder / "libtrain.so").symlink_to(library)
        (bench.folder / "train.py").write_text(script.format(call=call))
        packages = installed("/usr/bin/python3", f"grpcio-tools=={tools}", f"grpcio=={tools}")
        return bench.run("/usr/bin/python3", "train.py", options=("--always",), env=dict(bench.env, PYTHONPATH=str(packages)))
    return start


@pytest.mark.parametrize("tools, call, end", [
    ("1.62.3", "write_text", -signal.SIGSEGV),
    ("1.62.3", "read_text", -signal.SIGSEGV),
    ("1.71.2", "read_text", -signal.SIGSEGV),
    ("1.71.2", "write_text", -signal.SIGSEGV),  # calls a function where there is none
    ("1.85.1", "read_batch", -signal.SIGSEGV),
    ("1.85.1", "read_layer", -signal.SIGABRT),  # one copy frees what the other laid out
])
def test_a_crossing_is_the_cause(run, tools, call, end):
    died = run(tools, OPENED, call)
    assert died.status == end
    assert died.verdict == "protobuf-conflict"
    found = finding(died, "protobuf-conflict")
    assert found["strength"] == "strong" and found["rival"] and found["explains"]
    assert any(fact["id"] == "crossing" for fact in found["for"])
    assert "libprotobuf 3.21" in died.unwrapped and "_protoc_compiler" in died.unwrapped
    if end == -signal.SIGABRT:
        assert found["explains"] == "invalid-free"


@pytest.mark.parametrize("tools", ["1.62.3", "1.71.2", "1.85.1"])
@pytest.mark.parametrize("call", ["read_text", "write_text", "read_layer", "read_batch"])
def test_the_same_two_side_by_side(run, tools, call):
    lived = run(tools, APART, call)
    assert (lived.status, lived.verdict) == (0, "clean-exit")
    assert not finding(lived, "protobuf-conflict")


@pytest.mark.parametrize("script", [OPENED, APART], ids=["opened", "apart"])
def test_a_fault_beside_the_two(run, script):
    died = run("1.71.2", script, "stumble")
    assert (died.status, died.verdict) == (-signal.SIGSEGV, "null-pointer")
    assert not finding(died, "protobuf-conflict")
    assert len(family(died.case, "protobuf")) == 2


TENSORFLOW = """\
import ctypes
{first}
{second}
print("got", library.write_text())
"""
LOAD, IMPORT = 'library = ctypes.CDLL("./libtrain.so")', "import tensorflow as tf"


@pytest.fixture
def beside_tensorflow(bench, library):
    python = environment("tensorflow", ["tensorflow-cpu"], ["tensorflow"])
    if not python:
        pytest.skip("no TensorFlow to be had")
    (bench.folder / "libtrain.so").symlink_to(library)

    def start(first, second):
        (bench.folder / "train.py").write_text(TENSORFLOW.format(first=first, second=second))
        return bench.run(python, "train.py", options=("--always",), timeout=300, env=dict(bench.env, TF_CPP_MIN_LOG_LEVEL="3"))
    return start


def test_tensorflow_opens_its_protobuf_for_all(beside_tensorflow):
    died = beside_tensorflow(IMPORT, LOAD)
    assert died.status == -signal.SIGSEGV
    assert died.verdict == "protobuf-conflict"
    assert finding(died, "protobuf-conflict")["strength"] == "strong"
    assert "Or try the other order: train.py:3" in died.unwrapped


def test_the_other_order_that_is_advised(beside_tensorflow):
    lived = beside_tensorflow(LOAD, IMPORT)
    assert (lived.status, lived.verdict) == (0, "clean-exit")
