"""The parameter ledger: formulas, their values, what the checkpoint holds, every total."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from reportgen.records.checkpoint import LedgerRow, Scope, Term
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
from reportgen.sections._counts import (
    count_number,
    hugging_face,
    key_evidence,
    term_evidence,
    tied,
    why_no_formula,
)
from reportgen.sections._parameter_equations import equations

OPTIONAL = frozenset({"token_type", "pooler", "head", "lm_head", "token_head"})

ADVICE = {
    "weights": "for a count by hand that leaves out biases, layer norms and heads",
    "encoder": "for the size of the pre-trained encoder",
    "body": "for the size of the model without a head",
    "encoder_with_head": "for what fine-tuning on the classification task trains",
    "encoder_with_lm_head": "for what pre-training trained",
    "all": "for what a checkpoint with every head holds",
    "encoder_hf": "for the encoder as Hugging Face stores it",
    "model_hf": "for the bare Hugging Face model",
    "model": "for the bare model",
    "encoder_with_head_hf": "for the Hugging Face classifier",
    "encoder_with_lm_head_hf": "for the Hugging Face masked language model",
    "non_embedding": "for scaling laws, which leave embeddings out",
    "body_with_head": "for a sequence classifier",
    "backbone": "for the model without pooler and heads",
    "encoder_alone": "for an encoder that is used by itself",
    "encoder_with_token_head": "for a token classifier",
    "encoder_with_token_head_hf": "for the Hugging Face token classifier",
    "body_with_token_head": "for a token classifier",
    "encoder_alone_with_token_head": "for a token classifier",
    "encoder_with_discriminator": "for the discriminator as it is pre-trained",
    "encoder_with_pretraining_heads": "for pre-training with both heads",
    "active": "for what one token passes through",
}
# RoBERTa's scopes without token types, which only fairseq leaves out.
FAIRSEQ = frozenset({"encoder", "encoder_with_head", "encoder_with_lm_head", "all"})
LANGUAGE_MODEL = "for the size of the language model"


def build(facts: Facts) -> Section | None:
    """Build the section; without a model it says how to pass one."""
    model = facts.model
    blocks: tuple[Block, ...]
    if model is None:
        blocks = (
            Paragraph(
                text=(
                    "No model configuration was found, so no parameters are counted. Name a ",
                    Code("config.json"),
                    " under ",
                    Code("[model] config"),
                    " in the study file to have them counted, and a checkpoint under ",
                    Code("[model] checkpoint"),
                    " to have the count compared with what is stored.",
                )
            ),
        )
    elif not model.ledger.terms:
        text = f"The parameters could not be counted: {why_no_formula(model)}."
        blocks = (Paragraph(text=(text,)),)
    else:
        blocks = (
            introduction(model),
            symbol_table(model),
            *equations(model),
            *ledger_blocks(model),
            scope_table(model),
            advice(model),
        )
    return Section(id="parameters", title="Number of parameters", blocks=blocks)


def introduction(model: ModelFacts) -> Paragraph:
    """Say what is counted, from what, and how it is checked."""
    if not model.ledger.family:
        return as_stored(model)
    text: list[str | Code] = [
        "The number of parameters follows from the sizes in ",
        Code(model.config.source.path),
        ". Every kind of tensor has a formula; ",
    ]
    if model.checkpoint is None:
        text.append("no checkpoint was given to compare the result with.")
    else:
        text += [
            "the result is compared, line by line, with the tensors listed in ",
            Code(model.checkpoint.source.path),
            ".",
        ]
    if any(tied(term) for term in model.ledger.terms):
        text.append(
            " The output projection of the language-model head is tied to the word embeddings: "
            "it is the same tensor under a second name and is counted once."
        )
    return Paragraph(text=tuple(text))


def as_stored(model: ModelFacts) -> Paragraph:
    """Say that no formula gives the numbers, and where they come from."""
    return Paragraph(
        text=(
            f"No formula gives these numbers: {why_no_formula(model)}. The tensors listed in ",
            Code(origin(model).path),
            " are added up as they are stored, grouped by role, which is told from their names. ",
            "Nothing here checks that the file is whole.",
        )
    )


def origin(model: ModelFacts) -> Evidence:
    """Return the file that the counts come from: a configuration, or tensors without formula."""
    if model.ledger.family or model.checkpoint is None:
        return Evidence(path=model.config.source.path)
    return Evidence(path=model.checkpoint.source.path)


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
                (symbol.meaning,),
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
        caption=("Symbols of the parameter count and their values in this model.",),
        columns=(
            TableColumn(title=("Symbol",)),
            TableColumn(title=("Meaning",), wide=True),
            TableColumn(title=("Value",), align="right"),
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
    text: list[str | Number] = ["Not in this checkpoint, and not in the table: "]
    for place, row in enumerate(lacking):
        text += [
            "; " if place else "",
            f"{row.term.label} (",
            count_number(
                f"parameters.absent.{row.term.name}",
                row.term.count,
                method=row.term.label,
                sources=of_term(model, row.term),
            ),
            f" by formula; {row.explanation})",
        ]
    return (table, Paragraph(text=(*text, ".")))


def ledger_table(model: ModelFacts, rows: list[LedgerRow]) -> Table:
    """Return term, formula, count and, with a checkpoint, what is stored and the difference."""
    stored = model.checkpoint is not None
    columns = [
        TableColumn(title=("Term",), wide=True),
        TableColumn(title=("Formula",)),
        TableColumn(title=("Count",), align="right"),
    ]
    if stored:
        columns += [
            TableColumn(title=("Stored",), align="right"),
            TableColumn(title=("Difference",), align="right"),
        ]
    body = [TableRow(cells=row_cells(model, row, stored=stored)) for row in rows]
    if stored:
        body.append(total_row(model, rows))
    caption = "Parameter ledger. Formulas count all layers."
    if not model.ledger.family:
        caption = "Stored numbers by role."
    if stored:
        caption += " Stored: elements of the tensors in the checkpoint that the line covers."
    return Table(
        id="table.ledger",
        caption=(caption,),
        columns=tuple(columns),
        rows=tuple(body),
        notes=tuple((f"{row.term.label}: {row.explanation}.",) for row in rows if row.explanation),
    )


def row_cells(model: ModelFacts, row: LedgerRow, *, stored: bool) -> tuple[Text, ...]:
    """Return the cells of one term."""
    term = row.term
    label = f"{term.label} (tied, counted once)" if tied(term) and term.note else term.label
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
        method="stored minus counted" if ".difference." in name else "elements stored",
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
            ("Total",),
            (),
            (
                count_number(
                    "parameters.ledger.total",
                    counted,
                    method="sum of the terms",
                    sources=(origin(model),),
                ),
            ),
            (stored_number("parameters.stored.total", stored, where),),
            (stored_number("parameters.difference.total", stored - counted, where),),
        ),
    )


def scope_table(model: ModelFacts) -> Table:
    """Return every total that people quote, under its name."""
    return Table(
        id="table.scopes",
        caption=("Totals of this model under each reading of “number of parameters”.",),
        columns=(
            TableColumn(title=("Scope",)),
            TableColumn(title=("What is counted",), wide=True),
            TableColumn(title=("Parameters",), align="right"),
        ),
        rows=tuple(
            TableRow(
                cells=(
                    (Code(scope.name),),
                    (scope_label(model, scope),),
                    (
                        count_number(
                            f"parameters.scope.{scope.name}",
                            scope.total,
                            method=scope.label,
                            formula=" + ".join(scope.terms),
                            sources=(origin(model),),
                        ),
                    ),
                )
            )
            for scope in model.ledger.scopes
        ),
    )


def scope_label(model: ModelFacts, scope: Scope) -> str:
    """Return what a scope counts; one of fairseq's says so where fairseq has no part."""
    if scope.name in FAIRSEQ and hugging_face(model):
        return f"{scope.label.removesuffix(': what fairseq prints')}; as fairseq would store it"
    return scope.label


def speaks(scope: Scope, roles: Mapping[str, str]) -> bool:
    """Return whether "all" of a model is a language model: its head is in, no other is."""
    held = {roles[name] for name in scope.terms}
    return scope.name == "all" and "lm_head" in held and "head" not in held


def advice(model: ModelFacts) -> Paragraph:
    """Say which total to quote when."""
    roles = {term.name: term.role for term in model.ledger.terms}
    words = [
        (scope.name, LANGUAGE_MODEL if speaks(scope, roles) else ADVICE[scope.name])
        for scope in model.ledger.scopes
        if scope.name in ADVICE and not (scope.name in FAIRSEQ and hugging_face(model))
    ]
    text: list[str | Code] = [
        "None of these totals is more right than another: each answers its own question, ",
        "and a number can only be compared with one of the same scope. Quote ",
    ]
    for place, (name, when) in enumerate(words):
        last = place == len(words) - 1
        text += ["" if not place else ", and " if last else ", ", Code(name), f" {when}"]
    return Paragraph(text=(*text, "."))
