#!/usr/bin/env python3
"""Does python-chess read what `hecatomb convert --to pgn` writes, to the same moves?

    read_back.py PROGRAM FILE... [-v VARIANT]       needs python-chess (pip install chess)

Each FILE is converted to PGN and to JSON lines; python-chess reads the PGN, and start, moves and final position of each
game are compared with the JSON. python-chess does not play losers: it is taught to here.
"""
import io
import json
import subprocess
import sys

import chess
import chess.pgn
import chess.variant


class LosersBoard(chess.Board):
    """Chess in which captures are compulsory among legal moves, over with a bare king: by the rules, not by hecatomb."""

    aliases = ["Losers"]
    uci_variant = "losers"

    def is_variant_end(self):
        return any(chess.popcount(men) == 1 for men in self.occupied_co)

    def generate_legal_moves(self, from_mask=chess.BB_ALL, to_mask=chess.BB_ALL):
        if self.is_variant_end():
            return
        legal = list(super().generate_legal_moves())
        captures = [move for move in legal if self.is_capture(move)]
        for move in captures or legal:
            if chess.BB_SQUARES[move.from_square] & from_mask and chess.BB_SQUARES[move.to_square] & to_mask:
                yield move

    def is_legal(self, move):
        return move in self.generate_legal_moves()


chess.variant.VARIANTS.append(LosersBoard)


def convert(program, arguments, to):
    done = subprocess.run([program, "convert", *arguments, "--to", to, "--quiet"], capture_output=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(done.stderr.decode())
    return done.stdout.decode("utf-8")


def main(program, arguments):
    entries = [json.loads(line) for line in convert(program, arguments, "jsonl").splitlines()]
    entries = [entry for entry in entries if entry["fen"]]
    pgn = io.StringIO(convert(program, arguments, "pgn"))
    compared = failed = 0
    for entry in entries:
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
    print(f"{compared} games compared, {failed} differ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
