"""With which characters a match of a pattern can begin.

The parse tree is that of Python's own `re._parser`, whose nodes have been the same since 3.7; a
node that is not known here ends the reading, and what was read so far stays true.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from re import _constants as node  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

DEPTH = 3
"""Characters of a beginning: three tell most words apart."""
_MOST = 2_000
"""Beginnings that a pattern may have; one with more is read less deeply."""
_MOST_ANYWHERE = 24
"""Beginnings that a text is searched for one by one."""
_EVERYWHERE = frozenset("etaoinsrhldcumfpgwybvkxjqz0 .,-:")
"""Characters that nearly every text holds: to look for one alone tells nothing."""
_WIDEST = 80
"""Characters of a class that are looked at one by one."""

_NOT_AFTER_A_WORD = (
    [(node.NEGATE, None), (node.CATEGORY, node.CATEGORY_NOT_WORD), (node.LITERAL, ord("_"))],
    [(node.CATEGORY, node.CATEGORY_WORD)],
)


@dataclass(frozen=True, slots=True)
class Beginnings:
    """The folded first characters of all that a pattern can match.

    Attributes:
        of_words: Those that stand at the first letter or digit of a word only, by their length.
        anywhere: Those that may stand at any place.
    """

    of_words: tuple[tuple[int, frozenset[str]], ...]
    anywhere: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Head:
    """A beginning while it is read.

    Attributes:
        ended: Nothing can be added: it is deep enough, or what follows can be anything.
        word: It stands where no letter or digit stands before it.
    """

    text: str = ""
    ended: bool = False
    word: bool = False


def beginnings(pattern: str, flags: int = 0) -> Beginnings | None:
    r"""Return the beginnings of a pattern, or nothing where it can begin with anything.

    Example:
        >>> import re
        >>> found = beginnings(r"\b(?:best|no\s?.)|%", re.IGNORECASE)
        >>> [(length, sorted(heads)) for length, heads in found.of_words], found.anywhere
        ([(2, ['no']), (3, ['bes'])], ('%',))
        >>> beginnings(r"\w+ed\b") is None
        True
    """
    tree = _parser.parse(pattern, flags)
    deepening = (_after({_Head()}, tree, depth) for depth in range(DEPTH, 0, -1))
    return next((found for heads in deepening if heads and (found := _sorted(heads))), None)


def _sorted(heads: set[_Head]) -> Beginnings | None:
    """Return heads as beginnings, or nothing where looking for them would take too long."""
    words = _shortest({h.text for h in heads if h.word and h.text[:1].isalnum()})
    others = {h.text for h in heads if not (h.word and h.text[:1].isalnum())}
    cut = (_shortest({text[:depth] for text in others}) for depth in range(DEPTH, 0, -1))
    few = next((texts for texts in cut if len(texts) <= _MOST_ANYWHERE), {""})
    if any(not text or text in _EVERYWHERE for text in few):
        return None
    lengths = sorted({len(word) for word in words})
    return Beginnings(
        tuple((n, frozenset(word for word in words if len(word) == n)) for n in lengths),
        tuple(sorted(few)),
    )


def _shortest(heads: set[str]) -> set[str]:
    """Leave out those that begin with another one."""
    return {h for h in heads if not any(h[:n] in heads for n in range(len(h)))}


def fold(text: str) -> str:
    r"""Return a text in which characters that a pattern may take for one another are one.

    Letters lose their case, every digit is 0, every blank a space. It is as long as the text.

    Example:
        >>> fold("The Best\n42 \u212a")
        'the best 00 k'
    """
    return text.translate(_FOLDED)


class _Folded(dict[int, str]):
    """Code points to what stands for them, each found out when it is first met."""

    def __missing__(self, code: int) -> str:
        letter = chr(code)
        if letter.isdecimal():
            new = "0"
        elif letter.isspace():
            new = " "
        else:
            # Both ways: the long s and the Kelvin sign are letters of a pattern without case.
            new = letter.lower()[0].upper()[0].lower()[0]
        self[code] = new
        return new


_FOLDED = _Folded()


def _after(heads: set[_Head], items: Iterable[Any], depth: int) -> set[_Head] | None:
    """Return the heads with a sequence of nodes behind them, or nothing where they are too many."""
    for kind, value in items:
        if all(head.ended for head in heads):
            return heads
        found = _behind(heads, kind, value, depth)
        if found is None or len(found) > _MOST:
            return None
        heads = found
    return heads


def _behind(heads: set[_Head], kind: Any, value: Any, depth: int) -> set[_Head] | None:
    """Return the heads with one node behind them."""
    if kind is node.AT:
        at_word = value in (node.AT_BOUNDARY, node.AT_UNI_BOUNDARY)
        return {_Head(h.text, h.ended, h.word or (at_word and not h.text)) for h in heads}
    if kind in (node.ASSERT, node.ASSERT_NOT):
        at_word = kind is node.ASSERT_NOT and _is_not_after_a_word(value)
        return {_Head(h.text, h.ended, h.word or (at_word and not h.text)) for h in heads}
    if kind is node.SUBPATTERN:
        return _after(heads, value[-1], depth)
    if kind is node.BRANCH:
        return _joined(_after(heads, branch, depth) for branch in value[1])
    if kind in (node.MAX_REPEAT, node.MIN_REPEAT):
        return _repeated(heads, *value, depth=depth)
    letters = _letters(kind, value)
    if letters is None:
        return {_Head(h.text, ended=True, word=h.word) for h in heads}
    return set(_with_letters(heads, letters, depth))


def _with_letters(heads: set[_Head], letters: Sequence[str], depth: int) -> Iterator[_Head]:
    for head in heads:
        if head.ended:
            yield head
        else:
            for letter in letters:
                text = head.text + letter
                yield _Head(text, len(text) >= depth, head.word)


def _repeated(
    heads: set[_Head], least: int, most: int, items: Any, *, depth: int
) -> set[_Head] | None:
    """Return the heads with a node behind them at least and at most so many times."""
    done: set[_Head] | None = heads
    found = set(heads) if least == 0 else set()
    for count in range(1, min(int(most), least + depth, 2 * depth) + 1):
        done = _after(done, items, depth) if done is not None else None
        if done is None:
            return None
        if count >= least:
            found |= done
        if all(head.ended for head in done):
            return found | done
    # More of the same may follow what is not yet deep enough.
    return found | {_Head(h.text, ended=True, word=h.word) for h in done or ()}


def _joined(parts: Iterable[set[_Head] | None]) -> set[_Head] | None:
    found: set[_Head] = set()
    for part in parts:
        if part is None:
            return None
        found |= part
    return found


def _is_not_after_a_word(value: Any) -> bool:
    """Say whether an assertion forbids letters and digits right before it."""
    direction, items = value
    if direction > 0 or len(items) != 1 or items[0][0] is not node.IN:
        return False
    inside = list(items[0][1])
    return inside == _NOT_AFTER_A_WORD[0] or (
        inside[0][0] is not node.NEGATE and _NOT_AFTER_A_WORD[1][0] in inside
    )


def _letters(kind: Any, value: Any) -> tuple[str, ...] | None:
    """Return the folded characters that a node stands for, or nothing where they are many."""
    if kind is node.LITERAL:
        return (fold(chr(value)),)
    if kind is node.IN:
        return _of_class(value)
    return None


def _of_class(items: Sequence[Any]) -> tuple[str, ...] | None:
    found: set[str] = set()
    for kind, value in items:
        if kind is node.LITERAL:
            found.add(fold(chr(value)))
        elif kind is node.RANGE and value[1] - value[0] <= _WIDEST:
            found |= {fold(chr(code)) for code in range(value[0], value[1] + 1)}
        elif kind is node.CATEGORY and value is node.CATEGORY_DIGIT:
            found.add("0")
        elif kind is node.CATEGORY and value is node.CATEGORY_SPACE:
            found.add(" ")
        else:
            return None
    return tuple(sorted(found))
