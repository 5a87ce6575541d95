"""The settings that a text states: a name and a number or words, and how they are bound."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from operator import attrgetter

from reportgen.checking.settings._words import (
    Lexicon,
    Named,
    Word,
    name_before,
    unit_behind,
    words_of,
)
from reportgen.records.manuscript import Block, Place
from reportgen.records.record import field, record, replace
from reportgen.records.verdict import Number

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
