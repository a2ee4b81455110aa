#!/usr/bin/env python3
"""Writes what src/inputs knows of two schemas: TensorFlow's messages and TFLite's tables.

    VENV/bin/python tools/input_schemas.py messages > src/inputs/tensorflow_messages.inc
    VENV/bin/python tools/input_schemas.py tables   > src/inputs/tflite_tables.inc

Both are read from what an installed TensorFlow says of itself: the descriptors
of its protobuf messages, and the generated reader of TFLite's flatbuffers,
where each field's accessor shows its slot, its kind and its size. A row is one
field; a newer TensorFlow only ever adds rows.
"""
import re
import sys
from pathlib import Path

ROOTS = ("SavedModel", "BundleHeaderProto", "BundleEntryProto")
SIZES = {"Bool": 1, "Int8": 1, "Uint8": 1, "Int16": 2, "Uint16": 2, "Int32": 4, "Uint32": 4,
         "Float32": 4, "Int64": 8, "Uint64": 8, "Float64": 8}


def main():
    rows = {"messages": message_rows, "tables": table_rows}[sys.argv[1]]()
    print(f"// Written by tools/input_schemas.py {sys.argv[1]}, from TensorFlow {version()}.")
    print("// clang-format off")
    print("\n".join(rows))


def version():
    from importlib.metadata import distributions
    return next(d.version for d in distributions() if d.metadata["Name"] in ("tensorflow", "tensorflow-cpu", "tensorflow_cpu"))


def message_rows():
    from tensorflow.core.protobuf import saved_model_pb2, tensor_bundle_pb2
    found = {}
    for name in ROOTS:
        owner = saved_model_pb2 if hasattr(saved_model_pb2, name) else tensor_bundle_pb2
        gather(getattr(owner, name).DESCRIPTOR, found)
    return [row for name in sorted(found) for row in rows_of_message(name, found[name])]


def short(descriptor):
    return descriptor.full_name.removeprefix("tensorflow.")


def gather(descriptor, found):
    if short(descriptor) in found:
        return
    found[short(descriptor)] = descriptor
    for field in descriptor.fields:
        if field.message_type:
            gather(field.message_type, found)


def rows_of_message(name, descriptor):
    for field in sorted(descriptor.fields, key=lambda f: f.number):
        of = short(field.message_type) if field.message_type else ""
        many = "Many::map" if of and field.message_type.GetOptions().map_entry else \
            "Many::list" if repeated(field) else "Many::one"
        yield f'{{"{name}", {field.number}, Kind::{kind_of(field)}, {many}, "{of}", "{field.name}"}},'


def repeated(field):
    return field.is_repeated if hasattr(field, "is_repeated") else field.label == field.LABEL_REPEATED


def kind_of(field):
    fixed = {field.TYPE_DOUBLE: "fixed64", field.TYPE_FIXED64: "fixed64", field.TYPE_SFIXED64: "fixed64",
             field.TYPE_FLOAT: "fixed32", field.TYPE_FIXED32: "fixed32", field.TYPE_SFIXED32: "fixed32",
             field.TYPE_STRING: "text", field.TYPE_BYTES: "bytes", field.TYPE_MESSAGE: "message"}
    return fixed.get(field.type, "varint")


def table_rows():
    import tensorflow
    source = Path(tensorflow.__file__).parent / "lite/python/schema_py_generated.py"
    classes = dict(re.findall(r"^class (\w+)\(object\):\n(.*?)(?=^class |\Z)", source.read_text(), re.S | re.M))
    unions = {name: re.findall(r"^    (\w+) = (\d+)$", body, re.M) for name, body in classes.items()
              if body.startswith("    NONE = 0")}
    for name in sorted(classes):
        if "_tab" in classes[name].split("\n")[0]:
            yield from rows_of_table(name, classes, unions)
        elif name in unions:
            yield from (f'{{"{name}", {number}, Kind::member, 0, "{table}", ""}},' for table, number in unions[name][1:])


def rows_of_table(name, classes, unions):
    accessor = r"    def (\w+)\(self(?:, j)?\):\n        o = [^\n]*_tab\.Offset\((\d+)\)\)\n(.*?)(?=\n\n|\Z)"
    for field, slot, body in re.findall(accessor, classes[name], re.S):
        if re.search(r"VectorLen|GetVectorAsNumpy|return o == 0", body):
            continue
        kind, size, of = kind_of_slot(field, body, classes[name + "T"], unions)
        snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", field).lower()
        yield f'{{"{name}", {(int(slot) - 4) // 2}, Kind::{kind}, {size}, "{of}", "{snake}"}},'


def kind_of_slot(field, body, values, unions):
    number = re.search(r"_tab\.Get\(flatbuffers\.number_types\.(\w+)Flags", body)
    table = re.search(r"obj = (\w+)\(\)", body)
    vector = "_tab.Vector(" in body
    if "_tab.Union(" in body:
        wanted = set(re.findall(r"'?(\w+)T'?[,\]]", re.search(rf"self\.{field[0].lower() + field[1:]} = .*# type: (.*)", values)[1]))
        return "any_of", 4, next(u for u, m in unions.items() if {t for t, n in m if n != "0"} == wanted)
    if number:
        return ("numbers" if vector else "number"), SIZES[number[1]], ""
    if table:
        return ("tables" if vector else "table"), 4, table[1]
    return ("texts" if vector else "text"), 4, ""


if __name__ == "__main__":
    main()
