"""A file that was read, and what is the matter with it."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

from reportgen.records.record import record

CHECKPOINT_NAMES = (
    *("tensors.json", "model.safetensors.index.json", "model.safetensors"),
    *("pytorch_model.bin.index.json", "pytorch_model.bin"),
    *("checkpoint_best.pt", "checkpoint_last.pt", "model.pt", "model.pth"),
    *("model.bin", "model.ckpt", ".metadata"),
)
"""What the files of a checkpoint are called, that which tells most of it first."""


@record
class Source:
    """One file that was read.

    Attributes:
        path: POSIX path relative to the root that was loaded.
        kind: Name of the loader that read it.
        size: Bytes.
        sha256: Hex digest of the whole file.
        points: Scalar points taken from it.
    """

    path: str
    kind: str
    size: int
    sha256: str
    points: int = 0


_DIRECTIONS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_UNPRINTED = ("Cc", "Zl", "Zp")


def printable(text: str) -> str:
    r"""Return a text whose control characters are written out, as a terminal may be shown it.

    Escape codes, line ends and marks that turn the direction of writing are escaped as
    Python writes them; letters of every script stay.

    Example:
        >>> print(printable("café\x1b[31mred"))
        café\x1b[31mred
    """
    if text.isprintable():
        return text
    return "".join(
        char.encode("unicode_escape").decode()
        if unicodedata.category(char) in _UNPRINTED or char in _DIRECTIONS
        else char
        for char in text
    )


def shorten(text: str, limit: int) -> str:
    """Return a text of at most `limit` characters, with an ellipsis where it was cut.

    Example:
        >>> shorten("accuracy", 8), shorten("accuracies", 8)
        ('accuracy', 'accurac…')
    """
    return text if len(text) <= limit else text[: limit - 1] + "…"


# A path is looked for where a word begins, else a long word would be gone through again and again.
_NAMES = re.compile(r"'[^']*'|\"[^\"]*\"|(?<![^\s'\"/])[^\s'\"/]*/\S*")
_NUMBERS = re.compile(r"\b[0-9a-f]{8,}\b|\d[\d.,]*")
_SEVERAL = re.compile(r"…(?:(?:, | and )…)+")


def kind_of_message(text: str, place: str = "") -> str:
    """Return a message without its names and numbers: equal for problems of one kind.

    Args:
        text: The message; one that is marked for translation has its pattern.
        place: Path of the file or name of the run that it is about.

    Example:
        >>> kind_of_message("line 3 has no 'loss', as a/b.csv has")
        'line … has no …, as … has'
        >>> kind_of_message("no logs found for b, seed 2", "b, seed 2")
        'no logs found for …'
    """
    if pattern := getattr(text, "pattern", ""):
        return str(pattern)
    left = text.replace(place, "…") if place else text
    return _SEVERAL.sub("…", without_numbers(_NAMES.sub("…", left)))


def names_in(text: str) -> list[str]:
    """Return the quoted names and the paths in a message.

    Example:
        >>> names_in("line 3 has no 'loss', as a/b.csv has")
        ["'loss'", 'a/b.csv']
    """
    return _NAMES.findall(text)


def without_numbers(text: str) -> str:
    """Return a text with a mark in the place of each number and digest.

    Example:
        >>> without_numbers("line 3 of 0f1e2d3c")
        'line … of …'
    """
    return _NUMBERS.sub("…", text)


@record
class Problem:
    """A defect of the data that the reader of the report must learn of.

    Names of files and tags are strangers' text: their control characters are written out.

    Attributes:
        path: File or folder concerned, relative to the root.
        message: What is the matter, one sentence without a full stop.
        remedy: What can be done, or empty.
        offset: Byte offset of the fault inside the file, where known.
        level: `"warning"` when numbers may be missing for it, else `"note"`.
    """

    path: str
    message: str
    remedy: str = ""
    offset: int | None = None
    level: str = "warning"

    @property
    def code(self) -> str:
        """What kind of problem it is: its message without the names and numbers in it."""
        return kind_of_message(self.message, self.path)

    def __post_init__(self) -> None:
        for name in ("path", "message", "remedy"):
            object.__setattr__(self, name, printable(getattr(self, name)))


FATES = ("read", "settings", "model", "adapter", "skipped", "table", "damaged", "other")
"""What can become of a file, in the order in which it is told."""


@record
class Fate:
    """What became of one file below the root.

    Attributes:
        path: POSIX path relative to the root; of a folder where `files` is not 1.
        kind: One of `FATES`: `"table"` looks like a log and is not read, of `"damaged"` what is
            sound is used, `"other"` is nothing known here.
        source: Name of the loader that answers to it, or empty.
        why: Why it was skipped, or what is damaged; empty where the kind says it all.
        size: Bytes; None where it was not read.
        runs: Runs in it that have points or results.
        points: Scalar points taken from it.
        lost: Damaged places in it.
        files: Files that share this fate: 1, but for the many of a skipped folder.
    """

    path: str
    kind: str
    source: str = ""
    why: str = ""
    size: int | None = None
    runs: int = 0
    points: int = 0
    lost: int = 0
    files: int = 1


def count_fates(fates: Iterable[Fate]) -> dict[str, int]:
    """Return how many files have each fate; together they are all files.

    Example:
        >>> count_fates([Fate(path="a", kind="read"), Fate(path=".git", kind="skipped", files=9)])
        {'read': 1, 'skipped': 9}
    """
    counted: Counter[str] = Counter()
    for fate in fates:
        counted[fate.kind] += fate.files
    return {kind: counted[kind] for kind in FATES if counted[kind]}


_DOWNLOAD = re.compile(r"run-(?P<run>.+?)-tag-(?P<tag>.+?)(?: ?\(\d+\))?")


def read_download(stem: str) -> tuple[str, str] | None:
    """Return run and tag of a table's name without its ending, None where it has another form.

    TensorBoard and browsers write `_` for what a file's name cannot hold, and browsers add a
    number to a name that is there already.

    Example:
        >>> read_download("run-small_seed3-tag-eval_loss (1)"), read_download("run-3")
        (('small_seed3', 'eval_loss'), None)
    """
    found = _DOWNLOAD.fullmatch(stem)
    return (found["run"], found["tag"]) if found else None


_COUNTED = re.compile(r"(\d+(?:\.\d+)?e[-+_]?\d{1,3}(?![\w.])|(?<![\d.])\d+\.\d+(?![\d.])|\d+)")
"""Numbers in a name: `5e-5`, `3e_4` (where a name has no minus), `0.25`, `1000`."""

NaturalKey = tuple[tuple[int, float, str], ...]


def natural_key(text: str) -> NaturalKey:
    """Return a sort key that orders numbers inside a text by value.

    Example:
        >>> sorted(["step_500", "step_5000", "step_1000"], key=natural_key)
        ['step_500', 'step_1000', 'step_5000']
        >>> sorted(["lr_1e-4", "lr_5e-5", "lr_0.001", "lr_2e_4"], key=natural_key)
        ['lr_5e-5', 'lr_1e-4', 'lr_2e_4', 'lr_0.001']
    """
    return tuple(
        # As a float, hundreds of digits are infinite; `int` would refuse to read them.
        (0, float(part.replace("e_", "e-")), part) if index % 2 else (1, 0, part)
        for index, part in enumerate(_COUNTED.split(text))
        if part
    )
