"""The examples of a study: texts and labels of each split, read without torch.

Three kinds of file, told apart by their ending: CSV and TSV with a header, JSON lines, and the
two files that `fairseq-preprocess` takes, one of texts and one of labels, one a line.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from reportgen.records.errors import EvidenceError, UsageError
from reportgen.records.study import DataPlan

LARGEST_FILE_BYTES = 2**30
MOST_EXAMPLES = 10_000_000
LONGEST_FIELD = 2**24
"""Characters of one field; the csv module's own limit is shorter than some documents."""

_WHOLE = re.compile(r"[+-]?\d{1,18}")
_JSON_LINES = frozenset({".jsonl", ".ndjson", ".json"})
_DELIMITERS = {".csv": ",", ".tsv": "\t"}

_Rows = Iterator[tuple[int, Mapping[str, object]]]
"""Lines of a file, and what stands in each under the names of the plan."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Examples:
    """One split as it stands in its file.

    Attributes:
        split: Its name in the plan.
        source: File that holds the labels.
        texts: Text of each example; may be empty. A list of JSON has a line for each item.
        labels: Its label as written; a number of JSON in decimal, a list as that of a text.
        lines: Line of its label in `source`, counted from 1.
        pairs: Second text of each example; none for single texts.
    """

    split: str
    source: str
    texts: tuple[str, ...]
    labels: tuple[str, ...]
    lines: tuple[int, ...]
    pairs: tuple[str, ...] = ()

    def where(self, number: int) -> str:
        """Return file and line of an example."""
        return f"{self.source}:{self.lines[number]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Encoded:
    """One split of the data, tokenised once.

    Attributes:
        ids: Token ids of each example, special tokens included, cut to the longest length that
            the plan allows, without padding.
        truth: For each example what is to be told: its class or number, or one of each of `places`.
        pad: Token id that fills a batch up.
        places: For each example the places whose output is looked at; none where that is one
            output for the whole example.
        types: For each example the number of the text that a token is of; none for single texts.
        notes: What a reader of the results must know.
    """

    ids: tuple[list[int], ...]
    truth: tuple[list[int] | list[float], ...]
    pad: int
    places: tuple[list[int], ...] = ()
    types: tuple[list[int], ...] = ()
    notes: tuple[str, ...] = ()


def read_examples(plan: DataPlan, split: str) -> Examples:
    """Read every example of a split, in the order of its file.

    Raises:
        UsageError: The plan names no file for the split, or no labels beside a file of texts.
        EvidenceError: A file is missing, over 1 GiB, no UTF-8, malformed, lacks a column, holds no
            example, or does not pair up with its labels; the message names file and line.
    """
    if split not in plan.files:
        raise UsageError(
            f"the study names no examples for {split}",
            remedy=f"set {split} under [train.data.files]",
        )
    path = Path(plan.files[split])
    kind = path.suffix.lower()
    source = path
    if kind in _DELIMITERS:
        rows = _read_table(path, plan, _DELIMITERS[kind])
    elif kind in _JSON_LINES:
        rows = _read_json_lines(path, plan)
    elif split in plan.labels and not plan.pair:
        source = Path(plan.labels[split])
        rows = _read_pair(path, source, plan)
    else:
        raise UsageError(
            f"{path} is a file of texts, and the study names no "
            f"{'file for the second ones' if plan.pair else 'labels for it'}",
            remedy=f"set {split} under [train.data.labels], or pass a .csv, .tsv or .jsonl file",
        )
    found: list[tuple[int, str, str, str]] = []
    for line, row in rows:
        if len(found) == MOST_EXAMPLES:
            raise EvidenceError(
                f"{path}:{line}: more than {MOST_EXAMPLES} examples", remedy="pass fewer"
            )
        text, pair, label = _pick(row, f"{source}:{line}", plan)
        found.append((line, text, pair, label))
    if not found:
        raise EvidenceError(f"{path} holds no example", remedy="pass a file that holds some")
    lines, texts, pairs, labels = zip(*found, strict=True)
    own = {"texts": texts, "labels": labels, "lines": lines, "pairs": pairs if plan.pair else ()}
    return Examples(split=split, source=str(source), **own)


def read_splits(plan: DataPlan) -> dict[str, Examples]:
    """Read the splits that a fine-tune needs: train, validation, and test where there is one."""
    if "validation" not in plan.files:
        raise UsageError(
            "the study names no validation examples, and the best step is chosen on them",
            remedy="set validation under [train.data.files]",
        )
    splits = ("train", "validation", *(("test",) if "test" in plan.files else ()))
    return {split: read_examples(plan, split) for split in splits}


def words_of(text: str) -> list[str]:
    r"""Return the words of a text, or their labels: one a line, else parted by blanks.

    Example:
        >>> words_of("in New York"), words_of("in\nNew York")
        (['in', 'New', 'York'], ['in', 'New York'])
    """
    return text.split("\n") if "\n" in text else text.split()


def name_labels(training: Examples, *, words: bool = False) -> tuple[str, ...]:
    """Return the classes of a training split in the order of their numbers.

    Whole numbers are sorted by value, everything else as text; `words` means a label a word.

    Raises:
        EvidenceError: All examples have one label.

    Example:
        >>> name_labels(Examples(split="train", source="train.label", texts=("a", "b", "c"),
        ...                      labels=("10", "2", "10"), lines=(1, 2, 3)))
        ('2', '10')
    """
    split = words_of if words else lambda text: [text]
    names = {name for label in training.labels for name in split(label)}
    if len(names) < 2:
        raise EvidenceError(
            f"every example of {training.source} has the label {training.labels[0][:80]!r}",
            remedy="a classifier needs examples of two labels; check label under [train.data]",
        )
    if all(_WHOLE.fullmatch(name) for name in names):
        return tuple(sorted(names, key=lambda name: (int(name), name)))
    return tuple(sorted(names))


def number_labels(examples: Examples, names: tuple[str, ...]) -> tuple[int, ...]:
    """Return the class of each example as its place among the names.

    Raises:
        EvidenceError: A label is not among the names; says which, where, and what is known.

    Example:
        >>> examples = Examples(split="test", source="test.label", texts=("a", "b"),
        ...                     labels=("pos", "neg"), lines=(1, 2))
        >>> number_labels(examples, ("neg", "pos"))
        (1, 0)
    """
    numbers = {name: number for number, name in enumerate(names)}
    return tuple(_number(one, numbers, examples.where(i)) for i, one in enumerate(examples.labels))


def number_words(examples: Examples, names: tuple[str, ...]) -> tuple[tuple[int, ...], ...]:
    """Return the classes of the words of each example; words and labels must be as many."""
    numbers = {name: number for number, name in enumerate(names)}
    found = []
    for i, (text, label) in enumerate(zip(examples.texts, examples.labels, strict=True)):
        words, labels = words_of(text), words_of(label)
        if len(words) != len(labels):
            raise EvidenceError(
                f"{examples.where(i)}: {len(words)} words have {len(labels)} labels",
                remedy="give every word one label; lists of JSON keep words with blanks whole",
            )
        found.append(tuple(_number(one, numbers, examples.where(i)) for one in labels))
    return tuple(found)


def read_values(examples: Examples) -> tuple[float, ...]:
    """Return the labels of a regression, all finite numbers."""
    found = []
    for i, label in enumerate(examples.labels):
        try:
            value = float(label)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise EvidenceError(
                f"{examples.where(i)}: the label {label[:80]!r} is no finite number",
                remedy='correct it, or set task = "classification" under [train]',
            )
        found.append(value)
    return tuple(found)


def _number(label: str, numbers: Mapping[str, int], where: str) -> int:
    if label not in numbers:
        known = ", ".join(map(repr, list(numbers)[:10])) + (", ..." if len(numbers) > 10 else "")
        raise EvidenceError(
            f"{where}: the label {label[:80]!r} is in no training example",
            remedy=f"the training split has {known}; correct the label or add examples",
        )
    return numbers[label]


def _read_pair(path: Path, source: Path, plan: DataPlan) -> _Rows:
    texts, labels = lines_of(path), lines_of(source)
    if len(texts) != len(labels):
        raise EvidenceError(
            f"{path} has {len(texts)} lines and {source} has {len(labels)}",
            remedy="give every text one line and every label one line, in the same order",
        )
    for line, (text, label) in enumerate(zip(texts, labels, strict=True), start=1):
        yield line, {plan.text: text, plan.label: label}


def _pick(row: Mapping[str, object], where: str, plan: DataPlan) -> tuple[str, str, str]:
    """Return text, second text and label of a row."""
    text, pair = _text(row[plan.text]), _text(row[plan.pair]) if plan.pair else ""
    if text is None or pair is None:
        raise EvidenceError(
            f"{where}: {(plan.text if text is None else plan.pair)!r} is no text",
            remedy="set text under [train.data] to a key that holds texts",
        )
    given = row[plan.label]
    number_like = isinstance(given, int | float) and not isinstance(given, bool)
    label = str(given) if number_like else _text(given)
    if label is None:
        raise EvidenceError(
            f"{where}: {plan.label!r} is neither a text nor a number",
            remedy="set label under [train.data] to a key that holds labels",
        )
    if not label.strip():
        raise EvidenceError(f"{where}: the label is empty", remedy="label every example")
    return text, pair, label.strip()


def _read_table(path: Path, plan: DataPlan, delimiter: str) -> _Rows:
    stream = io.StringIO(read_text(path), newline="")
    reader = csv.DictReader(stream, delimiter=delimiter, strict=True)
    # The limit is the process's own: all is read before anything is handed on.
    allowed = csv.field_size_limit(LONGEST_FIELD)
    try:
        _check_names(reader.fieldnames or [], plan, f"{path}:1", "column")
        rows = [(reader.line_num, row) for row in reader]
    except csv.Error as error:
        raise EvidenceError(
            f"{path}:{reader.reader.line_num}: {error}",
            remedy="quote fields that hold delimiters, quotes or line ends",
        ) from None
    finally:
        csv.field_size_limit(allowed)
    for line, row in rows:
        # DictReader gives None to what is missing, and a list under None to what is too much.
        asked = [row[name] for name in (plan.text, plan.pair, plan.label) if name]
        if None in row or None in asked:
            raise EvidenceError(
                f"{path}:{line}: the row has not as many fields as the header",
                remedy="quote fields that hold delimiters, quotes or line ends",
            )
        yield line, row


def _read_json_lines(path: Path, plan: DataPlan) -> _Rows:
    for number, line in enumerate(lines_of(path), start=1):
        if not line.strip():
            continue
        try:
            found = json.loads(line)
        except (ValueError, RecursionError) as error:
            said = error.msg if isinstance(error, json.JSONDecodeError) else "no JSON"
            raise EvidenceError(
                f"{path}:{number}: {said}", remedy="write one JSON object a line"
            ) from None
        if not isinstance(found, dict):
            raise EvidenceError(
                f"{path}:{number}: a JSON {type(found).__name__}, not an object",
                remedy="write one JSON object a line",
            )
        _check_names(list(found), plan, f"{path}:{number}", "key")
        yield number, found


def _check_names(present: Sequence[str], plan: DataPlan, where: str, what: str) -> None:
    """See that what the plan names is there, once."""
    for key, name in (("text", plan.text), ("pair", plan.pair), ("label", plan.label)):
        if name and present.count(name) != 1:
            count = "no" if name not in present else "more than one"
            raise EvidenceError(
                f"{where}: {count} {what} called {name!r}; there are "
                f"{', '.join(map(repr, present[:20]))}",
                remedy=f"set {key} under [train.data] to the name of a {what}",
            )


def _text(found: object) -> str | None:
    """Return a text, or the items of a list one a line; None where it is neither."""
    if isinstance(found, list):
        items = [str(item) if isinstance(item, int) else item for item in found]
        plain = all(isinstance(item, str) and item and "\n" not in item for item in items)
        return "\n".join(map(str, items)) if plain and items else None
    return found if isinstance(found, str) else None


def read_text(path: Path) -> str:
    """Return the content of a UTF-8 file of at most 1 GiB, without its byte-order mark."""
    try:
        size = path.stat().st_size
        content = path.read_bytes() if size <= LARGEST_FILE_BYTES else b""
    except OSError as error:
        raise EvidenceError(
            f"{path} cannot be read: {error.strerror}", remedy="check the path and its permissions"
        ) from None
    if size > LARGEST_FILE_BYTES:
        raise EvidenceError(
            f"{path} has {size} bytes; texts are read up to {LARGEST_FILE_BYTES}",
            remedy="pass a smaller file",
        )
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise EvidenceError(
            f"{path}:{line}: byte {error.start} is no UTF-8", remedy="save the file as UTF-8"
        ) from None


def lines_of(path: Path) -> list[str]:
    r"""Return the lines without their ends; only \n and \r\n end one, other marks are text."""
    lines = read_text(path).replace("\r\n", "\n").split("\n")
    if not lines[-1]:
        lines.pop()
    return lines
