"""Statements of sentences without a value of their own, held against the curves.

`A outperforms B in every epoch`: a frame (a row of `frames.csv`), runs, a metric and a time. It is
traced where it holds, and contradicted, as a warning, where all of these are said and it fails
under every legal reading: any evaluation, either split, the mean and each run.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from reportgen.checking.catalogue import Catalogue
from reportgen.checking.context import Claiming, sentence_spans
from reportgen.checking.phrases import as_printed
from reportgen.checking.statements._sentences import statements_in
from reportgen.checking.statements._truth import Margin, Statement, groups_of, holds
from reportgen.checking.statements._words import has_frames
from reportgen.checking.words import tokens_of
from reportgen.records.manuscript import Manuscript, Place
from reportgen.records.verdict import Verdict

__all__ = ["check_statements"]

_SPOKEN = frozenset({"paragraph", "item"})
_LONGEST = 400


def check_statements(
    manuscript: Manuscript, numbers: Sequence[Claiming], catalogue: Catalogue
) -> tuple[Verdict, ...]:
    """Return verdicts on the statements of a report that curves can decide.

    Args:
        manuscript: The report.
        numbers: All its numbers: they give times and bounds.
        catalogue: The evidence.
    """
    blocks = manuscript.blocks if catalogue.families else ()
    words: frozenset[str] | None = None
    found: list[Verdict] = []
    inside: dict[int, list[Claiming]] = {}
    for n in numbers:
        inside.setdefault(n.number.block, []).append(n)
    for index, block in enumerate(blocks):
        whole = block.text if block.type in _SPOKEN else ""
        for start, end in sentence_spans(whole):
            text = whole[start:end].rstrip()[:_LONGEST]
            if not has_frames(text):
                continue
            own = [n for n in inside.get(index, ()) if start <= n.number.start < end]
            key = (text, *map(as_printed, own))
            stated = catalogue.statements.made(key, partial(statements_in, text, own, catalogue))
            for one, first, last in stated:
                if words is None:
                    words = frozenset(word for other in blocks for word in tokens_of(other.text))
                shown = _shown(one, words, catalogue)
                if shown is not None:
                    place = block.place(start + first, start + last)
                    quote = " ".join(text[first:last].split()).rstrip(",;: ")[:200]
                    found.append(_verdict(shown, place, quote, catalogue))
    return tuple(found)


def _shown(one: Statement, words: frozenset[str], catalogue: Catalogue) -> Margin | None:
    """Return what bears a statement out, or what it fails by; None where nothing decides."""
    found: list[list[Margin]] = catalogue.margins.made(one, lambda: [*groups_of(one, catalogue)])
    groups = [group for group in found if group]
    held = [holds(group, one) for group in groups]
    failed = [margin for group in groups for margin in group if margin.fails]
    if failed and one.bound and not any(held):
        # The report has to speak of the runs that it fails by: others may be no part of it.
        named = [catalogue.runs[run] for margin in failed for run in margin.readings[-1].runs]
        own = [(one.tokens & catalogue.informative) - {f"{one.seed}"} for one in named]
        if any(not tokens or tokens & words for tokens in own):
            return min(failed, key=lambda margin: not margin.salient)
    natural: dict[str, tuple[bool, list[Margin]]] = {}
    for group, way in zip(groups, held, strict=True):
        salient = [margin for margin in group if margin.salient]
        for margin in salient[:1]:
            natural.setdefault(margin.readings[0].family, (way, salient))
    for way, salient in natural.values():
        if way and all(margin.value > 0 for margin in salient):
            return salient[0]
    return None


def _verdict(shown: Margin, place: Place, quote: str, catalogue: Catalogue) -> Verdict:
    traces = tuple(catalogue.trace(reading) for reading in shown.readings)
    values = " against ".join(f"{one.value:.4g} ({one.what}, {one.run})" for one in traces)
    told = shown.fails
    return Verdict(
        outcome="contradicted" if told else "traced",
        rule="statement",
        place=place,
        quote=quote,
        level="warning" if told else "none",
        bindings=("words", "name"),
        traces=traces,
        message=f"“{quote}” fails in every reading; the evidence has {values}" if told else "",
    )
