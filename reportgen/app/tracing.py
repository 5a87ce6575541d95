"""Say where a printed number comes from: formula, runs, files, and whether these still match."""

from __future__ import annotations

import difflib
import hashlib
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from reportgen.app.report_file import lang_of, read_report
from reportgen.languages import Language, change_marks, language_of
from reportgen.records.errors import UnknownNameError

_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?(?:[eE×][^ ]*)?")
_ASKED = re.compile(r"[<+−-]?\d[\d,.\u202f]*(?:[eE×]\S+)?\s?(?:%|points|[KMGT]i?[Bo]|[Bo])?|—")
"""What is a number as it is printed, and no id with a digit in it."""
_DECIMAL_COMMA = re.compile(r"(?<![\d,.])(0|\d+(?=,(?!\d{3}(?!\d)))),(\d+)(?![\d,.])")
"""One comma before other than three digits, or behind a zero, is a decimal one."""
_TELLING_DIGITS = 6
_NEAREST = 3
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
        runs, study: The evidence; with a report, where its files are looked for, and only there.
        verify: Whether the files are hashed again and compared.
        lang: Language of the answer; empty is the report's.
    """

    number: str
    report: Path | None = None
    runs: Path | None = None
    study: Path | None = None
    verify: bool = False
    lang: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """Printed numbers, and how they are said.

    Attributes:
        numbers: Each as in report.json, printed in the language of the answer; each piece of
            evidence comes with the `sha256` of its file, and with `file`: `matches`, `changed`
            or `not found`, where that was asked for.
        lang: Language of the answer.
    """

    numbers: Sequence[dict[str, Any]]
    lang: str


def explain(options: ExplainOptions) -> Explained:
    """Return every printed number that has this id or is printed so, with what it rests on.

    Raises:
        EvidenceError: There is no such report, or no such evidence.
        UnknownNameError: The report prints no such number; the nearest ones are named.
    """
    content: Mapping[str, Any]
    if options.report:
        read = read_report(options.report)
        name, content, numbers = str(read.path), read.content, read.numbers
    else:
        name, content, numbers = _of_evidence(options)
    own = language_of(lang_of(content))
    marks = tuple(dict.fromkeys((options.lang or own.code, own.code, "en")))
    found = matching(options.number, numbers, own, marks)
    if not found:
        raise UnknownNameError(
            f"{name} prints no number {options.number!r}{_near(options.number, numbers, own)}",
            remedy="give it as printed, which tells every id that prints it, or an id from the "
            "`numbers` of report.json",
        )
    digests = {str(file.get("path")): str(file.get("sha256", "")) for file in content["files"]}
    states = _States(options, content["files"]) if options.verify else None
    said = language_of(marks[0])
    respelled = [{**n, "printed": change_marks(n["printed"], own, said)} for n in found]
    traced = [_traced(number, digests, states) for number in respelled]
    return Explained(numbers=traced, lang=said.code)


def _of_evidence(
    options: ExplainOptions,
) -> tuple[str, Mapping[str, Any], tuple[dict[str, Any], ...]]:
    """Return what a report of the evidence would hold now, with its name and numbers."""
    from reportgen.app.building import built_files
    from reportgen.app.options import BuildOptions
    from reportgen.app.reading import silent
    from reportgen.app.remote import mirrored_at, naming
    from reportgen.records.errors import EvidenceError

    if not (options.runs or options.study):
        raise EvidenceError("no evidence to explain a number by", remedy="name --report or --runs")
    asked = BuildOptions(out=Path(), study=options.study, runs=options.runs, jobs=1)
    with naming(mirrored_at(options.runs)):
        built, _ = built_files(asked, "report", ("json",), silent)
    content: Mapping[str, Any] = json.loads(built.files["report.json"])
    return f"a report of {options.study or options.runs}", content, tuple(content["numbers"])


def matching(
    number: str, numbers: Sequence[Mapping[str, Any]], own: Language, marks: Sequence[str]
) -> list[Mapping[str, Any]]:
    """Return the numbers of an id, of a print, or of a block.

    Args:
        number: What was asked for.
        numbers: Those of the report.
        own: Language that they are printed in.
        marks: Languages that the number may be written in, the likeliest first.
    """
    if named := [n for n in numbers if n["id"] == number]:
        return named
    parts = [part for part in number.split("±") if _ASKED.fullmatch(part.strip())]
    for code in marks:
        wanted = {_plain(part, language_of(code)) for part in parts}
        if found := [n for n in numbers if _plain(n["printed"], own) in wanted]:
            return found
        # 80.630 is 80.63, as 7 is 7.00.
        equal = {value for text in wanted if (value := _decimal(text)) is not None}
        if found := [n for n in numbers if _decimal(_plain(n["printed"], own)) in equal]:
            return found
    if there := [n for n in numbers if n.get("where") == number]:
        return there
    wanted = {_plain(part, own) for part in parts}
    return [n for n in numbers if any(_rounds_to(text, n.get("value")) for text in wanted)]


def _rounds_to(text: str, value: object) -> bool:
    """Return whether a value is this number, at its digits; few of them fit too many values.

    Example:
        >>> _rounds_to("126356790", 126356792), _rounds_to("126", 126.4)
        (True, False)
    """
    asked = _decimal(text)
    if asked is None or not isinstance(value, int | float) or not math.isfinite(value):
        return False
    digits = len(asked.normalize().as_tuple().digits)
    rounded = Context(prec=digits).create_decimal(repr(value))
    return digits >= _TELLING_DIGITS and rounded == asked


def _near(number: str, numbers: Sequence[Mapping[str, Any]], own: Language) -> str:
    """Return the nearest printed numbers, or ids, as a clause."""
    value = _decimal(_plain(number, own)) if _ASKED.fullmatch(number.strip()) else None
    if value is None:
        known = dict.fromkeys(
            text for n in numbers for text in (n["id"], str(n.get("where", ""))) if text
        )
        close = difflib.get_close_matches(number, known, n=_NEAREST, cutoff=0.5)
        return f"; did you mean {' or '.join(map(repr, close))}?" if close else ""
    printed = {n["printed"]: _decimal(_plain(n["printed"], own)) for n in numbers}
    there = {text: other for text, other in printed.items() if other is not None}
    nearest = sorted(there, key=lambda text: abs(there[text] - value))[:_NEAREST]
    told = []
    for text in nearest:
        first, *others = [n["id"] for n in numbers if n["printed"] == text]
        told.append(f"{text} ({first} and {len(others)} more)" if others else f"{text} ({first})")
    return f"; nearest printed numbers: {', '.join(told)}" if nearest else ""


def _decimal(text: str) -> Decimal | None:
    try:
        value = Decimal(text)
    except InvalidOperation:
        return None
    return value if value.is_finite() else None


def _plain(printed: str, language: Language) -> str:
    """Undo typography: minus, grouping, decimal comma, unit; a leading plus says nothing more.

    Example:
        >>> english, french = language_of("en"), language_of("fr")
        >>> texts = ("+7.00", "22,829,056", "80,63 %", "0,638", "−3.5 points")
        >>> [_plain(text, english) for text in texts]
        ['7.00', '22829056', '80.63', '0.638', '-3.5']
        >>> [_plain(text, french) for text in ("1,234", "1.234", "22,829,056")]
        ['1.234', '1.234', '22829056']
    """
    if printed.count(language.decimal_mark) == 1:
        printed = change_marks(printed, language, language_of("en"))
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


def _roots(options: ExplainOptions) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
    """Return folders that paths of logs, and of other files, may be relative to, likeliest first.

    What was named on the command line counts, and nothing beside it: a folder `logs` that happens
    to lie here may hold other files than the one that is asked about. Without a name, it is what
    lies near the report and here.
    """
    near = [Path(), Path("logs")]
    if options.report is not None:
        folder = options.report if options.report.is_dir() else options.report.parent
        near = [folder, folder.parent, folder.parent / "logs", *near]
    logs = others = tuple(near)
    if options.study is not None:
        from reportgen.app.analysis import read_plan

        home = options.study.parent
        logs, others = (home / (read_plan(options.study).runs_path or "."),), (home,)
    if options.runs is not None:
        logs = (options.runs,)
    return logs, others


class _States:
    """What became of files, each hashed once."""

    def __init__(self, options: ExplainOptions, files: Sequence[Mapping[str, Any]]) -> None:
        self._logs, self._others = _roots(options)
        self._files = {str(file.get("path")): file for file in files}
        self._known: dict[str, str] = {}

    def of(self, path: str) -> str:
        """Return `matches`, `changed` or `not found`."""
        if path not in self._known:
            file = self._files[path]
            there = [place for place in self._places(path) if place.is_file()]
            state = ABSENT
            if there:
                once = {place.resolve(): place for place in there}.values()
                same = any(_digest(place) == file["sha256"] for place in once)
                state = MATCHES if same else CHANGED
            self._known[path] = state
        return self._known[path]

    def _places(self, path: str) -> Iterator[Path]:
        """Yield where a file may lie, given its path in the report."""
        from reportgen.read.logs import LOADERS

        first, *rest = Path(path).parts
        is_log = str(self._files[path].get("kind", "")) in LOADERS
        for root in self._logs if is_log else self._others:
            yield root / path
            # The report was built from a folder above the one that is named.
            if rest and first == root.absolute().name:
                yield root.joinpath(*rest)


def _digest(path: Path) -> str:
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError:
        return ""
