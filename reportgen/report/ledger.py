"""The appendix on the model: its parts, the symbols, every term against what is stored, totals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from reportgen.languages import message, retell, say, tell
from reportgen.records.checkpoint import LedgerRow
from reportgen.records.document import (
    Block,
    Cite,
    Code,
    EquationGroup,
    Excerpt,
    Figure,
    Indent,
    Math,
    Number,
    Paragraph,
    Ref,
    Section,
    Table,
    TableColumn,
    TableRow,
    Text,
)
from reportgen.records.facts import Facts, ModelFacts
from reportgen.records.formula import Equation, Symbol, symbols
from reportgen.records.quantity import Evidence
from reportgen.report._architecture_diagram import architecture_figure
from reportgen.report._counts import (
    absent,
    count_number,
    key_evidence,
    of_symbol,
    of_term,
    origin,
    stored_total,
    tied,
    why_no_formula,
)
from reportgen.report._model_formula import formula_of
from reportgen.report._model_scopes import bare_scope, stored_by_fairseq, strange, terms_of
from reportgen.report._number_ids import slug
from reportgen.report._quotes import listed, quoted, sentences
from reportgen.report.parameters import scope_number

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
    floats = [figure, *(_tables(model) if model.ledger.family else ())]
    shown = [block for block in floats if block is not None]
    equations = _equations(model) if model.ledger.family else ()
    blocks: list[Block] = [
        Paragraph(text=_introduction(model, shown)),
        *shown,
        *_equation_blocks(equations),
        *_ledger_blocks(model),
    ]
    if model.ledger.scopes:
        blocks += [
            Paragraph(text=say("{table} names every total.", table=Ref("table.scopes"))),
            _scope_table(model),
        ]
    return Section(id="ledger", title=tell("Parameter ledger"), blocks=tuple(blocks), appendix=True)


def _tables(model: ModelFacts) -> Iterator[Table]:
    yield _tree(model)
    yield _symbol_table(model)


def _introduction(model: ModelFacts, shown: list[Figure | Table]) -> Text:
    """Say what the model is, and where its parts stand."""
    name = model.name or tell("The model")
    if not model.ledger.family:
        why = quoted(why_no_formula(model))
        return say("Without a formula, tensors are told apart by their names: {why}.", why=why)
    title = model.ledger.tree[0][1]
    work = CITED.get(model.ledger.family)
    cited: Text = (f"{title} ", Cite(work)) if work else (title,)
    text = [say("{name} has the architecture of {title}.", name=name, title=cited)]
    what = {
        "figure.architecture": message("{place} draws it"),
        "table.architecture": message("{place} lists its modules"),
        "table.symbols": message("{place} the symbols of all formulas"),
    }
    clauses = [say(what[block.id], place=Ref(block.id)) for block in shown]
    return sentences([*text, say("{clauses}.", clauses=listed(clauses, ", "))])


def _tree(model: ModelFacts) -> Table:
    """Return the module tree with the parameters of every branch."""
    rows = tuple(
        TableRow(
            cells=(
                (Indent(depth), retell(title)),
                (retell(description),) if description else (),
                ()
                if count is None
                else (
                    count_number(
                        f"architecture.tree.{key}",
                        count,
                        method=message("parameters of {what}", what=title),
                        sources=(key_evidence(model.config, "d"),),
                    ),
                ),
            )
        )
        for key, (depth, title, description, count) in _named_rows(model)
    )
    return Table(
        id="table.architecture",
        caption=say("Modules and their parameters; below “One layer”, of a single layer."),
        columns=(
            TableColumn(title=say("Module")),
            TableColumn(title=say("Shape"), wide=True),
            TableColumn(title=say("Parameters"), align="right"),
        ),
        rows=rows,
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
    found: dict[str, Symbol] = {}
    # A part that is absent has no line in the ledger; the heads have their equations all the same.
    for row in model.rows:
        if not absent(row) or row.term.role in HEADS:
            for symbol in symbols(row.term.formula):
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
        caption=say("Symbols of the formulas and their values in this model."),
        columns=(
            TableColumn(title=say("Symbol")),
            TableColumn(title=say("Meaning"), wide=True),
            TableColumn(title=say("Value"), align="right"),
        ),
        rows=rows,
    )


def _equations(model: ModelFacts) -> tuple[Equation, ...]:
    """Return the model without heads as a formula, and each head as one."""
    bare = bare_scope(model)
    whole = formula_of(terms_of(model, bare), "eq.total", BODY) if bare else None
    if whole is None:
        return ()
    heads = (
        formula_of([t for t in model.ledger.terms if t.role == role], f"eq.{role}", left)
        for role, left in HEADS.items()
    )
    return (whole, *(head for head in heads if head is not None))


def _equation_blocks(equations: tuple[Equation, ...]) -> Iterator[Block]:
    if not equations:
        return
    group = Ref("eq.group.total")
    yield Paragraph(
        text=say("{group} counts the model without heads, and each head:", group=group)
        if len(equations) > 1
        else say("{group} counts the model:", group=group)
    )
    yield EquationGroup(id="eq.group.total", equations=equations)


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
    term = row.term
    n = count_number(
        f"parameters.absent.{term.name}",
        term.count,
        method=term.label,
        sources=of_term(model, term),
    )
    if row.explanation and row.explanation != message("not in this checkpoint"):
        why = retell(row.explanation)
        return say("{term} ({n} by formula; {why})", term=retell(term.label), n=n, why=why)
    return say("{term} ({n} by formula)", term=retell(term.label), n=n)


def _ledger_table(model: ModelFacts, rows: list[LedgerRow]) -> Table:
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
    body = [TableRow(cells=_row_cells(model, row)) for row in rows]
    if stored:
        body.append(_total_row(model, rows))
    return Table(
        id="table.ledger",
        caption=say("Parameters by kind of tensor, all layers together.")
        if model.ledger.family
        else say("Stored numbers by role."),
        columns=tuple(columns),
        rows=tuple(body),
        notes=tuple(
            say("{term}: {why}.", term=retell(row.term.label), why=retell(row.explanation))
            for row in rows
            if row.explanation
        ),
    )


def _row_cells(model: ModelFacts, row: LedgerRow) -> tuple[Text, ...]:
    """Return the cells of one term."""
    term = row.term
    label = retell(term.label)
    if tied(term) and term.note:
        label = tell("{term} (tied, counted once)", term=label)
    count = count_number(
        f"parameters.term.{term.name}",
        term.count,
        method=term.label,
        sources=of_term(model, term),
    )
    cells: list[Text] = [(label,), () if tied(term) else (Math(term.formula),), (count,)]
    if model.checkpoint is not None:
        where = (Evidence(path=model.checkpoint.source.path, tag=term.tensors),)
        cells += [
            (_stored_number(f"parameters.stored.{term.name}", row.stored, where),),
            (_stored_number(f"parameters.difference.{term.name}", row.difference, where),),
        ]
    return tuple(cells)


def _stored_number(name: str, value: int | None, where: tuple[Evidence, ...]) -> Number:
    """Return a number read off the checkpoint; a difference that is not zero has its sign."""
    apart = ".difference." in name
    return count_number(
        name,
        value,
        method=message("stored minus counted") if apart else message("elements stored"),
        sources=where,
        style="signed" if apart and value else "count",
        missing="no checkpoint was given",
    )


def _total_row(model: ModelFacts, rows: list[LedgerRow]) -> TableRow:
    """Return the sums of the three number columns."""
    path = model.checkpoint.source.path if model.checkpoint else model.config.source.path
    counted = sum(row.term.count for row in rows)
    stored = stored_total(model)
    where = (Evidence(path=path),)
    total = count_number(
        "parameters.ledger.total",
        counted,
        method=message("sum of the terms"),
        sources=(origin(model),),
    )
    return TableRow(
        kind="total",
        cells=(
            say("Total"),
            (),
            (total,),
            (_stored_number("parameters.stored.total", stored, where),),
            (_stored_number("parameters.difference.total", stored - counted, where),),
        ),
    )


def _scope_table(model: ModelFacts) -> Table:
    """Return every total that people quote, under its name."""
    scopes = model.ledger.scopes
    own = tuple(place for place, scope in enumerate(scopes) if not strange(model, scope))
    return Table(
        id="table.scopes",
        caption=say("Totals of this model under each reading of “number of parameters”."),
        columns=(
            TableColumn(title=say("Scope")),
            TableColumn(title=say("What is counted"), wide=True),
            TableColumn(title=say("Parameters"), align="right"),
        ),
        rows=tuple(
            TableRow(
                cells=(
                    (Code(scope.name),),
                    (retell(scope.label),),
                    (scope_number(f"parameters.scope.{scope.name}", model, scope),),
                )
            )
            for scope in scopes
        ),
        excerpt=_own_scopes(model, own) if len(own) < len(scopes) else None,
    )


def _own_scopes(model: ModelFacts, own: tuple[int, ...]) -> Excerpt:
    """Print the totals of the program at hand; those of the other one are in the other formats."""
    other = "Hugging Face" if stored_by_fairseq(model) else "fairseq"
    return Excerpt(
        rows=own, note=say("Totals as {other} counts them are left out here.", other=other)
    )
