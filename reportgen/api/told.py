"""What a build tells: warnings, notes, decisions and the exit code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportgen.errors import ExitCode

if TYPE_CHECKING:
    from reportgen.api.own_words import OwnWords
    from reportgen.records.facts import Facts
    from reportgen.records.source import Problem
    from reportgen.render._bundle import Bundle

_BY_THE_TEST_SPLIT = (
    "the test split itself chooses each best step (select_on is test), which makes its values "
    "optimistic; choose by validation where that was logged"
)


def outcome_of(facts: Facts, bundle: Bundle, own: OwnWords | None) -> dict[str, object]:
    """Return what a build says of itself, as values that the cache keeps.

    Args:
        facts: What was found.
        bundle: What was rendered.
        own: The author's own words, which may have warned.
    """
    from reportgen.read.study import describe_decision

    warnings = [_line(p) for p in facts.problems if p.level == "warning"]
    warnings += [*_missing_warnings(facts), *(own.warnings if own else ()), *bundle.warnings]
    if bundle.fault is not None:
        told = "; ".join(part for part in (bundle.fault.message, bundle.fault.remedy) if part)
        warnings.append(f"no PDF was made: {told}")
    last, asked = facts.selection.is_last, "metric.select_on" in facts.study.stated
    there = not asked if last else any(group.report.n for group in facts.groups)
    if not there:
        warnings.append("no run has a result to report, for the reasons above: the exit code is 3")
    if facts.study.metric.select_on == "test" and "metric.select_on" in facts.study.stated:
        warnings.append(_BY_THE_TEST_SPLIT)
    complete = bundle.fault is None and there
    return {
        "warnings": list(dict.fromkeys(warnings)),
        "notes": list(dict.fromkeys(_notes(facts))),
        "decisions": [describe_decision(decision) for decision in facts.study.decisions],
        "engine": bundle.engine,
        "exit_code": int(ExitCode.OK if complete else ExitCode.EVIDENCE),
    }


def _notes(facts: Facts) -> list[str]:
    """Return which programs of the study ran, and what is damaged and no warning."""
    damaged = [p for p in facts.problems if p.level == "note" and p.offset is not None]
    ran = [f"{facts.study.path}:{s.line}: Python was run: {s.file}" for s in facts.study.sections]
    return [*ran, *map(_line, damaged)]


def _line(problem: Problem) -> str:
    """Return a problem in one line; one of all the evidence has no place of its own."""
    place = "" if problem.path in {"", "."} else f"{problem.path}: "
    return f"{place}{problem.message}" + (f"; {problem.remedy}" if problem.remedy else "")


def _missing_warnings(facts: Facts) -> list[str]:
    """Return the runs without a result, but for those whose own problems have said why."""
    from reportgen.records.quantity import Missing
    from reportgen.runs import tells_lack

    return [
        f"{group.label}, {'seed ' + str(cell.seed) if cell.seed is not None else 'no seed'}: "
        f"missing: {why.reason}"
        for group in facts.groups
        for cell in group.cells
        if isinstance(why := cell.report_value, Missing)
        and not (cell.run is not None and tells_lack(cell.run, why.reason))
    ]
