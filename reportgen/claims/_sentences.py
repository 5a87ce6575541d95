"""Values in sentences, items, captions and printed output, bound by the words about them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from reportgen.checking.numbers._digits import NumberStyle
from reportgen.checking.numbers._no_claim import non_claim_spans
from reportgen.checking.numbers._numbers import find_numbers
from reportgen.claims._binding import HYPOTHETICAL, Binding, settle
from reportgen.claims._clauses import sentences
from reportgen.claims._context import Context
from reportgen.claims._failed_runs import breaks
from reportgen.claims._gaps import GAP
from reportgen.claims._heads import read_text
from reportgen.claims._lists import lists_along, take_runs
from reportgen.claims._marks import as_mark
from reportgen.claims._ordered import outside, within
from reportgen.claims._reached import Moment, best_moments
from reportgen.claims._results import Result, in_runs, ranges_of, results_of
from reportgen.claims._segments import Piece, pieces
from reportgen.claims._some_seeds import excluded
from reportgen.claims._speech import is_supposed, may_be_result
from reportgen.claims._spoken import Sentence, bind_piece, with_former
from reportgen.claims._vocabulary import SPREADS
from reportgen.records.claim import Claim, Printed
from reportgen.records.manuscript import Block

SPEAKING = frozenset({"paragraph", "item", "caption", "output", "equation"})
"""Types of blocks whose sentences may state results."""
_ARITHMETIC = re.compile(r"\\(?:frac|times|cdot|sum|sqrt)|[+*×·/](?!-)")
_COUNTING = frozenset({"label", "numeral"})
_LONGEST = 4000
"""Characters of a sentence; a longer one is none and is read in pieces."""
_TOPICS = ("group", "metric", "split", "aggregate")
_IN_PERCENT = re.compile(r"\(\s?%\s?\)")


@dataclass(slots=True)
class Reader:
    """Reads the sentences of one block.

    Attributes:
        block: The block.
        index: Its index.
        context: What counts for it.
        style: How the report writes decimals.
        known: Labels of groups that the tables use.
        order: Place among the items of its list, from 1, or 0.
        topics: What the last sentences spoke of: slot to its only value.
    """

    block: Block
    index: int
    context: Context
    style: NumberStyle
    known: tuple[str, ...] = ()
    order: int = 0
    topics: dict[str, str] = field(default_factory=dict)

    def claims(self) -> Iterator[Claim]:
        """Yield what the sentences of the block claim."""
        text = self.block.text
        numbers = find_numbers(text, self.style)
        if not numbers:
            return
        spoken = read_text(text, self.known).mentions
        skipped = [(a, b) for a, b, kind in non_claim_spans(self.block) if kind not in _COUNTING]
        if self.block.type == "equation" and _ARITHMETIC.search(text):
            # The terms of a calculation are no results; what it comes to may be one.
            skipped.append((0, text.rfind("=") + 1))
        free = outside(numbers, skipped)
        caption = self.block.type == "caption"
        supposed = caption and is_supposed(text)
        for start, end in _windows(text):
            gone = excluded(text, start, end)
            left = [*([(gone.start, gone.end)] if gone else []), *breaks(text, start, end)]
            told = outside(with_former(within(spoken, start, end), text, start, end), left)
            sentence = Sentence(
                text,
                start,
                end,
                told,
                self.context,
                caption=caption,
                supposed=supposed or is_supposed(text[start:end]),
                topics=dict(self.topics),
                left_out=gone,
            )
            yield from self._claims(sentence, outside(within(free, start, end), left))
            self._remember(sentence)

    def _remember(self, sentence: Sentence) -> None:
        """Keep what a sentence speaks of for those that follow."""
        for place, slot in enumerate(GAP):
            self.topics[slot] = sentence.gap[place] if sentence.gap else ""
        for slot in _TOPICS:
            values = sentence.values(slot)
            if values and (slot != "aggregate" or "mean" in values):
                self.topics[slot] = values[0] if len(values) == 1 else ""

    def _claims(self, sentence: Sentence, numbers: Sequence[Printed]) -> Iterator[Claim]:
        """Yield the claims of one sentence."""
        spoken = tuple(sentence.spoken)
        told = (n for n in numbers if may_be_result(sentence.text, n, spoken))
        values = [as_mark(sentence.text, number, spoken) for number in told]
        cut = pieces(sentence.text, (sentence.start, sentence.end), values, spoken)
        ranges = dict(zip((p.number.start for p in cut), ranges_of(cut), strict=True))
        bound: list[tuple[Piece, Binding]] = []
        for run in in_runs(cut):
            for place, lists in enumerate(lists_along(sentence, run), start=1):
                piece = run[place - 1]
                binding = bind_piece(sentence, piece, lists)
                take_runs(binding, sentence, piece, listed="seed" in lists)
                bound.append((piece, binding))
                order = place if len(run) > 1 else self.order
                for result in results_of(sentence, piece, binding, ranges[piece.number.start]):
                    yield self._claim_of(sentence, result, order)
        for moment in best_moments(sentence, numbers, bound):
            yield self._best_step(sentence, moment)

    def _claim_of(self, sentence: Sentence, result: Result, order: int) -> Claim:
        """Return the claim of one result."""
        settled = settle(result.binding, result.number, result.number.unit or result.unit)
        meaning = settled.meaning
        if meaning.unit == "fraction" and _IN_PERCENT.search(self.block.text):
            # What is small in a text on `WER (%)` may be less than one percent.
            meaning = replace(meaning, unit="")
        if meaning.aggregate not in {"difference", *SPREADS} or result.number.unit:
            sentence.unit = meaning.unit
        hints = {
            "without": settled.unsaid,
            "order": str(order) if order and meaning.seed is None and not meaning.aggregate else "",
            "end": result.end,
            "tail": settled.tail,
            "every": "seed" if result.binding.said("every seed") else "",
            "condition": result.binding.said("condition"),
            "runs": result.binding.said("runs"),
        }
        sure = settled.confidence
        if hints["runs"] and not meaning.aggregate:
            # The value of one run is of no choice of runs: whose it is stays open.
            hints["condition"], sure = f"{hints['runs']}", min(sure, HYPOTHETICAL)
        claim = self._at(sentence, result.number, hints)
        return replace(claim, kind=settled.kind, content=meaning, confidence=sure)

    def _best_step(self, sentence: Sentence, moment: Moment) -> Claim:
        """Return the claim that a best value is reached at a step or an epoch."""
        settled = settle(moment.binding, moment.number, "")
        every = "seed" if moment.binding.said("every seed") else ""
        claim = self._at(sentence, moment.number, {"without": settled.unsaid, "every": every})
        meaning = replace(settled.meaning, unit="")
        return replace(claim, kind="best_step", content=meaning, confidence=settled.confidence)

    def _at(self, sentence: Sentence, number: Printed, hints: dict[str, str]) -> Claim:
        """Return an empty claim at the place of a number."""
        words = " ".join(sentence.words.split())
        told = {"where": self.context.where, "sentence": words, **hints}
        return Claim(
            kind="number",
            quote=words[:200],
            place=self.block.place(number.start, number.end),
            block=self.index,
            start=number.start,
            end=number.end,
            printed=number,
            hints={key: value for key, value in told.items() if value},
        )


def _windows(text: str) -> Iterator[tuple[int, int]]:
    """Yield where each sentence begins and ends, endless ones in pieces."""
    for start, end in sentences(text):
        first = start
        while end - first > _LONGEST:
            blank = text.rfind(" ", first + _LONGEST // 2, first + _LONGEST)
            cut = blank if blank > 0 else first + _LONGEST
            yield first, cut
            first = cut
        yield first, end
