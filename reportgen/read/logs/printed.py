"""Lines of what programs print: of which training they speak, and how it ended."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import groupby, pairwise
from typing import Any

from reportgen.read.logs.columns import CLOCK_WORDS, read_cell
from reportgen.read.logs.cut import utf8_chunks
from reportgen.read.logs.files import FileReader, read_bounded
from reportgen.read.logs.said import Said
from reportgen.read.logs.words import SPLIT_WORDS, is_measure, plain_word, split_in
from reportgen.records.run import FAILED, FINISHED

# Lines of a text, also of the outputs that a notebook saved.

LINE_LIMIT = 1 << 20
"""Longer lines are no rows; only their beginning is looked at."""

Located = tuple[int, int, bytes]
"""Number of a line, its first byte, and what it holds."""


def lines_of(reader: FileReader, name: str) -> Iterator[Located]:
    """Yield the lines of a text, or of the outputs that a notebook saved."""
    is_notebook = name.endswith(".ipynb")
    return notebook_lines(read_bounded(reader)) if is_notebook else text_lines(reader)


def text_lines(reader: FileReader) -> Iterator[Located]:
    """Yield the lines of a text; a progress bar's carriage returns end lines too."""
    rest, offset, number = b"", 0, 1
    for chunk in utf8_chunks(reader.chunks())[0]:
        parts = re.split(rb"(?<=[\r\n])", rest + chunk)
        rest = parts.pop()
        for part in parts:
            yield number, offset, part
            offset += len(part)
            number += part.endswith(b"\n")
        if len(rest) > LINE_LIMIT:
            yield number, offset, rest[:LINE_LIMIT]
            offset, rest = offset + len(rest), b""
    if rest:
        yield number, offset, rest


def notebook_lines(content: bytes) -> Iterator[Located]:
    """Yield the lines of a notebook's saved outputs: its texts, and a line a row of its tables."""
    tables: set[str] = set()
    try:
        cells = json.loads(content)["cells"]
        texts = [_text_of(output, tables) for cell in cells for output in cell.get("outputs", [])]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return
    for number, line in enumerate("\n".join(filter(None, texts)).splitlines()):
        # JSON may spell half a letter.
        yield number + 1, number, line.encode("utf-8", "replace")


def _text_of(output: Mapping[str, Any], tables: set[str]) -> str:
    """Return the text of an output, empty for a table that was shown before."""
    if output.get("output_type") == "stream":
        return "".join(output.get("text", []))
    page = "".join(output.get("data", {}).get("text/html", []))
    if "<th" not in page or len(page) > LINE_LIMIT or page in tables:
        return ""
    tables.add(page)
    return "\n".join(_table_lines(page))


def _table_lines(page: str) -> Iterator[str]:
    """Yield a line a row of a table in HTML whose first column counts; what it names is said.

    Source: transformers, `utils/notebook.py` (`text_to_html_table`); fastai, `callback/progress.py`
    through fastprogress, `fastprogress.py` (`text2html_table`).
    """
    table = _Table()
    table.feed(page)
    header, *rows = table.rows or [[]]
    if not header or plain_word(header[0]) not in CLOCK_WORDS:
        return
    program = next((name for name, mark in _SHOWN_BY.items() if mark(page, header)), "")
    for row in rows:
        told = ((name, read_cell(cell)) for name, cell in zip(header, row, strict=False))
        cells = {name.lower(): cell for name, cell in told if cell is not None}
        cells.setdefault("step", cells.get("epoch", 0.0))
        yield f"{program}{json.dumps(cells)}"


_SHOWN_BY: Mapping[str, Callable[[str, list[str]], bool]] = {
    "NotebookProgressCallback: ": lambda page, _: "<progress" in page,
    "fastprogress: ": lambda _, header: header[1:3] == ["train_loss", "valid_loss"],
}
"""What shows a table in a notebook, as a row of it begins, and how it is told."""


class _Table(HTMLParser):
    """The cells of the tables of a page, row by row."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self._is_cell = False

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002
        """Begin a row or a cell."""
        if tag == "tr":
            self.rows.append([])
        self._is_cell = tag in {"td", "th"} and bool(self.rows)
        if self._is_cell:
            self.rows[-1].append("")

    def handle_data(self, data: str) -> None:
        """Take the text of a cell."""
        if self._is_cell:
            self.rows[-1][-1] += data.strip()


# Of which of several trainings a line of a console speaks, by the names before its epochs.

FEWEST = 3
"""Epochs that a training must state under its name."""

_NO_NAMES = SPLIT_WORDS | {"debug", "error", "info", "root", "warning"}
"""Words of splits, and those that a logger writes before a message."""

_BEFORE_EPOCH = re.compile(rb"(?i)\b([a-z][\w.+-]*)\]?[\s:|,-]{1,3}epoch\W{0,2}(\d+)")


@dataclass(slots=True)
class Labels:
    """Words that stand before the epochs of a console, each with its epoch, but for repeats."""

    heard: list[tuple[str, int]] = field(default_factory=list)

    def hear(self, raw: bytes) -> None:
        """Note what a line says before an epoch."""
        found = _BEFORE_EPOCH.search(raw) if b"poch" in raw else None
        label = found[1].decode("utf-8", "replace") if found else ""
        if found and label.lower() not in _NO_NAMES:
            told = label, int(found[2][:9])
            self.heard += [] if self.heard[-1:] == [told] else [told]

    def found(self) -> tuple[str, ...]:
        """Return the names of several trainings; nothing where the words are of one.

        Those of one training, `Starting epoch 3` and `Finished epoch 3`, go on together: where each
        is taken by itself, epochs fall as often as before.

        Example:
            >>> def heard(*lines):
            ...     labels = Labels()
            ...     for line in lines:
            ...         labels.hear(line.encode())
            ...     return labels.found()
            >>> heard(*(f"{name} Epoch {n}: loss 1" for name in ("cnn", "mlp") for n in (1, 2, 3)))
            ('cnn', 'mlp')
            >>> heard(*(f"{name} epoch {n}" for n in (1, 2, 3) for name in ("Starting", "Ended")))
            ()
        """
        own: dict[str, list[int]] = {}
        for label, epoch in self.heard:
            own.setdefault(label, []).append(epoch)
        several = [label for label, one in own.items() if len([*groupby(one)]) >= FEWEST]
        apart = sum(_falls(own[label]) for label in several)
        of_all = _falls([epoch for _, epoch in self.heard])
        return tuple(several) if len(several) > 1 and apart < of_all else ()


def _falls(epochs: Sequence[int]) -> int:
    return sum(after < before for before, after in pairwise(epochs))


def lines_under(lines: Iterator[Located], labels: Sequence[str], label: str) -> Iterator[Located]:
    """Yield the lines of one training, and those before the first that names any."""
    words = b"|".join(re.escape(one.encode()) for one in labels)
    named, current = re.compile(rb"(?<![\w.+-])(?:%s)(?![\w+-])" % words), b""
    for located in lines:
        found = named.search(located[-1])
        current = found[0] if found else current
        if current in {b"", label.encode()}:
            yield located


# How a program ended, as far as what it printed tells: by an error, by Slurm, or when done.

ERROR_SHOWN = 120
"""Letters of an error that are shown."""

REMEDY = "start the run again, or leave it out"
_TRACEBACK = b"Traceback (most recent call last)"
_ERROR = re.compile(rb"[\w.]*(?:Error|Exception|Interrupt)\b")
_CANCELLED = re.compile(rb"slurmstepd: error: (\*{3} (?:JOB|STEP) .*CANCELLED.*)")


@dataclass(slots=True)
class End:
    """How a program ended, heard line by line.

    Attributes:
        error: With which error, empty where it did not end so.
        finished: Whether it said that training is over.
        behind: Lines behind the error.

    Example:
        >>> end = End()
        >>> for number, line in enumerate((b"Traceback (most recent call last):", b"OSError: 5")):
        ...     end.hear(line, number + 1)
        >>> end.told, end.ended
        ('the program ended with an error in line 2: OSError: 5', 'failed')
    """

    error: str = ""
    finished: bool = False
    behind: int = 0
    _is_told: bool = False

    @property
    def ended(self) -> str:
        """Return `FAILED`, `FINISHED`, or an empty text where nothing was heard."""
        return FAILED if self.error else FINISHED if self.finished else ""

    @property
    def told(self) -> str:
        """Return the sentence that tells of the error."""
        return f"the program ended with {self.error[:ERROR_SHOWN]}"

    def hear(self, raw: bytes, number: int) -> None:
        """Note what a line says of an end."""
        if raw.startswith(_TRACEBACK):
            self.error, self._is_told = f"a traceback in line {number}", False
            self.behind = 0
        elif b"slurmstepd" in raw and (cancelled := _CANCELLED.search(raw)):
            said = cancelled[1].decode("utf-8", "replace").strip()
            self.error, self._is_told = f"what Slurm says in line {number}: {said}", True
        elif self.error and not self._is_told and _ERROR.match(raw):
            self.error = f"an error in line {number}: {raw.decode('utf-8', 'replace').strip()}"
            self._is_told = True
        elif self._is_told:
            self.behind += bool(raw.strip())

    def go_on(self, *, finished: bool = False) -> None:
        """Forget an end behind which the training went on."""
        self.error, self._is_told, self.finished = "", False, finished


# Passes over the data within an epoch, as a program counts their batches.
#
# The numbers of a batch of an evaluation are no evaluation: its result is what is said behind the
# pass, or the mean over all of it.

Cells = Mapping[str, float]
Part = tuple[float, float]


@dataclass(slots=True)
class Passes:
    """What was told of passes beside the row of the clock that is open.

    Attributes:
        trained: How far the pass of training has come, where a split's name counts its batches.
        split: Of the evaluation whose batches are counted.
        batch: The numbers of its last batch that was told.
        is_whole: Whether that was the last batch of all.
        bar: How far the bar of this row has come, and whether it stated another split as well.
        behind: Numbers of a bar that came behind the one of the row.
        lost: Splits of evaluations without a result, to how many.
        between: How many evaluations without a name lie between epochs.
    """

    trained: Part | None = None
    split: str = ""
    batch: dict[str, float] = field(default_factory=dict)
    is_whole: bool = False
    bar: tuple[float, float, bool] | None = None
    behind: dict[str, float] = field(default_factory=dict)
    lost: dict[str, int] = field(default_factory=dict)
    between: int = 0

    def take(self, said: Said, cells: Cells, row: Mapping[str, object]) -> Cells:
        """Return which numbers of a line belong to the open row, under their tags."""
        if said.evaluates and said.part != self.trained:
            if said.split != self.split:
                self.batch.clear()
            self.split = said.split
            self.batch |= {**cells, **said.means}
            self.is_whole = bool(said.part and said.part[0] + 1 >= said.part[1])
            return {}
        if said.part and said.split:
            self.trained = said.part
        if self.batch and not said.clock:
            return self._summed_up(said, cells)
        if said.part and not said.split and self._is_behind(said.part, cells, row):
            self.behind = {**cells}
            return {}
        return cells

    def _summed_up(self, said: Said, cells: Cells) -> Cells:
        """Return the numbers of a line behind batches, which are those of their evaluation."""
        named = {tag: tag if split_in(tag) else f"{self.split}/{tag}" for tag in cells}
        if said.split or self.batch.keys().isdisjoint(named.values()):
            return cells
        self.batch.clear()
        return {named[tag]: value for tag, value in cells.items()}

    def _is_behind(self, part: Part, cells: Cells, row: Mapping[str, object]) -> bool:
        """Tell whether a bar is another one than that of the row, and measures the same."""
        also = any(map(split_in, cells))
        done, total = part
        if self.bar is None or row.keys().isdisjoint(cells):
            self.bar = done, total, also
            return False
        before, whole, had_also = self.bar
        if total != whole or done < before or (had_also and not also and before == whole):
            return True
        self.bar = done, total, also or had_also
        return False

    def ended(self, row: Mapping[str, object]) -> Cells:
        """Return what the evaluation of a row that ends came to, where nothing else says it."""
        batch, self.batch, self.bar = self.batch, {}, None
        named = [tag for tag in row if tag.partition("/")[0].partition("_")[0] == self.split]
        if not batch or any(map(is_measure, named)):
            return {}
        if not self.is_whole:
            self.lost[self.split] = self.lost.get(self.split, 0) + 1
            return {}
        return batch

    def measured(self, *, goes_on: bool) -> Cells:
        """Return what was measured behind the last epoch; of what lies between two, nothing."""
        behind, self.behind = self.behind, {}
        self.between += goes_on and bool(behind)
        return {} if goes_on else {tag: one for tag, one in behind.items() if is_measure(tag)}

    def left_out(self) -> Iterator[str]:
        """Yield what is not read, in words."""
        for split, count in self.lost.items():
            yield (
                f"{split}: of {count} evaluations only batches were logged, and none to the end: "
                "left out"
            )
        if self.between:
            yield f"{self.between} evaluations between epochs name no split: left out"
