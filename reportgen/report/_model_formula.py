"""The total that is asked for, as one formula, and what lies between it and the checkpoint."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from reportgen.languages import Message, message, tell
from reportgen.parameters import keys_of_symbols, total_scope
from reportgen.records import formula as tree
from reportgen.records.checkpoint import LedgerRow, ModelConfig, Scope, Term
from reportgen.records.facts import Facts, ModelFacts
from reportgen.records.quantity import Evidence
from reportgen.records.record import record, replace
from reportgen.report.phrases import words_of

OTHER = message("other weights")
NORMS, BIASES = message("norms"), message("biases")
# More symbols make a formula that nobody reads.
MOST_SYMBOLS = 26
# A larger factor was computed from a list of sizes, which no letter stands for.
MOST_FACTOR = 100
MOST_STACKS = 2
WIDTH = "d"


def formula_of(
    terms: Iterable[Term], name: str, left: tree.Symbol, *, strong: bool = False
) -> tree.Equation | None:
    """Return the sum of some terms as one formula; None where it is too long to be read.

    Args:
        terms: The terms; those that count nothing are left out.
        name: Id of the equation.
        left: What it defines.
        strong: Whether its result is printed in bold.

    Example:
        >>> V, L, d = tree.Symbol("V"), tree.Symbol("L"), tree.Symbol("d")
        >>> sizes = {"V": 10, "L": 3, "d": 2}
        >>> rows = [Term(name="w", label="", role="embedding", formula=V * d, values=sizes),
        ...         Term(name="q", label="", role="attention", formula=L * d**2, values=sizes),
        ...         Term(name="k", label="", role="attention", formula=L * d**2, values=sizes)]
        >>> equation = formula_of(rows, "n", tree.Symbol("N"))
        >>> equation.result
        44
        >>> equation.right.terms[1] == tree.Product((L, tree.Braced(2 * d**2, "attention")))
        True
    """
    terms = [term for term in terms if term.formula != tree.Constant(0)]
    stacks: dict[tuple[tree.Expression, ...], list[Term]] = {}
    for term in terms:
        stacks.setdefault(layers_of(term.formula), []).append(term)
    if not terms or sum(bool(layers) for layers in stacks) > MOST_STACKS:
        return None
    parts = [
        part
        for layers, inside in sorted(stacks.items(), key=lambda stack: bool(stack[0]))
        for part in _stack(layers, inside, alone=len(stacks) == 1)
    ]
    right = parts[0] if len(parts) == 1 else tree.Sum(tuple(parts))
    if any(
        isinstance(part, tree.Constant) and part.value > MOST_FACTOR for part in tree.nodes(right)
    ):
        return None
    used = [symbol.key for symbol in tree.symbols(right)]
    # Without one width for all layers, a model has parts with sizes of their own.
    if not used or len(used) > MOST_SYMBOLS or (any(stacks) and WIDTH not in used):
        return None
    values = {key: value for term in terms for key, value in term.values.items() if key in used}
    found = tree.Equation(id=name, left=left, right=right, values=values, strong=strong)
    return found if found.result == sum(term.count for term in terms) else None


def _stack(
    layers: tuple[tree.Expression, ...], terms: Sequence[Term], *, alone: bool
) -> tuple[tree.Expression, ...]:
    """Return the braced parts of what is repeated alike, times the number of layers."""
    roles: dict[str, list[Term]] = {}
    for term in terms:
        roles.setdefault(words_of("braces").get(term.role, OTHER), []).append(term)
    braced = tuple(
        _brace([without_layers(term.formula) for term in found], _brace_words(label, found))
        for label, found in roles.items()
    )
    if alone and len(braced) == 1 and not layers:
        return tuple(part.inner if isinstance(part, tree.Braced) else part for part in braced)
    if not layers:
        return braced
    return (tree.Product((*layers, braced[0] if len(braced) == 1 else tree.Sum(braced))),)


def _brace(formulas: Sequence[tree.Expression], words: str) -> tree.Expression:
    whole = factored(tree.total(formulas))
    return whole if isinstance(whole, tree.Constant) else tree.Braced(whole, words)


def _brace_words(label: str, terms: Iterable[Term]) -> str:
    """Return what stands below a brace: norms and biases only where there are both."""
    roles = {term.role for term in terms}
    words = NORMS if roles == {"norm"} else BIASES if roles == {"bias"} else label
    return tell(words)


def layers_of(formula: tree.Expression) -> tuple[tree.Expression, ...]:
    """Return the factors of a formula that say how many layers there are.

    Example:
        >>> L, d = tree.Symbol("L"), tree.Symbol("d")
        >>> layers_of(L * d**2) == (L,), layers_of(d**2)
        (True, ())
    """
    named = [factor for factor in _factors(formula) if isinstance(factor, tree.Symbol)]
    # With groups of layers, B is the number of layers in a group; elsewhere it is another size.
    counting = {"L", "G", "B"} if any(factor.key == "G" for factor in named) else {"L"}
    return tuple(factor for factor in named if factor.name in counting)


def without_layers(formula: tree.Expression) -> tree.Expression:
    """Return a formula for one layer: the number of layers taken out.

    Example:
        >>> L, d = tree.Symbol("L"), tree.Symbol("d")
        >>> without_layers(L * d**2) == d**2, without_layers(L)
        (True, Constant(value=1))
    """
    factors = list(_factors(formula))
    for counted in layers_of(formula):
        factors.remove(counted)
    if not factors:
        return tree.Constant(1)
    return factors[0] if len(factors) == 1 else tree.Product(tuple(factors))


def factored(formula: tree.Expression) -> tree.Expression:
    """Take the symbols that every term of a sum has out of it.

    Example:
        >>> V, P, d = tree.Symbol("V"), tree.Symbol("P"), tree.Symbol("d")
        >>> factored(V * d + P * d) == tree.Product((V + P, d))
        True
        >>> factored(V * d + P) == V * d + P
        True
    """
    if not isinstance(formula, tree.Sum):
        return formula
    rows = [list(_factors(term)) for term in formula.terms]
    common = [factor for factor in rows[0] if all(factor in row for row in rows[1:])]
    shared = [factor for factor in common if isinstance(factor, tree.Symbol)]
    if not shared or any(isinstance(factor, tree.Power) for row in rows for factor in row):
        return formula
    for row in rows:
        for factor in shared:
            row.remove(factor)
    left = [
        tree.Constant(1) if not r else r[0] if len(r) == 1 else tree.Product(tuple(r)) for r in rows
    ]
    return tree.Product((tree.Sum(tuple(left)), *shared))


def _factors(expression: tree.Expression) -> tuple[tree.Expression, ...]:
    return expression.factors if isinstance(expression, tree.Product) else (expression,)


# --- scopes ---------------------------------------------------------------------------


COUNT = tree.Symbol("N", meaning=message("parameters"))
WEIGHTS = "weights"
ASKED = "parameters."
# Roles of the terms that are added one after another, and what they are.
STEPS = (
    (("embedding", "position"), message("embeddings")),
    (("attention", "ffn", "router", "expert"), message("weights of the layers")),
    (("bias",), message("biases")),
    (("norm",), message("norms")),
    (("token_type",), message("token types")),
    (("pooler",), message("pooler")),
    (("lm_head",), message("language-model head")),
    (("head",), message("classification head")),
)
# RoBERTa's scopes without token types, which only fairseq leaves out.
FAIRSEQ = frozenset({"encoder", "encoder_with_head", "encoder_with_lm_head", "all"})


@record(kw_only=False)
class Step:
    """One row between the total that is asked for and what a checkpoint holds.

    Attributes:
        key: Last part of the number's id.
        label: For people, a marked message.
        value: What is added, or what the sum comes to.
        kind: `"start"`, `"add"`, `"sum"`, `"rest"` (what no formula has) or `"end"`.
    """

    key: str
    label: str
    value: int
    kind: str


def stored_by_fairseq(model: ModelFacts) -> bool:
    """Return whether a checkpoint is fairseq's, which names its encoder `sentence_encoder`.

    Source: fairseq `models/roberta/model.py`.
    """
    tensors = model.checkpoint.tensors if model.checkpoint else ()
    return any("sentence_encoder" in tensor.name for tensor in tensors)


def strange(model: ModelFacts, scope: Scope) -> bool:
    """Return whether a scope is that of the other program: fairseq, or Hugging Face."""
    if model.ledger.scope("encoder_hf") is None:
        return False
    if stored_by_fairseq(model):
        return scope.name.endswith("_hf")
    return scope.name in FAIRSEQ


def asked_scopes(facts: Facts) -> list[Scope]:
    """Return the scopes that questions ask for, in their order."""
    if facts.model is None:
        return []
    ledger = facts.model.ledger
    topics = (topic for question in facts.study.questions for topic in question.answers)
    names = (topic.removeprefix(ASKED) for topic in topics if topic.startswith(ASKED))
    return [scope for name in dict.fromkeys(names) if (scope := ledger.scope(name))]


def main_count(facts: Facts) -> tuple[Scope, tree.Equation | None] | None:
    """Return the scope that the body works out, with its formula where it has one.

    It is the one asked for, else the weights where they have a formula, else the whole class.
    """
    model = facts.model
    if model is None or not model.ledger.scopes:
        return None
    asked = next((scope for scope in asked_scopes(facts) if scope.terms), None)
    scope = asked or model.ledger.scope(WEIGHTS)
    if model.ledger.family and scope is not None:
        found = formula_of(terms_of(model, scope), "eq.parameters", COUNT, strong=True)
        if found is not None:
            return scope, found
    whole = asked or whole_scope(model)
    return (whole, None) if whole else None


def whole_scope(model: ModelFacts) -> Scope | None:
    """Return what the class of the configuration counts, else the last of the totals."""
    whole = total_scope(model)
    summed = [scope for scope in model.ledger.scopes if scope.terms]
    return whole or (summed[-1] if summed else None)


def bare_scope(model: ModelFacts) -> Scope | None:
    """Return the model without heads: with token types where it is not fairseq's."""
    names = (
        ("encoder", "body", "model") if stored_by_fairseq(model) else tuple(words_of("sums"))[1:]
    )
    found = (model.ledger.scope(name) for name in sorted(names, key=lambda n: n != "encoder_hf"))
    return next((scope for scope in found if scope), None)


def terms_of(model: ModelFacts, scope: Scope) -> list[Term]:
    """Return the terms of a scope, in the order of the ledger."""
    return [term for term in model.ledger.terms if term.name in scope.terms]


def parts_of(model: ModelFacts, scope: Scope) -> list[tuple[str, int]]:
    """Return the parts of a composite model with what a scope counts in each of them."""
    roots = list(dict.fromkeys(term.module.split(".")[0] for term in model.ledger.terms))
    titles = [title for depth, title, *_ in model.ledger.tree if depth == 1]
    found = []
    for root, title in zip(roots, titles, strict=len(roots) == len(titles)):
        inside = [t for t in terms_of(model, scope) if t.module.split(".")[0] == root]
        if count := sum(term.count for term in inside):
            found.append((title, count))
    return found


def bridge(model: ModelFacts, scope: Scope) -> list[Step]:
    """Return the steps from a scope to the checkpoint, else to the whole of the class."""
    whole = whole_scope(model)
    if model.checkpoint is not None:
        held = [row.term for row in model.rows if not absent(row)]
    else:
        held = terms_of(model, whole) if whole else []
    names = {term.name for term in held}
    missing = [t for t in terms_of(model, scope) if t.name not in names and t.count]
    added = [term for term in held if term.name not in scope.terms and term.count]
    steps = [Step(scope.name, scope_words(scope), scope.total, "start")]
    steps += [Step(f"without.{t.name}", t.label, -t.count, "add") for t in missing]
    steps += _added(model, scope, missing, added)
    reached = sum(step.value for step in steps if step.kind in {"start", "add"})
    if model.checkpoint is None:
        # What was reached on the way is the end, where nothing follows.
        end = scope_words(whole) if whole else ""
        steps = [step for step in steps if step.kind != "sum" or step.value != reached]
        return [*steps, Step("whole", end, reached, "end")] if len(steps) > 1 else steps
    stored = stored_total(model)
    if stored != reached:
        steps.append(Step("rest", message("not by formula"), stored - reached, "rest"))
    steps = [step for step in steps if step.kind != "sum" or step.value != stored]
    return [*steps, Step("checkpoint", message("checkpoint"), stored, "end")]


def _added(
    model: ModelFacts, scope: Scope, missing: Iterable[Term], added: Iterable[Term]
) -> Iterator[Step]:
    """Yield what is added, and the sum where it comes to a total that people quote."""
    added = list(added)
    names = set(scope.terms) - {term.name for term in missing}
    known = {tuple(sorted(_counting(model, s.terms))): s for s in model.ledger.scopes if s.terms}
    known_roles = {role for roles, _ in STEPS for role in roles}
    grouped = [(label, [t for t in added if t.role in roles]) for roles, label in STEPS]
    grouped.append((message("other weights"), [t for t in added if t.role not in known_roles]))
    for label, terms in grouped:
        if not terms:
            continue
        names |= {term.name for term in terms}
        yield Step(terms[0].role, label, sum(term.count for term in terms), "add")
        found = known.get(tuple(sorted(_counting(model, names))))
        if found is not None and found.name in words_of("sums"):
            yield Step(found.name, words_of("sums")[found.name], found.total, "sum")


def _counting(model: ModelFacts, names: Iterable[str]) -> set[str]:
    """Return the names of terms that count something: a tied one changes no total."""
    counts = {term.name: term.count for term in model.ledger.terms}
    return {name for name in names if counts.get(name)}


def scope_words(scope: Scope) -> str:
    """Return what a scope counts, in a few words."""
    return words_of("sums").get(scope.name, plain_label(scope))


def plain_label(scope: Scope) -> str:
    """Return the label of a scope without the remark on token types."""
    label = scope.label
    inner = label.places.get("scope") if isinstance(label, Message) else None
    return inner if isinstance(inner, str) else label


# --- counts and what they rest on -----------------------------------------------------


# Parts that a checkpoint may lack; they are then neither in its ledger nor missing from it.
OPTIONAL = frozenset({"token_type", "pooler", "head", "lm_head"})


def key_evidence(config: ModelConfig, symbol: str) -> Evidence:
    """Return the configuration key that a symbol's value was read from."""
    key, value = stated_key(config.values, symbol)
    return Evidence(
        path=config.source.path,
        tag=key,
        value=value if isinstance(value, int | float | str) else None,
    )


def stated_key(values: Mapping[str, object], symbol: str) -> tuple[str, object]:
    """Return the key of a symbol that a configuration states, and its value.

    The mark of a symbol says in which part of a composite model the key stands.
    """
    known = keys_of_symbols()
    for key in known.get(symbol, ()):
        if values.get(key) is not None:
            return key, values[key]
    letter, _, mark = symbol.replace(",", "_").rpartition("_")
    part = values.get(f"{mark}_config") if letter and symbol not in known else None
    if isinstance(part, Mapping):
        key, value = stated_key(part, letter)
        return (f"{mark}_config.{key}" if key else ""), value
    return "", None


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
    if not model.ledger.family:
        return (replace(origin(model), tag=term.tensors),)
    if tied(term):
        stated = model.config.values.get("tie_word_embeddings")
        value = stated if isinstance(stated, bool) else None
        path = model.config.source.path
        return (Evidence(path=path, tag="tie_word_embeddings", value=value),)
    keys = dict.fromkeys(symbol.key for symbol in tree.symbols(term.formula))
    return tuple(key_evidence(model.config, key) for key in keys) or (origin(model),)


def why_no_formula(model: ModelFacts) -> str:
    """Return why a model was not counted by formula, as the count itself said it."""
    # The count speaks after the checkpoint's reader, so its reason is the last.
    said = (p.message for p in reversed(model.problems) if p.level != "note")
    return next(said, message("no formula is known for it"))


def tied(term: Term) -> bool:
    """Return whether a term is a second name of another tensor."""
    return term.formula == tree.Constant(0)


def absent(row: LedgerRow) -> bool:
    """Return whether a part that models may lack is lacking in this checkpoint."""
    return row.stored == 0 and row.term.role in OPTIONAL and not tied(row.term)


def stored_total(model: ModelFacts) -> int:
    """Return how many numbers the checkpoint holds, by the rows of the ledger."""
    return sum(row.stored or 0 for row in model.rows)
