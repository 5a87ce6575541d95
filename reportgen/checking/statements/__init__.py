"""Statements of sentences without a value of their own, held against the curves.

`A outperforms B in every epoch`: a frame (a row of `frames.csv`), the runs that it names, a metric
and a time. It is traced where it holds, and contradicted, as a warning, where all of these are
said and it fails under every legal reading: any evaluation, either split, the mean and each run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reportgen.checking.catalogue import Catalogue
from reportgen.checking.context import Claiming, sentence_spans
from reportgen.checking.statements._sentences import statements_in
from reportgen.checking.statements._truth import Margin, Statement, groups_of, holds
from reportgen.checking.words import tokens_of
from reportgen.records.manuscript import Block, Manuscript, Place
from reportgen.records.record import replace
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
    if not catalogue.families:
        return ()
    words = frozenset(word for block in manuscript.blocks for word in tokens_of(block.text))
    found: list[Verdict] = []
    for index, block in enumerate(manuscript.blocks):
        if block.type in _SPOKEN:
            own = [one for one in numbers if one.number.block == index]
            found += _in_block(block, own, words, catalogue)
    return tuple(found)


def _in_block(
    block: Block, numbers: Sequence[Claiming], words: frozenset[str], catalogue: Catalogue
) -> Iterator[Verdict]:
    for start, end in sentence_spans(block.text):
        if end - start > _LONGEST:
            continue
        text = block.text[start:end].rstrip()
        own = [one for one in numbers if start <= one.number.start < end]
        for one, first, last in statements_in(text, own, catalogue):
            verdict = _judged(one, words, catalogue)
            if verdict is not None:
                place = block.place(start + first, start + last)
                yield replace(verdict, place=place, quote=" ".join(text.split())[:200])


def _judged(one: Statement, words: frozenset[str], catalogue: Catalogue) -> Verdict | None:
    """Return the verdict on a statement, None where the evidence does not decide."""
    groups = [group for group in groups_of(one, catalogue) if group]
    held = [holds(group, one) for group in groups]
    failed = [margin for group in groups for margin in group if margin.fails]
    told = not any(held) and bool(failed) and one.bound
    if told and _are_spoken_of(failed, words, catalogue):
        return _verdict(min(failed, key=lambda margin: not margin.salient), catalogue)
    natural: dict[str, tuple[bool, list[Margin]]] = {}
    for group, way in zip(groups, held, strict=True):
        salient = [margin for margin in group if margin.salient]
        for margin in salient[:1]:
            natural.setdefault(margin.readings[0].family, (way, salient))
    for way, salient in natural.values():
        if way and all(margin.value > 0 for margin in salient):
            return _verdict(salient[0], catalogue)
    return None


def _are_spoken_of(failed: Sequence[Margin], words: frozenset[str], catalogue: Catalogue) -> bool:
    """Say whether the report speaks of the runs that a statement fails by."""
    runs = {run for margin in failed for run in margin.readings[-1].runs}
    own = [catalogue.runs[run].tokens & catalogue.informative for run in sorted(runs)]
    return any(not tokens or tokens & words for tokens in own)


def _verdict(shown: Margin, catalogue: Catalogue) -> Verdict:
    traces = tuple(catalogue.trace(reading) for reading in shown.readings)
    values = " against ".join(f"{one.value:.4g} ({one.what}, {one.run})" for one in traces)
    return Verdict(
        outcome="contradicted" if shown.fails else "traced",
        rule="statement",
        place=Place(line=1),
        level="warning" if shown.fails else "none",
        bindings=("words", "name"),
        traces=traces,
        message=f"it fails in every reading of the evidence, which has {values}"
        if shown.fails
        else "",
    )
