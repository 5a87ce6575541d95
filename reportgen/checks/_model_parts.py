"""Numbers of parameters of the parts that a model's own description names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from functools import lru_cache

from reportgen.checks._parameter_totals import Total, models_of
from reportgen.claims._count_columns import DIFFERENCE, STORED, is_sum
from reportgen.claims._count_scopes import PARTS_NAMED, named
from reportgen.languages import LANGUAGES, retell, speaking
from reportgen.records.checkpoint import LedgerRow, Term
from reportgen.records.claim import Claim
from reportgen.records.facts import Facts, ModelFacts
from reportgen.records.quantity import Evidence

_WORD = re.compile(r"[^\W_]+(?:_[^\W_]+)*")
_ASIDE = re.compile(
    r"\([^()]{0,60}\)|,?\s+(?:counted\sonce|comptée\sune(?:\sseule)?\sfois)\b", re.IGNORECASE
)
_FEWEST = 3
"""Rows that must agree before a table is taken for one of this model."""
_TELLING = 3
"""A label of so many words that is one of the model's own can mean nothing else."""


def module_totals(model: ModelFacts) -> Iterator[Total]:
    """Yield what each module of a model has: the rows of its tree, all its layers, one of them."""
    for _, name, _, count in model.ledger.tree:
        if count:
            yield _total(model, count, name, part=", ".join(named(name, PARTS_NAMED)) or name)
    groups: dict[str, list[Term]] = {}
    for term in model.ledger.terms:
        names = term.module.split(".")
        for size in range(1, len(names)):
            groups.setdefault(".".join(names[:size]), []).append(term)
    for path, terms in groups.items():
        part = ", ".join(named(path.replace(".", " "), PARTS_NAMED)) or path
        yield _total(model, sum(t.count for t in terms), f"all of {path}", part=part)
        layers = {t.repeat for t in terms}
        if len(layers) == 1 and (repeat := layers.pop()) > 1:
            inside = sum(t.count // repeat for t in terms)
            yield _total(model, inside, f"{path} of one of {repeat} layers", part=part)
    yield from _before_layers(model)


def _before_layers(model: ModelFacts) -> Iterator[Total]:
    """Yield what stands before the layers of a stack, all of it: words and positions together."""
    before: list[Term] = []
    for term in model.ledger.terms:
        if term.repeat == 1 and not term.name.endswith("norm"):
            before.append(term)
        elif term.repeat > 1:
            if len(before) > 1:
                what = " + ".join(t.label for t in before)
                part = ", ".join(
                    dict.fromkeys(p for t in before for p in named(t.label, PARTS_NAMED))
                )
                yield _total(model, sum(t.count for t in before), what, part=part)
            before = []


def readings_of_part(claim: Claim, facts: Facts) -> tuple[Total, ...]:
    """Return what a row of a table may count where its label is one of the model's own."""
    column = claim.hints.get("ledger", "")
    label = claim.hints.get("group", "")
    if not column:
        return ()
    return sum_totals(facts, column) if is_sum(label) else own_totals(facts, label, column)


def tables_of_own_parts(claims: Iterable[Claim], facts: Facts) -> frozenset[int]:
    """Return the tables most of whose rows agree with the model that was given."""
    hits: dict[int, list[bool]] = {}
    for claim in claims:
        if claim.table is None or claim.kind != "param_count" or claim.printed is None:
            continue
        if claim.hints.get("ledger") and (own := readings_of_part(claim, facts)):
            value = claim.printed.value
            agrees = any(total.value == value and value for total in own)
            hits.setdefault(claim.table, []).append(agrees)
    return frozenset(
        table for table, rows in hits.items() if sum(rows) >= _FEWEST and 2 * sum(rows) > len(rows)
    )


def own_totals(facts: Facts, label: str, column: str) -> tuple[Total, ...]:
    """Return the counts of the part that a label means, where it is called as the model calls it.

    Args:
        facts: With models.
        label: Of a row.
        column: What its column holds: `counted`, `stored`, `difference`, or nothing.
    """
    wanted = _words(label)
    if len(wanted) < 2 and not ("_" in label and wanted):
        return ()
    found: list[Total] = []
    for model in models_of(facts):
        for term in model.ledger.terms:
            if wanted in _called(term.label):
                found += _of_term(model, term, column)
        for scope in model.ledger.scopes:
            named_so = ("_" in scope.name and scope.name == label.strip(" `")) or (
                len(wanted) >= _TELLING and wanted in _called(scope.label)
            )
            if named_so and column != DIFFERENCE:
                found.append(_total(model, scope.total, f"{scope.name} ({scope.label})"))
        if column != DIFFERENCE:
            found += [
                _total(model, count, name)
                for _, name, _, count in model.ledger.tree
                if count is not None and wanted in _called(name)
            ]
    return tuple(found)


def sum_totals(facts: Facts, column: str) -> tuple[Total, ...]:
    """Return what the columns of a whole ledger add up to.

    Parts that a file does not hold at all may be left out of a table.
    """
    found = []
    for model in models_of(facts):
        rows = [row for row in model.rows if row.stored is not None]
        if rows and column == STORED:
            value = sum(row.stored or 0 for row in rows)
            found.append(_total(model, value, "all tensors that the ledger covers"))
        if rows and column == DIFFERENCE:
            there = sum(row.difference or 0 for row in rows if row.stored)
            whole = sum(row.difference or 0 for row in rows)
            sums = dict.fromkeys((there, whole, -there, -whole))
            found += [
                _total(model, value, "stored less counted, all lines together") for value in sums
            ]
    return tuple(found)


def _of_term(model: ModelFacts, term: Term, column: str) -> Iterator[Total]:
    row: LedgerRow | None = next((r for r in model.rows if r.term.name == term.name), None)
    stored = row.stored if row is not None else None
    if column == DIFFERENCE:
        if row is not None and row.difference is not None:
            yield _total(model, row.difference, f"stored less counted of {term.label}")
            yield _total(model, -row.difference, f"counted less stored of {term.label}")
        return
    if column == STORED and stored is not None:
        yield _total(model, stored, f"{term.label} as stored")
        return
    yield _total(model, term.count, term.label)
    if term.repeat > 1:
        each = term.count // term.repeat
        yield _total(model, each, f"{term.label} of one of {term.repeat} layers")
    if stored is not None:
        yield _total(model, stored, f"{term.label} as stored")


@lru_cache(maxsize=4096, typed=True)
def _called(label: str) -> frozenset[tuple[str, ...]]:
    """Return the words of a label in every language that a report of this model may be in."""
    found = set()
    for code in LANGUAGES:
        with speaking(code):
            found.add(_words(retell(label)))
    return frozenset(found)


def _words(label: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(_ASIDE.sub(" ", label).casefold()))


def _total(model: ModelFacts, value: int, what: str, part: str = "") -> Total:
    path = model.checkpoint.source.path if model.checkpoint else model.config.source.path
    cited = Evidence(path=path, tag=what, value=value)
    return Total(value=Decimal(value), what=what, part=part, evidence=(cited,))
