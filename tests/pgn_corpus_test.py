#!/usr/bin/env python3
"""Converts every file of datasets/pgn and compares with what datasets/pgn/expected.jsonl says.

    pgn_corpus_test.py PROGRAM

Each file is converted to JSON lines and compared, entry by entry. Then what was read is written as PGN, EPD and FENs
and read again: the moves, the final positions and their number must come back.
"""
import json
import os
import subprocess
import sys

CORPUS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "datasets", "pgn")
FIELDS = {"file", "line", "variant", "name", "moves", "fen", "final_fen", "result", "reason", "tag_result", "ops",
          "errors", "warnings"}
TIMEOUT_SECONDS = 100


def convert(program, arguments, text=None):
    done = subprocess.run([program, "convert", "--quiet", *arguments], input=text, capture_output=True,
                          timeout=TIMEOUT_SECONDS, check=False)
    return done.returncode, done.stdout


def entries_of(output):
    return [json.loads(line) for line in output.decode("utf-8").splitlines()]


def reports(entry, name):
    return [[report["line"], report["ply"], report["kind"]] for report in entry[name]]


def differences(expected, entry):
    """What differs between an expected entry and one that was read; only what is expected is compared."""
    for name, value in expected.items():
        got = reports(entry, name) if name in ("errors", "warnings") else entry[name]
        if got != value:
            yield f"{name} is {got}, expected {value}"
    if set(entry) != FIELDS:
        yield f"the fields are {sorted(entry)}"


def check_again(program, case, options, entries):
    """Writes what was read in every format and reads it again."""
    usable = [entry for entry in entries if entry["fen"]]
    path = os.path.join(CORPUS, case["file"])
    for to in ("pgn", "epd", "fen"):
        _, text = convert(program, [path, "--to", to, *options])
        variants = {entry["variant"] for entry in usable}
        again_options = []
        if to == "fen":  # which does not say the variant
            if len(variants) != 1:
                continue
            again_options = ["-v", variants.pop()]
        code, output = convert(program, ["-", "--to", "jsonl", *again_options], text)
        if not usable:
            continue
        again = entries_of(output)
        if len(again) != len(usable):
            yield f"as {to}: {len(usable)} entries are written, {len(again)} are read"
            continue
        for was, is_now in zip(usable, again):
            names = ["variant", "final_fen"] + (["fen", "moves", "result"] if to == "pgn" else [])
            for name in names:
                if was[name] != is_now[name]:
                    yield f"as {to}: {name} was {was[name]}, is {is_now[name]}"
        if code != 0:
            yield f"as {to}: what is written is refused (exit {code})"


def main(program):
    failed = 0
    with open(os.path.join(CORPUS, "expected.jsonl"), encoding="utf-8") as file:
        cases = [json.loads(line) for line in file]
    for case in cases:
        options = case["args"].split()
        code, output = convert(program, [os.path.join(CORPUS, case["file"]), "--to", "jsonl", *options])
        entries = entries_of(output)
        faults = [] if code == case["exit"] else [f"exit {code}, expected {case['exit']}"]
        if len(entries) != len(case["entries"]):
            faults.append(f"{len(entries)} entries, expected {len(case['entries'])}")
        for number, (expected, entry) in enumerate(zip(case["entries"], entries), 1):
            faults += [f"entry {number}: {text}" for text in differences(expected, entry)]
        faults += check_again(program, case, options, entries)
        for fault in faults:
            print(f"datasets/pgn/{case['file']} ({case['shows']}): {fault}")
        failed += bool(faults)
    named = {case["file"] for case in cases}
    there = {name for name in os.listdir(CORPUS) if ".pgn" in name}
    if named != there:
        print(f"only expected: {sorted(named - there)}; only there: {sorted(there - named)}")
        failed += 1
    print(f"{len(cases)} files, {failed} failed")
    return 1 if failed or len(cases) < 40 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
