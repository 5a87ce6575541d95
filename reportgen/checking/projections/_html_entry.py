"""What was found at one place of a report, as HTML: evidence, readings, cause."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from reportgen.checking.projections._html_marks import Mark
from reportgen.checking.projections._html_text import entry_id, escape
from reportgen.checking.projections._plain import Json, shorten
from reportgen.checking.projections._record import NOT_CHECKABLE, Record, Row
from reportgen.records.finding import LEVELS

_LONGEST_LABEL = 70
_LONGEST_SHOWN = 40


def entry(mark: Mark) -> str:
    """Return everything that was found at a mark, as one article."""
    first = mark.rows[0]
    label = escape(shorten(first.quote, _LONGEST_LABEL)) or escape(first.kind)
    place = escape(_place(first))
    found = "".join(finding(row) for row in mark.rows)
    return (
        f'<article class="entry t-{mark.tone} v-{mark.verdict}" id="{entry_id(mark)}" '
        f'aria-label="{place}"><p class="quote"><a href="#{mark.id}" dir="auto">{label}</a> '
        f'<span class="place">{place}</span></p>{found}</article>'
    )


def finding(row: Row) -> str:
    """Return one finding: its verdict, what is said, and what it rests on."""
    word = row.verdict if row.level in {"none", "note"} else f"{row.level}: {row.verdict}"
    badge = f'<strong class="badge">{escape(word)}</strong>'
    parts = [
        f'<div class="finding t-{row.level}">',
        f'<p class="head">{badge} <code class="rule">{escape(row.rule)}</code></p>',
        f'<p class="message" dir="auto">{escape(row.message)}</p>',
    ]
    if row.likely_cause and row.likely_cause not in row.message:
        parts.append(f'<p class="cause">Likely cause: {escape(row.likely_cause)}</p>')
    parts.append("".join(_facts(row)))
    if row.expected and row.expected.evidence:
        points = "".join(f"<li>{_point(point)}</li>" for point in row.expected.evidence)
        parts.append(f'<ul class="evidence">{points}</ul>')
    if row.readings:
        told = "".join(f"<li>{escape(reading)}</li>" for reading in row.readings)
        parts.append(
            f"<details><summary>Readings tried ({len(row.readings)})</summary>"
            f"<ul>{told}</ul></details>"
        )
    return "".join([*parts, "</div>"])


def _facts(row: Row) -> Iterator[str]:
    pairs = [("Printed", row.claim["printed"])]
    if row.expected:
        expected = row.expected
        pairs.append(("Evidence has", expected.value))
        if expected.low is not None or expected.high is not None:
            pairs.append(("Possible", f"{expected.low} to {expected.high}"))
        pairs += [("Difference", row.delta or None), ("Computed as", expected.definition or None)]
    if row.verdict == NOT_CHECKABLE:
        pairs.append(("Reason", row.reason or None))
    told = [(name, value) for name, value in pairs if value is not None]
    if told:
        yield "<dl>"
        for name, value in told:
            yield f"<dt>{name}</dt><dd>{escape(str(value))}</dd>"
        yield "</dl>"


def _point(point: Mapping[str, Json]) -> str:
    step = point["step"]
    said = [str(point["tag"]), f"at step {step}" if step is not None else ""]
    value = point["value"]
    about = " ".join(part for part in said if part)
    told = f"{about}: {value}" if value is not None and about else about or str(value)
    return f'{escape(told)} <code class="file">{escape(str(point["path"]))}</code>'


def _place(row: Row) -> str:
    spot = row.spot
    page = f"page {spot.page}, " if spot.page is not None else ""
    part = f"{spot.part}, " if spot.part else ""
    return f"{part}{page}line {spot.line}"


def to_read(marks: Sequence[Mark]) -> str:
    """Return the list of what is worth a look, the loudest first, as links into the text."""
    loudest = [(mark, row) for mark in marks for row in _loudest(mark)]
    items = [
        _item(mark, row)
        for level in ("error", "warning", "note")
        for mark, row in loudest
        if row.level == level
    ]
    return f"<ol>{''.join(items)}</ol>" if items else "<p>Nothing.</p>"


def _loudest(mark: Mark) -> Iterator[Row]:
    """Yield the loudest finding of each claim at a mark."""
    claims: dict[Json, list[Row]] = {}
    for row in mark.rows:
        claims.setdefault(row.claim["id"], []).append(row)
    yield from (min(rows, key=lambda row: LEVELS.index(row.level)) for rows in claims.values())


def _item(mark: Mark, row: Row) -> str:
    printed = row.claim["printed"]
    shown = str(printed) if printed is not None else row.quote
    return (
        f'<li class="t-{row.level} v-{mark.verdict}"><a href="#{mark.id}">'
        f'<span class="place">{escape(_place(row))}</span> '
        f"<b>{escape(shorten(shown, _LONGEST_SHOWN))}</b> "
        f'<span class="rule">{escape(row.rule)}</span></a></li>'
    )


def about(record: Record, level: int) -> str:
    """Return the evidence, what was solved, and what could not be read, under headings."""
    parts = []
    opened, closed = f"<h{level}>", f"</h{level}>"
    if record.evidence:
        rows = "".join(
            f"<tr><td><code>{escape(path)}</code></td><td>{escape(', '.join(tags))}</td>"
            f'<td><code title="{escape(digest)}">{escape(digest[:12])}</code></td></tr>'
            for _, path, digest, tags in record.evidence
        )
        parts.append(
            f'{opened}Evidence{closed}<div class="scroll" tabindex="0"><table><thead><tr>'
            "<th>File</th><th>Read from it</th><th>SHA-256</th></tr></thead>"
            f"<tbody>{rows}</tbody></table></div>"
        )
    if record.assumed:
        items = "".join(
            f"<li>{escape(f'{what}: {value}')} ({escape(why)})</li>"
            for what, value, why in record.assumed
        )
        parts.append(f"{opened}Solved, not stated{closed}<ul>{items}</ul>")
    if record.problems:
        items = "".join(
            f"<li><code>{escape(path)}</code>: {escape(message)}"
            + (f"; {escape(remedy)}" if remedy else "")
            + "</li>"
            for path, message, remedy, _ in record.problems
        )
        parts.append(f"{opened}Could not be read{closed}<ul>{items}</ul>")
    return "".join(parts)
