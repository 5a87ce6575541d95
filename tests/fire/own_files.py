"""The files that the program itself writes or asks people to write, under fire."""

import json
import re
import zlib
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from fakes.event_file import encode, header, scalar
from fakes.pdf import lines, pdf
from fakes.rerun_record import FINISHED
from fakes.rows import rows_beside

from fire import harm, within
from fire.formats import Format, Sample
from fire.reports import PROGRAMS
from reportgen.app.comparing import diff
from reportgen.app.report_file import parse_report, read_report
from reportgen.app.tracing import ExplainOptions, explain
from reportgen.read.documents import attached_file
from reportgen.read.logs.events.store import ColumnStore, read_entry
from reportgen.read.store import BuildCache, StoredBuild
from reportgen.read.study.read import read_rubric, read_study
from reportgen.records.errors import EvidenceError
from reportgen.records.run import Rerun
from reportgen.render import find_theme
from reportgen.train.store.files import (
    DamagedRecordError,
    decode_rerun,
    encode_rerun,
    read_failure,
    read_note,
)

ROWS = rows_beside(__file__)

INPUTS = Path(__file__).resolve().parents[2] / "inputs"
REPORT = ROWS["report"]
RUBRIC = b"""title = "Lab 3"\nunreadable = "zero"\nvisibility = "visible"
[[line]]\nid = "values"\ntitle = "Values stand in the logs"\npoints = 10
rules = ["series", "column"]
error = 2.5\nwarning = 0.5\n[[line]]\nid = "lora"\ntitle = "LoRA"\npoints = 5\nrules = ["ada*"]
kinds = ["column"]\nsections = ["Task 3*"]\n"""
THEME = b'about = "a look"\npaper = "a4"\ncolumns = 2\nsize = 10\ntop = 20\n'
NOTE = (
    b'{"tries": 2, "reason": "CUDA out of memory", "date": "2026-01-02T03:04:05+00:00", "step": 40}'
)
BUILD = StoredBuild(
    files={"report.md": b"# x\n" * 30, "f/a.svg": b"<svg/>"}, outcome={"n": [1, "a"]}
)

_JSON = (harm.json_value, harm.word, harm.swap)
_VALUES = (*[harm.json_value] * 6, harm.word)
_TOML = (*[within.toml_value] * 6, harm.word, harm.lines)
FEW = 0.08


def read_record(path: Path) -> Rerun:
    try:
        return decode_rerun(path.read_bytes())
    except DamagedRecordError as fault:
        raise EvidenceError(f"run.json {fault}", remedy="as the run store says it") from None


def record_holds(found: Rerun, _: bytes) -> None:
    assert decode_rerun(encode_rerun(found)) == found


def compare(path: Path) -> object:
    return diff(path.with_name("sound.json"), path)


def trace(path: Path) -> object:
    compare(path)
    asked = ExplainOptions(number="80.63", report=path, runs=path.parent, verify=True)
    return explain(asked).numbers


def read_theme(path: Path) -> object:
    return find_theme(f"{path.parent}/", home=path.parent)


def read_notes(path: Path) -> object:
    failure = read_failure(path)
    assert failure is not None
    assert failure.tries >= 1
    return read_note(path)


def find_build(path: Path) -> StoredBuild | None:
    """Look a build up in a cache one of whose files is damaged."""
    return BuildCache(path.parents[2]).find(path.parent.name)


def is_that_build(found: StoredBuild | None, _: bytes) -> None:
    assert found is None or found.files == BUILD.files


@cache
def cached_build() -> dict[str, bytes]:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        BuildCache(Path(folder)).keep("key", BUILD)
        entry = Path(folder, "builds", "key")
        return {f"builds/key/{p.name}": p.read_bytes() for p in sorted(entry.iterdir())}


def _cached(name: str) -> Sample:
    files = cached_build()
    beside = {key: value for key, value in files.items() if not key.endswith(name)}
    return Sample(name=f"builds/key/{name}", content=files[f"builds/key/{name}"], beside=beside)


@cache
def stored_columns() -> bytes:
    """Return what the column store keeps of an event file."""
    import os
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "events.out.tfevents.1.h")
        log.write_bytes(encode([header(), *(scalar("loss", s, 1 / (s + 1)) for s in range(60))]))
        os.utime(log, (1, 1))
        ColumnStore(Path(folder, "columns")).read(log)
        (entry,) = Path(folder, "columns").iterdir()
        return entry.read_bytes()


def columns_of(entry: Any) -> set[Any]:
    """Return the points in an entry of the column store; none where it is not believed."""
    written = entry.file.points if entry else {}
    return {
        (tag, int(step), repr(float(value)))
        for tag, one in written.items()
        for step, value in zip(one.steps, one.values, strict=True)
    }


def attached_pdf(raw: bytes, name: bytes = b"report.json", held: bytes = b"") -> bytes:
    """Return a PDF to which a report.json is attached.

    Args:
        raw: What is in it.
        name: What it is called there.
        held: How it is held: its entries and its stream, if not plain.
    """
    plain = b"<< /Type /EmbeddedFile /Length %d >>\nstream\n%s\nendstream" % (len(raw), raw)
    objects = {
        1: b"<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles << /Names "
        b"[(%s) 1000 0 R] >> >> >>" % name,
        1000: b"<< /Type /Filespec /F (%s) /UF (%s) /EF << /F 1001 0 R >> >>" % (name, name),
        1001: held or plain,
    }
    return pdf(lines("The accuracy is 80.63."), objects=objects)


def read_attached(path: Path) -> object:
    """Read a report.json in a PDF in this process; `deep` does it in one of its own, as usual."""
    return parse_report(path, attached_file(path.read_bytes(), "report.json", path.name))


def attachment(raw: bytes, rng: Random) -> bytes:
    """Have what is attached deflated, filtered otherwise, called otherwise or of another length."""
    small = zlib.compress(raw)
    body = rng.choice((small, small[:-5], zlib.compress(small), raw.hex().encode() + b">", raw))
    filters = (b"/FlateDecode", b"[/FlateDecode /FlateDecode]", b"/ASCIIHexDecode", b"/LZWDecode")
    size = rng.choice((len(body), len(body), 0, 2**31, len(body) + 9))
    entries = b"/Type /EmbeddedFile /Length %d /Filter %s" % (size, rng.choice(filters))
    held = b"<< %s >>\nstream\n%s\nendstream" % (entries, body)
    return attached_pdf(raw, rng.choice(NAMES), held)


NAMES = (
    *[b"report.json"] * 6,
    *(b"../report.json", b"REPORT.JSON", b"\\376\\377\\000r", b"", b"x" * 3000, b"/etc/passwd"),
)
_HELD = re.compile(rb"/EmbeddedFile /Length (?P<size>\d{1,9}) >>\nstream\n")


def harm_attached(content: bytes, rng: Random) -> bytes:
    """Have the report.json of a PDF harmed; the lengths and places of the PDF are right again."""
    if not rng.randrange(6):
        return within.framed(_HELD, lambda raw: attachment(raw, rng), harm.json_value)(content, rng)
    return within.framed(_HELD, attached_pdf, harm.json_value)(content, rng)


def _study() -> bytes:
    return (INPUTS / "roberta-small-fr/study.toml").read_bytes()


def _grid() -> bytes:
    return (INPUTS / "tiny-grid/study.toml").read_bytes()


_SOUND = json.dumps(REPORT).encode()

OWN_FORMATS: dict[str, Format] = {
    "study.toml": Format(
        samples=(
            Sample(name="study.toml", content=_study()),
            Sample(name="study.toml", content=_grid()),
        ),
        read=read_study,
        harms=_TOML,
        blunt=FEW,
    ),
    "rubric.toml": Format(
        samples=(Sample(name="rubric.toml", content=RUBRIC),),
        read=read_rubric,
        harms=_TOML,
        blunt=FEW,
    ),
    "theme.toml": Format(
        samples=(Sample(name="look/theme.toml", content=THEME),), read=read_theme, harms=_TOML
    ),
    "run.json": Format(
        samples=(Sample(name="run.json", content=encode_rerun(FINISHED)),),
        read=read_record,
        holds=record_holds,
        harms=_VALUES,
        blunt=FEW,
    ),
    "failure.json": Format(
        samples=(Sample(name="failure.json", content=NOTE),), read=read_notes, harms=_JSON
    ),
    "report.json": Format(
        samples=(Sample(name="report.json", content=_SOUND, beside={"sound.json": _SOUND}),),
        read=read_report,
        deep=trace,
        harms=_VALUES,
        blunt=FEW,
        deep_every=3,
    ),
    "report.json in PDF": Format(
        samples=(Sample(name="report.pdf", content=attached_pdf(_SOUND)),),
        read=read_attached,
        deep=read_report,
        deep_every=400,
        runs=PROGRAMS,
        harms=(harm_attached,),
        blunt=FEW,
    ),
    "cached build": Format(
        samples=(_cached("index.json"), _cached("0000")),
        read=find_build,
        holds=is_that_build,
        harms=_JSON,
        writes=True,
    ),
    "cached columns": Format(
        samples=(Sample(name="a.0", content=stored_columns(), grows=True, sealed=True),),
        read=read_entry,
        facts=columns_of,
        told=lambda entry: entry is None,
        harms=(harm.length, harm.swap, harm.word),
    ),
}
