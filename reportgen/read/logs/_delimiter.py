"""What parts the columns of a table, and whether a text is one."""

from __future__ import annotations

import csv
import re

from reportgen.read.logs._table import CLOCK_WORDS, plain_word
from reportgen.read.logs._wide import as_utf8

_BOM = b"\xef\xbb\xbf"
_DELIMITERS = (",", "\t", ";")
_KERAS = re.compile(rb"epoch([^\w\s\"'.-]| )[a-z_]")
"""How the table of Keras' CSVLogger begins, whatever parts its columns."""


def delimiter_of(content: bytes) -> str:
    r"""Return what parts the first two lines alike, else what stands most often in the first.

    What Keras was told to put there is taken from its own first column.

    Example:
        >>> delimiter_of(b"step;loss\n1;0,5\n"), delimiter_of(b"step,;;\n1,0.5\n")
        (';', ',')
    """
    head, *rest = content[: 1 << 16].removeprefix(_BOM).splitlines()[:2] or [b""]
    mark = max(
        _DELIMITERS, key=lambda mark: (_parts_alike(head, rest, mark), head.count(mark.encode()))
    )
    keras = None if mark.encode() in head else _KERAS.match(head)
    # Beyond ASCII a sign takes several bytes, of which one parts nothing.
    return keras[1].decode() if keras and keras[1].isascii() else mark


def _parts_alike(head: bytes, rest: list[bytes], mark: str) -> bool:
    """Say whether two lines have as many cells, and more than one; quotes may hide marks."""
    texts = (line.decode("utf-8", "replace") for line in (head, *rest))
    widths = [len(cells) for cells in csv.reader(texts, delimiter=mark)]
    return len(widths) > 1 and widths[0] == widths[1] > 1


def is_table(head: bytes) -> bool:
    r"""Tell by its first bytes whether a text is a table, of which a column counts.

    Example:
        >>> is_table(b"step\tloss\n10\t0.5\n"), is_table(b"step,loss")
        (True, False)
        >>> is_table(b"epoch 1, loss 2\nepoch 2, loss 1\n")
        False
    """
    lines = as_utf8(head)[0].removeprefix(_BOM).splitlines()[:2]
    if len(lines) < 2:
        return False
    mark = delimiter_of(b"\n".join(lines))
    names, cells = (line.decode("utf-8", "replace").split(mark) for line in lines)
    words = [plain_word(name.strip(" \"'")) for name in names]
    if not 1 < len(names) == len(cells) or len(set(words)) < len(words):
        return False
    return any(
        word in CLOCK_WORDS and cell.strip().isdigit()
        for word, cell in zip(words, cells, strict=True)
    )
