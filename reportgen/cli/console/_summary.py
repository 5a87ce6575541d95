"""A page of Markdown for CI: what a report says, what was found in it, what changed."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeGuard

from reportgen.languages import noun, retell, speaking, spoken, tell, tell_count
from reportgen.records.metrics import metric_words
from reportgen.records.source import shorten
from reportgen.records.verdict import LEVELS
from reportgen.render import clean, escape_markdown

if TYPE_CHECKING:
    from reportgen.app import SummaryFacts


# The parts of the page: how a report stands, its tables, what was found in it; their Markdown.

SHOWN = 40
"""Rows of a kind that are listed before the rest is counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Something that is shown as a whole or not at all.

    Attributes:
        name: What it is called where it is left out; words of ours.
        text: Markdown, with a line end behind it.
    """

    name: str
    text: str


def cell(text: object) -> str:
    r"""Return words on one line as Markdown that is only words.

    Example:
        >>> print(cell("a|b\n<c>"))
        a&#124;b &lt;c&gt;
    """
    return escape_markdown(one_line(str(text))).strip()


def one_line(text: str) -> str:
    """Return words on one line; half surrogates, which JSON may hold, are written out."""
    return clean(text.encode("utf-8", "backslashreplace").decode())


def pipe_table(head: Sequence[str], rows: Sequence[Sequence[object]], alignment: str) -> str:
    """Return a table; `alignment` holds `l` or `r` a column.

    Example:
        >>> print(pipe_table(["group", "n"], [["a", 3]], "lr"))
        | group | n |
        |:--|--:|
        | a | 3 |
    """
    ruler = "|".join(":--" if side == "l" else "--:" for side in alignment)
    lines = [" | ".join(map(cell, cells)) for cells in (head, *rows)]
    first, *others = (f"| {line} |" for line in lines)
    return "\n".join((first, f"|{ruler}|", *others))


def rest(count: int) -> str:
    """Return the sentence that counts rows that are not listed, or nothing."""
    if count <= SHOWN:
        return ""
    return "\n\n" + tell_count("And {count} more.", "And {count} more.", count - SHOWN)


def folded(title: str, text: str) -> str:
    """Return Markdown that opens when its title is selected."""
    return f"<details><summary>{cell(title)}</summary>\n\n{text}\n\n</details>"


def listed(content: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    """Return the objects of a list of report.json; an older one may not have it."""
    return [entry for entry in content.get(name) or () if isinstance(entry, dict)]


def status(found: SummaryFacts) -> Iterator[Part]:
    """Yield the title with a line a checked report, one of the base and one of what is missing."""
    content = found.report.content
    title = cell(content.get("title", "")) or tell("Report")
    lines = [*map(_line_of, found.checked[:SHOWN])]
    if found.no_base:
        lines.append(tell("Not compared with a base: {reason}.", reason=retell(found.no_base)))
    elif found.changes:
        lines.append(_change_line(found.changes["totals"]))
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


def _line_of(record: Mapping[str, Any]) -> str:
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


def _change_line(totals: Mapping[str, int]) -> str:
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
            retell(one.get("message", "")),
            retell(one.get("remedy", "")),
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
                yield str(label), "" if seed is None else str(seed), retell(reason)


_TOLD = LEVELS[:3]


def findings(found: SummaryFacts) -> Iterator[Part]:
    """Yield a part for each checked report in which something was found, errors first."""
    for record in found.checked:
        told = sorted(
            (one for one in (*record["numbers"], *record["statements"]) if one["level"] in _TOLD),
            key=lambda one: _TOLD.index(one["level"]),
        )
        if not told:
            continue
        rows = [(_place(one["place"]), level_words(one["level"]), one["rule"], one["message"])
                for one in told[:SHOWN]]  # fmt: skip
        head = [tell("Place"), tell("Level"), tell("Check"), tell("Finding")]
        title = tell("Findings in {report}", report=record["report"]["path"])
        text = f"## {cell(title)}\n\n{pipe_table(head, rows, 'llll')}{rest(len(told))}\n"
        yield Part(name=tell("findings"), text=text)


def tally(record: Mapping[str, Any]) -> str:
    """Return how many findings of each level a report has, in words."""
    counts = record["totals"]
    return ", ".join(
        (
            tell_count("{count} error", "{count} errors", counts["errors"]),
            tell_count("{count} warning", "{count} warnings", counts["warnings"]),
            tell_count("{count} note", "{count} notes", counts["notes"]),
        )
    )


def level_words(level: str) -> str:
    """Return the level of a finding or a problem; one that is none as it is."""
    told = {"error": tell("error"), "warning": tell("warning"), "note": tell("note")}
    return told.get(level, level)


def _place(place: Mapping[str, Any]) -> str:
    """Return where a finding stands: the file, then as much as is known of the place in it."""
    words = [str(place["file"]), str(place.get("part") or "")]
    if page := place.get("page"):
        words.append(tell("page {page}", page=str(page)))
    if line := place.get("line"):
        words.append(tell("line {line}", line=str(line)))
    return ", ".join(filter(None, words))


_ROUNDING = "rounding"


def changes(found: SummaryFacts) -> Iterator[Part]:
    """Yield what differs from the base, where something does."""
    if not found.changes:
        return
    parts = [
        *_behind(found.changes),
        *_changed(found.changes),
        *_came_and_went(found.changes),
    ]
    if files := found.changes["files"]:
        title = f"{tell('Evidence files')} ({len(files)})"
        parts.append(folded(title, _list(files) + rest(len(files))))
    if parts:
        text = f"## {tell('What changed against the base')}\n\n" + "\n\n".join(parts) + "\n"
        yield Part(name=tell("what changed against the base"), text=text)


def _changed(found: Mapping[str, Any]) -> Iterator[str]:
    moved = [one for one in found["numbers"] if one["kind"] != _ROUNDING]
    if moved:
        rows = [(one["id"], one["old"], one["new"], _difference(one)) for one in moved[:SHOWN]]
        head = [tell("Number"), tell("Before"), tell("Now"), tell("Difference")]
        yield pipe_table(head, rows, "lrrr") + rest(len(moved))


def _came_and_went(found: Mapping[str, Any]) -> Iterator[str]:
    """Yield numbers that only one of the two has, folded: a run more brings many of them."""
    titles = {"added": tell("Numbers added"), "removed": tell("Numbers removed")}
    for key, title in titles.items():
        if ones := found[key]:
            rows = [(one["id"], one["printed"]) for one in ones[:SHOWN]]
            table = pipe_table([tell("Number"), tell("Value")], rows, "lr")
            yield folded(f"{title} ({len(ones)})", table + rest(len(ones)))


def _difference(number: Mapping[str, Any]) -> str:
    """Return the difference in the marks of the language."""
    unit = str(number["unit"])
    if number["difference"] is None:
        return retell(number["difference_printed"] or number["reason"])
    digits = str(number["difference_printed"]).removesuffix(unit).strip()
    marks = {",": spoken().group_mark, ".": spoken().decimal_mark}
    told = "".join(marks.get(letter, letter) for letter in digits)
    return f"{told} {tell('points') if unit == 'points' else noun(unit)}".strip()


def _behind(found: Mapping[str, Any]) -> Iterator[str]:
    titles = {
        "groups": tell("Groups"),
        "runs": tell("Runs"),
        "settings": tell("What was inferred"),
        "problems": tell("Problems"),
    }
    for key, title in titles.items():
        if ones := found[key]:
            yield f"**{cell(title)}** ({len(ones)})\n\n{_list(ones)}{rest(len(ones))}"


def _list(changed: Sequence[Mapping[str, Any]]) -> str:
    signs = {"added": "+", "removed": "−", "changed": "~"}
    return "\n".join(
        f"- {cell(signs[one['change']])} {cell(retell(one['name']))}{_values(one)}"
        for one in changed[:SHOWN]
    )


def _values(change: Mapping[str, Any]) -> str:
    # A digest says nothing to a reader: that it changed is all there is to know.
    told = (change[key] or "" for key in ("old", "new"))
    old, new = ("" if len(words) == 64 else retell(words) for words in told)
    if change["change"] == "changed" and (old or new):
        return cell(f": {old or '…'} → {new or '…'}")
    return f" ({cell(old or new)})" if old or new else ""


# The means of each epoch or step as charts that GitHub and GitLab draw themselves (Mermaid).

_MOST_CHARTS = 6
_LONGEST_NAME = 40
LONGEST_CHART = 45_000
"""Characters of a chart; Mermaid draws an error in the place of one with more than 50,000."""

# Mermaid's strings know no escapes: what could end one, or be read before it, is replaced by a
# sign that looks alike. The names themselves stand below the chart.
_LOOKALIKES = str.maketrans(
    {'"': "”", "`": "’", "#": "♯", ";": ",", "\\": "/", **dict(zip("<>{}", "()()", strict=True))}
)
_COMMENT = re.compile("%{2,}")
_INK = "#000000"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """The means of one group.

    Attributes:
        axis: What stands at the axis: metric, split and unit; only alike ones share a chart.
        clock: What its points are told apart by: `"epoch"` where every point has one, else
            `"step"`.
        places, means: One a point: where it stands by the clock, and the mean in the unit of
            print.
    """

    label: str
    axis: str
    clock: str
    places: tuple[float, ...]
    means: tuple[float, ...]

    @property
    def at_ends(self) -> bool:
        """Whether every point is the end of an epoch."""
        return self.clock == "epoch" and all(place.is_integer() for place in self.places)


def curves(found: SummaryFacts) -> Iterator[Part]:
    """Yield a chart for each set of groups with the same task, metric, split and steps.

    Missing: an epoch or step without a mean is no point of its group; a group with less than two
    points is not drawn.
    """
    shared: dict[tuple[object, ...], list[_Line]] = {}
    for group in listed(found.report.content, "groups"):
        line = _line(group)
        if len(line.places) > 1:
            task = str(group.get("task"))
            shared.setdefault((task, line.axis, line.clock, line.places), []).append(line)
    size = len(_colours())
    charts = [
        lines[start : start + size]
        for lines in shared.values()
        for start in range(0, len(lines), size)
    ]
    shown = [chart for chart in charts if len(_mermaid(chart)) <= LONGEST_CHART][:_MOST_CHARTS]
    for chart in shown:
        yield Part(name=tell("charts"), text=_titled(chart))
    if lost := len(charts) - len(shown):
        told = tell("Charts that are not drawn here, too many or too long: {count}.", count=lost)
        yield Part(name=tell("charts"), text=f"{cell(told)}\n")


def _line(group: Mapping[str, Any]) -> _Line:
    split, percent = str(group.get("split", "")), group.get("unit") == "fraction"
    rows = listed(group, "epochs")
    # An epoch that is not known is 0.
    clock = "epoch" if all(row.get("epoch") for row in rows) else "step"
    points = []
    for row in rows:
        mean = ((row.get("splits") or {}).get(split) or {}).get("mean")
        if _finite(mean) and _finite(row.get(clock)):
            points.append((float(row[clock]), mean * (100.0 if percent else 1.0)))
    metric = noun(metric_words(str(group.get("metric", ""))))
    if percent:
        axis = tell("{metric} in percent ({split})", metric=metric, split=noun(split))
    else:
        axis = tell("{metric} ({split})", metric=metric, split=noun(split))
    return _Line(
        label=one_line(str(group.get("label") or group.get("name"))),
        axis=axis,
        clock=clock,
        places=tuple(place for place, _ in points),
        means=tuple(mean for _, mean in points),
    )


def _finite(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _titled(lines: Sequence[_Line]) -> str:
    named = zip(_colours().values(), lines, strict=False)
    legend = "; ".join(
        tell("{colour}: {group}", colour=name, group=line.label) for name, line in named
    )
    title = tell(
        "Mean over the runs after each epoch: {axis}"
        if lines[0].at_ends
        else "Mean over the runs at each evaluation: {axis}",
        axis=lines[0].axis,
    )
    return f"## {cell(title)}\n\n```mermaid\n{_mermaid(lines)}\n```\n\n{cell(legend)}\n"


def _mermaid(lines: Sequence[_Line]) -> str:
    """Return the source of a chart; every name in it is quoted, and escaped for Mermaid."""
    colours = ", ".join(list(_colours())[: len(lines)])
    low = min(min(line.means) for line in lines)
    high = max(max(line.means) for line in lines)
    # Mermaid divides by the length of the axis.
    margin = (high - low) * 0.05 or abs(high) * 0.05 or 1.0
    clock = tell("Epoch") if lines[0].clock == "epoch" else tell("Step")
    said = [
        f"line {quoted(line.label)} [{', '.join(map(plain_number, line.means))}]" for line in lines
    ]
    return "\n".join(
        (
            "---",
            "config:",
            "  themeVariables:",
            "    xyChart:",
            f'      plotColorPalette: "{colours}"',
            "---",
            "xychart-beta",
            f"  x-axis {quoted(clock)} {_places(lines[0].places)}",
            f"  y-axis {quoted(lines[0].axis)} {_range(low - margin, high + margin)}",
            *(f"  {line}" for line in said),
        )
    )


def _places(places: Sequence[float]) -> str:
    """Return the axis: from first to last where the distance is always the same, else a list."""
    gaps = {round(b - a, 9) for a, b in pairwise(places)}
    if len(gaps) == 1 and gaps.pop() > 0:
        return _range(places[0], places[-1])
    return "[" + ", ".join(quoted(plain_number(place)) for place in places) + "]"


def _range(low: float, high: float) -> str:
    return f"{plain_number(low)} --> {plain_number(high)}"


def plain_number(value: float) -> str:
    """Return a number without an exponent, which Mermaid does not read.

    Example:
        >>> plain_number(80.6333333), plain_number(0.00000012), plain_number(-3.0)
        ('80.6333', '0.00000012', '-3')
    """
    return f"{Decimal(f'{value:.6g}'):f}"


def quoted(text: str) -> str:
    r"""Return words as a string of Mermaid, in which nothing but words is left.

    Example:
        >>> print(quoted('a"b` %%{init}%%;'), quoted("perte (test)"))
        "a”b’ %(init)%," "perte (test)"
    """
    shown = shorten(one_line(text), _LONGEST_NAME)
    return f'"{_COMMENT.sub("%", shown.translate(_LOOKALIKES))}"'


def _colours() -> dict[str, str]:
    """Return the colours of the figures with their names; a dark page would swallow black."""
    from reportgen.render.figures import COLOURS

    names = (
        tell("blue"),
        tell("orange"),
        tell("black"),
        tell("green"),
        tell("pink"),
        tell("vermilion"),
        tell("sky blue"),
    )
    return {code: name for code, name in zip(COLOURS, names, strict=True) if code != _INK}


# In the order they are read, which is also the order they are kept in where room is short.
_PARTS: tuple[Callable[[SummaryFacts], Iterator[Part]], ...] = (
    status,
    results,
    findings,
    changes,
    missing,
    curves,
)


def summary_page(found: SummaryFacts, most: int) -> str:
    """Return the page in the language of the report.

    A part that has no room is left out as a whole, and the last sentence names it; what stands
    below it may still be there.

    Args:
        found: What `reportgen.app.summarise_report` returned.
        most: Most bytes of the page; from 1,024 on even the last sentence has room.
    """
    with speaking(found.report.lang):
        parts = [part for make in _PARTS for part in make(found)]
        return _fitted(parts, most)


def _fitted(parts: Sequence[Part], most: int) -> str:
    sizes = [len(part.text.encode()) + 1 for part in parts]
    if sum(sizes) <= most:
        return "\n".join(part.text for part in parts)
    room = most - len(_left_out(parts, most).encode())
    kept, left = [], []
    for part, size in zip(parts, sizes, strict=True):
        if size <= room:
            kept.append(part.text)
            room -= size
        else:
            left.append(part)
    return "\n".join([*kept, _left_out(left, most)])


def _left_out(parts: Sequence[Part], most: int) -> str:
    names = ", ".join(dict.fromkeys(part.name for part in parts))
    told = tell("Left out, as {limit} KiB have no room for it: {parts}.", limit=most // 1024,
                parts=names)  # fmt: skip
    return f"{cell(told)}\n"
