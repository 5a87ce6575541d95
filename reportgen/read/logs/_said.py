"""What one printed line says: a clock, and numbers with their names.

A line is taken apart by its numbers: the words before each are its name. Where too many words
belong to no number, it is a sentence, and says nothing.
"""

from __future__ import annotations

import ast
import math
import re
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field

from reportgen.read.logs._numbers import as_number, parsed
from reportgen.read.logs._table import SPLIT_WORDS, plain_word, read_cell

STEP, EPOCH = "step", "epoch"
TEXT_LIMIT = 1 << 12
"""Longer lines are taken apart as far as this."""

DICT_LIMIT = 1 << 14
MOST_LOOSE = 3
"""Words that may belong to no number; more of them make a sentence."""
MOST_WORDS = 4
"""Words of one name."""

CLOCKS = {
    **dict.fromkeys(("epoch", "currentepoch"), EPOCH),
    **dict.fromkeys(("step", "globalstep", "iter", "iters", "iteration", "it", "batch"), STEP),
    **dict.fromkeys(("update", "updates", "numupdates", "timestep", "timesteps"), STEP),
    **dict.fromkeys(("episode", "round"), STEP),
}
"""What a program calls its counters; `epochs` is how many there shall be."""

_PROSE = frozenset(
    {"a", "an", "and", "are", "as", "at", "by", "did", "for", "from", "has", "improved", "in",
     "is", "of", "on", "so", "than", "that", "the", "this", "to", "took", "was", "were", "with"}
)  # fmt: skip
"""Words of sentences, which stand in no name."""

_UNITS = frozenset({"", "%", "s", "ms", "us", "m", "min", "h", "it", "k", "gb", "mb"})

_NOISE = re.compile(
    r"\x1b\[[\d;]*[A-Za-z]"  # colours
    r"|\d{2,4}[-/.]\d\d[-/.]\d\d(?!\d)T?"  # dates
    r"|(?<![\d.])\d+:\d\d(?::\d\d)?(?:[.,]\d+)?"  # times
    r"|[(\[][\w.|]+:\d+[)\]]"  # places in a program
    r"|\b(?:INFO|DEBUG|WARNING|np\.\w+\(|tensor\()"
)
_NUMBER = re.compile(
    r"(?:(?<![\w.@^-])[-+]?(?:[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?|\d+\.?\d*|\.\d+)"
    r"(?:[eE][-+]?\d+)?|(?<!\w)[-+]?(?:nan|inf)(?!\w))"
    r"(%|[A-Za-z][A-Za-z/]*)?"
)
_LETTER = re.compile(r"[^\W\d_]")
_APART = re.compile(r"[,;|\t(){}\[\]:=<>]|\s[-~]+\s| {2,}")
_NO_NUMBER = re.compile(r"(?<=: )-?(?:nan|inf)\b")


@dataclass(slots=True)
class Said:
    """What one line says.

    Attributes:
        clock: Epoch and step, as far as it states them.
        cells: Name to number.
        label: Words before its first number where they name the whole line.
        split: Split that it speaks of.
        loose: How many words belong to no number.
        is_dict: Whether it was a dictionary.
    """

    clock: dict[str, float] = field(default_factory=dict)
    cells: dict[str, float] = field(default_factory=dict)
    label: str = ""
    split: str = ""
    loose: int = 0
    is_dict: bool = False

    def tagged(self, names: Mapping[str, str]) -> dict[str, float]:
        """Return tag to number."""
        if self.label.startswith("best"):
            # What was best so far is no measurement.
            return {}
        before = names.get(self.label, self.label.replace(" ", "_"))
        before = before if before and not (self.clock or self.split) else ""
        return {f"{before}/{key}" if before else key: one for key, one in self.cells.items()}


def read_line(text: str) -> Said | None:
    """Return what a line says, None where it is a sentence or says nothing.

    Example:
        >>> one = read_line("[10:00:01] INFO: Epoch 3/9 | train loss=0.25 (0.3), Acc@1 50.5%")
        >>> one.clock, one.cells
        ({'epoch': 3.0}, {'train_loss': 0.25, 'Acc@1': 50.5})
        >>> read_line("In epoch 3 of this training we saw that the loss was as low as 0.25")
    """
    found = _dictionary(text) if "{" in text and len(text) < DICT_LIMIT else None
    said = found or _Reading(_NOISE.sub(" ", text[:TEXT_LIMIT])).read()
    return said if (said.clock or said.cells) and said.loose <= MOST_LOOSE else None


def _dictionary(text: str) -> Said | None:
    start, end = text.find("{"), text.rfind("}") + 1
    row = _literal(text[start:end])
    if not row:
        return None
    split = next((one for one in reversed(_words(text[:start])) if one in SPLIT_WORDS), "")
    said = Said(is_dict=True)
    for key, cell in row.items():
        value = read_cell(cell) if isinstance(cell, str) else as_number(cell)
        name = key.removeprefix(f"{split}_") if split else key
        clock = CLOCKS.get(plain_word(name))
        if value is None:
            continue
        if clock and (clock == EPOCH or value.is_integer()):
            said.clock[clock] = value
        else:
            said.cells[f"{split}/{name}" if split else name] = value
    return said


def _literal(text: str) -> dict[str, object] | None:
    found = parsed(text)
    if found is None:
        found = literal_of(_NO_NUMBER.sub(r"'\g<0>'", text))
    return found if isinstance(found, dict) and all(isinstance(k, str) for k in found) else None


def literal_of(text: str) -> object:
    """Return what a text is as a literal of Python, and the text itself where it is none.

    Example:
        >>> literal_of(" [1e-05] "), literal_of("adam")
        ([1e-05], 'adam')
    """
    try:
        with warnings.catch_warnings():
            # A stranger's backslash is no concern of the person who reads the report.
            warnings.simplefilter("ignore")
            return ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return text.strip()


def _words(text: str) -> list[str]:
    return [word for word in re.findall(r"[a-z]+", text.lower()) if len(word) > 1]


@dataclass(slots=True)
class _Reading:
    """One line, as far as it has been taken apart.

    Attributes:
        last: What the number before was: a clock, the tag of a cell, or nothing.
        spoken: Split that the name before began with.
        listed: How many numbers of a list were read.
    """

    text: str
    said: Said = field(default_factory=Said)
    last: str = ""
    spoken: str = ""
    listed: int = 0
    first: bool = True

    def read(self) -> Said:
        """Return what the line says."""
        end = 0
        for number in _NUMBER.finditer(self.text):
            unit = (number[1] or "").lower()
            if unit == EPOCH:
                self.said.clock[EPOCH] = self._value(number)
                self.last, self.first, end = EPOCH, False, number.end() + len(" results")
                continue
            if unit.partition("/")[0] not in _UNITS:
                continue
            self._take(self.text[end : number.start()], number)
            end = number.end()
        self.said.loose += len(_words(self.text[end:]))
        return self.said

    @staticmethod
    def _value(number: re.Match[str]) -> float:
        return float(number[0].removesuffix(number[1] or "").replace(",", ""))

    def _take(self, before: str, number: re.Match[str]) -> None:
        """Take one number and the text before it."""
        value, tight = self._value(number), before.strip()
        if _LETTER.search(before) and tight != "of":
            self._name(before, value, self.text[number.end() : number.end() + 2].strip())
            self.first = False
        elif self.last and tight in {"/", "of"}:
            self._take_total(value)
        elif self._is_counter(tight, number):
            if self.said.split in {"", "train", "training"}:
                self.said.clock.setdefault(STEP, value)
        elif self.listed and tight.lstrip(")") == "," and self.last:
            self.listed += 1
            self.said.cells[f"{self.last}_{self.listed}"] = value

    def _is_counter(self, tight: str, number: re.Match[str]) -> bool:
        """Tell whether a number in brackets counts: behind an epoch, or as the line begins."""
        opened, after = tight.endswith("["), self.text[number.end() :].lstrip()[:1]
        begins = self.first and tight == "[" and after == "]"
        return (self.last == EPOCH and opened and after in {"]", "/", "("}) or begins

    def _take_total(self, total: float) -> None:
        """Take what a number is a part of."""
        part = self.said.cells.pop(self.last, None)
        if part is not None and 0 <= part <= total and total:
            self.said.cells[self.last] = part / total

    def _name(self, before: str, value: float, after: str) -> None:
        """Take a number whose name stands before it."""
        opened = before.rstrip().endswith("[")
        pieces = [one.strip() for one in _APART.split(before.rstrip(" :=[(\"'")) if one.strip()]
        *front, key = [one for one in pieces if _LETTER.search(one)] or [""]
        self._take_front(front)
        words = [word for word in key.split() if _LETTER.search(word)]
        plain = [word.lower() for word in words]
        self.listed, self.last = 0, ""
        if not words or plain[0] in {"best", "eta"}:
            # What was best so far is no measurement.
            return
        if len(words) > MOST_WORDS or not _PROSE.isdisjoint(plain):
            self.said.loose += len(words)
            return
        clock = CLOCKS.get(plain_word(words[-1])) or self._bare_clock(front, plain, opened, after)
        if clock and (clock == EPOCH or value.is_integer()):
            self.said.split = next((w for w in plain if w in SPLIT_WORDS), self.said.split)
            if clock == EPOCH or self.said.split in {"", "train", "training"}:
                self.said.clock.setdefault(clock, value)
                self.last = clock
        else:
            self.last = self._tag(words, plain)
            self.listed = int(opened and after.lstrip(")").startswith(","))
            self.said.cells[f"{self.last}_1" if self.listed else self.last] = value

    def _bare_clock(self, front: list[str], plain: list[str], opened: bool, after: str) -> str:
        """Return which clock a number is that stands behind the name of a split alone."""
        if len(plain) != 1 or plain[0] not in SPLIT_WORDS or not self.first:
            return ""
        if opened and front and (clock := CLOCKS.get(plain_word(front[-1].split()[-1]))):
            return clock
        if opened and after.startswith("/"):
            return STEP
        return EPOCH if after[:1] in {",", ":"} else ""

    def _tag(self, words: list[str], plain: list[str]) -> str:
        tag = "_".join(words)
        if plain[0] in SPLIT_WORDS and len(words) > 1:
            self.spoken = plain[0]
        elif self.said.split and not _begins_with_split(plain[0]):
            tag = f"{self.said.split}/{tag}"
        elif tag in self.said.cells and self.spoken:
            tag = f"{self.spoken}/{tag}"
        return tag

    def _take_front(self, front: list[str]) -> None:
        """Take the words before a name: they may say of what the line is."""
        words = [word for piece in front for word in _words(piece)]
        split = next((piece.lower() for piece in front if piece.lower() in SPLIT_WORDS), "")
        begun = front[-1].lower().split() if front else []
        self.said.split = split or (
            begun[0] if begun and begun[0] in SPLIT_WORDS else self.said.split
        )
        allowed = MOST_WORDS if self.first else 0
        self.said.loose += max(0, len(words) - allowed - bool(split))
        if self.first and front and not self.said.split:
            self.said.label = " ".join(word for word in begun if _LETTER.search(word))


def _begins_with_split(word: str) -> bool:
    return re.split(r"[_/.]", word)[0] in SPLIT_WORDS


def is_whole(value: float | None) -> bool:
    """Tell whether a clock shows a whole number."""
    return value is not None and math.isfinite(value) and value.is_integer()
