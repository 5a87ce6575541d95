"""The numbered equations of the parameter count: embeddings, one layer, the whole, heads."""

from __future__ import annotations

from collections.abc import Iterable

from reportgen.records.checkpoint import Scope, Term
from reportgen.records.document import Block, EquationGroup, Paragraph
from reportgen.records.facts import ModelFacts
from reportgen.records.formula import Equation, Expression, Sum, Symbol, symbols
from reportgen.sections._counts import gather, hugging_face, tied, without_layers

MATRICES = frozenset({"attention", "ffn"})

EMBEDDINGS = Symbol("N", "emb", meaning="parameters of the embeddings")
WEIGHTS = Symbol("N", "w", meaning="weights of one layer")
REST = Symbol("N", "b", meaning="biases and norms of one layer")
BODY = Symbol("N", "body", meaning="parameters of the model without heads")
LAYERS = Symbol("L", meaning="number of layers")
FINAL = Symbol("N", "last", meaning="parameters of the last norm")


def base_scope(model: ModelFacts) -> Scope | None:
    """Return the scope of the model without heads."""
    if hugging_face(model):
        return model.ledger.scope("encoder_hf")
    return model.ledger.scope("encoder") or model.ledger.scope("body")


def equations(model: ModelFacts) -> tuple[Block, ...]:
    """Return the numbered equations: embeddings, one layer, the whole, the heads."""
    scope = base_scope(model)
    if not model.ledger.family or scope is None:
        return ()
    base = [term for term in model.ledger.terms if term.name in scope.terms]
    parts = [
        ("embeddings", EMBEDDINGS, [t for t in base if t.module.startswith("embeddings")], False),
        ("layer.weights", WEIGHTS, [t for t in base if t.role in MATRICES], True),
        (
            "layer.rest",
            REST,
            [t for t in base if ".layer." in f".{t.module}." and t.role not in MATRICES],
            True,
        ),
        ("last", FINAL, [t for t in base if t.module.startswith("final")], False),
    ]
    defined = {
        symbol: equation(f"eq.{name}", symbol, terms, single=single)
        for name, symbol, terms, single in parts
        if terms
    }
    total = whole_equation(defined, model)
    layer = [defined[s] for s in (WEIGHTS, REST) if s in defined]
    groups = [
        ("eq.group.embeddings", "The embedding tables hold", [defined[EMBEDDINGS]]),
        ("eq.group.layer", "One layer holds these weights, biases and norms:", layer),
        (
            "eq.group.total",
            f"Together this gives the {scope.label.split(';')[0]}:",
            [*([defined[FINAL]] if FINAL in defined else []), total],
        ),
        ("eq.group.heads", "The heads add", head_equations(model)),
    ]
    return tuple(
        block
        for name, words, found in groups
        if found
        for block in (Paragraph(text=(words,)), EquationGroup(id=name, equations=tuple(found)))
    )


def head_equations(model: ModelFacts) -> list[Equation]:
    """Return the equation of each head; a tied projection adds nothing."""
    return [
        equation(f"eq.{name}", Symbol("N", short, meaning=meaning), found, single=False)
        for name, short, meaning, role in (
            ("head", "head", "parameters of the classification head", "head"),
            ("lm_head", "lm", "parameters of the language-model head", "lm_head"),
        )
        if (found := [t for t in model.ledger.terms if t.role == role and not tied(t)])
    ]


def equation(name: str, left: Symbol, terms: Iterable[Term], *, single: bool) -> Equation:
    """Return the sum of some terms as an equation, for one layer where `single`."""
    terms = tuple(terms)
    formulas = [without_layers(t.formula) if single else t.formula for t in terms]
    values = {key: value for term in terms for key, value in term.values.items()}
    # Matrices of one shape are gathered; biases and norms stay apart, to be recognised.
    alike = all(term.role in MATRICES for term in terms)
    right: Expression = gather(formulas) if alike else added(formulas)
    used = {symbol.key for symbol in symbols(right)}
    return Equation(
        id=name, left=left, right=right, values={k: v for k, v in values.items() if k in used}
    )


def added(formulas: list[Expression]) -> Expression:
    """Return formulas as one sum, without a needless sum of one."""
    return formulas[0] if len(formulas) == 1 else Sum(tuple(formulas))


def whole_equation(defined: dict[Symbol, Equation], model: ModelFacts) -> Equation:
    """Return the total of the model without heads from its parts."""
    layers = int(model.ledger.symbols[LAYERS.key][1])
    inner: list[Expression] = [symbol for symbol in (WEIGHTS, REST) if symbol in defined]
    layer = inner[0] if len(inner) == 1 else Sum(tuple(inner))
    terms: list[Expression] = [EMBEDDINGS, LAYERS * layer]
    if FINAL in defined:
        terms.append(FINAL)
    values = {symbol.key: equation.result for symbol, equation in defined.items()}
    return Equation(
        id="eq.total",
        left=BODY,
        right=Sum(tuple(terms)),
        values={**values, LAYERS.key: layers},
    )
