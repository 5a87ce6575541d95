"""A class: many made-up submissions as PDF files, each with the logs of its own six runs."""

import random
from pathlib import Path

import typst
from fakes.course_lab import make_lab, write_logs
from fakes.course_reports import Heading, Part, Slot, Table, Text, write_report

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
        (home / "report.pdf").write_bytes(
            pdf_of(write_report(lab, state, french=False), pages=pages, filler=FILLER * 9)
        )
    return folder


def pdf_of(
    parts: list[Part], *, pages: int = 1, filler: str = "", changed: tuple[Slot, str] | None = None
) -> bytes:
    """Set a report with Typst, one slot changed or none, its parts spread over pages."""
    each = -(-len(parts) // pages)
    chunks = [parts[n * each : (n + 1) * each] for n in range(pages)]
    body = "\n#pagebreak()\n".join(
        "\n\n".join([*(_typst(part, changed) for part in chunk), filler]) for chunk in chunks
    )
    source = '#set page(paper: "a4")\n#set text(size: 11pt)\n' + body
    return typst.compile(source.encode(), format="pdf")


def _typst(part: Part, changed: tuple[Slot, str] | None) -> str:
    def show(slot: Slot) -> str:
        shown = slot.mistakes[changed[1]] if changed and slot is changed[0] else slot.text
        return _escaped(shown)

    if isinstance(part, Heading):
        return f"= {_escaped(part.title)}"
    if isinstance(part, Text):
        text = "".join(show(slot) for slot in part.parts)
        return f"- {text}" if part.item else text
    assert isinstance(part, Table)
    cells = [*map(_escaped, part.head), *(show(slot) for row in part.rows for slot in row)]
    inside = ", ".join(f"[{cell}]" for cell in cells)
    table = f"table(columns: {len(part.head)}, {inside})"
    return f"#figure({table}, kind: table, caption: [{_escaped(part.caption)}])"


def _escaped(text: str) -> str:
    return "".join(f"\\{c}" if c in "\\#$*_`<>@[]=-/~" else c for c in text)
