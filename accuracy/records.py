"""Answers at rest: JSON lines, so that an interrupted run goes on where it was.

A line is one witness on one case. It counts as long as neither the case nor the
witness changed; of several the last counts.
"""

import json
from dataclasses import asdict

import room

FOLDER = room.ROOT / "build/accuracy"


class Records:
    def __init__(self, folder=FOLDER):
        self.file = folder / "answers.jsonl"
        self.kept = {}
        if self.file.exists():
            for line in self.file.read_text().splitlines():
                record = json.loads(line)
                self.kept[place(record)] = record

    def has(self, case, name, version):
        record = self.kept.get((case.collection, case.name, name))
        return bool(record) and (record["digest"], record["version"]) == (case.digest, version)

    def add(self, record):
        self.kept[place(record)] = record
        self.file.parent.mkdir(parents=True, exist_ok=True)
        with open(self.file, "ab", buffering=0) as file:  # one write: runs may overlap
            file.write(json.dumps(record).encode() + b"\n")


def place(record):
    return record["collection"], record["case"], record["witness"]


def record_of(case, name, version, answer):
    return {**about(case, name, version), **asdict(answer), "refused": ""}


def refusal_of(case, name, version, reason):
    return {**about(case, name, version), "refused": reason}


def about(case, name, version):
    return {"collection": case.collection, "case": case.name, "witness": name,
            "version": version, "digest": case.digest}
