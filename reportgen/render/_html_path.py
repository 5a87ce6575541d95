"""Paths of drawings in fewer characters: the same points, counted from one to the next."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache

_PIECE = re.compile(r"[A-Za-z]|[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_ELSE = re.compile(r"[^\s,]")
_POINTS = {"M": 1, "L": 1, "Q": 2, "C": 3}
_MOST_DIGITS = 8  # after the point; a path with more of them stays as it is


# The outlines of letters come in every drawing, and the curves of finished runs in every
# report of a training that is followed.
@lru_cache(maxsize=2048)
def compact_path(path: str) -> str:
    """Return the data of a path with relative coordinates and no needless characters.

    No digit is lost. A path with commands other than those of straight lines and of Bezier
    curves, in capitals, only loses its superfluous spaces.

    Example:
        >>> compact_path("M 10 20 L 10.5 19 L 11 19.25 z M 0 0 Q 1 1 2 0")
        'm10 20 .5-1 .5.25zm-10-20q1 1 2 0'
        >>> compact_path("M 0 0  H 5")
        'M 0 0 H 5'
        >>> compact_path("M 0.125 1 L 0.25 1")
        'm.125 1 .125 0'
    """
    pieces = _PIECE.findall(path)
    digits = max((_digits(piece) for piece in pieces if not piece.isalpha()), default=0)
    if _ELSE.search(_PIECE.sub("", path)) or not _is_plain(pieces) or digits > _MOST_DIGITS:
        return " ".join(path.split())
    return _join(_relative(pieces, digits), digits)


def _digits(number: str) -> int:
    """Return how many digits a number has after its point."""
    if "e" in number or "E" in number:
        exponent = Decimal(number).normalize().as_tuple().exponent
        return max(-exponent, 0) if isinstance(exponent, int) else 0
    return len(number.partition(".")[2].rstrip("0"))


def _scaled(number: str, digits: int) -> int:
    """Return a number in units of the last of so many digits after its point."""
    if "e" in number or "E" in number:
        return int(Decimal(number).scaleb(digits))
    whole, _, fraction = number.partition(".")
    # A tenth more, so that a number without a whole part has something to be read from.
    return int(whole + fraction[:digits].ljust(digits, "0") + "0") // 10


def _is_plain(pieces: list[str]) -> bool:
    commands = {piece for piece in pieces if piece.isalpha()}
    return bool(pieces) and pieces[0] == "M" and commands <= {*_POINTS, "Z", "z"}


def _relative(pieces: list[str], digits: int) -> Iterator[tuple[str, list[int]]]:
    """Yield each command with its coordinates from where the pen stands, in the last digit."""
    x = y = 0
    start = (0, 0)
    for command, numbers in _commands(pieces, digits):
        if command in "Zz":
            x, y = start
            yield "z", []
            continue
        size = 2 * _POINTS[command]
        letter = command.lower()
        for i in range(0, len(numbers) - size + 1, size):
            moved = numbers[i : i + size]
            moved[::2] = [value - x for value in moved[::2]]
            moved[1::2] = [value - y for value in moved[1::2]]
            x, y = x + moved[-2], y + moved[-1]
            if command == "M" and not i:
                start = (x, y)
            yield ("l" if command == "M" and i else letter), moved


def _commands(pieces: list[str], digits: int) -> Iterator[tuple[str, list[int]]]:
    command = ""
    numbers: list[int] = []
    for piece in pieces:
        if piece.isalpha():
            if command:
                yield command, numbers
            command, numbers = piece, []
        else:
            numbers.append(_scaled(piece, digits))
    yield command, numbers


def _join(commands: Iterator[tuple[str, list[int]]], digits: int) -> str:
    written: list[str] = []
    last, before = "", ""
    for command, numbers in commands:
        # What follows a move without a letter is a line; any other command repeats itself.
        if command == "z" or command != ("l" if last == "m" else last):
            written.append(command)
            before = ""
        for number in numbers:
            text = _spell(number, digits)
            # A sign, or a second point, shows by itself where a number begins.
            parts = not before or text[0] == "-" or (text[0] == "." and "." in before)
            written.append(text if parts else f" {text}")
            before = text
        last = command
    return "".join(written)


# From one evaluation to the next it is the same way to the right, again and again.
@lru_cache(maxsize=4096)
def _spell(number: int, digits: int) -> str:
    sign = "-" if number < 0 else ""
    whole, rest = divmod(abs(number), 10**digits)
    fraction = f".{rest:0{digits}d}".rstrip("0") if rest else ""
    return f"{sign}{whole or ('' if fraction else 0)}{fraction}"
