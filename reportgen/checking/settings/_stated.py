"""The settings that a report states: a name and a number or words, and how they are bound."""

from __future__ import annotations

import difflib
import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Sequence
from operator import attrgetter

from reportgen.checking.context import Claiming, Table, read_table
from reportgen.checking.settings._known import (
    Known,
    Lexicon,
    Named,
    Word,
    condensed,
    name_before,
    name_of_label,
    unit_behind,
    words_of,
)
from reportgen.records.manuscript import Block, Cell, Manuscript, Place
from reportgen.records.record import field, record, replace
from reportgen.records.verdict import Number, Verdict

# The settings that a text states: a name and a number or words, and how they are bound.

ASSIGNS = frozenset("=:≔→")
OPERATORS = frozenset("/*×·+^÷")
_QUOTES = frozenset("`\"'*_“”$\\")
_SIGNS = ASSIGNS | _QUOTES | frozenset("([{<>≈~|")
_LIST = frozenset({",", "and", "or", "/", ";", "et", "ou", "to", "–", "x", "="})
_MOST_JOINTS = 7
_MOST_BEHIND = 6
_VALUE = re.compile(r"(\[[^\]]{0,300}\]|\([^)]{0,300}\)|\{[^}]{0,300}\}|[^\s,;)}\]]+)")
_WORD = re.compile(r"[\w.+/-]*\w")


@record(kw_only=False)
class Spot:
    """Where a text stands.

    Attributes:
        group: What it stands with: a table's column or row, a list, a listing, a paragraph.
        section: Which heading it stands under, as the index of its block.
        forms: How words may name a setting there.
    """

    group: tuple[str, int, int]
    section: int
    forms: tuple[str, ...]


@record(kw_only=False)
class Stated:
    """A setting that a report states.

    Attributes:
        named: The setting and the words for it.
        spot: Where it stands.
        place: The same in the file.
        quote: The words it was read from.
        number: None where the value is words.
        texts: The words; a list has several.
        bound: `table`, `assigned` (with `=` or `:`), `said` (`batch size of 16`) or `unit`.
        several: Whether its name has several values, or is part of a calculation.
        qualified: Whether a word before its name says which of several it is (`exit layers`).
    """

    named: Named
    spot: Spot
    place: Place
    quote: str
    number: Number | None = None
    texts: tuple[str, ...] = ()
    bound: str = "table"
    several: bool = False
    qualified: bool = False

    @property
    def key(self) -> str:
        """The setting."""
        return self.named.key


@record(kw_only=False, frozen=False)
class Passage:
    """A text with its numbers, whose settings are read.

    Attributes:
        text: A block's, or a cell's.
        numbers: In it, in order.
        spot: Where it stands.
        lexis: Words for settings.
        words: Of the text.
        opening: The setting that it begins with, where a colon stands behind it.
    """

    text: str
    numbers: Sequence[Number]
    spot: Spot
    lexis: Lexicon
    words: tuple[Word, ...] = field(init=False)
    opening: Named | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self.words = words_of(self.text)
        for last in range(min(6, len(self.words) - 1)):
            if self.words[last + 1].text == ":" and self.opening is None:
                named = self._name(last)
                self.opening = named if named and named.first <= 1 else None

    def stated(self) -> Iterator[Stated]:
        """Yield the settings whose values are numbers."""
        found: list[Stated] = []
        previous: Stated | None = None
        for number in self.numbers:
            at = bisect_right(self.words, number.start, key=attrgetter("end"))
            behind = bisect_left(self.words, number.end, key=attrgetter("start"))
            one = self._before(number, at, behind)
            unit = unit_behind(self.words, behind, self.lexis) if one is None else None
            if unit is not None:
                one = self._bound(unit, number, at, unit.last + 1, self._of_unit(unit, at))
            if one is None and previous is not None and self._goes_on(previous, at):
                found[-1] = replace(found[-1], several=True)
                one = replace(previous, number=number, place=number.place, several=True)
            if one is not None:
                found.append(one)
            previous = one
        yield from found

    def _of_unit(self, unit: Named, at: int) -> str:
        """Return how a unit binds: the length of a training, where nothing else is counted."""
        before = self.words[at - 1].text.casefold() if at else ""
        whole = not before or before in self.lexis.marks["_stretch"]
        return "said" if whole and unit.key == "num_train_epochs" else "unit"

    def _name(self, last: int) -> Named | None:
        return name_before(self.words, last, self.spot.forms, self.lexis)

    def _before(self, number: Number, at: int, behind: int) -> Stated | None:
        """Read the name in front of a number, with signs and small words between."""
        assigned = pronoun = False
        for position in range(at - 1, max(-1, at - 1 - _MOST_JOINTS), -1):
            word = self.words[position]
            named = self._named_at(position, assigned=assigned)
            if named is not None:
                if self._calculated(named.first, joined=not assigned):
                    return None
                bound = "assigned" if assigned else "said"
                one = self._bound(named, number, named.first, behind, bound)
                return replace(one, several=self._continued(behind))
            low = word.text.casefold()
            if word.text not in _SIGNS and not self._joins(position, low):
                break
            assigned = assigned or word.text in ASSIGNS
            pronoun = pronoun or low in self.lexis.marks["_pronoun"]
        if pronoun and self.opening is not None and self.opening.form != "text":
            return self._bound(self.opening, number, at, behind, "said")
        return None

    def _joins(self, position: int, word: str) -> bool:
        """Say whether a word may stand between a name and its value (`set to`, not `falls to`)."""
        marks = self.lexis.marks
        before = self.words[position - 1].text.casefold() if position else ""
        if word not in marks["_to"]:
            return word in marks["_joint"]
        above = {
            one.text.casefold() for one in self.words[max(0, position - _MOST_JOINTS) : position]
        }
        return before in marks["_set"] or bool(above & marks["_setting"])

    def _named_at(self, last: int, *, assigned: bool) -> Named | None:
        word = self.words[last].text
        named = self._name(last) if word[0].isalnum() or word[0] == "_" else None
        if named is None or named.form == "text":
            return None
        option = named.first > 1 and self.words[named.first - 1].text == "-"
        if named.form == "assigned" and not (assigned or option):
            return None
        # `R` is a space of numbers, `r` a rank.
        if len(named.bare) == 1 and not (assigned and (named.form != "near" or word.islower())):
            return None
        return named

    def _calculated(self, first: int, *, joined: bool) -> bool:
        """Say whether a name is the last part of a calculation (`alpha / r`) or of a word."""
        before = self.words[first - 1] if first else None
        if before is None:
            return False
        option = first > 1 and self.words[first - 2].text in {"-", " "}
        half = before.text == "-" and before.end == self.words[first].start and not option
        return before.text in OPERATORS or (half and joined)

    def _continued(self, behind: int) -> bool:
        """Say whether a calculation goes on behind a number (`2 x 8`)."""
        after = self.words[behind].text if behind < len(self.words) else ""
        then = self.words[behind + 1].text if behind + 1 < len(self.words) else ""
        return after in OPERATORS or (after == "x" and then[:1].isdigit())

    def _goes_on(self, previous: Stated, at: int) -> bool:
        """Say whether a number goes on a list of values, or a calculation."""
        if previous.number is None or previous.bound == "unit":
            return False
        first = bisect_left(self.words, previous.number.end, key=attrgetter("start"))
        between = [word.text.casefold() for word in self.words[first:at]]
        signs = _LIST | OPERATORS | _QUOTES
        return 0 < len(between) <= 3 and all(text in signs for text in between)

    def _bound(self, named: Named, number: Number, first: int, end: int, bound: str) -> Stated:
        start = min(self.words[first].start, number.start)
        stop = max(number.end, self.words[min(end, len(self.words)) - 1].end)
        quote = " ".join(self.text[start:stop].split())[:200]
        qualified = self._qualified(named.first)
        return Stated(
            named, self.spot, number.place, quote, number, bound=bound, qualified=qualified
        )

    def _qualified(self, first: int) -> bool:
        """Say whether a word right before a name is one that its own words do not explain."""
        before = self.words[first - 1] if first else None
        if before is None or not before.text.isalpha():
            return False
        return before.text.casefold() not in self.lexis.marks["_free"]

    def texts(self, block: Block) -> Iterator[Stated]:
        """Yield the settings whose values are words, behind `=` or `:`."""
        words = self.words
        for last, word in enumerate(words[:-1]):
            after = words[last + 1].text
            if not word.bare or (after not in ASSIGNS and after not in _QUOTES):
                continue
            named = self._name(last)
            if named is None or named.form not in {"text", "near"}:
                continue
            sign = last + 1
            while sign < len(words) and words[sign].text in _QUOTES:
                sign += 1
            if sign < len(words) and words[sign].text in ASSIGNS:
                one = self._text(named, words[sign], block)
                if one is not None:
                    yield one

    def _text(self, named: Named, sign: Word, block: Block) -> Stated | None:
        rest = self.text[sign.end :]
        start = sign.end + len(rest) - len(rest.lstrip(" \t`*$\"'“"))
        found = _VALUE.match(self.text, start)
        value = found[1].replace("\\", "") if found else ""
        names = tuple(_WORD.findall(value))
        if found is None or not names or names[0][0].isdigit():
            return None
        line = self.text[found.end() :].split("\n", 1)[0]
        loose = sign.text == ":" and block.type != "code" and len(line.split()) > _MOST_BEHIND
        quote = " ".join(self.text[self.words[named.first].start : found.end()].split())[:200]
        place = block.place(*found.span(1))
        return Stated(named, self.spot, place, quote, texts=names, bound="assigned", several=loose)


# The settings that a report states, in its tables, lists, listings and sentences.

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
