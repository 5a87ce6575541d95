"""The first lines: what the report is called, and how it stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from reportgen.cli.console.summary._findings import tally
from reportgen.cli.console.summary._part import SHOWN, Part, cell, rest
from reportgen.cli.console.summary._results import missing_runs
from reportgen.languages import say_again, tell, tell_count

if TYPE_CHECKING:
    from reportgen.app import SummaryFacts


def status(found: SummaryFacts) -> Iterator[Part]:
    """Yield the title with a line a checked report, one of the base and one of what is missing."""
    content = found.report.content
    title = cell(content.get("title", "")) or tell("Report")
    lines = [*map(_checked, found.checked[:SHOWN])]
    if found.no_base:
        lines.append(tell("Not compared with a base: {reason}.", reason=say_again(found.no_base)))
    elif found.changes:
        lines.append(_changed(found.changes["totals"]))
    if content.get("as_logged"):
        lines.append(tell("No run has a best step: what each logged last is no test result."))
    if lost := len(list(missing_runs(content))):
        lines.append(
            tell_count(
                "{count} run has no reported value.", "{count} runs have no reported value.", lost
            )
        )
    body = "".join(f"- {cell(line)}\n" for line in lines)
    more = rest(len(found.checked)).strip()
    body += f"\n{more}\n" if more else ""
    made = " · ".join(
        cell(word) for word in (found.report.generator, content.get("date", "")) if word
    )
    text = "\n".join(filter(None, (f"# {title}\n", body, f"<sub>{made}</sub>\n" if made else "")))
    yield Part(name=tell("title and status"), text=text)


def _checked(record: Mapping[str, Any]) -> str:
    path = record["report"]["path"]
    if record["fault"]:
        return tell("{report} could not be checked: {reason}", report=path, reason=record["fault"])
    totals = record["totals"]
    return tell(
        "{report}: {tally}; {traced} of {numbers} numbers stand in the evidence.",
        report=path,
        tally=tally(record),
        traced=totals["traced"],
        numbers=totals["numbers"] - totals["no_claim"],
    )


def _changed(totals: Mapping[str, int]) -> str:
    if not any(totals[name] for name in ("changed", "rounding", "added", "removed")):
        return tell("No printed number differs from the base.")
    return tell(
        "Against the base: numbers changed {changed}, changed within rounding {rounding}, "
        "added {added}, removed {removed}, unchanged {unchanged}.",
        changed=totals["changed"],
        rounding=totals["rounding"],
        added=totals["added"],
        removed=totals["removed"],
        unchanged=totals["unchanged"],
    )
