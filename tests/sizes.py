#!/usr/bin/env python3
"""Files of at most 400 lines, functions of at most 60.

A function is found by its braces: a block whose head, once comments and
literals are blanked out, has a parameter list and is no control statement. A
namespace, class, enum or initialiser is looked into, not counted. The limit
for functions stands a little above the 50 that we aim at: the brace reader
counts the head's lines too.
"""

import ast
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("src", "tests", "tools", "bench", "accuracy")
MAX_FILE_LINES = 400
MAX_FUNCTION_LINES = 60
# Tables, long by nature: one line a field or a name.
EXEMPT = ("src/evidence/describe_memory.h", "src/evidence/names.cpp")

LITERALS = re.compile(
    r'R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\''
    r"|//[^\n]*|/\*.*?\*/|^[ \t]*#(?:\\\n|[^\n])*", re.S | re.M)
CONTROL = re.compile(r"\b(if|for|while|switch|catch|do|else|try|return)\b")
TEMPLATE = re.compile(r"\btemplate\s*<[^()]*?>(?=\s*\w)")
NOT_CODE = re.compile(r"\b(namespace|class|struct|union|enum)\b")


def main():
    files = [p for folder in FOLDERS for p in sorted((ROOT / folder).rglob("*"))
             if p.suffix in (".h", ".c", ".cpp", ".py")]
    wrong = [w for path in files for w in oversize(path)]
    for sentence in wrong:
        print(sentence)
    print(f"{len(files)} files, {len(wrong)} too long")
    return 1 if wrong else 0


def oversize(path):
    name = path.relative_to(ROOT).as_posix()
    if name in EXEMPT:
        return
    text = path.read_text()
    lines = text.count("\n")
    if lines > MAX_FILE_LINES:
        yield f"{name}: {lines} lines, {MAX_FILE_LINES} at most"
    functions = python_functions if path.suffix == ".py" else braced_functions
    for line, length in functions(text):
        if length > MAX_FUNCTION_LINES:
            yield (f"{name}:{line}: a function of {length} lines, "
                   f"{MAX_FUNCTION_LINES} at most")


def python_functions(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.lineno, node.end_lineno - node.lineno + 1


def braced_functions(text):
    """(first line, lines) of each outermost block that is a function."""
    code = LITERALS.sub(blank, text)
    inside = []  # per open brace: where its function begins, None, or "value"
    head_from = 0
    for at, char in enumerate(code):
        if char == "{":
            inside.append(opened(code, head_from, at, inside))
        elif char == "}" and inside:
            begins = inside.pop()
            if begins == "value":
                continue  # the head goes on behind it: Foo() : a_{1} {
            if begins is not None:
                yield (code.count("\n", 0, begins) + 1,
                       code.count("\n", begins, at) + 1)
        if char in "{};" and "value" not in inside:
            head_from = at + 1


def opened(code, head_from, at, inside):
    if re.match(r"[\w>,(]", code[at - 1:at]):
        return "value"
    if any(begins is not None for begins in inside):
        return None
    if is_function(code[head_from:at]):
        return first_word(code, head_from)
    return None


def blank(match):
    return re.sub(r"[^\n]", " ", match.group())


def first_word(code, start):
    return start + len(code[start:]) - len(code[start:].lstrip())


def is_function(head):
    if "(" not in head or CONTROL.search(head):
        return False
    head = TEMPLATE.sub("", head)
    before_parameters = head[:head.index("(")]
    return "=" not in before_parameters and not NOT_CODE.search(
        before_parameters)


if __name__ == "__main__":
    sys.exit(main())
