"""The settings that a report states, in its tables, lists, listings and sentences."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterator, Sequence

from reportgen.checking.context import Claiming, Table, read_table
from reportgen.checking.settings._known import Known
from reportgen.checking.settings._stated import Passage, Spot, Stated
from reportgen.checking.settings._words import Lexicon, Named, condensed, name_of_label
from reportgen.records.manuscript import Block, Cell, Manuscript, Place
from reportgen.records.record import replace
from reportgen.records.verdict import Number, Verdict

_FORMS = ("name", "text", "assigned")
_COUNTERS = frozenset({"num_train_epochs", "max_steps", "eval_steps", "steps_per_epoch"})
"""Columns so called count, and set nothing."""
_SHARE = re.compile(r"\b(?:per|each|par|pro|chaque|je)\b", re.IGNORECASE)
"""Says that a number is that of one part."""
_SILENT = frozenset({"heading", "reference", "caption"})


_SEED = re.compile(r"\b(?:seed|graine)\W{1,3}$", re.IGNORECASE)


def lone_seed(numbers: Sequence[Claiming], known: Sequence[Known]) -> frozenset[str]:
    """Return the ids of the labels `seed 42`, where report and evidence have one seed each."""
    labels = [
        one.number
        for one in numbers
        if one.reason == "label" and one.number.row is None
        if _SEED.search(one.number.context.sentence[: one.number.context.offset])
    ]
    said = {number.printed.value for number in labels}
    seeds = [one for one in known if one.key == "seed"]
    have = {one.value for one in seeds if not one.derived} or {one.value for one in seeds}
    return frozenset(one.id for one in labels if len(said) == len(have) == 1)


class Reader:
    """Reads the settings of one report.

    Args:
        manuscript: The report.
        numbers: Its numbers.
        lexis: Words for settings, those of the evidence's own keys among them.
        seeds: Ids of labels that are read as settings.
    """

    def __init__(
        self,
        manuscript: Manuscript,
        numbers: Sequence[Claiming],
        lexis: Lexicon,
        seeds: Collection[str] = (),
    ) -> None:
        self.blocks = manuscript.blocks
        self.lexis = lexis
        self.numbers: dict[int, list[Number]] = {}
        for one in numbers:
            if not one.reason or one.number.id in seeds:
                self.numbers.setdefault(one.number.block, []).append(one.number)
        self.seeded = {one.number.block for one in numbers if one.number.id in seeds}
        self.sections: list[int] = []
        self.lists: list[int] = []
        for index, block in enumerate(self.blocks):
            heading, first = block.type == "heading", block.type != "item"
            self.sections.append(index if heading or not index else self.sections[-1])
            goes_on = not first and index and self.blocks[index - 1].type == "item"
            self.lists.append(self.lists[-1] if goes_on else index)
        marks = self.lexis.marks["_adapter"]
        texts = zip(self.sections, (block.text.casefold() for block in self.blocks), strict=True)
        self.adapted = {s for s, text in texts if any(mark in text for mark in marks)}

    def stated(self) -> Iterator[Stated]:
        """Yield every setting that the report states, in reading order."""
        for index, block in enumerate(self.blocks):
            if block.type == "table" and block.rows:
                yield from self._in_table(read_table(block, index))
            elif block.type not in _SILENT:
                numbers = self.numbers.get(index, ())
                spot = self._spot(("block", self.lists[index], 0), index)
                spans = tuple((one.start, one.end) for one in numbers)
                key = (block.text, block.type, spot.forms, spans)
                if key in self.lexis.silent:
                    continue
                passage = Passage(block.text, numbers, spot, self.lexis)
                found = [*passage.stated(), *passage.texts(block)]
                if not found:
                    self.lexis.silent[key] = None
                yield from found

    def misspelt(self) -> Iterator[Verdict]:
        """Yield words that are nearly legal values of the key that their text begins with."""
        for index, block in enumerate(self.blocks):
            if block.type in {"item", "paragraph"} and self.sections[index] in self.adapted:
                yield from misspelt(self._passage(index, block), block)

    def _passage(self, index: int, block: Block) -> Passage:
        spot = self._spot(("block", self.lists[index], 0), index)
        return Passage(block.text, self.numbers.get(index, ()), spot, self.lexis)

    def _spot(self, group: tuple[str, int, int], index: int) -> Spot:
        section = self.sections[index]
        near = ("near",) if section in self.adapted else ()
        label = ("label",) if index in self.seeded else ()
        return Spot(group, section, (*label, *near, *_FORMS))

    def _in_table(self, table: Table) -> Iterator[Stated]:
        adapter = self.sections[table.block] in self.adapted
        heads = [name_of_label(head, self.lexis, adapter=adapter) for head in table.heads]
        numbers: dict[tuple[int | None, int | None], list[Number]] = {}
        for number in self.numbers.get(table.block, ()):
            numbers.setdefault((number.row, number.column), []).append(number)
        labels: dict[int, Named] = {}
        for row, cells in enumerate(table.cells[table.head :], start=table.head):
            named = name_of_label(cells[0].text, self.lexis, adapter=adapter) if cells else None
            if named is not None and len(cells) > 1:
                labels[row] = named
        wide = len({column for row, column in numbers if column and row in labels}) > 1
        for row, cells in enumerate(table.cells[table.head :], start=table.head):
            for column, cell in enumerate(cells):
                if not cell.span or not cell.text:
                    continue
                inside = numbers.get((row, column), [])
                spot = self._spot(("column", table.block, column if wide else 1), table.block)
                label, head = labels.get(row), heads[column]
                if label and column:
                    yield from self._in_cell(label, cells[0], cell, inside, spot)
                elif head and head.key not in _COUNTERS and head.form != "text" and inside:
                    by_row = replace(spot, group=("row", table.block, row))
                    found = self._in_cell(head, cells[0], cell, inside, by_row)
                    yield from (replace(one, several=not column) for one in found)
                elif inside:
                    yield from Passage(cell.text, inside, spot, self.lexis).stated()

    def _in_cell(
        self, named: Named, label: Cell, cell: Cell, inside: Sequence[Number], spot: Spot
    ) -> Iterator[Stated]:
        """Yield the values of a cell whose row or column names a setting."""
        parts = (label.text, cell.text) if label is not cell else (cell.text,)
        quote = " | ".join(parts)[:200]
        qualified = bool(_SHARE.search(label.text))
        for number in inside if named.form != "text" else ():
            yield Stated(
                named,
                spot,
                number.place,
                quote,
                number,
                several=len(inside) > 1,
                qualified=qualified,
            )
        if named.form in {"text", "near"} and not inside:
            texts = tuple(part.strip(" `'\"[]()") for part in cell.text.split(","))
            yield Stated(named, spot, cell.place(), quote, texts=tuple(filter(None, texts)))


RULE = "legal"
_COMPANY = frozenset({"r", "lora_alpha", "lora_dropout", "target_modules", "task_type"})
_LIKE = 0.7


def refused(stated: Sequence[Stated]) -> Iterator[Verdict]:
    """Yield what is no legal value, where another key of an adapter stands beside it."""
    company: dict[tuple[str, int, int], set[str]] = {}
    for one in stated:
        company.setdefault(one.spot.group, set()).add(one.key)
    for one in stated:
        alone = one.number is None and len(one.texts) == 1 and not one.several
        beside = company[one.spot.group] & _COMPANY - {one.key}
        word = alone and " " not in one.texts[0].strip()
        if word and beside and one.bound != "said" and _is_refused(one.key, one.texts[0]):
            yield _refusal(one.key, one.texts[0], one.place, one.quote)


def misspelt(passage: Passage, block: Block) -> Iterator[Verdict]:
    """Yield a word that is nearly a legal value, in a text that begins with its key."""
    opening = passage.opening
    names = [condensed(choice) for choice in _choices(opening.key)] if opening else []
    if opening is None or not names:
        return
    for word in passage.words[opening.last + 1 :]:
        whole = word.text.strip("_")
        near = difflib.get_close_matches(condensed(whole), names, 1, _LIKE)
        if "_" in whole and near and _is_refused(opening.key, whole):
            place = block.place(word.start, word.end)
            yield _refusal(opening.key, whole, place, whole)


def _choices(key: str) -> tuple[str, ...]:
    """Return the legal values of a key, none where it may have any."""
    # The table of adapters is read where a report speaks of one.
    from reportgen.parameters.adapters import LORA_KEYS

    return LORA_KEYS[key].choices if key in LORA_KEYS else ()


def _is_refused(key: str, text: str) -> bool:
    choices = _choices(key)
    return bool(choices) and condensed(text) not in {condensed(choice) for choice in choices}


def _refusal(key: str, text: str, place: Place, quote: str) -> Verdict:
    choices = _choices(key)
    spelt = {condensed(choice): choice for choice in choices}
    near = difflib.get_close_matches(condensed(text), spelt, 1, 0.0)
    return Verdict(
        outcome="contradicted",
        rule=RULE,
        place=place,
        quote=quote,
        level="warning",
        bindings=("key",),
        expected=spelt[near[0]] if near and key != "bias" else choices[0],
        message=f"{key} is {text}; PEFT takes {', '.join(map(repr, choices))} alone",
    )
