"""The appendix on the model: its parts, the symbols, every term against what is stored, totals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from reportgen.languages import message, retell, say, tell
from reportgen.records.checkpoint import LedgerRow, Term
from reportgen.records.document import (
    Block,
    Cite,
    Code,
    EquationGroup,
    Figure,
    Indent,
    Math,
    Paragraph,
    Ref,
    Section,
    Table,
    TableRow,
    Text,
)
from reportgen.records.facts import Facts, ModelFacts
from reportgen.records.formula import Symbol, symbols
from reportgen.records.quantity import Evidence
from reportgen.report._model_formula import (
    absent,
    bare_scope,
    formula_of,
    key_evidence,
    of_symbol,
    of_term,
    origin,
    stored_by_fairseq,
    stored_total,
    strange,
    terms_of,
    tied,
    why_no_formula,
)
from reportgen.report.architecture_diagram import architecture_figure
from reportgen.report.names import slug
from reportgen.report.numbers import counted as count_number
from reportgen.report.parameters import scope_number
from reportgen.report.phrases import listed, plain_table, quoted, sentences, total_row

BODY = Symbol("N", "body", meaning=message("parameters of the model without heads"))
HEADS = {
    "head": Symbol("N", "head", meaning=message("parameters of the classification head")),
    "lm_head": Symbol("N", "lm", meaning=message("parameters of the language-model head")),
}
CITED = {"roberta": "roberta", "bert": "bert", "bloom": "bloom"}


def build(facts: Facts) -> Section | None:
    """Build the appendix; None where nothing of a model was counted."""
    model = facts.model
    if model is None or not model.ledger.terms:
        return None
    figure = architecture_figure(model) if model.ledger.family else None
    blocks: list[Block] = [
        Paragraph(text=_introduction(model, figure)),
        *([_tree(model), _symbol_table(model)] if model.ledger.family else []),
        *([figure] if figure else []),
        *_equation_blocks(model),
        *_ledger_blocks(model),
    ]
    if model.ledger.scopes:
        text = say("{table} names the usual totals.", table=Ref("table.scopes"))
        blocks += [Paragraph(text=text), _scope_table(model)]
    return Section(id="ledger", title=tell("Parameter ledger"), blocks=tuple(blocks), appendix=True)


def _introduction(model: ModelFacts, figure: Figure | None) -> Text:
    """Say what the model is, and where its parts stand."""
    if not model.ledger.family:
        why = quoted(why_no_formula(model))
        return say("Without a formula, tensors are told apart by their names: {why}.", why=why)
    title, work = model.ledger.tree[0][1], CITED.get(model.ledger.family)
    places: dict[str, str | Ref | Text] = {
        "name": model.name or tell("The model"),
        "title": (f"{title} ", Cite(work)) if work else title,
        "modules": Ref("table.architecture"),
        "symbols": Ref("table.symbols"),
    }
    if figure is None:
        return say(
            "{name} has the architecture of {title}. {modules} lists its modules, {symbols} the "
            "symbols of all formulas.",
            **places,
        )
    return say(
        "{name} has the architecture of {title}. {modules} lists its modules, {symbols} the "
        "symbols of all formulas; {figure} draws it.",
        figure=Ref(figure.id),
        **places,
    )


def _tree(model: ModelFacts) -> Table:
    """Return the module tree with the parameters of every branch."""
    source = (key_evidence(model.config, "d"),)
    rows = []
    for key, (depth, title, description, count) in _named_rows(model):
        method = message("parameters of {what}", what=title)
        number = count_number(f"architecture.tree.{key}", count or 0, method, source)
        cells: tuple[Text, ...] = ((Indent(depth), retell(title)), (retell(description),))
        rows.append((*cells, () if count is None else (number,)))
    return plain_table(
        "table.architecture",
        say("Modules and their parameters; below “One layer”, of a single layer."),
        (say("Module"), say("Shape"), say("Parameters")),
        rows,
        wide=[1],
        right=[2],
    )


def _named_rows(model: ModelFacts) -> Iterator[tuple[str, tuple[int, str, str, int | None]]]:
    """Yield the rows of the module tree with the part of an id each has: the modules above it."""
    above: list[str] = []
    seen: Counter[str] = Counter()
    for row in model.ledger.tree:
        above[row[0] :] = [slug(str(row[1]), "module")]
        key = ".".join(above)
        seen[key] += 1
        yield key if seen[key] == 1 else f"{key}-{seen[key]}", row


def _symbol_table(model: ModelFacts) -> Table:
    """Return symbol, meaning and value of everything the printed formulas use."""
    # A part that is absent has no line in the ledger; the heads have their equations all the same.
    shown = [row.term for row in model.rows if not absent(row) or row.term.role in HEADS]
    found = {symbol.key: symbol for term in shown for symbol in symbols(term.formula)}
    rows = []
    for key, symbol in found.items():
        if key in model.ledger.symbols:
            value = int(model.ledger.symbols[key][1])
            source = (of_symbol(model, key),)
            number = count_number(f"parameters.symbol.{key}", value, symbol.meaning, source)
            rows.append(((Math(symbol),), (retell(symbol.meaning),), (number,)))
    return plain_table(
        "table.symbols",
        say("Symbols of the formulas and their values in this model."),
        (say("Symbol"), say("Meaning"), say("Value")),
        rows,
        wide=[1],
        right=[2],
    )


def _equation_blocks(model: ModelFacts) -> Iterator[Block]:
    """Yield the model without heads as a formula, and each head as one."""
    bare = bare_scope(model) if model.ledger.family else None
    whole = formula_of(terms_of(model, bare), "eq.total", BODY) if bare else None
    if whole is None:
        return
    heads = [
        head
        for role, left in HEADS.items()
        if (head := formula_of(_of_role(model, role), f"eq.{role}", left))
    ]
    group = Ref("eq.group.total")
    yield Paragraph(
        text=say("{group} counts the model without heads, and each head:", group=group)
        if heads
        else say("{group} counts the model:", group=group)
    )
    yield EquationGroup(id="eq.group.total", equations=(whole, *heads))


def _of_role(model: ModelFacts, role: str) -> list[Term]:
    return [row.term for row in model.rows if row.term.role == role]


def _ledger_blocks(model: ModelFacts) -> Iterator[Block]:
    """Yield the ledger, and a sentence on the parts that the checkpoint lacks."""
    rows = [row for row in model.rows if not absent(row)]
    lacking = [row for row in model.rows if absent(row)]
    table = Ref("table.ledger")
    text = [
        say("{table} holds each formula against the checkpoint.", table=table)
        if model.checkpoint and model.ledger.family
        else say("{table} lists every term.", table=table)
    ]
    if lacking:
        parts = listed(_absent_words(model, row) for row in lacking)
        text.append(say("Not in the checkpoint: {parts}.", parts=parts))
    yield Paragraph(text=sentences(text))
    yield _ledger_table(model, rows)


def _absent_words(model: ModelFacts, row: LedgerRow) -> Text:
    """Name a part that the checkpoint lacks, with its count and the reason."""
    term, why = row.term, row.explanation
    n = count_number(f"parameters.absent.{term.name}", term.count, term.label, of_term(model, term))
    label = retell(term.label)
    if why and why != message("not in this checkpoint"):
        return say("{term} ({n} by formula; {why})", term=label, n=n, why=retell(why))
    return say("{term} ({n} by formula)", term=label, n=n)


def _ledger_table(model: ModelFacts, rows: list[LedgerRow]) -> Table:
    """Return term, formula, count and, with a checkpoint, what is stored and the difference."""
    titles = [say("Term"), say("Formula"), say("Count")]
    body: list[tuple[Text, ...] | TableRow] = [_row_cells(model, row) for row in rows]
    if model.checkpoint is not None:
        titles += [say("Stored"), say("Difference")]
        counted, stored = sum(row.term.count for row in rows), stored_total(model)
        where = (Evidence(path=model.checkpoint.source.path),)
        method = message("sum of the terms")
        total = count_number("parameters.ledger.total", counted, method, (origin(model),))
        held = _held("total", stored, stored - counted, where)
        body.append(total_row(say("Total"), (), (total,), *held))
    return plain_table(
        "table.ledger",
        say("Parameters by kind of tensor, all layers together.")
        if model.ledger.family
        else say("Stored numbers by role."),
        titles,
        body,
        right=[2, 3, 4],
        notes=(
            say("{term}: {why}.", term=retell(row.term.label), why=retell(row.explanation))
            for row in rows
            if row.explanation
        ),
    )


def _row_cells(model: ModelFacts, row: LedgerRow) -> tuple[Text, ...]:
    """Return the cells of one term."""
    term, label = row.term, retell(row.term.label)
    if tied(term) and term.note:
        label = tell("{term} (tied, counted once)", term=label)
    formula: Text = () if tied(term) else (Math(term.formula),)
    source = of_term(model, term)
    count = count_number(f"parameters.term.{term.name}", term.count, term.label, source)
    if model.checkpoint is None:
        return ((label,), formula, (count,))
    where = (Evidence(path=model.checkpoint.source.path, tag=term.tensors),)
    held = _held(term.name, row.stored or 0, row.difference or 0, where)
    return ((label,), formula, (count,), *held)


def _held(name: str, stored: int, apart: int, where: tuple[Evidence, ...]) -> tuple[Text, Text]:
    """Return what is stored, and its difference to the count, signed where it is not zero."""
    held = count_number(f"parameters.stored.{name}", stored, message("elements stored"), where)
    style, method = "signed" if apart else "count", message("stored minus counted")
    unlike = count_number(f"parameters.difference.{name}", apart, method, where, style=style)
    return (held,), (unlike,)


def _scope_table(model: ModelFacts) -> Table:
    """Return every total that people quote of the program at hand, under its name."""
    scopes = [scope for scope in model.ledger.scopes if not strange(model, scope)]
    other = "Hugging Face" if stored_by_fairseq(model) else "fairseq"
    note = say("Totals as {other} counts them are in the JSON form of the report.", other=other)
    return plain_table(
        "table.scopes",
        say("Totals of this model under each reading of “number of parameters”."),
        (say("Scope"), say("What is counted"), say("Parameters")),
        [
            (
                (Code(scope.name),),
                (retell(scope.label),),
                (scope_number(f"parameters.scope.{scope.name}", model, scope),),
            )
            for scope in scopes
        ],
        wide=[1],
        right=[2],
        notes=[note] if len(scopes) < len(model.ledger.scopes) else (),
    )
