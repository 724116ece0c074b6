#!/usr/bin/env python3
"""Runs the commands of .case files and compares what they print, line by line.

    run_cases.py PROGRAM FILE.case...            exit 1 if a case differs
    run_cases.py --update PROGRAM FILE.case...   write what is printed now into the cases that differ

A file is a list of cases with blank lines between them. A line of a case begins with

    #   a comment
    @NAME   one line of the file NAME, made for this case
    $   the command, for sh; PROGRAM's folder is in PATH, the working folder is an empty one
    <   one line of stdin
    >   one line expected on stdout
    !   one line expected on stderr
    =   the exit code expected (without this line: 0)

and a blank. In expected lines <*> stands for any text within the line (seconds, versions); a line that is <**> alone
stands for any number of lines. {source} in a command is the source folder.
"""
import os
import re
import subprocess
import sys
import tempfile

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TIMEOUT_SECONDS = 120


class Case:
    def __init__(self, block, place):
        self.place = place
        self.head = []  # the lines that are not expectations, as they are
        self.command, self.stdin, self.files = "", "", {}
        self.expected = {">": [], "!": [], "=": "0"}
        for line in block:
            sign, rest = line[:1], line[2:]
            if sign in (">", "!"):
                self.expected[sign].append(rest)
                continue
            if sign == "=":
                self.expected["="] = rest.strip()
                continue
            self.head.append(line)
            if sign == "$":
                self.command = rest.replace("{source}", SOURCE)
            elif sign == "<":
                self.stdin += rest + "\n"
            elif sign == "@":
                name, _, text = line[1:].partition(" ")
                self.files[name] = self.files.get(name, "") + text + "\n"
            elif sign != "#":
                sys.exit(f"{place}: a line begins with none of # @ $ < > ! =: {line}")

    def run(self, program):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("HECATOMB_")}
        environment["PATH"] = os.path.dirname(os.path.abspath(program)) + os.pathsep + environment["PATH"]
        with tempfile.TemporaryDirectory() as folder:
            for name, text in self.files.items():
                with open(os.path.join(folder, name), "w", encoding="utf-8", newline="") as file:
                    file.write(text)
            done = subprocess.run(["sh", "-c", self.command], input=self.stdin.encode(), capture_output=True,
                                  cwd=folder, env=environment, timeout=TIMEOUT_SECONDS)
        lines = lambda text: text.decode(errors="replace").splitlines()
        return {">": lines(done.stdout), "!": lines(done.stderr), "=": str(done.returncode)}

    def text(self, got):
        code = [] if got["="] == "0" else [f"= {got['=']}"]
        return self.head + [f"{sign} {line}".rstrip() for sign in (">", "!") for line in got[sign]] + code


def pattern_of(lines):
    parts = []
    for line in lines:
        if line == "<**>":
            parts.append(r"(?:.*\n)*")
        else:
            parts.append(".*".join(re.escape(part) for part in line.split("<*>")) + r"\n")
    return "".join(parts)


def agrees(case, got):
    texts = all(re.fullmatch(pattern_of(case.expected[sign]), "".join(line.rstrip() + "\n" for line in got[sign]))
                for sign in (">", "!"))
    return texts and got["="] == case.expected["="]


def read_cases(path):
    """Blocks of comments alone are kept as they are, as lists of lines."""
    with open(path, encoding="utf-8") as file:
        blocks = [block.splitlines() for block in re.split(r"\n\s*\n", file.read().strip("\n"))]
    for block in blocks:
        only_comments = all(line.startswith("#") for line in block)
        yield block if only_comments else Case(block, f"{path}: {next((l for l in block if l[:1] == '$'), block[0])}")


def main(arguments):
    update = arguments[:1] == ["--update"]
    program, *paths = arguments[1:] if update else arguments
    count = failed = 0
    for path in paths:
        texts = []
        for case in read_cases(path):
            if not isinstance(case, Case):
                texts.append(case)
                continue
            got = case.run(program)
            count += 1
            good = agrees(case, got)
            texts.append(case.text(case.expected if good else got))
            if good or update:
                continue
            failed += 1
            print(f"DIFFERS {case.place}\n--- expected\n" + "\n".join(case.text(case.expected)))
            print("--- got\n" + "\n".join(case.text(got)) + "\n")
        if update:
            with open(path, "w", encoding="utf-8") as file:
                file.write("\n\n".join("\n".join(text) for text in texts) + "\n")
    print(f"{count} cases, {failed} differ")
    return 1 if failed or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
