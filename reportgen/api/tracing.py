"""Say where a printed number comes from: formula, runs, files, and whether these still match."""

from __future__ import annotations

import difflib
import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from reportgen.api.report_file import read_report
from reportgen.errors import UnknownNameError

_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?(?:[eE×][^ ]*)?")
_ASKED = re.compile(r"[<+−-]?\d[\d,.\u202f]*(?:[eE×]\S+)?\s?(?:%|points|[KMGT]i?B|B)?|—")
"""What is a number as it is printed, and no id with a digit in it."""
_DECIMAL_COMMA = re.compile(r"(?<![\d,.])(0|\d+(?=,(?!\d{3}(?!\d)))),(\d+)(?![\d,.])")
"""One comma before other than three digits, or behind a zero, is a decimal one."""
_NEAREST = 3
_CHUNK = 2**20
MATCHES, CHANGED, ABSENT = "matches", "changed", "not found"
"""What became of a file since the report was built."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainOptions:
    """Which number, of which report.

    Attributes:
        number: An id (`best_step.pretrained.0.report_value`), a number as printed (`80.63`), or
            the id of a table or section, for all numbers in it.
        report: report.json, its folder, or the PDF it is attached to; None computes what the
            evidence would print now.
        runs, study: The evidence; with a report, where its files are looked for.
        verify: Whether the files are hashed again and compared.
    """

    number: str
    report: Path | None = None
    runs: Path | None = None
    study: Path | None = None
    verify: bool = False


def explain(options: ExplainOptions) -> list[dict[str, Any]]:
    """Return every printed number that has this id or is printed so, with what it rests on.

    Each is as in report.json; each piece of evidence comes with the `sha256` of its file, and
    with `file`: `matches`, `changed` or `not found`, where that was asked for.

    Raises:
        EvidenceError: There is no such report, or no such evidence.
        UnknownNameError: The report prints no such number; the nearest ones are named.
    """
    name, content, numbers = _of_report(options.report) if options.report else _of_evidence(options)
    found = _matching(options.number, numbers)
    if not found:
        raise UnknownNameError(
            f"{name} prints no number {options.number!r}{_near(options.number, numbers)}",
            remedy="give it as printed, or an id from the `numbers` of report.json",
        )
    digests = {str(file.get("path")): str(file.get("sha256", "")) for file in content["files"]}
    states = _States(tuple(_roots(options)), digests) if options.verify else None
    return [_traced(number, digests, states) for number in found]


_Content = tuple[str, Mapping[str, Any], Sequence[Mapping[str, Any]]]


def _of_report(path: Path) -> _Content:
    """Return what a report.json is called and holds."""
    read = read_report(path)
    return str(read.path), read.content, read.numbers


def _of_evidence(options: ExplainOptions) -> _Content:
    """Return what a report of the evidence would hold now."""
    from reportgen.api.evidence import EvidencePaths, gather
    from reportgen.errors import EvidenceError
    from reportgen.formats._facts_json import facts_metadata
    from reportgen.formats._numbering import resolve
    from reportgen.formats.json import report_json
    from reportgen.sections._compose import compose_report

    facts = gather(EvidencePaths(runs=options.runs, study=options.study)).facts
    if facts is None:
        raise EvidenceError("no evidence to explain a number by", remedy="name --report or --runs")
    report = compose_report(facts, metadata=facts_metadata(facts))
    content: Mapping[str, Any] = report_json(report, resolve(report))
    return f"a report of {options.study or options.runs}", content, content["numbers"]


def _matching(number: str, numbers: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the numbers of an id, of a print, or of a block."""
    wanted = {_plain(part) for part in number.split("±") if _ASKED.fullmatch(part.strip())}
    return (
        [n for n in numbers if n["id"] == number]
        or [n for n in numbers if _plain(n["printed"]) in wanted]
        or [n for n in numbers if n.get("where") == number]
    )


def _near(number: str, numbers: Sequence[Mapping[str, Any]]) -> str:
    """Return the nearest printed numbers, or ids, as a clause."""
    value = _decimal(_plain(number)) if _ASKED.fullmatch(number.strip()) else None
    if value is None:
        known = dict.fromkeys(
            text for n in numbers for text in (n["id"], str(n.get("where", ""))) if text
        )
        close = difflib.get_close_matches(number, known, n=_NEAREST, cutoff=0.5)
        return f"; did you mean {' or '.join(map(repr, close))}?" if close else ""
    printed = {n["printed"]: _decimal(_plain(n["printed"])) for n in numbers}
    there = {text: other for text, other in printed.items() if other is not None}
    nearest = sorted(there, key=lambda text: abs(there[text] - value))[:_NEAREST]
    return f"; nearest printed numbers: {', '.join(nearest)}" if nearest else ""


def _decimal(text: str) -> Decimal | None:
    try:
        value = Decimal(text)
    except InvalidOperation:
        return None
    return value if value.is_finite() else None


def _plain(printed: str) -> str:
    """Undo typography: minus, grouping, decimal comma, unit; a leading plus says nothing more.

    Example:
        >>> [_plain(text) for text in ("+7.00", "22,829,056", "80,63 %", "0,638", "−3.5 points")]
        ['7.00', '22829056', '80.63', '0.638', '-3.5']
    """
    bare = _DECIMAL_COMMA.sub(r"\1.\2", printed.replace("−", "-").replace("\u202f", ""))
    found = _NUMBER.search(bare.replace(",", ""))
    return found[0].lstrip("+") if found else printed.strip()


def _traced(
    number: Mapping[str, Any], digests: Mapping[str, str], states: _States | None
) -> dict[str, Any]:
    """Return a number whose evidence says of each file what it holds and whether it still does."""
    evidence = []
    for item in number.get("evidence") or []:
        path = str(item.get("path"))
        known = {"sha256": digests[path]} if digests.get(path) else {}
        told = {"file": states.of(path)} if states is not None and known else {}
        evidence.append({**item, **known, **told})
    return {**number, "evidence": evidence}


# --- files -----------------------------------------------------------------------------------


def _roots(options: ExplainOptions) -> Iterator[Path]:
    """Yield the folders that paths of evidence may be relative to, the likeliest first."""
    if options.runs is not None:
        yield from (options.runs, options.runs.parent)
    if options.study is not None:
        from reportgen.api.analysis import read_plan

        home = options.study.parent
        yield from (home / (read_plan(options.study).runs_path or "."), home)
    if options.report is not None:
        folder = options.report if options.report.is_dir() else options.report.parent
        yield from (folder, folder.parent, folder.parent / "logs")
    yield from (Path(), Path("logs"))


class _States:
    """What became of files, each hashed once."""

    def __init__(self, roots: Sequence[Path], digests: Mapping[str, str]) -> None:
        self._roots = roots
        self._digests = digests
        self._known: dict[str, str] = {}

    def of(self, path: str) -> str:
        """Return `matches`, `changed` or `not found`."""
        if path not in self._known:
            there = [root / path for root in self._roots if (root / path).is_file()]
            state = ABSENT
            if there:
                same = any(_digest(file) == self._digests[path] for file in _once(there))
                state = MATCHES if same else CHANGED
            self._known[path] = state
        return self._known[path]


def _once(files: Iterable[Path]) -> list[Path]:
    return list({file.resolve(): file for file in files}.values())


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    try:
        with path.open("rb") as stream:
            while chunk := stream.read(_CHUNK):
                digest.update(chunk)
    except OSError:
        return ""
    return digest.hexdigest()
