"""Positions with castling rights: their numbers, and the list of those where the rights matter."""

from board import BLACK, WHITE
from bytesource import Bytes
from errors import BadPosition, Refused

# By the bits of the rights: the letter of FEN, the colour, the squares of king and rook.
RIGHTS = [("K", WHITE, 4, 7), ("Q", WHITE, 4, 0), ("k", BLACK, 60, 63), ("q", BLACK, 60, 56)]


def of_field(text, board):
    """The rights that a FEN names."""
    found = 0
    for letter in "" if text == "-" else text:
        if letter.upper() not in "KQABCDEFGH":
            raise BadPosition("no letters of castling rights")
        letter = {"A": "Q", "a": "q", "H": "K", "h": "k"}.get(letter, letter)
        bit = "KQkq".find(letter)
        if bit < 0 or found >> bit & 1:
            raise BadPosition("castling rights of Chess960, or one twice")
        _, color, king, rook = RIGHTS[bit]
        if board.get(king) != (color, "K") or board.get(rook) != (color, "R"):
            raise BadPosition("a castling right without king and rook")
        found |= 1 << bit
    return found


def exchanged(rights):
    return rights >> 2 | rights << 2 & 12


def held(rights):
    """The kings and rooks of these rights, with their squares."""
    men = set()
    for bit, (_, color, king, rook) in enumerate(RIGHTS):
        if rights >> bit & 1:
            men |= {(color, "K", king), (color, "R", rook)}
    return men


def number(position):
    holds, result = held(position.rights), 0
    for (color, letter), square in zip(position.material.men, position.squares):
        if (color, letter, square) not in holds:
            result = 64 * result + square
    return 9 * result + 1 + position.en_passant if position.material.en_passant else result


def listed(payload, material):
    """The outcomes of the positions in the list, by rights, turn and number."""
    source, found, last = Bytes(payload), {}, 0
    while source.at < len(source.data):
        run = source.byte()
        if run <= last:
            raise Refused("runs of castling rights that do not ascend")
        last, rights, turn, outcome = run, run & 15, run >> 4 & 1, run >> 5
        men = [(color, letter) for color, letter, _ in held(rights)]
        if not rights or any(men.count(man) > material.men.count(man) for man in men):
            raise Refused("castling rights that the material cannot have")
        if turn not in material.turns or outcome not in (0, 2, 4):
            raise Refused("castling rights for a turn that the file does not have, or with no outcome")
        end = 64 ** (len(material.men) - len(men)) * (9 if material.en_passant else 1)
        count, next_number = source.number(63), 0
        if count == 0:
            raise Refused("an empty run of castling rights")
        for _ in range(count):
            place = next_number + source.number(63)
            if place >= end or (rights, turn, place) in found:
                raise Refused("a number of a position with castling rights that is too large, or twice the same")
            found[rights, turn, place] = outcome
            next_number = place + 1
    return found
