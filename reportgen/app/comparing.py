"""Two reports, number by number: what is printed differently, and what is behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from pathlib import Path
from typing import Any

from reportgen.app.report_file import JsonFile, ReportFile, form_faults, read_json, read_report
from reportgen.languages import change_marks, language_of, message
from reportgen.records.errors import EvidenceError

SCHEMA = "reportgen-diff/1"
"""Name of the format; raised when a key changes its meaning."""

_ENGLISH = "printed in English"
_ROUNDING = "rounding"
_REAL = "value"
_UNMEASURED = frozenset({"count", "step", "epoch", "bytes"})
"""Units of what no metric measures."""
_COUNTED = frozenset({"step", "epoch"})
_UNITS = {"count": "", "fraction": "points"}
# A value beyond is none that was measured or counted, and decimals beyond say nothing.
_BEYOND = 10**40
_PLACES = 60
_BYTES = ("B", "KiB", "MiB", "GiB", "TiB", "PiB")


def diff(old: Path, new: Path) -> dict[str, Any]:
    """Say what changed from one report to another.

    Numbers are matched by their ids; those of earlier versions, which named runs and files by
    their place in a list, by what stood there. What is printed alike is unchanged, whatever
    happened behind the printed digits, and whichever marks the language of a report has.

    Args:
        old: report.json, its folder, or the PDF it is attached to.
        new: The later one.

    Returns:
        Plain values as in `docs/reference/diff.schema.json`.

    Raises:
        EvidenceError: One of them cannot be read.
    """
    reports = read_report(old), read_report(new)
    before, after = ({n["id"]: n for n in reversed(_in_english(r))} for r in reports)
    shared = [name for name in _in_order(after) if name in before]
    metrics = (_metrics(reports[0]), _metrics(reports[1]))
    changed = [
        _number(before[i], after[i], metrics) for i in shared if _differs(before[i], after[i])
    ]
    same = [i for i in shared if not _differs(before[i], after[i])]
    return {
        "schema": SCHEMA,
        "old": _about(reports[0]),
        "new": _about(reports[1]),
        "totals": {
            "unchanged": len(same),
            "unprinted": sum(before[i].get("value") != after[i].get("value") for i in same),
            "changed": sum(one["kind"] != _ROUNDING for one in changed),
            "rounding": sum(one["kind"] == _ROUNDING for one in changed),
            "added": len(after) - len(shared),
            "removed": len(before) - len(shared),
        },
        "numbers": changed,
        "added": [_one(after[i]) for i in _in_order(after) if i not in before],
        "removed": [_one(before[i]) for i in _in_order(before) if i not in after],
        **{
            name: list(_between(*(dict(entries(report)) for report in reports)))
            for name, entries in _BEHIND.items()
        },
    }


def _about(report: ReportFile) -> dict[str, str]:
    return {
        "path": str(report.path),
        "title": str(report.content.get("title", "")),
        "schema": report.schema,
        "generated_by": report.generator,
    }


def _in_english(report: ReportFile) -> list[dict[str, Any]]:
    """Return the numbers, each with its print in the marks of English: of `80,63`, `80.63`."""
    own, english = language_of(report.lang), language_of("en")
    return [
        {**number, _ENGLISH: change_marks(str(number["printed"]), own, english)}
        for number in report.numbers
    ]


def _in_order(numbers: dict[str, Any]) -> list[str]:
    """Return the ids in reading order: they were put in from the last to the first."""
    return list(reversed(numbers))


def _differs(before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    return bool(before[_ENGLISH] != after[_ENGLISH])


def _one(number: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "id": number["id"],
        "printed": number["printed"],
        "value": number.get("value"),
        "where": number.get("where", ""),
    }


def _number(
    before: Mapping[str, Any], after: Mapping[str, Any], metrics: tuple[str, str]
) -> dict[str, Any]:
    """Return how one number changed."""
    apart = _apart(before, after, metrics)
    delta, unit, shown = (None, "", "") if apart else _difference(before, after)
    half = Decimal(5).scaleb(-min(_decimals(before), _decimals(after)) - 1)
    moved = delta is None or abs(delta) > half
    return {
        "id": after["id"],
        "where": after.get("where", ""),
        "old": before["printed"],
        "new": after["printed"],
        "old_value": before.get("value"),
        "new_value": after.get("value"),
        "difference": None if delta is None else float(delta),
        "difference_printed": shown,
        "unit": unit,
        "kind": _REAL if moved else _ROUNDING,
        "reason": apart or _words(after.get("reason") or before.get("reason")),
    }


def _words(value: object) -> str:
    """Return what a report says as words; a message stays one."""
    return value if isinstance(value, str) else str(value or "")


def _metrics(report: ReportFile) -> str:
    """Return the metric that a report is on, as its groups have it."""
    return ", ".join(dict.fromkeys(str(g.get("metric") or "") for g in _entries(report, "groups")))


def _apart(before: Mapping[str, Any], after: Mapping[str, Any], metrics: tuple[str, str]) -> str:
    """Say why two values under one id have no difference: they measure two things.

    Reports of two metrics may share others: what rests on the same tags is of the same one.
    """
    if before.get("value") is None or after.get("value") is None:
        return ""
    units = [str(number.get("unit") or "") for number in (before, after)]
    tags = [{e.get("tag") for e in number.get("evidence") or []} for number in (before, after)]
    measured = not _UNMEASURED & set(units)
    if metrics[0] != metrics[1] and measured and all((*metrics, *tags)) and not tags[0] & tags[1]:
        return message("another metric: {old}, then {new}", old=metrics[0], new=metrics[1])
    if units[0] != units[1]:
        old, new = (unit or message("none") for unit in units)
        return message("another unit: {old}, then {new}", old=old, new=new)
    return ""


def _difference(
    before: Mapping[str, Any], after: Mapping[str, Any]
) -> tuple[Decimal | None, str, str]:
    """Return new minus old in the unit of print, that unit, and the same as it is printed."""
    from reportgen.checking import scale_of

    values = [_finite(number.get("value")) for number in (before, after)]
    if values[0] is None or values[1] is None:
        return None, "", ""
    scale = scale_of(after[_ENGLISH], values[1]) or scale_of(before[_ENGLISH], values[0])
    if scale is None:
        return None, "", ""
    delta = (values[1] - values[0]) * scale
    unit = _unit(str(after.get("unit", "")), scale)
    places = max(_decimals(before), _decimals(after))
    return delta, unit, _spell(delta, places, unit)


def _finite(value: object) -> Decimal | None:
    """Return a number that can be reckoned with; None for NaN, and beyond what anybody counts."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return Decimal(repr(value)) if -_BEYOND < value < _BEYOND else None


def _unit(unit: str, scale: Decimal) -> str:
    if scale == 100:
        return "points"
    if unit == "bytes":
        power = next((p for p in range(len(_BYTES)) if Decimal(1) / 1024**p == scale), 0)
        return _BYTES[power]
    return _UNITS.get(unit, unit) if unit != "fraction" else ""


def _decimals(number: Mapping[str, Any]) -> int:
    from reportgen.checking.numbers import find_numbers

    found = find_numbers(number[_ENGLISH])
    return min(max(found[0].decimals, 0), _PLACES) if found else 0


def _spell(delta: Decimal, places: int, unit: str) -> str:
    with localcontext() as digits:
        digits.prec = 2 * _PLACES
        rounded = round(delta, places)
    if not rounded and delta:
        text = f"{delta:+.1g}"
    else:
        text = f"{rounded:+,.{places}f}" if rounded else "0"
    plural = "s" if unit in _COUNTED and abs(rounded) != 1 else ""
    return f"{text} {unit}{plural}".strip().replace("-", "\u2212")


_LEVELS = {"error": message("error"), "warning": message("warning"), "note": message("note")}


# --- what lies behind the numbers ------------------------------------------------------------


def _entries(report: ReportFile, name: str) -> Iterator[Mapping[str, Any]]:
    listed = report.content.get(name) or []
    yield from (entry for entry in listed if isinstance(entry, dict))


def _between(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    for name in dict.fromkeys([*before, *after]):
        old, new = before.get(name), after.get(name)
        if old != new:
            change = "added" if old is None else "removed" if new is None else "changed"
            yield {"name": name, "change": change, "old": old, "new": new}


def _told_runs(report: ReportFile) -> Iterator[tuple[str, str]]:
    """Yield each run by its group and seed, with its name or why it has none."""
    for group in _entries(report, "groups"):
        for run in group.get("runs") or []:
            seed, name, told = run.get("seed"), str(group.get("name")), str(run.get("run"))
            if missing := run.get("missing"):
                told = message("missing: {reason}", reason=_words(missing))
            which = f"{name}, {run.get('run')}"
            if seed is not None:
                which = message("{group}, seed {seed}", group=name, seed=str(seed))
            yield which, told


def _told_problems(report: ReportFile) -> Iterator[tuple[str, str]]:
    for problem in _entries(report, "problems"):
        level = str(problem.get("level"))
        level, words = _LEVELS.get(level, level), _words(problem.get("message"))
        if path := str(problem.get("path") or ""):
            words = message("{path}: {what}", path=path, what=words)
        yield message("{level}: {what}", level=level, what=words), ""


_BEHIND: Mapping[str, Callable[[ReportFile], Iterable[tuple[str, str]]]] = {
    "files": lambda report: (
        (str(one.get("path")), str(one.get("sha256"))) for one in _entries(report, "files")
    ),
    "groups": lambda report: (
        (str(one.get("name")), f"n = {one.get('n')}") for one in _entries(report, "groups")
    ),
    "runs": _told_runs,
    "settings": lambda report: (
        (str(one.get("key")), str(one.get("value"))) for one in _entries(report, "decisions")
    ),
    "problems": _told_problems,
}
"""What lies behind the numbers: entries of a report by their names, with what is told of each."""


# What a page of CI shows of a built report: the report, what was found in it, what changed.

_FINDINGS = JsonFile(
    name="findings.json",
    make="check the report first: `reportgen check REPORT --format json --out findings.json`",
    ask="name the JSON that `reportgen check --format json` wrote, or a folder with such files",
)
_SCHEMAS = ("reportgen-findings/2", "reportgen-class-findings/2")
_TOTALS = ("numbers", "traced", "no_claim", "errors", "warnings", "notes")
_ENTRY = {"level": str, "rule": str, "message": str, "place": {"file": str}}
_FORM = {
    "report": {"path": str},
    "fault": str,
    "totals": dict.fromkeys(_TOTALS, int),
    "numbers": [_ENTRY],
    "statements": [_ENTRY],
}
"""What a summary takes of a record."""


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
        for fault in form_faults(listed, [_FORM], "submissions"):
            raise EvidenceError(
                f"{file} is a damaged findings.json: {fault}", remedy=_FINDINGS.make
            )
        yield from listed
