#!/usr/bin/env python3
"""Plays random games by the rules of "how a random game is drawn" with python-chess and a Philox of its own: a third
opinion beside common/ and host/reference/. Made datasets/playouts/games.jsonl:

    random_games.py > datasets/playouts/games.jsonl

One game a line: variant, seed, opening, game, draws (clock, repetition, dead), moves in UCI, result, reason. Losers,
which python-chess does not know, is chess with compulsory captures among the legal moves. Only ends that need no
judgement are looked for: by men, no legal move, the clock, repetition. Needs python-chess 1.11.
"""
import json

import chess
import chess.variant

MASK = 0xffffffff


def philox(counter, key):
    c, (k0, k1) = list(counter), key
    for _ in range(10):
        a, b = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(b >> 32) ^ c[1] ^ k0, b & MASK, (a >> 32) ^ c[3] ^ k1, a & MASK]
        k0, k1 = (k0 + 0x9E3779B9) & MASK, (k1 + 0xBB67AE85) & MASK
    return c


def draw(seed, opening, game, ply, n):
    attempt = 0
    while True:
        x = philox((ply // 4, game, opening, attempt), (seed & MASK, seed >> 32))[ply % 4] * n
        if (x & MASK) >= (1 << 32) % n:
            return x >> 32
        attempt += 1


KNIGHT = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
PAWN = [(-1, 1), (1, 1), (0, 1), (0, 2)]
DIAGONAL = [(1, 1), (1, -1), (-1, -1), (-1, 1)]
ORTHOGONAL = [(0, 1), (1, 0), (0, -1), (-1, 0)]
KING = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]
PROMOTIONS = [None, chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT, chess.KING]


def order(board, move):
    """(class, direction, target, promotion) of a move."""
    kind = board.piece_type_at(move.from_square)
    df = chess.square_file(move.to_square) - chess.square_file(move.from_square)
    dr = chess.square_rank(move.to_square) - chess.square_rank(move.from_square)
    if board.turn == chess.BLACK:
        dr = -dr
    if kind == chess.KING and board.is_castling(move):
        return (5, 0 if df > 0 else 1, 0, 0)
    if kind == chess.PAWN:
        place = (0, PAWN.index((df, dr)))
    elif kind == chess.KNIGHT:
        place = (1, KNIGHT.index((df, dr)))
    elif kind == chess.KING:
        place = (4, KING.index((df, dr)))
    else:
        n = max(abs(df), abs(dr))
        step = (df // n, dr // n)
        place = (2, DIAGONAL.index(step)) if step in DIAGONAL else (3, ORTHOGONAL.index(step))
    return (*place, move.to_square, PROMOTIONS.index(move.promotion))


class Losers(chess.Board):
    def over_by_men(self):
        for color in (self.turn, not self.turn):
            if chess.popcount(self.occupied_co[color]) == 1:
                return color
        return None

    def playable(self):
        if self.over_by_men() is not None:
            return []
        legal = list(self.legal_moves)
        captures = [m for m in legal if self.is_capture(m)]
        return captures or legal


BOARDS = {"antichess": chess.variant.AntichessBoard, "suicide": chess.variant.SuicideBoard, "losers": Losers,
          "horde": chess.variant.HordeBoard, "chess": chess.Board}


def men(board, color):
    return chess.popcount(board.occupied_co[color])


def won(color, reason):
    return ("1-0" if color == chess.WHITE else "0-1", reason)


def decided(variant, board, moves):
    """Result and reason by men or for want of a move, or None."""
    if variant in ("antichess", "suicide"):
        for color in (chess.WHITE, chess.BLACK):
            if men(board, color) == 0:
                return won(color, "no-pieces")
    if variant == "losers" and board.over_by_men() is not None:
        return won(board.over_by_men(), "bare-king")
    if variant == "horde" and men(board, chess.WHITE) == 0:
        return won(chess.BLACK, "horde-destroyed")
    if moves:
        return None
    if variant == "antichess":
        return won(board.turn, "no-moves")
    if variant == "suicide":
        ours, theirs = men(board, board.turn), men(board, not board.turn)
        if ours == theirs:
            return ("1/2-1/2", "stalemate-count")
        return won(board.turn if ours < theirs else not board.turn, "stalemate-count")
    if variant == "losers":
        return won(board.turn, "mate" if board.is_check() else "stalemate")
    return won(not board.turn, "mate") if board.is_check() else ("1/2-1/2", "stalemate")


def same(board):
    """What repetition compares."""
    ep = board.ep_square if board.ep_square is not None and board.has_legal_en_passant() else None
    return (board.board_fen(), board.turn, board.clean_castling_rights(), ep)


def play(variant, seed, opening, game, clock, repetition):
    board = BOARDS[variant]()
    if variant in ("antichess", "suicide"):
        board.castling_rights = 0
    seen, moves = {}, []
    while True:
        legal = board.playable() if variant == "losers" else list(board.legal_moves)
        key = same(board)
        seen[key] = seen.get(key, 0) + 1
        end = decided(variant, board, legal)
        if end is None and repetition and seen[key] >= repetition:
            end = ("1/2-1/2", "fivefold" if repetition == 5 else "threefold")
        if end is None and clock and board.halfmove_clock >= 2 * clock:
            end = ("1/2-1/2", "75-moves" if clock == 75 else "50-moves")
        if end is not None:
            return {"variant": variant, "seed": seed, "opening": opening, "game": game, "clock": clock,
                    "repetition": repetition, "moves": moves, "result": end[0], "reason": end[1]}
        legal.sort(key=lambda m: order(board, m))
        move = legal[draw(seed, opening, game, len(moves), len(legal))]
        moves.append(move.uci())
        board.push(move)


def main():
    for variant in BOARDS:
        for seed, opening, game, clock, repetition in ((1, 0, 0, 75, 5), (1, 0, 1, 50, 3), (0x123456789abcdef, 7, 41, 50, 0)):
            print(json.dumps(play(variant, seed, opening, game, clock, repetition)))


if __name__ == "__main__":
    main()
