#!/usr/bin/env python3
"""Checks what `hecatomb proof export --jsonl` writes, by the rules of python-chess.

    hecatomb proof export g6.hproof --jsonl | check_proof.py        needs python-chess (pip install chess)

The third opinion on a proof: it shares nothing with the program but the text. Every position is played again from the
root: the given move where the prover is to move, every legal reply where the opponent is. Refused are a position
without a line, a move that is not legal, an end that is not the prover's win, a rank that is not one more than the
largest below it, a line that belongs to no position. Antichess, suicide and horde; python-chess does not play losers,
nor --ep restricted, nor tables.
"""
import json
import sys

import chess
import chess.variant

VARIANTS = {"antichess": chess.variant.AntichessBoard, "suicide": chess.variant.SuicideBoard,
            "horde": chess.variant.HordeBoard}


class Refused(Exception):
    """Why the proof is not sound."""


def start_board(head):
    if head["variant"] not in VARIANTS or head["options"].get("ep", "normal") != "normal":
        sys.exit(f"python-chess does not play {head['variant']} with {head['options']}")
    if head["variant"] == "suicide" and head["options"].get("stalemate") == "stalemated-wins":
        return chess.variant.AntichessBoard(head["fen"])  # the same game
    return VARIANTS[head["variant"]](head["fen"])


def name_of(board):
    """Men, side, castling rights and legal en passant: what makes two positions the same."""
    return " ".join(board.fen(en_passant="legal").split()[:4])


def is_won(board, prover):
    """Whether the game is over, which must be the prover's win. Draws by rule do not end a game here."""
    over = board.is_variant_end() or not any(board.legal_moves)
    if over and board.result() != ("1-0" if prover == chess.WHITE else "0-1"):
        raise Refused(f"over and not won: {board.fen()}")
    return over


class Walk:
    def __init__(self, head, lines):
        self.prover = chess.WHITE if head["for"] == "white" else chess.BLACK
        self.lines = {" ".join(line["fen"].split()[:4]): line for line in lines}
        if len(self.lines) != len(lines):
            raise Refused("two lines for one position")
        self.used, self.replies, self.open = set(), {}, []

    def rank_of(self, board):
        """The rank that stands for a position; what is below the prover's is looked at later, once."""
        if is_won(board, self.prover):
            return 0
        name = name_of(board)
        if board.turn != self.prover:
            if name not in self.replies:
                ranks = []
                for move in board.legal_moves:
                    board.push(move)
                    ranks.append(self.rank_of(board))
                    board.pop()
                self.replies[name] = 1 + max(ranks)
            return self.replies[name]
        if name not in self.lines:
            raise Refused(f"no move is given: {board.fen()}")
        if name not in self.used:
            self.used.add(name)
            self.open.append(board.copy(stack=False))
        return self.lines[name]["rank"]

    def run(self, board):
        depth = self.rank_of(board)
        while self.open:
            board = self.open.pop()
            line = self.lines[name_of(board)]
            move = chess.Move.from_uci(line["move"])
            if move not in board.legal_moves:
                raise Refused(f"{line['move']} is not legal: {board.fen()}")
            board.push(move)
            below = self.rank_of(board)
            if line["rank"] != below + 1:
                raise Refused(f"rank {line['rank']} above {below}: {line['fen']}")
        if len(self.used) != len(self.lines):
            raise Refused(f"{len(self.lines) - len(self.used)} lines belong to no position of the proof")
        return depth


def main():
    try:
        head, *lines = [json.loads(line) for line in sys.stdin]
    except ValueError as error:  # JSON that is none, or no line at all
        sys.exit(f"standard input is not what `hecatomb proof export --jsonl` writes: {error}")
    if any("move" not in line for line in lines):
        sys.exit("the proof rests on endgame tables, which python-chess does not have")
    try:
        walk = Walk(head, lines)
        depth = walk.run(start_board(head))
    except Refused as refused:
        print(f"refused: {refused}")
        return 1
    print(f"sound: {head['for']} wins, {len(walk.used) + len(walk.replies)} positions, {depth} plies")
    return 0


if __name__ == "__main__":
    sys.exit(main())
