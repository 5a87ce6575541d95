"""report.json: every printed number with its evidence, for scripts and for checking."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from reportgen import __version__
from reportgen.languages import message_to_json
from reportgen.records import document as doc
from reportgen.records.formula import Equation
from reportgen.records.quantity import Missing
from reportgen.render._context import RenderContext
from reportgen.render._formulas import formula_text
from reportgen.render._inline import PlainPrinter
from reportgen.render._math import print_result
from reportgen.render._numbering import Labels, resolve
from reportgen.render._spelling import print_number
from reportgen.render._strict_json import (
    Json,
    evidence_json,
    number_value,
    strict,
)

SCHEMA = "reportgen-report/1"
"""Name of the format; raised when a key changes its meaning."""


def render(
    report: doc.Report,
    labels: Labels,
    figures: Mapping[str, bytes],  # noqa: ARG001 - every format has this signature
    context: RenderContext,
) -> dict[str, bytes]:
    """Return report.json.

    Missing: A number that is missing has the value null, is printed as an em dash, and
    carries its reason.

    Returns:
        One file, `<stem>.json`: strict JSON in a stable order, with a newline at the end.
    """
    content = _content(report, labels)
    # Entry after entry, for all of them as one text take many times the memory of the file.
    text = ",\n".join(f" {_SPELL(key)}: {_spell(value, _END)}" for key, value in content.items())
    whole = "{\n" + text + "\n}\n"
    return {f"{context.stem}.json": whole.encode("utf-8", errors="backslashreplace")}


_SPELL = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
_HOLDING = frozenset({dict, list})
_END = "\n "
"""How a line ends that closes the value of a key."""


def _spell(value: Json | Iterator[Json], end: str) -> str:
    """Spell a value with an indent of one; what holds nothing that holds anything is one line."""
    inside = f"{end} "
    if isinstance(value, dict) and not _HOLDING.isdisjoint(map(type, value.values())):
        items = [
            f"{_SPELL(key)}: {_spell(one, inside) if type(one) in _HOLDING else _SPELL(one)}"
            for key, one in value.items()
        ]
        return f"{{{inside}{f',{inside}'.join(items)}{end}}}"
    if isinstance(value, Iterator) or (
        isinstance(value, list) and not _HOLDING.isdisjoint(map(type, value))
    ):
        entries = f",{inside}".join(_spell(entry, inside) for entry in value)
        return f"[{inside}{entries}{end}]" if entries else "[]"
    return _SPELL(value)


def report_json(report: doc.Report) -> dict[str, Json]:
    """Return the report as strict JSON values; keys of `metadata` come last, then `messages`."""
    content = _content(report, resolve(report))
    return {
        key: list(value) if isinstance(value, Iterator) else value for key, value in content.items()
    }


def _content(report: doc.Report, labels: Labels) -> dict[str, Json | Iterator[Json]]:
    """Return the report as strict JSON values, numbers as they are asked for.

    The messages of the numbers are there once all numbers have been.
    """
    plain = PlainPrinter(labels, report.lang)
    messages: dict[str, Json] = {}
    numbers = (_number(where, one, report.lang, messages) for where, one in _placed(report))
    blocks = tuple(doc.walk(report.sections))
    own: dict[str, Json | Iterator[Json]] = {
        "schema": SCHEMA,
        "generated_by": f"reportgen {__version__}",
        "title": report.title,
        "authors": list(report.authors),
        "date": report.date,
        "lang": report.lang,
        "abstract": str(plain.print_text(report.abstract)),
        "glance": [
            {
                "question": str(plain.print_text(one.question)),
                "text": str(plain.print_text(one.text)),
            }
            for one in report.glance
        ],
        "numbers": numbers,
        "sections": [_section(b, labels) for b in blocks if isinstance(b, doc.Section)],
        "tables": [_table(b, labels, plain) for b in blocks if isinstance(b, doc.Table)],
        "figures": [_figure(b, labels, plain) for b in blocks if isinstance(b, doc.Figure)],
        "equations": [
            _equation(equation, labels.number(b.id), report.lang)
            for b in blocks
            if isinstance(b, doc.EquationGroup)
            for equation in b.equations
        ],
    }
    rest = {key: strict(value) for key, value in report.metadata.items() if key not in own}
    _note(rest, messages)
    return own | rest | {"messages": messages}


def _note(value: Json, messages: dict[str, Json]) -> None:
    """Add to words which message they are, for each message in a value."""
    if isinstance(value, str):
        if value not in messages and (told := message_to_json(value)):
            messages[str(value)] = strict(told)
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            _note(item, messages)


def number_json(number: doc.Number, lang: str = "en") -> dict[str, Json]:
    """Return one number: what is printed, the unrounded value, and where it comes from."""
    quantity = number.quantity
    entry: dict[str, Json] = {"id": number.id, "printed": print_number(number, lang)}
    if isinstance(quantity, Missing):
        details = {key: quantity.details[key] for key in sorted(quantity.details)}
        absent: dict[str, Json] = {"reason": quantity.reason, "details": strict(details)}
        return entry | {"value": None, "unit": "", "evidence": [], "formula": ""} | absent
    return entry | {
        "value": number_value(quantity.value),
        "unit": quantity.unit,
        "n": quantity.n,
        "ddof": quantity.ddof,
        "method": quantity.method,
        "formula": quantity.formula,
        "evidence": [evidence_json(evidence) for evidence in quantity.sources],
    }


def _placed(report: doc.Report) -> Iterator[tuple[str, doc.Number]]:
    """Yield each printed number with the id of its block, or else of its section."""
    yield from (("abstract", number) for number in _numbers(report.abstract))
    for one in report.glance:
        yield from (("glance", number) for number in _numbers((*one.question, *one.text)))
    for section in report.sections:
        yield from _placed_in(section, section.id)


def _placed_in(block: doc.Block, inherited: str) -> Iterator[tuple[str, doc.Number]]:
    where = block.id or inherited
    for text in doc.texts(block):
        yield from ((where, number) for number in _numbers(text))
    if isinstance(block, doc.Section):
        for child in block.blocks:
            yield from _placed_in(child, where)


def _numbers(text: doc.Text) -> Iterator[doc.Number]:
    return (node for node in doc.inlines(text) if isinstance(node, doc.Number))


def _number(where: str, number: doc.Number, lang: str, messages: dict[str, Json]) -> Json:
    entry = number_json(number, lang)
    for key in ("method", "reason"):
        _note(entry.get(key), messages)
    return {**entry, "where": where}


def _section(section: doc.Section, labels: Labels) -> Json:
    return {"id": section.id, "number": labels.number(section.id), "title": section.title}


def _table(table: doc.Table, labels: Labels, plain: PlainPrinter) -> Json:
    return {
        "id": table.id,
        "number": labels.number(table.id),
        "caption": str(plain.print_text(table.caption)),
        "columns": [
            {
                "group": str(plain.print_text(column.group)),
                "title": str(plain.print_text(column.title)),
            }
            for column in table.columns
        ],
        "rows": [[str(plain.print_text(cell)) for cell in row.cells] for row in table.rows],
        "notes": [str(plain.print_text(note)) for note in table.notes],
    }


def _figure(figure: doc.Figure, labels: Labels, plain: PlainPrinter) -> Json:
    return {
        "id": figure.id,
        "number": labels.number(figure.id),
        "caption": str(plain.print_text(figure.caption)),
        "alt": figure.alt,
    }


def _equation(equation: Equation, number: str, lang: str) -> Json:
    return {
        "id": equation.id,
        "number": number,
        "formula": f"{equation.left.key} = {formula_text(equation.right)}",
        "values": strict(equation.values),
        "result": number_value(equation.result),
        "printed": print_result(equation, lang)[0],
        "unit": equation.unit,
    }
