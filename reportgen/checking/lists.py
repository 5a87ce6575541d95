"""Values that a sentence or a cell lists: `0.81 (seed 0), 0.79 (seed 1) and 0.80 (seed 2)`.

A list is a row of a table without its lines: it is bound by the same vote. It is traced as a whole
or not at all, and accuses nobody.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from reportgen.checking.catalogue import Catalogue
from reportgen.checking.context import Claiming
from reportgen.checking.places import Item, Line
from reportgen.checking.printed import form_of
from reportgen.checking.tables import Held, agreeing, line_words
from reportgen.checking.vote import ENOUGH, bind
from reportgen.checking.words import Words, words_of
from reportgen.records.verdict import Number, Verdict

__all__ = ["list_verdicts"]

_BETWEEN = re.compile(
    r"\s{0,2}\\?%?\s{0,2}(?:\((?P<name>[^()]{1,30})\))?\s{0,2}(?:[,;/|&]|and|et|und|y)"
    r"\s{0,2}(?:and|et|und)?\s{0,2}"
)
_BEHIND = re.compile(r"\s{0,2}\\?%?\s{0,2}\((?P<name>[^()]{1,30})\)")
_NUMBER = re.compile(r"\d{1,6}")


def list_verdicts(
    numbers: Sequence[Claiming], catalogue: Catalogue, said: Words
) -> Iterator[tuple[str, Verdict]]:
    """Yield the ids of numbers of lists that stand in the evidence, with the verdicts on them.

    Args:
        numbers: All numbers of a report.
        catalogue: The evidence.
        said: What the report says of its definitions as a whole.
    """
    if len(catalogue.runs) < 2:
        return
    for members in _lists(numbers):
        line = _line(members, said)
        binding = bind(line, catalogue)
        if binding is not None and len(binding.hits) == len(members):
            yield from agreeing(Held(line=line, binding=binding), catalogue)


def _lists(numbers: Sequence[Claiming]) -> Iterator[tuple[Number, ...]]:
    """Yield numbers of one form that stand behind each other in a sentence or a cell."""
    members: list[Number] = []
    for one in numbers:
        number = one.number
        if one.reason or number.printed.decimals <= 0:
            continue
        if members and not _goes_on(members[-1], number):
            if len(members) >= ENOUGH:
                yield tuple(members)
            members = []
        members.append(number)
    if len(members) >= ENOUGH:
        yield tuple(members)


def _goes_on(before: Number, number: Number) -> bool:
    place = (before.block, before.row, before.column, before.context.sentence)
    alike = place == (number.block, number.row, number.column, number.context.sentence)
    if not alike or before.printed.decimals != number.printed.decimals:
        return False
    text = before.context.sentence[_end(before) : number.context.offset]
    return _BETWEEN.fullmatch(text) is not None


def _end(number: Number) -> int:
    return number.context.offset + number.end - number.start


def _line(members: Sequence[Number], said: Words) -> Line:
    first = members[0].context
    text = " | ".join((first.row, first.head, first.sentence[: first.offset]))
    items = []
    for number in members:
        found = _BEHIND.match(number.context.sentence, _end(number))
        name = found["name"] if found else ""
        keys = tuple((f"w{at}", float(one)) for at, one in enumerate(_NUMBER.findall(name)[:1]))
        words = Words() if keys else words_of(name)
        form = form_of(number.printed)
        items.append(Item(number=number, form=form, name=name, words=words, keys=keys))
    words = line_words(text, first.caption, said)
    return Line(text=text, words=words, items=tuple(items), caption=first.caption, across=True)
