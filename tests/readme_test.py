#!/usr/bin/env python3
"""Runs every command of the README's ```sh blocks, as a user would, in a copy of what they need.

    readme_test.py PROGRAM

A block that is followed by a plain ``` block must print just those lines on stdout. Commands name the program as
build/release/hecatomb; PROGRAM is what stands there in the folder they are run in.
"""
import os
import re
import subprocess
import sys
import tempfile

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TIMEOUT_SECONDS = 500


def blocks(text):
    """(commands, expected output or None) of each sh block."""
    pattern = re.compile(r"^ *```sh\n(.*?)^ *```\n(?:^ *```\n(.*?)^ *```\n)?", re.S | re.M)
    for match in pattern.finditer(text):
        yield [line.strip() for line in match.group(1).splitlines() if line.strip()], match.group(2)


def main(program):
    with open(os.path.join(SOURCE, "README.md"), encoding="utf-8") as file:
        text = file.read()
    ran = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        os.makedirs(os.path.join(folder, "build", "release"))
        os.symlink(os.path.abspath(program), os.path.join(folder, "build", "release", "hecatomb"))
        os.symlink(os.path.join(SOURCE, "datasets"), os.path.join(folder, "datasets"))
        for commands, expected in blocks(text):
            for command in commands:
                done = subprocess.run(["sh", "-c", command], cwd=folder, capture_output=True, text=True,
                                      timeout=TIMEOUT_SECONDS, check=False)
                ran += 1
                as_expected = expected is None or done.stdout == expected
                if done.returncode != 0 or not as_expected:
                    failed += 1
                    print(f"FAILED (exit {done.returncode}): {command}\n{done.stdout}{done.stderr}")
                    if expected is not None:
                        print(f"expected:\n{expected}")
    print(f"{ran} commands of the README, {failed} failed")
    return 1 if failed or ran < 10 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
