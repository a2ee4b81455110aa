#!/usr/bin/env python3
"""casebook.py [KEPT]   writes the lab's part of docs/casebook.md, between <!-- lab:begin --> and <!-- lab:end -->.

KEPT is what `lab/run.py --keep` left behind (build/lab): the reports as users saw them. The rest comes from the lab
itself: the questions with their answers, and of each cause the first comment and what tells the twin from it.
"""
import difflib
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "lab"))
from stage.environments import CACHE  # noqa: E402
from stage.program import discover  # noqa: E402

PAGE = ROOT / "docs/casebook.md"
PART = re.compile(r"<!-- lab:begin -->.*<!-- lab:end -->", re.S)
# what a reader of the casebook needs of a report; `sigwhy show` has the rest
SHOWN_UP_TO = re.compile(r"(?m)^(Why|Not seen)$")


def main():
    kept = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/lab")
    programs = discover()
    parts = []
    for page in sorted((ROOT / "lab/questions").glob("*.md")):
        number = page.stem.split("-")[0]
        parts.append(page.read_text().strip())
        parts += [told(p, kept) for p in programs if p.text("question").split()[0] == number]
        elsewhere = [p for p in programs if number in p.text("question").split()[1:]]
        if elsewhere:
            parts.append("Also named here: " + ", ".join(f"[{p.text('claim')}](#{anchor(p)})" for p in elsewhere) + ".")
    text = PAGE.read_text()
    PAGE.write_text(PART.sub(lambda _: "<!-- lab:begin -->\n" + "\n\n".join(parts) + "\n<!-- lab:end -->", text))


def told(program, kept):
    environment = program.environments[0]
    report = kept / program.name / f"{environment}.txt"
    parts = [f"### <a id=\"{anchor(program)}\"></a>\"{program.text('claim')}\"", f"**Really:** {program.text('really')}.", why(program)]
    shown = report.read_text() if report.exists() else ""
    if shown.strip():
        parts.append("What sigwhy said:")
        parts.append(indented(SHOWN_UP_TO.split(shown)[0]))
    else:
        parts.append("sigwhy said nothing: there was nothing to say.")
    tried = re.search(r"(?ms)^Tried$\n(.*?)^(?=\w)", confirmed(kept, program, environment))
    if tried:
        parts.append("And `sigwhy confirm`:\n\n" + indented(tried[1]))
    parts.append("What the twin does:" if shown.strip() else "The advice that goes with it, which changes nothing here:")
    parts.append("```diff\n" + difference(program) + "\n```")
    where = ", ".join(program.environments)
    parts.append(f"Programs: [lab/programs/{program.name}](../lab/programs/{program.name}); run on {where}.")
    return "\n\n".join(part for part in parts if part)


def anchor(program):
    return program.name.replace("_", "-")


def confirmed(kept, program, environment):
    path = kept / program.name / f"{environment}.confirm.txt"
    return path.read_text() if path.exists() else ""


def why(program):
    """The paragraph for people behind the keys of the first comment."""
    lines = (program.folder / "broken.py").read_text().splitlines()
    begin = next((i for i, line in enumerate(lines) if line.strip() == "#"), len(lines))
    words = []
    for line in lines[begin + 1:]:
        if not line.startswith("#"):
            break
        words.append(line[1:].strip())
    return "\n".join(words)


def indented(text):
    """Without the folders of the machine that it was run on."""
    text = re.sub(rf"{re.escape(str(CACHE))}/[\w.-]+", "venv", text)
    text = re.sub(r"/\S*/lab-\w+/\w+/", "", text)
    return "\n".join(f"    {line}".rstrip() for line in text.strip("\n").splitlines())


def difference(program):
    """Of the scripts, or where those only name another build, of the sources."""
    def code(name):
        lines = (program.folder / name).read_text().splitlines()
        return [line.replace("  # here", "") for line in lines if not line.startswith("#")]
    changed = list(difflib.unified_diff(code("broken.py"), code("repaired.py"), lineterm="", n=1))[2:]
    sources = [path for path in program.files if path.suffix in (".c", ".cc", ".cpp")]
    for source in sources:
        lines = source.read_text().splitlines()
        for number, line in enumerate(lines):
            if line.strip() in ("#ifdef REPAIRED", "#ifndef REPAIRED"):
                changed += branch(lines[number:])
    return "\n".join(changed)


def branch(lines):
    """One #ifdef REPAIRED as the difference that it is."""
    repaired, out = lines[0].strip() == "#ifdef REPAIRED", []
    for line in lines[1:]:
        if line.strip().startswith("#endif"):
            break
        if line.strip().startswith("#else"):
            repaired = not repaired
        else:
            out.append(("+" if repaired else "-") + line)
    return sorted(out, key=lambda line: line[0] == "+")


if __name__ == "__main__":
    main()
