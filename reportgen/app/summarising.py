"""What a page of CI shows of a built report: the report, what was found in it, what changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reportgen.app.report_file import JsonFile, ReportFile, read_json, read_report
from reportgen.records.errors import EvidenceError

_FINDINGS = JsonFile(
    name="findings.json",
    make="check the report first: `reportgen check REPORT --format json --out findings.json`",
    ask="name the JSON that `reportgen check --format json` wrote, or a folder with such files",
)
_SCHEMAS = ("reportgen-findings/2", "reportgen-class-findings/2")
_TOTALS = ("numbers", "traced", "no_claim", "errors", "warnings", "notes")


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryOptions:
    """Which files are summed up.

    Attributes:
        report: report.json, its folder, or the PDF it is attached to.
        findings: Files that `check --format json` wrote, or folders with such files in them.
        base: An earlier report in the same forms, or None.
    """

    report: Path
    findings: tuple[Path, ...] = ()
    base: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryFacts:
    """All that a summary is made of, as plain values.

    Attributes:
        report: The report.
        checked: One record a checked report, as `docs/reference/findings.schema.json` has it.
        changes: What `diff` says of the base and the report; None where there is no base.
        no_base: Why a base that was named cannot be compared with, or empty.
    """

    report: ReportFile
    checked: tuple[dict[str, Any], ...] = ()
    changes: dict[str, Any] | None = None
    no_base: str = ""


def summarise_report(options: SummaryOptions) -> SummaryFacts:
    """Read what a summary is made of.

    Missing: a base that is not there, or cannot be read, is told in `no_base`: the first report
    of a branch has none, and an old one may be damaged.

    Raises:
        EvidenceError: The report or the findings cannot be read.
    """
    report = read_report(options.report)
    checked = [record for path in options.findings for record in _records_at(path)]
    changes, no_base = None, ""
    if options.base is not None:
        from reportgen.app.comparing import diff

        try:
            changes = diff(options.base, options.report)
        except EvidenceError as fault:
            no_base = fault.message
    return SummaryFacts(report=report, checked=tuple(checked), changes=changes, no_base=no_base)


def _records_at(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the checked reports of a file, or of the files below a folder, in order."""
    paths: Sequence[Path] = [path]
    if path.is_dir():
        paths = sorted(path.rglob(_FINDINGS.name))
        if not paths:
            raise EvidenceError(f"no {_FINDINGS.name} in {path}", remedy=_FINDINGS.make)
    for file in paths:
        content = read_json(file, _FINDINGS)
        if content.get("schema") not in _SCHEMAS:
            raise EvidenceError(
                f"{file} is not a findings.json: its schema is {content.get('schema')!r}",
                remedy=_FINDINGS.ask,
            )
        listed = content.get("submissions", [content])
        if not isinstance(listed, list) or not all(map(_is_record, listed)):
            raise EvidenceError(f"{file} is a damaged findings.json", remedy=_FINDINGS.make)
        yield from listed


def _is_record(record: object) -> bool:
    """Say whether all that a summary takes of a record is there."""
    if not isinstance(record, dict):
        return False
    report, totals = record.get("report"), record.get("totals")
    entries = [record.get(key) for key in ("numbers", "statements")]
    return (
        isinstance(report, dict)
        and isinstance(report.get("path"), str)
        and isinstance(record.get("fault"), str)
        and isinstance(totals, dict)
        and all(isinstance(totals.get(key), int) for key in _TOTALS)
        and all(isinstance(listed, list) and all(map(_is_entry, listed)) for listed in entries)
    )


def _is_entry(entry: object) -> bool:
    if not isinstance(entry, dict):
        return False
    place = entry.get("place")
    texts = ("level", "rule", "message")
    return (
        all(isinstance(entry.get(key), str) for key in texts)
        and isinstance(place, dict)
        and isinstance(place.get("file"), str)
    )
