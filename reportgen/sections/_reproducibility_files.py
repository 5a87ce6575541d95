"""The files that were read, with their digests."""

from __future__ import annotations

from collections.abc import Iterator

from reportgen.languages import message, say
from reportgen.records.document import Block, Code, Excerpt, Paragraph, Table, TableColumn, TableRow
from reportgen.records.facts import Facts
from reportgen.records.natural import natural_key
from reportgen.records.run import Source
from reportgen.sections._evidence import model_files, of_size
from reportgen.sections._number_ids import keys_of
from reportgen.sections._numbers import counted
from reportgen.sections._quotes import sentences

SHOWN_FILES = 60
PRINTED_FILES = 12


def log_files(facts: Facts) -> tuple[Source, ...]:
    found = {source.path: source for run in facts.runs for source in run.sources}
    return tuple(found[path] for path in sorted(found, key=natural_key))


def list_files(facts: Facts) -> Iterator[Block]:
    """Yield the sentence and the table of the files: first those of models, then the logs."""
    sources = (*model_files(facts), *log_files(facts))
    key, what = "reproducibility.file", message("size of the file in bytes")
    why = say("The digests let anybody check that a file is the one these numbers were read from.")
    if len(sources) > SHOWN_FILES:
        more = say("The first {n} are listed; report.json has them all.", n=SHOWN_FILES)
        why = sentences([why, more])
    yield Paragraph(text=why)
    keys = keys_of((source.path for source in sources), "file")
    rows = tuple(
        TableRow(
            cells=(
                (Code(source.path),),
                (counted(name, source.size, what, (of_size(source),)),),
                (Code(source.sha256[:12]),),
            )
        )
        for source in sources[:SHOWN_FILES]
        for name in (f"{key}.{keys[source.path]}.size",)
    )
    yield Table(
        id="reproducibility.hashes",
        caption=say("Files read, with their size in bytes and the start of their SHA-256."),
        columns=(
            TableColumn(title=say("File"), wide=True),
            TableColumn(title=say("Bytes"), align="right"),
            TableColumn(title=("SHA-256",)),
        ),
        rows=rows,
        excerpt=_excerpt(len(sources)),
    )


def _excerpt(count: int) -> Excerpt | None:
    """Choose the first files, where there are more than are listed."""
    if count <= SHOWN_FILES:
        return None
    note = say("Printed here are the first {n}.", n=PRINTED_FILES)
    return Excerpt(rows=tuple(range(PRINTED_FILES)), note=note)
