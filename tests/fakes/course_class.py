"""A class: many made-up submissions as PDF files, each with the logs of its own six runs."""

from __future__ import annotations

import random
from pathlib import Path

import typst
from fakes.course_lab import make_lab, write_logs
from fakes.course_reports import Heading, Part, Table, Text, write_report

FILLER = (
    "The encoder reads a sentence as sub-words and the classifier looks at the first of them. "
    "We train with a linear schedule after a short warm-up and keep the checkpoint of each epoch. "
    "Nothing else was changed between the two groups, and the data were shuffled once. "
)


def write_class(folder: Path, count: int, *, pages: int = 5, seed: int = 0) -> Path:
    """Write `folder/s000/report.pdf` and `folder/s000/logs/`, and so on; return the folder."""
    for number in range(count):
        state = random.Random(seed * 100_000 + number)
        lab = make_lab(state, seeds=3)
        home = folder / f"s{number:03d}"
        write_logs(lab, home / "logs", state.choice(("fairseq", "plain")))
        (home / "report.pdf").write_bytes(_pdf(write_report(lab, state, french=False), pages))
    return folder


def _pdf(parts: list[Part], pages: int) -> bytes:
    each = -(-len(parts) // pages)
    chunks = [parts[n * each : (n + 1) * each] for n in range(pages)]
    body = "\n#pagebreak()\n".join(
        "\n\n".join([*map(_typst, chunk), FILLER * 9]) for chunk in chunks
    )
    source = '#set page(paper: "a4")\n#set text(size: 11pt)\n' + body
    return typst.compile(source.encode(), format="pdf")


def _typst(part: Part) -> str:
    if isinstance(part, Heading):
        return f"= {_escaped(part.title)}"
    if isinstance(part, Text):
        text = _escaped("".join(slot.text for slot in part.parts))
        return f"- {text}" if part.item else text
    assert isinstance(part, Table)
    cells = [*part.head, *(slot.text for row in part.rows for slot in row)]
    inside = ", ".join(f"[{_escaped(cell)}]" for cell in cells)
    table = f"table(columns: {len(part.head)}, {inside})"
    return f"#figure({table}, kind: table, caption: [{_escaped(part.caption)}])"


def _escaped(text: str) -> str:
    return "".join(f"\\{c}" if c in "\\#$*_`<>@[]=-/~" else c for c in text)
