"""The parameter ledger: formulas, their values, what the checkpoint holds, every total."""

from __future__ import annotations

from dataclasses import replace

from reportgen.languages import message, retell, say, tell
from reportgen.records.checkpoint import LedgerRow, Term
from reportgen.records.document import (
    Block,
    Code,
    Math,
    Number,
    Paragraph,
    Section,
    Table,
    TableColumn,
    TableRow,
    Text,
)
from reportgen.records.facts import Facts, ModelFacts
from reportgen.records.formula import Symbol, symbols
from reportgen.records.quantity import Evidence
from reportgen.report._counts import (
    count_number,
    key_evidence,
    origin,
    term_evidence,
    tied,
    why_no_formula,
)
from reportgen.report._parameter_equations import equations
from reportgen.report._parameter_scopes import advice, scope_table
from reportgen.report._quotes import listed, quoted, sentences

OPTIONAL = frozenset({"token_type", "pooler", "head", "lm_head", "token_head"})


def build(facts: Facts) -> Section | None:
    """Build the section; without a model it says how to pass one."""
    model = facts.model
    blocks: tuple[Block, ...]
    if model is None:
        blocks = (no_model(),)
    elif not model.ledger.terms:
        why = quoted(why_no_formula(model))
        blocks = (Paragraph(text=say("The parameters could not be counted: {why}.", why=why)),)
    else:
        blocks = (
            introduction(model),
            symbol_table(model),
            *equations(model),
            *ledger_blocks(model),
            *totals(model),
        )
    return Section(id="parameters", title=tell("Number of parameters"), blocks=blocks)


def totals(model: ModelFacts) -> tuple[Block, ...]:
    """Return every total and which to quote when, or why none is given."""
    if model.ledger.scopes:
        return (scope_table(model), *advice(model))
    why = quoted(why_no_formula(model))
    return (Paragraph(text=say("No total is given: {why}.", why=why)),)


def no_model() -> Paragraph:
    """Say that no configuration was found, and what to do about it."""
    return Paragraph(
        text=say(
            "No model configuration was found that can be read, so no parameters are counted. "
            "Name a {file} under {config} in the study file to have them counted, and a checkpoint "
            "under {checkpoint} to have the count compared with what is stored.",
            file=Code("config.json"),
            config=Code("[model] config"),
            checkpoint=Code("[model] checkpoint"),
        )
    )


def introduction(model: ModelFacts) -> Paragraph:
    """Say what is counted, from what, and how it is checked."""
    if not model.ledger.family:
        return as_stored(model)
    file = Code(model.config.source.path)
    text = [say("The number of parameters follows from the sizes in {file}.", file=file)]
    if model.checkpoint is None:
        text.append(
            say(
                "Every kind of tensor has a formula; no checkpoint was given to compare the result "
                "with."
            )
        )
    else:
        text.append(
            say(
                "Every kind of tensor has a formula; the result is compared, line by line, with "
                "the tensors listed in {file}.",
                file=Code(model.checkpoint.source.path),
            )
        )
    if any(tied(term) for term in model.ledger.terms):
        text.append(
            say(
                "The output projection of the language-model head is tied to the word embeddings: "
                "it is the same tensor under a second name and is counted once."
            )
        )
    return Paragraph(text=sentences(text))


def as_stored(model: ModelFacts) -> Paragraph:
    """Say that no formula gives the numbers, and where they come from."""
    if model.checkpoint is None:
        return Paragraph(
            text=say(
                "No formula gives these numbers. The library builds the model from {file} without "
                "its weights, and its tensors are added up, grouped by role, which is told from "
                "their names.",
                file=Code(model.config.source.path),
            )
        )
    return Paragraph(
        text=say(
            "No formula gives these numbers: {why}. The tensors listed in {file} are added up as "
            "they are stored, grouped by role, which is told from their names. Nothing here checks "
            "that the file is whole.",
            why=quoted(why_no_formula(model)),
            file=Code(origin(model).path),
        )
    )


def of_symbol(model: ModelFacts, key: str) -> Evidence:
    """Return the configuration key behind a symbol, or the file whose tensors it adds up."""
    return key_evidence(model.config, key) if model.ledger.family else origin(model)


def of_term(model: ModelFacts, term: Term) -> tuple[Evidence, ...]:
    """Return the configuration keys behind a term, or the tensors that it adds up."""
    if model.ledger.family:
        return term_evidence(model.config, term)
    return (replace(origin(model), tag=term.tensors),)


def symbol_table(model: ModelFacts) -> Table:
    """Return symbol, meaning and value of everything the printed formulas use."""
    found: dict[str, Symbol] = {}
    # A part that is absent has no line in the ledger; the heads have their equations all the same.
    printed = [r.term for r in model.rows if not absent(r) or r.term.role in {"head", "lm_head"}]
    for term in printed:
        for symbol in symbols(term.formula):
            found.setdefault(symbol.key, symbol)
    rows = tuple(
        TableRow(
            cells=(
                (Math(symbol),),
                (retell(symbol.meaning),),
                (
                    count_number(
                        f"parameters.symbol.{key}",
                        int(model.ledger.symbols[key][1]),
                        method=symbol.meaning,
                        sources=(of_symbol(model, key),),
                    ),
                ),
            )
        )
        for key, symbol in found.items()
        if key in model.ledger.symbols
    )
    return Table(
        id="table.symbols",
        caption=say("Symbols of the parameter count and their values in this model."),
        columns=(
            TableColumn(title=say("Symbol")),
            TableColumn(title=say("Meaning"), wide=True),
            TableColumn(title=say("Value"), align="right"),
        ),
        rows=rows,
    )


def absent(row: LedgerRow) -> bool:
    """Return whether a part that models may lack is lacking in this checkpoint."""
    return row.stored == 0 and row.term.role in OPTIONAL and not tied(row.term)


def ledger_blocks(model: ModelFacts) -> tuple[Block, ...]:
    """Return the ledger table and, where parts are absent, a sentence that names them."""
    rows = [row for row in model.rows if not absent(row)]
    lacking = [row for row in model.rows if absent(row)]
    table = ledger_table(model, rows)
    if not lacking:
        return (table,)
    absents = [absent_words(model, row) for row in lacking]
    text = say("Not in this checkpoint, and not in the table: {parts}.", parts=listed(absents))
    return (table, Paragraph(text=text))


def absent_words(model: ModelFacts, row: LedgerRow) -> Text:
    """Name a part that the checkpoint lacks, with its count and the reason."""
    term = row.term
    return say(
        "{term} ({n} by formula; {why})",
        term=retell(term.label),
        n=count_number(
            f"parameters.absent.{term.name}",
            term.count,
            method=term.label,
            sources=of_term(model, term),
        ),
        why=retell(row.explanation),
    )


def ledger_table(model: ModelFacts, rows: list[LedgerRow]) -> Table:
    """Return term, formula, count and, with a checkpoint, what is stored and the difference."""
    stored = model.checkpoint is not None
    columns = [
        TableColumn(title=say("Term"), wide=True),
        TableColumn(title=say("Formula")),
        TableColumn(title=say("Count"), align="right"),
    ]
    if stored:
        columns += [
            TableColumn(title=say("Stored"), align="right"),
            TableColumn(title=say("Difference"), align="right"),
        ]
    body = [TableRow(cells=row_cells(model, row, stored=stored)) for row in rows]
    if stored:
        body.append(total_row(model, rows))
    caption = [say("Parameter ledger. Formulas count all layers.")]
    if not model.ledger.family:
        caption = [say("Stored numbers by role.")]
    if stored:
        caption.append(
            say("Stored: elements of the tensors in the checkpoint that the line covers.")
        )
    return Table(
        id="table.ledger",
        caption=sentences(caption),
        columns=tuple(columns),
        rows=tuple(body),
        notes=tuple(
            say("{term}: {why}.", term=retell(row.term.label), why=retell(row.explanation))
            for row in rows
            if row.explanation
        ),
    )


def row_cells(model: ModelFacts, row: LedgerRow, *, stored: bool) -> tuple[Text, ...]:
    """Return the cells of one term."""
    term = row.term
    label = retell(term.label)
    if tied(term) and term.note:
        label = tell("{term} (tied, counted once)", term=label)
    cells: list[Text] = [
        (label,),
        () if tied(term) else (Math(term.formula),),
        (
            count_number(
                f"parameters.term.{term.name}",
                term.count,
                method=term.label,
                sources=of_term(model, term),
            ),
        ),
    ]
    if stored and model.checkpoint is not None:
        where = (Evidence(path=model.checkpoint.source.path, tag=term.tensors),)
        cells += [
            (stored_number(f"parameters.stored.{term.name}", row.stored, where),),
            (stored_number(f"parameters.difference.{term.name}", row.difference, where),),
        ]
    return tuple(cells)


def stored_number(name: str, value: int | None, where: tuple[Evidence, ...]) -> Number:
    """Return a number read off the checkpoint; a difference that is not zero has its sign."""
    signed = ".difference." in name and bool(value)
    return count_number(
        name,
        value,
        method=message("stored minus counted")
        if ".difference." in name
        else message("elements stored"),
        sources=where,
        style="signed" if signed else "count",
        missing="no checkpoint was given",
    )


def total_row(model: ModelFacts, rows: list[LedgerRow]) -> TableRow:
    """Return the sums of the three number columns."""
    path = model.checkpoint.source.path if model.checkpoint else model.config.source.path
    counted = sum(row.term.count for row in rows)
    stored = sum(row.stored or 0 for row in rows)
    where = (Evidence(path=path),)
    return TableRow(
        kind="total",
        cells=(
            say("Total"),
            (),
            (
                count_number(
                    "parameters.ledger.total",
                    counted,
                    method=message("sum of the terms"),
                    sources=(origin(model),),
                ),
            ),
            (stored_number("parameters.stored.total", stored, where),),
            (stored_number("parameters.difference.total", stored - counted, where),),
        ),
    )
