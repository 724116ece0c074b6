#!/usr/bin/env python3
"""Does python-chess read what `hecatomb convert --to pgn` writes, to the same moves?

    read_back.py PROGRAM FILE... [-v VARIANT]       needs python-chess (pip install chess)

Each FILE is converted to PGN and to JSON lines; python-chess reads the PGN, and start, moves and final position of each
game are compared with the JSON. Losers is left out: python-chess does not play it.
"""
import io
import json
import subprocess
import sys

import chess
import chess.pgn


def convert(program, arguments, to):
    done = subprocess.run([program, "convert", *arguments, "--to", to, "--quiet"], capture_output=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(done.stderr.decode())
    return done.stdout.decode("utf-8")


def main(program, arguments):
    entries = [json.loads(line) for line in convert(program, arguments, "jsonl").splitlines()]
    entries = [entry for entry in entries if entry["fen"]]
    pgn = io.StringIO(convert(program, arguments, "pgn"))
    compared = skipped = failed = 0
    for entry in entries:
        if entry["variant"] == "losers":
            while pgn.readline().strip():  # its tags
                pass
            while pgn.readline().strip():  # its moves
                pass
            skipped += 1
            continue
        game = chess.pgn.read_game(pgn)
        board = game.end().board()
        moves = [move.uci() for move in game.mainline_moves()]
        fields = board.fen(en_passant="legal").split()
        if entry["variant"] in ("antichess", "suicide"):
            fields[2] = "-"  # python-chess lets suicide begin with castling rights
        final_fen = " ".join(fields)
        same = not game.errors and moves == entry["moves"] and final_fen == entry["final_fen"]
        compared += 1
        failed += not same
        if not same:
            print(f"{entry['file']}:{entry['line']}: python-chess: {game.errors} {moves} {final_fen}")
            print(f"  written: {entry['moves']} {entry['final_fen']}")
    if chess.pgn.read_game(pgn) is not None:
        print("python-chess finds more games than were written")
        failed += 1
    print(f"{compared} games compared, {skipped} of losers skipped, {failed} differ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
