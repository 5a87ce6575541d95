"""What one printed line says: a clock, and numbers with their names.

A line is taken apart by its numbers: the words before each are its name. Where too many words
belong to no number, it is a sentence, and says nothing.
"""

from __future__ import annotations

import ast
import math
import re
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from reportgen.read.logs.columns import read_cell
from reportgen.read.logs.numbers import as_number, is_group, parsed
from reportgen.read.logs.words import SPLIT_WORDS, is_measure, is_rate, lists, plain_word

STEP, EPOCH, FOLD = "step", "epoch", "fold"
TEXT_LIMIT = 1 << 12
"""Longer lines are taken apart as far as this."""

DICT_LIMIT = 1 << 14
_OF_ALL = frozenset({"globalstep", "up."})
"""Counters of updates since the first one, which count no batches of an epoch or an evaluation."""
MOST_LOOSE = 3
"""Words that may belong to no number; more of them make a sentence."""
MOST_WORDS = 4
"""Words of one name."""

CLOCKS = {word: clock for clock, words in lists("clocks").items() for word in words}
"""What a program calls its counters; `epochs` is how many there shall be."""

_PROSE = frozenset(lists("text")["prose"])
"""Words of sentences, which stand in no name."""

_UNITS = frozenset({"", "%", "s", "ms", "us", "m", "min", "h", "it", "k", "gb", "mb"})

_NOISE = re.compile(
    r"\x1b\[[\d;]*[A-Za-z]"  # colours
    r"|\d{2,4}[-/.]\d\d[-/.]\d\d(?!\d)T?|\d\d/\d\d(?= \d\d:\d\d)"  # dates
    r"|(?<![\d.])\d+:\d\d(?::\d\d)?(?:[.,]\d+)?"  # times
    r"|[(\[][\w.|]+:\d+[)\]]"  # places in a program
    r"|^[IWEF]\d{4} [\d:.]+ +\d+ [\w.-]+:\d+\]|net output #\d+:|\(#\d+\)"  # of glog and Caffe
    r"|, over [\d.]+ frames\."  # of icefall
    r"|\b(?:INFO|DEBUG|WARNING|np\.\w+\(|tensor\(|[\w-]+[=:] ?(?:True|False|None)\b)"
)
_NUMBER = re.compile(
    r"(?:(?<![\w.@^-])[-+]?(?:[1-9]\d{0,2}(?:,\d{3})+(?!\d)(?:\.\d+)?|\d+\.?\d*|\.\d+)"
    r"(?:[eE][-+]?\d+)?|(?<!\w)[-+]?(?:nan|inf)(?!\w))"
    r"(%|[A-Za-z][A-Za-z/]*)?"
)
_LETTER = re.compile(r"[^\W\d_]")
_APART = re.compile(r"[,;|\t(){}\[\]:=<>]|\s[-~]+\s| {2,}")
_NO_NUMBER = re.compile(r"(?<=: )-?(?:nan|inf)\b")
_BAR = re.compile(r"\d+%\|[^|]*\|(?=\s*\d+/\d)")
"""What stands before the count of a progress bar, as tqdm draws it."""

_BEHIND = re.compile(
    r"(?i)\b([a-z][\w ]{0,30}?)(?: \([a-z ]*\))? (?:after|at|for|in|of) "
    r"(epoch|iteration|iter|step|round|episode) #?(\d+) ?(?:is|was|=|:) ?(?=[-+.\d])"
)
"""A name that has its clock behind it: `Cost after iteration 100: 0.5`."""

_ON_SPLIT = re.compile(
    r"(?i)\b([a-z]\w*(?: \w+)?)(?: of the (?:model|network))? (?:on|over) (?:the )?(?:\d+ )?"
    r"(test|testing|val|validation|dev|train|training)"
    r"(?: (?:data|dataset|examples|images|samples|set|split))?(?=\s*[:=])"
)
"""A name that has its split behind it: `Accuracy on the test set: 0.5`."""

_FIELDS = re.compile(r"(?i)^\W*([a-z]+)(?: [a-z]+)? at (epoch|iteration|step) (\d+) *\|")
"""What stands before fields of which each has its name: `validation loss at iteration 100 |`."""

_BEGUN = re.compile(r"^\W*\[ *(\d+) *, *(\d+) *\](?= *[A-Za-z])")
"""An epoch and its batch, as PyTorch's first tutorial prints them: `[1,  2000] loss: 2.2`."""

_VALUES_FIRST = re.compile(r"^\s*(\d+): ([\d.]+), ([\d.]+) avg(?: loss)?,.*")
"""What Darknet prints, names behind values: `100: 0.52, 0.53 avg loss, 0.001 rate, …`."""

_RIGHT = re.compile(
    r"(?i)\bgot (\d+ */ *\d+) (?:correct\b *(?:\([\d.]+%?\))?|with accuracy:? *[\d.]+ *%?)"
)
"""A share that is right, and the same in percent: `Got 471 / 1000 correct (47.10)`."""

_TIMES = frozenset({"s", "sec", "secs", "seconds", "ms", "m", "min", "mins", "minutes", "h"})
_CHANGE = re.compile(r"\s*[-=]+>\s*[-+\d.]")
_QUOTIENT = re.compile(r"\s*/\s*(\d[\d.]*)")
_COUNT = re.compile(r"\d+(?:\.0)?")
"""A number of things; `0.5129` and `1.0000` are none."""

_COMMA = re.compile(r"(?<![\w.,(\[])\d+,\d+(?![\w.,]*\d)")
_POINT = re.compile(r"(?<![\w.])\d+\.\d+(?![\w.]*\d)")
_MARKS = re.compile(r"(?<=\d)[.,](?=\d)")
COMMAS = 3
"""Numbers that only a decimal comma explains, by which a text is told to have it."""


@dataclass(slots=True)
class Said:
    """What one line says.

    Attributes:
        clock: Epoch, step and fold, as far as it states them.
        cells: Name to number.
        label: Words before its first number where they name the whole line.
        split: Split that it speaks of.
        loose: How many words belong to no number.
        is_dict: Whether it was a dictionary.
        part: How far a pass over the data has come, of how much, where the line counts it.
        means: Name to the mean so far, which stands in brackets behind a number.
        held: The step of a line of an evaluation, which may count its batches.
        doubtful: Numbers that may be read in two ways, and are not read.
    """

    clock: dict[str, float] = field(default_factory=dict)
    cells: dict[str, float] = field(default_factory=dict)
    label: str = ""
    split: str = ""
    loose: int = 0
    is_dict: bool = False
    part: tuple[float, float] | None = None
    means: dict[str, float] = field(default_factory=dict)
    held: float | None = None
    doubtful: list[str] = field(default_factory=list)

    @property
    def evaluates(self) -> bool:
        """Whether it counts the batches of an evaluation."""
        return self.part is not None and self.split not in {"", "train", "training"}

    def tagged(self, names: Mapping[str, str]) -> dict[str, float]:
        """Return tag to number."""
        if "best" in self.label.lower().split():
            # What was best so far is no measurement.
            return {}
        before = names.get(self.label, self.label.replace(" ", "_"))
        before = before if before and not (self.clock or self.split) else ""
        return {f"{before}/{key}" if before else key: one for key, one in self.cells.items()}


def has_decimal_comma(lines: Iterable[str]) -> bool:
    """Tell whether a text writes a comma where others write a decimal point.

    Example:
        >>> has_decimal_comma(["loss=1,4067 acc=0,5129", "loss=1,1912 acc=0,603"])
        True
        >>> has_decimal_comma(["shape 64,10", "step 1,000 loss 0.5", "step 1,500 loss 0.4"])
        False
    """
    commas = points = groups = 0
    for line in lines:
        plain = _NOISE.sub(" ", line[:TEXT_LIMIT])
        commas += sum(not is_group(one) for one in _COMMA.findall(plain))
        pointed = [is_group(one) for one in _POINT.findall(plain)]
        points, groups = points + pointed.count(False), groups + pointed.count(True)
    return commas >= COMMAS and 10 * points <= commas and groups < commas


def columns_of(text: str) -> list[str]:
    """Return the splits that a line names over columns, none where it is of another kind.

    Example:
        >>> columns_of("10:00:01 - INFO - writer -           Training |  Validation")
        ['training', 'validation']
    """
    found = [one.strip().lower() for one in text.rpartition(" - ")[2].split("|")]
    return found if len(found) > 1 and SPLIT_WORDS.issuperset(found) else []


def read_columns(text: str, columns: Sequence[str]) -> Said | None:
    """Return what a line says of each column, None where it has not as many.

    Example:
        >>> read_columns("INFO - writer - f1   |  N/A  | 0.75", ["training", "validation"]).cells
        {'validation/f1': 0.75}
    """
    name, *cells = (one.strip() for one in text.rpartition(" - ")[2].split("|"))
    if not columns or len(cells) != len(columns) or not _LETTER.search(name):
        return None
    read = zip(columns, map(read_cell, cells), strict=True)
    return Said(cells={f"{split}/{name}": one for split, one in read if one is not None})


def read_line(text: str, *, comma: bool = False) -> Said | None:
    """Return what a line says, None where it is a sentence or says nothing.

    Args:
        text: The line.
        comma: Whether its numbers have a decimal comma.

    Example:
        >>> one = read_line("[10:00:01] INFO: Epoch 3/9 | train loss=0.25 (0.3), Acc@1 50.5%")
        >>> one.clock, one.cells
        ({'epoch': 3.0}, {'train_loss': 0.25, 'Acc@1': 50.5})
        >>> read_line("In epoch 3 of this training we saw that the loss was as low as 0.25")
    """
    found = _dictionary(text) if "{" in text and len(text) < DICT_LIMIT else None
    plain = ""
    if not found:
        # A bar without a name counts, nobody knows what.
        plain = _BAR.sub(lambda bar: "[" if _LETTER.search(text, 0, bar.start()) else " ", text)
        plain = _FIELDS.sub(r"\1 | \2 \3 |", _NOISE.sub(" ", plain[:TEXT_LIMIT]))
        plain = _VALUES_FIRST.sub(r"step \1, loss \2, average loss \3", plain)
        plain = _BEGUN.sub(r"epoch \1, step \2, ", plain)
        plain = _RIGHT.sub(r"accuracy: \1", plain)
        plain = _ON_SPLIT.sub(r"\2 \1", _BEHIND.sub(r"\2 \3, \1: ", plain))
        plain = _MARKS.sub(lambda mark: "," if mark[0] == "." else ".", plain) if comma else plain
    said = found or _Reading(plain).read()
    is_told = said.clock or said.cells or said.doubtful
    # What stands between bars are fields, and no words of a sentence.
    is_plain = said.loose <= MOST_LOOSE or (said.clock and plain.count("|") > 1)
    return said if is_told and is_plain else None


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
        direct: The number before, where it stands directly behind its name.
        other: Words of the second of two names, as in `train/val loss 1.4/1.3`.
        spoken: Split that the name before began with.
        leads: Whether the line began with it, so that it holds for every name of the line.
        under: Tag without a split to the split that the name before it began with.
        listed: How many numbers of a list were read.
    """

    text: str
    said: Said = field(default_factory=Said)
    last: str = ""
    direct: re.Match[str] | None = None
    other: list[str] = field(default_factory=list)
    spoken: str = ""
    leads: bool = False
    under: dict[str, str] = field(default_factory=dict)
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
        self._settle_clock()
        return self.said

    def _settle_clock(self) -> None:
        """Take the step of a line for the clock that tells of two splits: it counts no batches.

        What a line without a clock begins with, `steps: 500`, counts where something is measured.
        """
        first = next(iter(self.said.cells), "")
        begun = CLOCKS.get(plain_word(first).removesuffix("s")) == STEP
        if begun and not self.said.clock and any(map(is_measure, self.said.cells)):
            self.said.clock[STEP] = self.said.cells.pop(first)
        said, before = self.said, f"{self.said.split}/"
        spoken = {re.split(r"[_/.]", key.lower())[0] for key in said.cells} & SPLIT_WORDS
        if said.held is not None and len(spoken - {said.split}) > 1:
            said.clock.setdefault(STEP, said.held)
            said.cells = {key.removeprefix(before): one for key, one in said.cells.items()}
            said.held, said.split = None, ""

    @staticmethod
    def _value(number: re.Match[str]) -> float:
        return float(number[0].removesuffix(number[1] or "").replace(",", ""))

    def _take(self, before: str, number: re.Match[str]) -> None:
        """Take one number and the text before it."""
        value, tight = self._value(number), before.strip()
        direct, self.direct = self.direct, None
        if _LETTER.search(before) and tight != "of":
            self._name(before, value, number)
            self.direct = number if self.last else None
            self.first = False
        elif direct and tight in {"/", "of"}:
            self._take_second(direct, number)
        elif direct and tight == "(" and self._after(number).startswith(")"):
            self.said.means[self.last] = value
        elif self._is_counter(tight, number):
            if self.said.split in {"", "train", "training"}:
                self.said.clock.setdefault(STEP, value)
        elif self.listed and tight.lstrip(")") == "," and self.last:
            self.listed += 1
            self.said.cells[f"{self.last}_{self.listed}"] = value
        elif not self.text[: number.start()].strip():
            self.said.part = self._part(number)

    def _after(self, number: re.Match[str]) -> str:
        return self.text[number.end() : number.end() + 2].strip()

    def _part(self, number: re.Match[str]) -> tuple[float, float] | None:
        """Return a number and what it is a part of, where a quotient begins with it."""
        total = _QUOTIENT.match(self.text, number.end())
        return (self._value(number), float(total[1].rstrip("."))) if total else None

    def _is_counter(self, tight: str, number: re.Match[str]) -> bool:
        """Tell whether a number in brackets counts: behind an epoch, or as the line begins."""
        opened, after = tight.endswith("["), self.text[number.end() :].lstrip()[:1]
        begins = self.first and tight == "[" and after in {"]", "/"}
        # What `Epoch [3]/[90]` states behind the stroke is how many there shall be.
        inside = opened and "/" not in tight and after in {"]", "/", "("}
        return (self.last == EPOCH and inside) or begins

    def _take_second(self, first: re.Match[str], second: re.Match[str]) -> None:
        """Take the second number of a quotient: a total of things, or the value of another name."""
        value = self._value(second)
        if self.other:
            words, self.other = self.other, []
            self._assign(words, value, second)
        elif all(_COUNT.fullmatch(one[0].removesuffix(one[1] or "")) for one in (first, second)):
            part = self.said.cells.get(self.last)
            clock = CLOCKS.get(plain_word(self.last).removesuffix("s"))
            if clock and part is not None:
                # `Episodes 3/900` tells where it is.
                self.said.clock.setdefault(clock, self.said.cells.pop(self.last))
            elif part is not None and part <= value and value:
                self.said.cells[self.last] = part / value
            else:
                self.said.cells.pop(self.last, None)

    def _name(self, before: str, value: float, number: re.Match[str]) -> None:
        """Take a number whose name stands before it."""
        opened = before.rstrip()[-1:]
        pieces = [one.strip(" \"'") for one in _APART.split(before.rstrip(" :=[(\"'"))]
        *front, key = [one for one in pieces if _LETTER.search(one)] or [""]
        # `Val. Loss` is short for more, and `Up.` one of Marian's clocks.
        words = [w if plain_word(w) in CLOCKS else w.rstrip(".") for w in key.split()]
        words = [word for word in words if _LETTER.search(word)]
        words = words[:-1] if words[1:] and words[-1].lower() in {"is", "was"} else words
        self.other = []
        if _QUOTIENT.match(self.text, number.end()) and (pair := _pair_of(words, front)):
            words, self.other, front = pair
        self._take_front(front)
        before, _, split = self.last.rpartition("_")
        if len(words) == 1 and before and {words[0].lower(), split.lower()} <= SPLIT_WORDS:
            # As in `loss train 1.4 valid 1.3`.
            words = [before, *words]
        plain = [word.lower() for word in words]
        self.listed, self.last = 0, ""
        if not words or plain[0] in {"best", "eta"}:
            # What was best so far is no measurement.
            return
        if _CHANGE.match(self.text, number.end()):
            # Neither is by how much it got better.
            return
        if len(words) > MOST_WORDS or not _PROSE.isdisjoint(plain):
            self.said.loose += len(words)
            return
        self._assign(words, value, number, front=front, opened=opened)

    def _assign(
        self,
        words: list[str],
        value: float,
        number: re.Match[str],
        *,
        front: list[str] | None = None,
        opened: str = "",
    ) -> None:
        """Take a number for a clock, or for the value of a name."""
        plain, after = [word.lower() for word in words], self._after(number)
        clock = CLOCKS.get(plain_word(words[-1]))
        listed = opened == "["
        if not clock and value.is_integer():
            clock = self._bare_clock(front or [], plain, listed, after)
        if opened not in {"[", "("} and number[0].isdigit() and re.match(r",\d", after):
            # A thousand, or one and something: nothing in the line tells.
            self.said.doubtful.append(self.text[number.start() :].split()[0])
        elif clock and (clock == EPOCH or value.is_integer()):
            self.said.split = next((w for w in plain if w in SPLIT_WORDS), self.said.split)
            of_all = plain_word(words[-1]) in _OF_ALL
            if clock == EPOCH or of_all or self.said.split in {"", "train", "training"}:
                self.said.clock[clock] = value if of_all else self.said.clock.get(clock, value)
                self.last = clock
            elif plain[0] not in SPLIT_WORDS:
                self.said.held = value
            if plain[0] in SPLIT_WORDS:
                self.said.part = self._part(number)
        else:
            # How long a split took is no measure of it.
            timed = plain[0] in SPLIT_WORDS and (number[1] or "").lower() in _TIMES
            self.last = self._tag([*words, "time"] if timed and not words[1:] else words, plain)
            self.listed = int(listed and after.lstrip(")").startswith(","))
            self.said.cells[f"{self.last}_1" if self.listed else self.last] = value

    def _bare_clock(self, front: list[str], plain: list[str], opened: bool, after: str) -> str:
        """Return which clock a number is that stands behind the name of a split alone."""
        if len(plain) != 1 or plain[0] not in SPLIT_WORDS:
            return ""
        word = CLOCKS.get(plain_word(front[-1].split()[-1])) if opened and front else ""
        if self.first and word:
            return word
        if opened and after.startswith("/"):
            return STEP
        return EPOCH if self.first and after[:1] in {",", ":"} else ""

    def _tag(self, words: list[str], plain: list[str]) -> str:
        tag = "_".join(words)
        whole = tag.removesuffix("_value")
        tag = whole if is_measure(whole) else tag
        if plain[0] in SPLIT_WORDS and len(words) > 1:
            self.spoken, self.leads = plain[0], self.leads or self.first
        elif self.said.split and not _begins_with_split(plain[0]):
            tag = f"{self.said.split}/{tag}"
        elif self.spoken and not _begins_with_split(plain[0]) and not is_rate(tag):
            before = self.under.pop(tag, "")
            if tag in self.said.cells and before not in {"", self.spoken}:
                # Named again behind another split: the first was of the one before.
                self.said.cells[f"{before}/{tag}"] = self.said.cells.pop(tag)
            elif not self.leads and tag not in self.said.cells:
                self.under[tag] = self.spoken
                return tag
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
        if self.first and front and not self.said.split and _PROSE.isdisjoint(begun):
            self.said.label = " ".join(word for word in begun if _LETTER.search(word))


def _pair_of(words: list[str], front: list[str]) -> tuple[list[str], list[str], list[str]] | None:
    """Return the words of both names that one with a slash stands for, and what is before them.

    Both parts are splits, or neither is: `val/acc` is one name.
    """
    at = next((i for i, word in enumerate(words) if re.fullmatch(r"\w+/\w+", word)), None)
    if at is None:
        return None
    parts = words[at].split("/")
    if len({part.lower() in SPLIT_WORDS for part in parts}) > 1:
        return None
    if len(words) == 1 and parts[0].lower() in SPLIT_WORDS and front:
        # As in `loss (train/val): 1.4/1.3`.
        front, words, at = front[:-1], [words[0], *front[-1].split()], 0
    first, second = ([*words[:at], part, *words[at + 1 :]] for part in parts)
    return first, second, front


def _begins_with_split(word: str) -> bool:
    return re.split(r"[_/.]", word)[0] in SPLIT_WORDS


def is_whole(value: float | None) -> bool:
    """Tell whether a clock shows a whole number."""
    return value is not None and math.isfinite(value) and value.is_integer()
