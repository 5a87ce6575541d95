"""How many parameters: the count that was asked for as a formula, and the way to the checkpoint."""

from __future__ import annotations

from collections.abc import Iterator

from reportgen.languages import message, retell, say, say_count, tell
from reportgen.records.checkpoint import Scope
from reportgen.records.document import (
    Block,
    Code,
    EquationGroup,
    Math,
    Number,
    Paragraph,
    Ref,
    Section,
    Table,
    TableRow,
    Text,
)
from reportgen.records.facts import Facts, ModelFacts
from reportgen.records.formula import Equation, Symbol, symbols
from reportgen.records.quantity import Evidence
from reportgen.report._model_formula import (
    Step,
    absent,
    bridge,
    main_count,
    of_symbol,
    origin,
    parts_of,
    plain_label,
    tied,
    whole_scope,
    why_no_formula,
)
from reportgen.report._words import words_of
from reportgen.report.numbers import counted as count_number
from reportgen.report.phrases import listed, plain_table, quoted, sentences, total_row

MINUS = "\N{MINUS SIGN}"
# Models of these families count positions from the padding index.
OFFSET_POSITIONS = ("camembert", "fairseq_roberta", "roberta", "xlm-roberta")


def build(facts: Facts) -> Section | None:
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
    return Section(id="parameters", title=title, blocks=blocks)


def _blocks(facts: Facts, model: ModelFacts) -> Iterator[Block]:
    counted = main_count(facts)
    if counted is None:
        yield Paragraph(text=_refusal(model))
        return
    scope, found = counted
    if found is not None:
        yield Paragraph(text=_lead(model, scope, found))
        yield EquationGroup(id="eq.group.parameters", equations=(found,))
    steps = bridge(model, scope)
    tabled = len(steps) > 1
    yield Paragraph(text=sentences(_said(model, scope, found, tabled=tabled)))
    if found is None and model.ledger.family and len(parts_of(model, scope)) > 1:
        yield _part_table(model, scope)
    if tabled:
        yield _bridge_table(model, steps)


def _refusal(model: ModelFacts) -> Text:
    """Say why there is no total, where there is none."""
    why = quoted(why_no_formula(model))
    if not model.ledger.terms:
        return say("The parameters could not be counted: {why}.", why=why)
    return say("No total is given: {why}. {ledger} lists the parts.", why=why, ledger=Ref("ledger"))


def _lead(model: ModelFacts, scope: Scope, found: Equation) -> Text:
    """Say what the formula counts, and name its symbols with their values."""
    known = words_of("counted").get(scope.name)
    what = retell(known) if known else tell("{label:cap}", label=plain_label(scope))
    meanings = {symbol.key: symbol for symbol in symbols(found.right)}
    sizes = []
    for key, symbol in meanings.items():
        source, size = (of_symbol(model, key),), int(found.values[key])
        value = count_number(f"parameters.size.{key}", size, symbol.meaning, source)
        name = retell(words_of("sizes").get(key, symbol.meaning))
        sizes.append((f"{name} ", Math(symbol), " = ", value))
    return say("{what}, with {sizes}:", what=what, sizes=listed(sizes, ", "))


def _said(
    model: ModelFacts, scope: Scope, found: Equation | None, *, tabled: bool
) -> Iterator[Text]:
    """Yield what is said of the count beside the formula."""
    if not model.ledger.family:
        yield _as_stored(model, scope)
    elif found is None:
        yield say(
            "The model has {n} parameters ({what}), by formulas for each kind of tensor.",
            n=scope_number("parameters.asked", model, scope),
            what=retell(plain_label(scope)),
        )
        if len(parts_of(model, scope)) > 1:
            yield say("{table} lists its parts.", table=Ref("table.parts"))
    elif "P" in found.values:
        yield from _reserved(model, int(found.values["P"]))
    if tabled:
        table = Ref("table.bridge")
        yield (
            say("{table} leads from there to the checkpoint.", table=table)
            if model.checkpoint
            else say("{table} leads from there to the whole model.", table=table)
        )
    yield from _agreement(model)
    if _is_tied(model):
        yield say("The output projection is tied to the word embeddings and counted once.")


def _as_stored(model: ModelFacts, scope: Scope) -> Text:
    """Say that no formula gives the number, and where it comes from."""
    n = scope_number("parameters.asked", model, scope)
    file = Code(origin(model).path)
    if model.checkpoint is None:
        return say(
            "The model has {n} parameters: the library builds it from {file}, without its weights.",
            n=n,
            file=file,
        )
    return say(
        "{file} holds {n} parameters, added up as they are stored; no formula checks them ({why}).",
        file=file,
        n=n,
        why=quoted(why_no_formula(model)),
    )


def _reserved(model: ModelFacts, rows: int) -> Iterator[Text]:
    """Say which rows of the position table belong to no position."""
    padding = model.config.values.get("pad_token_id")
    first = 2 if padding is None else padding + 1 if isinstance(padding, int) else 0
    if model.ledger.family not in OFFSET_POSITIONS or not 0 < first < rows:
        return
    method = message("rows of the position table behind the padding index")
    source = (of_symbol(model, "P"),)
    yield say(
        "The {rows} rows of positions are {positions} positions and {first} reserved ones before "
        "them.",
        rows=Math(Symbol("P")),
        positions=count_number("parameters.positions", rows - first, method, source),
        first=str(first),
    )


def _agreement(model: ModelFacts) -> Iterator[Text]:
    """Say whether what is stored is what is counted."""
    ledger = Ref("ledger")
    if model.checkpoint is None or not model.ledger.family:
        yield say("{ledger} lists every term.", ledger=ledger)
        return
    rows = [row for row in model.rows if row.stored is not None and not absent(row)]
    unlike = [row for row in rows if row.difference]
    where, method = (origin(model),), message("kinds of tensors")
    every = count_number("parameters.kinds", len(rows), method, where)
    some = count_number("parameters.kinds_unlike", len(unlike), method, where)
    file = Code(model.checkpoint.source.path)
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
        whole = whole_scope(model)
        return whole is not None and any(
            tied(row.term) and row.term.name in whole.terms for row in rows
        )
    held = any(row.stored or row.explanation for row in rows if not absent(row))
    return held and any(tied(row.term) for row in rows)


def scope_number(name: str, model: ModelFacts, scope: Scope) -> Number:
    """Return the total of a scope."""
    formula = " + ".join(scope.terms)
    return count_number(name, scope.total, scope.label, (origin(model),), formula=formula)


def _bridge_table(model: ModelFacts, steps: list[Step]) -> Table:
    """Return the way from the count that was asked for to the whole, a difference a row."""
    kinds = {"end": "total", "sum": "summary"}
    return plain_table(
        "table.bridge",
        say("From the count by formula to the checkpoint.")
        if model.checkpoint
        else say("From the count by formula to the whole model."),
        (say("What is counted"), say("Parameters")),
        [
            TableRow(cells=_step_cells(model, step), kind=kinds.get(step.kind, "body"))
            for step in steps
        ],
        right=[1],
    )


def _step_cells(model: ModelFacts, step: Step) -> tuple[Text, Text]:
    added = step.kind in {"add", "rest"}
    label = retell(step.label)
    label = f"{'+' if step.value >= 0 else MINUS} {label}" if added else label
    method, source = step.label, origin(model)
    if step.kind in {"rest", "end"} and model.checkpoint is not None:
        method, source = message("elements stored"), Evidence(path=model.checkpoint.source.path)
    name = f"parameters.bridge.{step.key}"
    return (label,), (count_number(name, abs(step.value), method, (source,)),)


def _part_table(model: ModelFacts, scope: Scope) -> Table:
    """Return what a scope counts in each part of a model of several."""
    rows: list[tuple[Text, Text] | TableRow] = []
    for place, (title, count) in enumerate(parts_of(model, scope)):
        method = message("parameters of {what}", what=title)
        number = count_number(f"parameters.part.{place}", count, method, (origin(model),))
        rows.append(((retell(title),), (number,)))
    rows.append(total_row(say("Total"), (scope_number("parameters.parts", model, scope),)))
    return plain_table(
        "table.parts",
        say("Parameters of the model by part."),
        (say("Part"), say("Parameters")),
        rows,
        right=[1],
    )
