"""Numbers of something else than the evidence: what a text aims at, cites, or tells of others.

The words are rows of the lexicon. What a run is called is no other; nor is a model in whose
texts, or a table under whose heading, most numbers stand in the evidence.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from reportgen.checking.catalogue import Catalogue
from reportgen.checking.context import Claiming
from reportgen.checking.words import said
from reportgen.records.verdict import Number, Verdict

__all__ = ["of_others"]

_Named = tuple[str, str]
_LEAST = {"model": 1, "part": 4}
"""How many times as many numbers have to be traced as told, of a model and below a heading."""
_VARIANT = re.compile(r"(?:[- _]?[A-Za-z]{0,2}\d{1,4})?")


def of_others(
    found: Mapping[str, Verdict], numbers: Sequence[Claiming], catalogues: Sequence[Catalogue]
) -> frozenset[str]:
    """Return the ids of contradicted numbers whose texts speak of something else.

    Args:
        found: Verdicts by the ids of their numbers.
        numbers: All numbers of a report.
        catalogues: The evidence.
    """
    runs = " ".join(_plain(run.id) for one in catalogues for run in one.runs)
    cited = {_place(one.number) for one in numbers if one.reason == "citation"}
    traced, told, rows = Counter[_Named](), Counter[_Named](), Counter[tuple[int, int]]()
    models: dict[str, tuple[tuple[int, int], frozenset[_Named]]] = {}
    others = set()
    for one in numbers:
        verdict = found.get(one.number.id)
        if verdict is None or verdict.outcome not in {"traced", "contradicted"}:
            continue
        wrong = verdict.outcome == "contradicted"
        row = one.number.block, -1 if one.number.row is None else one.number.row
        rows[row] += -1 if wrong else 1
        words = [(kind, word) for kind, word in _others_in(one.number) if word not in runs]
        named = frozenset(one for one in words if one[0] in _LEAST)
        (told if wrong else traced).update(named)
        if wrong:
            models[one.number.id] = row, named
            if any(kind == "other" for kind, _ in words) or _place(one.number) in cited:
                others.add(one.number.id)
    strange = {one for one in told if traced[one] <= _LEAST[one[0]] * told[one]}
    # A row most of whose numbers stand in the evidence is of no other thing.
    own = {row for row, more in rows.items() if row[1] >= 0 and more > 1}
    theirs = (name for name, (row, named) in models.items() if named & strange and row not in own)
    return frozenset((*others, *theirs))


def _others_in(number: Number) -> Iterator[_Named]:
    """Yield the words of a number's text for other things, and its models with their sizes.

    They are of kind `other`, `model`, or `part` for those of the table, with its block.

    A model in the title of a report is that of all its numbers.
    """
    context = number.context
    above = " | ".join((*context.headings[-1:], context.row, context.caption))
    for text in (above, context.sentence, *context.headings[:-1]):
        for one in said(text):
            if one.slot == "guard" and one.value == "model":
                size = _VARIANT.match(text, one.end)
                yield one.value, _plain(text[one.start : size.end() if size else one.end])
            elif one.slot == "guard" and one.value == "other" and text not in context.headings:
                word = _plain(text[one.start : one.end])
                # What a heading or a caption says is of its whole table, or paragraph.
                yield ("part", f"{word} {number.block}") if text == above else ("other", word)


def _place(number: Number) -> tuple[int, int | None, int | None, int]:
    return number.block, number.row, number.column, number.start - number.context.offset


def _plain(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))
