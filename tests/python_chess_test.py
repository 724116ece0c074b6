#!/usr/bin/env python3
"""The oracles of tests/tools that need python-chess: does it agree with what the program writes?

    python_chess_test.py PROGRAM       runs in the environment that `./bootstrap test` makes (tests/tools/requirements.txt)

Proofs of four rule sets are exported and must be sound to check_proof.py; spoilt ones must not be. Openings of every
variant, written as PGN, must be read back to the same moves by read_back.py.
"""
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
DATASETS = os.path.join(os.path.dirname(HERE), "datasets")
TIMEOUT_SECONDS = 100
QUESTIONS = [  # rules, position, prover
    (["-v", "antichess", "--moves", "e2e3 b8a6"], "white"),
    (["-v", "antichess", "--moves", "d2d3"], "black"),
    (["-v", "suicide", "--moves", "d2d3"], "black"),
    (["-v", "suicide", "--stalemate", "stalemated-wins", "--moves", "e2e4"], "black"),
    (["-v", "horde", "--fen", "3qk3/8/8/8/8/8/8/PP6 b - - 0 1"], "black"),
]


def run(command, text=None):
    return subprocess.run(command, input=text, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False)


def opinion(jsonl):
    """What check_proof.py says, and whether it found the proof sound."""
    done = run([sys.executable, os.path.join(HERE, "tools", "check_proof.py")], jsonl)
    assert "Traceback" not in done.stderr, done.stderr
    return done.stdout + done.stderr, done.returncode == 0


def spoilt(jsonl):
    """The proof without a line, with a rank too many, with a move from an empty square, for the other side."""
    head, *lines = [json.loads(line) for line in jsonl.splitlines()]

    def text(head, lines):
        return "".join(json.dumps(line) + "\n" for line in [head, *lines])

    yield text(head, lines[:-1])
    yield text(head, [{**lines[0], "rank": lines[0]["rank"] + 2}, *lines[1:]])
    yield text(head, [{**lines[0], "move": "a4a5"}, *lines[1:]])
    yield text({**head, "for": "black" if head["for"] == "white" else "white"}, lines)
    yield ""
    yield jsonl[: len(jsonl) // 2]


def check_proofs(program, folder):
    proof = os.path.join(folder, "proof.hproof")
    for question, prover in QUESTIONS:
        solved = run([program, "solve", *question, "--for", prover, "--threads", "1", "--quiet", "--proof", proof])
        assert solved.returncode == 0 and solved.stdout.startswith("proved"), f"{question}: {solved.stdout}{solved.stderr}"
        jsonl = run([program, "proof", "export", proof, "--jsonl"]).stdout
        said, is_sound = opinion(jsonl)
        print(f"{' '.join(question)}: {said.strip()}")
        assert is_sound, said
        for number, text in enumerate(spoilt(jsonl)):
            said, is_sound = opinion(text)
            assert not is_sound, f"{question}: spoilt proof {number} passed: {said}"


def check_books(program):
    for variant in ("antichess", "suicide", "losers", "horde", "chess"):
        book = os.path.join(DATASETS, "openings", f"{variant}.tsv")
        read = run([sys.executable, os.path.join(HERE, "tools", "read_back.py"), program, book])
        print(f"{variant}: {read.stdout.strip()}")
        assert read.returncode == 0 and not read.stdout.startswith("0 games"), read.stdout + read.stderr


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        check_proofs(sys.argv[1], temporary)
    check_books(sys.argv[1])
