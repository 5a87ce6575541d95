"""How many parameters: the count that was asked for as a formula, and the way to the checkpoint."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from reportgen.languages import message, retell, say, say_count, tell
from reportgen.records import document as doc
from reportgen.records.checkpoint import LedgerRow, Scope, Term
from reportgen.records.facts import Facts, ModelFacts
from reportgen.records.formula import Equation, Symbol, symbols
from reportgen.records.quantity import Evidence
from reportgen.report import _model_formula as counts
from reportgen.report import phrases
from reportgen.report.architecture_diagram import architecture_figure
from reportgen.report.names import slug
from reportgen.report.numbers import counted as count_number

MINUS = "\N{MINUS SIGN}"
# Models of these families count positions from the padding index.
OFFSET_POSITIONS = ("camembert", "fairseq_roberta", "roberta", "xlm-roberta")


def build(facts: Facts) -> doc.Section | None:
    """Build the section; None where no model is known."""
    if facts.model is None:
        return None
    blocks = tuple(_blocks(facts, facts.model))
    name, tree = facts.model.name, facts.model.ledger.tree
    title = (
        tell("Parameters of {model}", model=name)
        if name
        else tell("Parameters of the {family} model", family=tree[0][1])
        if tree and facts.model.ledger.family
        else tell("Number of parameters")
    )
    return doc.Section(id="parameters", title=title, blocks=blocks)


def _blocks(facts: Facts, model: ModelFacts) -> Iterator[doc.Block]:
    counted = counts.main_count(facts)
    if counted is None:
        yield doc.Paragraph(text=_refusal(model))
        return
    scope, found = counted
    if found is not None:
        yield doc.Paragraph(text=_lead(model, scope, found))
        yield doc.EquationGroup(id="eq.group.parameters", equations=(found,))
    steps = counts.bridge(model, scope)
    tabled = len(steps) > 1
    yield doc.Paragraph(text=phrases.sentences(_said(model, scope, found, tabled=tabled)))
    if found is None and model.ledger.family and len(counts.parts_of(model, scope)) > 1:
        yield _part_table(model, scope)
    if tabled:
        yield _bridge_table(model, steps)


def _refusal(model: ModelFacts) -> doc.Text:
    """Say why there is no total, where there is none."""
    why = phrases.quoted(counts.why_no_formula(model))
    if not model.ledger.terms:
        return say("The parameters could not be counted: {why}.", why=why)
    return say(
        "No total is given: {why}. {ledger} lists the parts.", why=why, ledger=doc.Ref("ledger")
    )


def _lead(model: ModelFacts, scope: Scope, found: Equation) -> doc.Text:
    """Say what the formula counts, and name its symbols with their values."""
    known = phrases.words_of("counted").get(scope.name)
    what = retell(known) if known else tell("{label:cap}", label=counts.plain_label(scope))
    meanings = {symbol.key: symbol for symbol in symbols(found.right)}
    sizes = []
    for key, symbol in meanings.items():
        source, size = (counts.of_symbol(model, key),), int(found.values[key])
        value = count_number(f"parameters.size.{key}", size, symbol.meaning, source)
        name = retell(phrases.words_of("sizes").get(key, symbol.meaning))
        sizes.append((f"{name} ", doc.Math(symbol), " = ", value))
    return say("{what}, with {sizes}:", what=what, sizes=phrases.listed(sizes, ", "))


def _said(
    model: ModelFacts, scope: Scope, found: Equation | None, *, tabled: bool
) -> Iterator[doc.Text]:
    """Yield what is said of the count beside the formula."""
    if not model.ledger.family:
        yield _as_stored(model, scope)
    elif found is None:
        yield say(
            "The model has {n} parameters ({what}), by formulas for each kind of tensor.",
            n=scope_number("parameters.asked", model, scope),
            what=retell(counts.plain_label(scope)),
        )
        if len(counts.parts_of(model, scope)) > 1:
            yield say("{table} lists its parts.", table=doc.Ref("table.parts"))
    elif "P" in found.values:
        yield from _reserved(model, int(found.values["P"]))
    if tabled:
        table = doc.Ref("table.bridge")
        yield (
            say("{table} leads from there to the checkpoint.", table=table)
            if model.checkpoint
            else say("{table} leads from there to the whole model.", table=table)
        )
    yield from _agreement(model)
    if _is_tied(model):
        yield say("The output projection is tied to the word embeddings and counted once.")


def _as_stored(model: ModelFacts, scope: Scope) -> doc.Text:
    """Say that no formula gives the number, and where it comes from."""
    return say(
        "The model has {n} parameters: the library builds it from {file}, without its weights."
        if model.checkpoint is None
        else "{file} holds {n} parameters, added up as they are stored; no formula checks them "
        "({why}).",
        file=doc.Code(counts.origin(model).path),
        n=scope_number("parameters.asked", model, scope),
        why=phrases.quoted(counts.why_no_formula(model)),
    )


def _reserved(model: ModelFacts, rows: int) -> Iterator[doc.Text]:
    """Say which rows of the position table belong to no position."""
    padding = model.config.values.get("pad_token_id")
    first = 2 if padding is None else padding + 1 if isinstance(padding, int) else 0
    if model.ledger.family not in OFFSET_POSITIONS or not 0 < first < rows:
        return
    method = message("rows of the position table behind the padding index")
    source = (counts.of_symbol(model, "P"),)
    yield say(
        "The {rows} rows of positions are {positions} positions and {first} reserved ones before "
        "them.",
        rows=doc.Math(Symbol("P")),
        positions=count_number("parameters.positions", rows - first, method, source),
        first=str(first),
    )


def _agreement(model: ModelFacts) -> Iterator[doc.Text]:
    """Say whether what is stored is what is counted."""
    ledger = doc.Ref("ledger")
    if model.checkpoint is None or not model.ledger.family:
        yield say("{ledger} lists every term.", ledger=ledger)
        return
    rows = [row for row in model.rows if row.stored is not None and not counts.absent(row)]
    unlike = [row for row in rows if row.difference]
    where, method = (counts.origin(model),), message("kinds of tensors")
    every = count_number("parameters.kinds", len(rows), method, where)
    some = count_number("parameters.kinds_unlike", len(unlike), method, where)
    file = doc.Code(model.checkpoint.source.path)
    if not unlike:
        yield say(
            "All {every} kinds of tensors in {file} agree exactly with their formulas ({ledger}).",
            every=every,
            file=file,
            ledger=ledger,
        )
        return
    yield say_count(
        "One of {every} kinds of tensors in {file} differs from its formula: {ledger}.",
        "{some} of {every} kinds of tensors in {file} differ from their formulas: {ledger}.",
        len(unlike),
        some=some,
        every=every,
        file=file,
        ledger=ledger,
    )


def _is_tied(model: ModelFacts) -> bool:
    """Return whether the model at hand has a head that is a second name of another tensor."""
    rows = [row for row in model.rows if row.term.role == "lm_head"]
    if model.checkpoint is None:
        whole = counts.whole_scope(model)
        return whole is not None and any(
            counts.tied(row.term) and row.term.name in whole.terms for row in rows
        )
    held = any(row.stored or row.explanation for row in rows if not counts.absent(row))
    return held and any(counts.tied(row.term) for row in rows)


def scope_number(name: str, model: ModelFacts, scope: Scope) -> doc.Number:
    """Return the total of a scope."""
    formula = " + ".join(scope.terms)
    return count_number(name, scope.total, scope.label, (counts.origin(model),), formula=formula)


def _bridge_table(model: ModelFacts, steps: list[counts.Step]) -> doc.Table:
    """Return the way from the count that was asked for to the whole, a difference a row."""
    kinds = {"end": "total", "sum": "summary"}
    return phrases.plain_table(
        "table.bridge",
        say("From the count by formula to the checkpoint.")
        if model.checkpoint
        else say("From the count by formula to the whole model."),
        (say("What is counted"), say("Parameters")),
        [
            doc.TableRow(cells=_step_cells(model, step), kind=kinds.get(step.kind, "body"))
            for step in steps
        ],
        right=[1],
    )


def _step_cells(model: ModelFacts, step: counts.Step) -> tuple[doc.Text, doc.Text]:
    added = step.kind in {"add", "rest"}
    label = retell(step.label)
    label = f"{'+' if step.value >= 0 else MINUS} {label}" if added else label
    method, source = step.label, counts.origin(model)
    if step.kind in {"rest", "end"} and model.checkpoint is not None:
        method, source = message("elements stored"), Evidence(path=model.checkpoint.source.path)
    name = f"parameters.bridge.{step.key}"
    return (label,), (count_number(name, abs(step.value), method, (source,)),)


def _part_table(model: ModelFacts, scope: Scope) -> doc.Table:
    """Return what a scope counts in each part of a model of several."""
    rows: list[tuple[doc.Text, doc.Text] | doc.TableRow] = []
    for place, (title, count) in enumerate(counts.parts_of(model, scope)):
        method = message("parameters of {what}", what=title)
        number = count_number(f"parameters.part.{place}", count, method, (counts.origin(model),))
        rows.append(((retell(title),), (number,)))
    rows.append(phrases.total_row(say("Total"), (scope_number("parameters.parts", model, scope),)))
    return phrases.plain_table(
        "table.parts",
        say("Parameters of the model by part."),
        (say("Part"), say("Parameters")),
        rows,
        right=[1],
    )


# --- the ledger: every term of the count ----------------------------------------------


BODY = Symbol("N", "body", meaning=message("parameters of the model without heads"))
HEADS = {
    "head": Symbol("N", "head", meaning=message("parameters of the classification head")),
    "lm_head": Symbol("N", "lm", meaning=message("parameters of the language-model head")),
}
CITED = {"roberta": "roberta", "bert": "bert", "bloom": "bloom"}


def build_ledger(facts: Facts) -> doc.Section | None:
    """Build the appendix; None where nothing of a model was counted."""
    model = facts.model
    if model is None or not model.ledger.terms:
        return None
    figure = architecture_figure(model) if model.ledger.family else None
    blocks: list[doc.Block] = [
        doc.Paragraph(text=_introduction(model, figure)),
        *([_tree(model), _symbol_table(model)] if model.ledger.family else []),
        *([figure] if figure else []),
        *_equation_blocks(model),
        *_ledger_blocks(model),
    ]
    if model.ledger.scopes:
        text = say("{table} names the usual totals.", table=doc.Ref("table.scopes"))
        blocks += [doc.Paragraph(text=text), _scope_table(model)]
    return doc.Section(
        id="ledger", title=tell("Parameter ledger"), blocks=tuple(blocks), appendix=True
    )


def _introduction(model: ModelFacts, figure: doc.Figure | None) -> doc.Text:
    """Say what the model is, and where its parts stand."""
    if not model.ledger.family:
        why = phrases.quoted(counts.why_no_formula(model))
        return say("Without a formula, tensors are told apart by their names: {why}.", why=why)
    title, work = model.ledger.tree[0][1], CITED.get(model.ledger.family)
    return say(
        "{name} has the architecture of {title}. {modules} lists its modules, {symbols} the "
        "symbols of all formulas."
        if figure is None
        else "{name} has the architecture of {title}. {modules} lists its modules, {symbols} the "
        "symbols of all formulas; {figure} draws it.",
        name=model.name or tell("The model"),
        title=(f"{title} ", doc.Cite(work)) if work else title,
        modules=doc.Ref("table.architecture"),
        symbols=doc.Ref("table.symbols"),
        figure=doc.Ref(figure.id) if figure else "",
    )


_SIZE = re.compile(r"(?<![\w.-])\d{4,}(?![\w.-])")


def _tree(model: ModelFacts) -> doc.Table:
    """Return the module tree with the parameters of every branch."""
    source = (counts.key_evidence(model.config, "d"),)
    rows = []
    for key, (depth, title, description, count) in _named_rows(model):
        method = message("parameters of {what}", what=title)
        number = count_number(f"architecture.tree.{key}", count or 0, method, source)
        shape = _SIZE.sub(lambda size: phrases.grouped(int(size[0])), retell(description))
        cells: tuple[doc.Text, ...] = ((doc.Indent(depth), retell(title)), (shape,))
        rows.append((*cells, () if count is None else (number,)))
    return phrases.plain_table(
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


def _symbol_table(model: ModelFacts) -> doc.Table:
    """Return symbol, meaning and value of everything the printed formulas use."""
    # A part that is absent has no line in the ledger; the heads have their equations all the same.
    shown = [row.term for row in model.rows if not counts.absent(row) or row.term.role in HEADS]
    found = {symbol.key: symbol for term in shown for symbol in symbols(term.formula)}
    rows = []
    for key, symbol in found.items():
        if key in model.ledger.symbols:
            value = int(model.ledger.symbols[key][1])
            source = (counts.of_symbol(model, key),)
            number = count_number(f"parameters.symbol.{key}", value, symbol.meaning, source)
            rows.append(((doc.Math(symbol),), (retell(symbol.meaning),), (number,)))
    return phrases.plain_table(
        "table.symbols",
        say("Symbols of the formulas and their values in this model."),
        (say("Symbol"), say("Meaning"), say("Value")),
        rows,
        wide=[1],
        right=[2],
    )


def _equation_blocks(model: ModelFacts) -> Iterator[doc.Block]:
    """Yield the model without heads as a formula, and each head as one."""
    bare = counts.bare_scope(model) if model.ledger.family else None
    whole = counts.formula_of(counts.terms_of(model, bare), "eq.total", BODY) if bare else None
    if whole is None:
        return
    heads = [
        head
        for role, left in HEADS.items()
        if (head := counts.formula_of(_of_role(model, role), f"eq.{role}", left))
    ]
    group = doc.Ref("eq.group.total")
    yield doc.Paragraph(
        text=say("{group} counts the model without heads, and each head:", group=group)
        if heads
        else say("{group} counts the model:", group=group)
    )
    yield doc.EquationGroup(id="eq.group.total", equations=(whole, *heads))


def _of_role(model: ModelFacts, role: str) -> list[Term]:
    return [row.term for row in model.rows if row.term.role == role]


def _ledger_blocks(model: ModelFacts) -> Iterator[doc.Block]:
    """Yield the ledger, and a sentence on the parts that the checkpoint lacks."""
    rows = [row for row in model.rows if not counts.absent(row)]
    lacking = [row for row in model.rows if counts.absent(row)]
    table = doc.Ref("table.ledger")
    text = [
        say("{table} holds each formula against the checkpoint.", table=table)
        if model.checkpoint and model.ledger.family
        else say("{table} lists every term.", table=table)
    ]
    if lacking:
        parts = phrases.listed(_absent_words(model, row) for row in lacking)
        text.append(say("Not in the checkpoint: {parts}.", parts=parts))
    yield doc.Paragraph(text=phrases.sentences(text))
    yield _ledger_table(model, rows)


def _absent_words(model: ModelFacts, row: LedgerRow) -> doc.Text:
    """Name a part that the checkpoint lacks, with its count and the reason."""
    term, why = row.term, row.explanation
    n = count_number(
        f"parameters.absent.{term.name}", term.count, term.label, counts.of_term(model, term)
    )
    label = retell(term.label)
    if why and why != message("not in this checkpoint"):
        return say("{term} ({n} by formula; {why})", term=label, n=n, why=retell(why))
    return say("{term} ({n} by formula)", term=label, n=n)


def _ledger_table(model: ModelFacts, rows: list[LedgerRow]) -> doc.Table:
    """Return term, formula, count and, with a checkpoint, what is stored and the difference."""
    titles = [say("Term"), say("Formula"), say("Count")]
    body: list[tuple[doc.Text, ...] | doc.TableRow] = [_row_cells(model, row) for row in rows]
    if model.checkpoint is not None:
        titles += [say("Stored"), say("Difference")]
        counted, stored = sum(row.term.count for row in rows), counts.stored_total(model)
        where = (Evidence(path=model.checkpoint.source.path),)
        method = message("sum of the terms")
        total = count_number("parameters.ledger.total", counted, method, (counts.origin(model),))
        held = _held("total", stored, stored - counted, where)
        body.append(phrases.total_row(say("Total"), (), (total,), *held))
    return phrases.plain_table(
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


def _row_cells(model: ModelFacts, row: LedgerRow) -> tuple[doc.Text, ...]:
    """Return the cells of one term."""
    term, label = row.term, retell(row.term.label)
    if counts.tied(term) and term.note:
        label = tell("{term} (tied, counted once)", term=label)
    formula: doc.Text = () if counts.tied(term) else (doc.Math(term.formula),)
    source = counts.of_term(model, term)
    count = count_number(f"parameters.term.{term.name}", term.count, term.label, source)
    if model.checkpoint is None:
        return ((label,), formula, (count,))
    where = (Evidence(path=model.checkpoint.source.path, tag=term.tensors),)
    held = _held(term.name, row.stored or 0, row.difference or 0, where)
    return ((label,), formula, (count,), *held)


def _held(
    name: str, stored: int, apart: int, where: tuple[Evidence, ...]
) -> tuple[doc.Text, doc.Text]:
    """Return what is stored, and its difference to the count, signed where it is not zero."""
    held = count_number(f"parameters.stored.{name}", stored, message("elements stored"), where)
    style, method = "signed" if apart else "count", message("stored minus counted")
    unlike = count_number(f"parameters.difference.{name}", apart, method, where, style=style)
    return (held,), (unlike,)


def _scope_table(model: ModelFacts) -> doc.Table:
    """Return every total that people quote of the program at hand, under its name."""
    scopes = [scope for scope in model.ledger.scopes if not counts.strange(model, scope)]
    other = "Hugging Face" if counts.stored_by_fairseq(model) else "fairseq"
    note = say("Totals as {other} counts them are in the JSON form of the report.", other=other)
    return phrases.plain_table(
        "table.scopes",
        say("Totals of this model under each reading of “number of parameters”."),
        (say("Scope"), say("What is counted"), say("Parameters")),
        [
            (
                (doc.Code(scope.name),),
                (retell(scope.label),),
                (scope_number(f"parameters.scope.{scope.name}", model, scope),),
            )
            for scope in scopes
        ],
        wide=[1],
        right=[2],
        notes=[note] if len(scopes) < len(model.ledger.scopes) else (),
    )
