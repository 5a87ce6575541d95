"""The report's own tables, as they are printed there, and what it has no value of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from reportgen.cli.console.summary._part import SHOWN, Part, cell, listed, pipe_table, rest
from reportgen.languages import say_again, tell

if TYPE_CHECKING:
    from reportgen.app import SummaryFacts

_FIRST_COLUMN = "l"
_SHOWN = ("results.table",)


def results(found: SummaryFacts) -> Iterator[Part]:
    """Yield the answers or the abstract, then the table of the results."""
    content = found.report.content
    answers = [
        (str(one.get("question")), str(one.get("text"))) for one in listed(content, "glance")
    ]
    if answers:
        head = [tell("Question"), tell("Answer")]
        text = f"## {tell('Answers at a glance')}\n\n{pipe_table(head, answers, 'll')}\n"
        yield Part(name=tell("results"), text=text)
    elif abstract := str(content.get("abstract") or ""):
        yield Part(name=tell("results"), text=f"{cell(abstract)}\n")
    for table in listed(content, "tables"):
        if table.get("id") in _SHOWN:
            text = f"## {tell('Results')}\n\n{_printed(table)}\n"
            yield Part(name=tell("results"), text=text)


def _printed(table: Mapping[str, Any]) -> str:
    """Return a table of report.json: numbers to the right, its caption and notes below."""
    columns = listed(table, "columns")
    head = [
        ": ".join(filter(None, (str(one.get("group", "")), str(one.get("title", "")))))
        for one in columns
    ]
    rows = [row for row in table.get("rows") or () if len(row) == len(head)]
    alignment = _FIRST_COLUMN + "r" * (len(head) - 1)
    below = [table.get("caption", ""), *(table.get("notes") or ())]
    words = "  \n".join(cell(text) for text in below if text)
    return f"{pipe_table(head, rows, alignment)}\n\n{words}"


def missing(found: SummaryFacts) -> Iterator[Part]:
    """Yield runs without a value, and what else is the matter with the evidence."""
    content = found.report.content
    lost = list(missing_runs(content))
    faults = [
        (
            str(one.get("path", "")),
            say_again(str(one.get("message", ""))),
            say_again(str(one.get("remedy", ""))),
        )
        for one in listed(content, "problems")
        if one.get("level") in {"warning", "error"}
    ]
    tables = []
    if lost:
        head = [tell("Group"), tell("Seed"), tell("Reason")]
        tables.append(pipe_table(head, lost[:SHOWN], "lrl") + rest(len(lost)))
    if faults:
        head = [tell("Where"), tell("What"), tell("Remedy")]
        tables.append(pipe_table(head, faults[:SHOWN], "lll") + rest(len(faults)))
    if tables:
        text = f"## {tell('What is missing')}\n\n" + "\n\n".join(tables) + "\n"
        yield Part(name=tell("what is missing"), text=text)


def missing_runs(content: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield group, seed and reason of each run that has no reported value."""
    for group in listed(content, "groups"):
        for run in listed(group, "runs"):
            if reason := run.get("missing"):
                seed = run.get("seed")
                label = group.get("label") or group.get("name")
                yield str(label), "" if seed is None else str(seed), say_again(str(reason))
