"""The files that were read, with their digests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reportgen.languages import message, say
from reportgen.records.document import (
    Block,
    Code,
    Excerpt,
    Number,
    Paragraph,
    Table,
    TableColumn,
    TableRow,
    Text,
)
from reportgen.records.facts import Facts
from reportgen.records.natural import natural_key
from reportgen.records.quantity import Evidence
from reportgen.records.run import Fate, Source
from reportgen.records.source import FATES
from reportgen.report._evidence import model_files, of_size
from reportgen.report._number_ids import keys_of
from reportgen.report._numbers import counted
from reportgen.report._quotes import listed, sentences

SHOWN_FILES = 60
PRINTED_FILES = 12


def log_files(facts: Facts) -> tuple[Source, ...]:
    found = {source.path: source for run in facts.runs for source in run.sources}
    return tuple(found[path] for path in sorted(found, key=natural_key))


def list_files(facts: Facts) -> Iterator[Block]:
    """Yield the sentence and the table of the files: first those of models, then the logs."""
    if facts.runs.fates:
        yield Paragraph(text=_fates(facts))
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


FATES_SAID = {
    "read": message("{n} read as logs"),
    "settings": message("{n} of settings"),
    "model": message("{n} of models"),
    "adapter": message("{n} of adapters"),
    "skipped": message("{n} known and skipped"),
    "table": message("{n} like logs and not read"),
    "damaged": message("{n} damaged"),
    "other": message("{n} of no known kind"),
}
MOST_EVIDENCE = 12


def _fates(facts: Facts) -> Text:
    """Say how many files had which fate: every file below the root has one."""
    by_kind = {kind: [f for f in facts.runs.fates if f.kind == kind] for kind in FATES}
    parts = [
        say(FATES_SAID[kind], n=_count(f"reproducibility.fates.{kind}", fates))
        for kind, fates in by_kind.items()
        if fates
    ]
    return say(
        "Every file under {folder} is counted once: {parts}; in all {n}.",
        folder=Code(facts.runs.root),
        parts=listed(parts, ", "),
        n=_count("reproducibility.fates.all", facts.runs.fates),
    )


def _count(name: str, fates: Sequence[Fate]) -> Number:
    paths = [Evidence(path=fate.path) for fate in fates[:MOST_EVIDENCE]]
    return counted(name, sum(fate.files for fate in fates), message("files under the root"), paths)


def _excerpt(count: int) -> Excerpt | None:
    """Choose the first files, where there are more than are listed."""
    if count <= SHOWN_FILES:
        return None
    note = say("Printed here are the first {n}.", n=PRINTED_FILES)
    return Excerpt(rows=tuple(range(PRINTED_FILES)), note=note)
