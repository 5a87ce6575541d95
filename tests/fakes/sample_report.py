"""A hand-made report with every kind of block, and with names nobody would choose."""

from pathlib import Path
from typing import Any

import yaml

from reportgen.records import document as doc
from reportgen.records.document import (
    Block,
    Code,
    EquationGroup,
    Figure,
    Indent,
    Math,
    Number,
    Ref,
    Report,
    Section,
    Table,
    TableColumn,
    TableRow,
    Text,
)
from reportgen.records.formula import Equation, Product, Quotient, Root, Sum, Symbol
from reportgen.records.quantity import Missing, Quantity

HOSTILE = (
    "100%", "a_b^c~d", "{x}", "}{", "\\input{/etc/hostname}", "\\", "\\\\", "^^41", "$x$", "$",
    "#1",
    "&", "a & b", '"quoted"', "it's", "`tick`", "<script>alert(1)</script>", "<b>", "|pipe|",
    "[link](http://x)", "[0]", "*star*", "**", "_under_", "--flag", "---", "=cmd|' /C calc'!A0",
    "#{1+1}", "#eval", "@import", "//comment", "/* c */", "%%rg x y", "// rg x y", "\x00nul\x07bel",
    "tab\there", "line\nbreak", "\u202eright to left\u202c", "naïve café", "Łódź šč őű",
    "Ωμέγα", "Привет", "日本語", "🚀 launch", "e\u0301", "a\u200bb", "a\u00adb", "½ ± 3 µm ≤ ∞",
    "“smart” ‘quotes’ – — …", "€5 £4 ©®™", "x" * 300, "fairseq/roberta_small_fr/books.1e-5-seed=0",
    "<<>>", ",,low''", "?`!`", "1. item", "- item", "+ item", "> quote", "~~strike~~", "{{ 7*7 }}",
    "<%= 7*7 %>", "{% raw %}", "&amp;", "\\end{document}", "$) #panic()", '"; #panic("', "]",
    "'; DROP", "A" * 30 + "/" + "b" * 30,
)  # fmt: skip


def number(identifier: str, value: float | None, style: str = "plain", decimals: int | None = None):
    """Return a printed number, or one that is missing."""
    quantity = Missing(reason="no log") if value is None else Quantity(value=value)
    return Number(id=identifier, quantity=quantity, style=style, decimals=decimals)


def percent(identifier: str, value: float | None, decimals: int = 1) -> Number:
    """Return an accuracy."""
    return number(identifier, value, "percent", decimals)


def plus_minus(identifier: str, mean: float, std: float, decimals: int = 1) -> Text:
    """Return a cell with mean and standard deviation."""
    return (
        percent(f"{identifier}.mean", mean, decimals),
        " ± ",
        percent(f"{identifier}.std", std, decimals),
    )


class Signs(yaml.SafeLoader):
    """Reads the signs of a text: numbers, code, references and the like."""


def _texts(kind: Any) -> Any:
    return lambda loader, node: kind(tuple(loader.construct_sequence(node, deep=True)))


WIDTH = Symbol("d", "model")
Signs.add_constructor("!n", lambda loader, node: number(*loader.construct_sequence(node)))
Signs.add_constructor("!math", lambda _, node: Math({"d": WIDTH, "root": Root(WIDTH)}[node.value]))
Signs.add_constructor("!indent", lambda _, node: Indent(int(node.value)))
for _name, _kind in (("!code", Code), ("!ref", Ref), ("!cite", doc.Cite)):
    Signs.add_constructor(_name, lambda _, node, kind=_kind: kind(node.value))
for _name, _kind in (("!em", doc.Emphasis), ("!strong", doc.Strong)):
    Signs.add_constructor(_name, _texts(_kind))

with Path(__file__).with_suffix(".yaml").open("rb") as _file:
    WRITTEN = yaml.load(_file, Loader=Signs)  # noqa: S506 - a safe one, with the signs of a text


def _column(given: dict[str, Any]) -> TableColumn:
    texts = {key: tuple(given[key]) for key in ("title", "group") if key in given}
    return TableColumn(**{**given, **texts})


def _table(given: dict[str, Any]) -> Table:
    rows = [row if isinstance(row, dict) else {"cells": row} for row in given["rows"]]
    return Table(
        id=given["id"],
        caption=tuple(given["caption"]),
        columns=tuple(map(_column, given["columns"])),
        rows=tuple(TableRow(**{**r, "cells": tuple(map(tuple, r["cells"]))}) for r in rows),
        notes=tuple(map(tuple, given.get("notes", ()))),
    )


def _block(given: dict[str, Any], names: tuple[str, ...]) -> Block:
    ((kind, held),) = given.items()
    match kind:
        case "paragraph":
            return doc.Paragraph(text=tuple(held))
        case "bullets":
            return doc.Bullets(items=tuple(map(tuple, held)))
        case "table":
            return _table(held)
        case "figure":
            return figure(*held)
        case "listing":
            return doc.Listing(**{**held, "caption": tuple(held["caption"])})
        case "references":
            entries = (doc.Reference(**{**one, "text": tuple(one["text"])}) for one in held)
            return doc.References(entries=tuple(entries))
        case "section":
            return Section(
                **{**held, "blocks": tuple(_block(one, names) for one in held["blocks"])}
            )
        case _:
            return hostile_table(names) if held == "hostile" else COMPUTED[held]()


def _found(blocks: list[dict[str, Any]]) -> dict[str, Table]:
    """Return the written tables by their ids."""
    tables = [_table(one["table"]) for one in blocks if "table" in one]
    inner = [one["section"]["blocks"] for one in blocks if "section" in one]
    return {table.id: table for table in tables} | {
        name: table for held in inner for name, table in _found(held).items()
    }


TABLES = _found(WRITTEN["sections"])


def epoch_table(epochs: int = 40) -> Table:
    """Return a table longer than a page, with means and deviations in two groups."""
    rows = tuple(
        TableRow(
            cells=(
                (number(f"e{epoch}", epoch),),
                plus_minus(f"e{epoch}.a", 0.7 + epoch / 400, 0.0087 + epoch / 900),
                plus_minus(f"e{epoch}.b", 0.6 + epoch / 500, 0.12 / epoch, 2),
                (percent(f"e{epoch}.c", 0.5 if epoch % 7 else None, 2),),
                (number(f"e{epoch}.gap", 0.1 - epoch / 300, "points", 1),),
            )
        )
        for epoch in range(1, epochs + 1)
    )
    return Table(
        id="per-epoch",
        caption=("Accuracy after each epoch, in percent.",),
        columns=(
            TableColumn(title=("epoch",), align="decimal"),
            TableColumn(title=("mean ± std",), align="decimal", group=("pretrained",)),
            TableColumn(title=("mean ± std",), align="decimal", group=("from scratch",)),
            TableColumn(title=("last",), align="decimal", group=("from scratch",)),
            TableColumn(title=("difference (points)",), align="decimal"),
        ),
        rows=rows,
    )


def hostile_table(names: tuple[str, ...] = HOSTILE) -> Table:
    """Return a table whose first cells are names of a stranger's choosing."""
    rows = tuple(
        TableRow(cells=((name,), (Code(name),), (number(f"h{i}", i),)))
        for i, name in enumerate(names)
    )
    return Table(
        id="hostile",
        caption=("Names: ", Code(names[0]), " and others."),
        columns=(
            TableColumn(title=("as words",), wide=True),
            TableColumn(title=("as code",), wide=True),
            TableColumn(title=("row",), align="decimal"),
        ),
        rows=rows,
    )


def roberta_equations() -> EquationGroup:
    """Return the parameter count of an encoder: sums longer than a line."""
    v, p, d, f, layers = (
        Symbol("V"), Symbol("P"), Symbol("d"), Symbol("d", "ffn"), Symbol("L"),
    )  # fmt: skip
    values = {"V": 32000, "P": 258, "d": 512, "d_ffn": 512, "L": 4}
    attention = Sum((4 * d**2, 4 * d))
    ffn = Sum((2 * d * f, f, d))
    norms = 4 * d
    layer = Sum((4 * d**2, 4 * d, 2 * d * f, f, d, 4 * d))
    return EquationGroup(
        id="eq-total",
        equations=(
            Equation(id="eq-emb", left=Symbol("N", "emb"), right=v * d + p * d + 2 * d,
                     values=values),
            Equation(id="eq-layer", left=Symbol("N", "layer"), right=Sum((attention, ffn, norms)),
                     values=values),
            Equation(id="eq-all", left=Symbol("N", "encoder"),
                     right=Sum((v * d, p * d, 2 * d, Product((layers, layer)))), values=values),
        ),
    )  # fmt: skip


def scaling_equations() -> EquationGroup:
    """Return fractions, roots, a difference of sums, and a result that is rounded."""
    r, d, a, b = Symbol("r"), Symbol("d"), Symbol("alpha"), Symbol("N", "base")
    values = {"r": 16, "d": 1024, "alpha": 32, "N_base": 559_214_592}
    trained = Product((r, Sum((d, 3 * d))))
    return EquationGroup(
        id="eq-lora",
        equations=(
            Equation(id="eq-scale", left=Symbol("s"), right=Quotient(a, Root(r)), values=values,
                     unit=""),
            Equation(id="eq-share", left=Symbol("rho"), right=Quotient(24 * trained, b),
                     values=values, unit="fraction"),
            Equation(id="eq-rest", left=Symbol("Delta"), right=b - (r * d + (r - 1) * (d - 1)),
                     values=values),
            Equation(id="eq-bytes", left=Symbol("M"), right=2 * b, values=values, unit="bytes"),
        ),
    )  # fmt: skip


COMPUTED = {"eq-total": roberta_equations, "eq-lora": scaling_equations, "per-epoch": epoch_table}
"""What `sample_report.yaml` has by its name alone."""


def figure(identifier: str, words: str) -> Figure:
    """Return a figure without axes: its drawing is made apart."""
    return Figure(
        id=identifier,
        caption=(words, " Smoothed with weight ", number(f"{identifier}.w", 0.6), "."),
        chart=doc.Chart(kind="curves", panels=()),
        alt=f"Line chart: {words}",
    )


def make_report(*, names: tuple[str, ...] = HOSTILE) -> Report:
    """Return the whole report."""
    front = {key: WRITTEN[key] for key in ("title", "date")}
    return Report(
        **front,
        authors=tuple(WRITTEN["authors"]),
        abstract=tuple(WRITTEN["abstract"]),
        sections=tuple(_block(section, names) for section in WRITTEN["sections"]),
    )
