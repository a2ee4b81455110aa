#!/usr/bin/env python3
"""gather_known_bugs.py CHECKOUT > data/known_bugs_tensorflow.tsv

Facts from TensorFlow's security advisories: id, CVE, versions, operations, kind.
CHECKOUT is a source tree of TensorFlow; read are tensorflow/security (README.md
has the affected versions, advisory/*.md what was to be fixed where), RELEASE.md
(which release really names the CVE: several came a patch later) and, for the
names of the operations, tensorflow/core/api_def. No sentence is taken over. An advisory
that says nothing certain of one of these keeps a "-" there; docs/known-bugs.md
has the columns and what each of them is used for.
"""

import re
import sys
from pathlib import Path

PACKAGES = "tensorflow,tensorflow-cpu,tensorflow-gpu"

# The first that matches the title, else the first that matches the text above the patches, says the kind.
KINDS = [
    ("not-a-crash", r"code injection|code execution|temporary file|memory leak|data leak|uninitiali[sz]ed memory access in eigen"),
    ("division-by-zero", r"divi(sion|de) by (0|zero)|\bFPE\b|floating point (exception|division)|division by 0"),
    ("abort", r"\babort\b"),
    ("failed-check", r"(?-i:CHECK)|assertion fail"),
    ("use-after-free", r"use[- ]after[- ]free|double free"),
    ("null-pointer", r"null[- ]?(pointer|ptr|dereference)|reference binding to null|\bNPE\b|nullptr|null\b.*derefer"),
    ("out-of-memory", r"\bOOM\b"),
    ("stack-overflow", r"stack overflow"),
    ("hang", r"deadlock|infinite loop"),
    ("out-of-bounds", r"\bOOB\b|out[- ]of[- ]b(ounds|uffer)|buffer overflow|heap overflow|memory corruption|data corruption|write to immutable"),
    ("integer-overflow", r"integer (overflow|truncation)|int overflow|overflow"),
    ("segfault", r"seg(mentation)?[- ]?fault"),
    ("crash", r"crash|core dump|undefined behavio|type confusion|validation|uni?niti?ali[sz]ed|denial of service"),
]


def version_key(version):
    return tuple(int(part) for part in version.split("."))


def three_parts(version):
    return version + ".0" * (2 - version.count("."))


def next_minor(version):
    major, minor, _ = version_key(version)
    return f"{major}.{minor + 1}.0"


def without_links(text):
    return re.sub(r"\[[^\]]*\]\s*\(https?:[^)]*\)|https?:\S+", " ", text)


def section(text, *titles):
    parts = re.split(r"^###\s+(.*)$", text, flags=re.M)
    return " ".join(body for title, body in zip(parts[1::2], parts[2::2]) if title.strip() in titles)


def announced_versions(text):
    """Empty where it says only between which versions patch releases will come: then their numbers are unknown."""
    text = without_links(section(text, "Patches", "Mitigation"))
    if re.search(r"patch\s+all\s+releases\s+between", text):
        return []
    text = re.sub(r"(not cherrypick|versions between|snappy library used).*?(\.\s|$)", " ", text, flags=re.S)
    found = re.findall(r"(?<![\w.])(\d+\.\d+(?:\.\d+)?)(?![\w]|\.\d|\.x)", text)
    return sorted({three_parts(v) for v in found}, key=version_key)


def releases_by_cve(text):
    parts = re.split(r"^# Release (\d+\.\d+\.\d+)\s*$", text, flags=re.M)
    found = {}
    for version, notes in zip(parts[1::2], parts[2::2]):
        for cve in set(re.findall(r"CVE-\d+-\d+", notes)):
            found.setdefault(cve, []).append(version)
    return found


def fixed_versions(announced, released):
    """Of each release line the first that names the CVE, not before the one announced (a CVE may be mended twice)."""
    fixed = []
    for line in sorted({version_key(v)[:2] for v in announced + released}):
        mine = [v for v in announced if version_key(v)[:2] == line]
        named = sorted((v for v in released if version_key(v)[:2] == line and (not mine or version_key(v) >= version_key(mine[0]))),
                       key=version_key)
        fixed.append((named or mine or [None])[0])
    return [v for v in fixed if v]


def affected_ranges(stated, fixed):
    """[from, to) pairs: what the table states, ended by each release line's fix."""
    stated = stated.strip()
    if "rc" in stated:
        return []
    numbers = [three_parts(v) for v in re.findall(r"\d+\.\d+(?:\.\d+)?", stated)]
    low = "0"
    if not stated.startswith("<"):
        low = min(numbers, key=version_key)
    if not fixed:
        if not stated.startswith("<="):
            return []
        fixed = [next_minor(numbers[-1])]
    ranges = []
    for fix in fixed:
        if low == "0" or version_key(low) < version_key(fix):
            ranges.append((low, fix))
        if low == "0" or version_key(next_minor(fix)) > version_key(low):
            low = next_minor(fix)
    return ranges


class Operations:
    def __init__(self, checkout):
        folder = checkout / "tensorflow/core/api_def"
        self.names = {p.stem.removeprefix("api_def_") for p in (folder / "base_api").glob("api_def_*.pbtxt")}
        self.by_flat = {self.flat(n): n for n in self.names}
        self.endpoints = {}
        for path in sorted((folder / "python_api").glob("api_def_*.pbtxt")):
            for endpoint in re.findall(r'name: "([\w.]+)"', path.read_text()):
                self.endpoints.setdefault(endpoint, path.stem.removeprefix("api_def_"))

    @staticmethod
    def flat(name):
        return name.replace("_", "").lower()

    def named(self, word):
        """An operation's name, a public function's, a kernel class's, or `MatrixDiag*`."""
        word = word.strip().removesuffix("()")
        if "*" in word:
            pattern = re.compile(re.escape(word.removeprefix("tf.raw_ops.")).replace(r"\*", r"\w*"), re.I)
            hits = {n for n in self.names if pattern.fullmatch(n)}
            return hits if 0 < len(hits) < 20 else set()
        word = word.removeprefix("tf.").removeprefix("compat.v1.")
        if word in self.endpoints:
            return {self.endpoints[word]}
        word = word.removeprefix("raw_ops.")
        # tf.sparse.split is SparseSplit, tf.io.decode_raw is DecodeRaw.
        last = re.sub(r"^(io|strings|quantization|image|random|math|linalg)\.", "", word)
        for candidate in (word.replace(".", ""), last, last.removesuffix("Op")):
            if self.flat(candidate) in self.by_flat:
                return {self.by_flat[self.flat(candidate)]}
        return set()


def operations_of(title, impact, operations):
    """Those in the title; else those that the first words spell as tf.raw_ops.X; else those that its example calls."""
    code = " ".join(re.findall(r"```(?:python)?(.*?)```", impact, flags=re.S))
    called = {n for n in re.findall(r"raw_ops\.(\w+)\s*\(", code) if n in operations.names}
    words = re.findall(r"`([^`]+)`", title) + re.findall(r"\btf\.[\w.]+|\b[A-Z]\w*[a-z]\w*[A-Z]\w*", title.replace("`", " "))
    words += re.findall(r"Fractional\(Max/Avg\)Pool", title) and ["FractionalMaxPool", "FractionalAvgPool"]
    named = set().union(*(operations.named(w) for w in words))
    if named:
        # MatrixDiagPartV2 for MatrixDiagPart: later numbers of the same operation, if the example calls them.
        same = {c for c in called if any(re.sub(r"V\d+$", "", c) == re.sub(r"V\d+$", "", n) for n in named)}
        return named | same
    opening = without_links(impact.split("```")[0])
    spelled = set(re.findall(r"raw_ops\.(\w+)", opening)) & operations.names
    return spelled or called


def lite_operations(title, impact):
    if "TFLite" not in title and "TF Lite" not in title:
        return None
    words = re.findall(r"`(\w+)`", title)
    folder = r"lite/kernels/(\w+?)\.(?:cc|h)"
    files = set(re.findall(folder, impact)) - {"kernel_util", "register"}
    names = {re.sub(r"(?<=[a-z])(?=[A-Z])", "_", w).lower() for w in words if w[0].isupper()}
    return sorted("tflite:" + n for n in names or files)


def symbols_of(title, impact):
    """C++ functions: named in the title, and called or defined in the code that is shown."""
    words = {w.split("::")[-1] for w in re.findall(r"`([\w:]+)`", title)}
    return sorted("symbol:" + w for w in words if re.search(r"\b" + w + r"\(", impact) and not w.isupper())


def kind_of(title, impact):
    for text in (title, re.sub(r"```.*?```", " ", without_links(impact), flags=re.S)):
        for kind, pattern in KINDS:
            if re.search(pattern, text, re.I):
                return kind
    return "-"


def row_of(text, stated, released, operations):
    identity, title = re.search(r"^#+\s*(TFSA-\d+-\d+)[:\s]+(.*)", text, re.M).groups()
    cve = re.search(r"CVE-\d+-\d+", section(text, "CVE Number"))
    impact = section(text, "Impact", "Issue Description")
    kind = kind_of(title, impact)
    fixed = fixed_versions(announced_versions(text), released.get(cve.group(), []) if cve else [])
    ranges = affected_ranges(stated, fixed)
    if kind == "not-a-crash" or not ranges:
        return None
    found = lite_operations(title, impact)
    if found is None and not re.search(r"\bXLA\b|MLIR|Grappler|grappler", title):
        found = sorted("op:" + o for o in operations_of(title, impact, operations))
    found = found or (symbols_of(title, impact) if "TFLite" not in title else [])
    return [identity, cve.group() if cve else "-", PACKAGES, " ".join("..".join(r) for r in ranges),
            " ".join(fixed) or "-", kind, " ".join(found) or "-"]


def main():
    checkout = Path(sys.argv[1])
    operations = Operations(checkout)
    table = (checkout / "tensorflow/security/README.md").read_text()
    stated = dict(re.findall(r"^\|\s*\[(TFSA-\d+-\d+)\][^|]*\|[^|]*\|([^|]*)\|", table, re.M))
    released = releases_by_cve((checkout / "RELEASE.md").read_text())
    print("# id\talso\tpackages\taffected\tfixed\tkind\toperations")
    for path in sorted((checkout / "tensorflow/security/advisory").glob("tfsa-*.md")):
        name = path.stem.upper()
        row = row_of(path.read_text(), stated[name], released, operations) if name in stated else None
        if row:
            print("\t".join(row))
        else:
            print("left out:", path.stem, file=sys.stderr)


if __name__ == "__main__":
    main()
