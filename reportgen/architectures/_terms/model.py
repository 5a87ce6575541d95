"""Symbols, terms, modules and scopes: what the families of models share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from reportgen.languages import message
from reportgen.records.checkpoint import Ledger, ModelConfig, Scope, TensorSpec, Term
from reportgen.records.formula import Constant, Expression, Symbol, symbols

if TYPE_CHECKING:
    from reportgen.architectures._terms.blueprint import Blueprint

VOCABULARY = Symbol("V", meaning=message("size of the vocabulary"))
WIDTH = Symbol("d", meaning=message("width of the hidden states"))
LAYERS = Symbol("L", meaning=message("number of layers"))
POSITIONS = Symbol("P", meaning=message("rows of the position table"))
TYPES = Symbol("T", meaning=message("rows of the token-type table"))
INNER = Symbol("d", "ff", meaning=message("inner width of the feed-forward network"))
HEADS = Symbol("H", meaning=message("attention heads"))
KV_HEADS = Symbol("H", "kv", meaning=message("key and value heads (grouped queries)"))
HEAD_SIZE = Symbol("d", "h", meaning=message("width of one attention head"))
CLASSES = Symbol("C", meaning=message("classes of the classification head"))

# The head of a class whose parts are not known here.
OTHER = "other"
# Ends of the names of classes, the longer first, and the heads of these classes.
HEADS_OF_CLASSES = (
    ("ForCausalLM", "causal_lm"),
    ("LMHeadModel", "causal_lm"),
    ("ForConditionalGeneration", "causal_lm"),
    ("ForMaskedLM", "masked_lm"),
    ("ForSequenceClassification", "classification"),
    ("ForImageClassification", "classification"),
    ("ForTokenClassification", "tokens"),
    ("ForQuestionAnswering", "questions"),
    ("EncoderModel", OTHER),
    ("DecoderModel", OTHER),
    ("DoubleHeadsModel", OTHER),
    ("Model", ""),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Module:
    """One leaf module of a model under its Hugging Face name.

    Attributes:
        name: Dotted name (`roberta.encoder.layer.0.attention.self.query`).
        kind: `"linear"`, `"conv1d"` (GPT-2: the weight is stored transposed), `"embedding"`
            (`in_features` rows of `out_features`), `"norm"`, `"conv"` (a convolution) or
            `"parameter"` (no module: a tensor that stands under `name` itself).
        in_features: Inputs; 0 for a norm, channels times kernel for a convolution.
        out_features: Outputs.
        bias: Whether it has a bias.
        tied: Whether its weight is the word-embedding table under another name.
        head: Whether it belongs to a head (output embedding or task head).
        copies: How many matrices of this shape one parameter holds (experts).
    """

    name: str
    kind: str
    in_features: int
    out_features: int
    bias: bool = False
    tied: bool = False
    head: bool = False
    copies: int = 1

    @property
    def weight_count(self) -> int:
        """Elements of the weight, tied or not."""
        return self.copies * self.out_features * (self.in_features if self.kind != "norm" else 1)

    @property
    def bias_count(self) -> int:
        """Elements of the bias."""
        return self.out_features if self.bias else 0

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the stored weight."""
        if self.kind == "norm":
            return (self.out_features,)
        if self.copies > 1:
            return (self.copies, self.out_features, self.in_features)
        if self.kind in {"linear", "conv"}:
            return (self.out_features, self.in_features)
        return (self.in_features, self.out_features)


@dataclass(frozen=True, slots=True, kw_only=True)
class Architecture:
    """What a family offers.

    Attributes:
        count_terms: Configuration to ledger.
        list_modules: Configuration and head (`""`, `"causal_lm"`, `"masked_lm"`,
            `"classification"`, `"tokens"`) to leaf modules in Hugging Face's names.
        draw_plan: Configuration to the list of parts from which both are written, and
            whatever else the family notes beside it.
    """

    count_terms: Callable[[ModelConfig], Ledger]
    list_modules: Callable[[ModelConfig, str], tuple[Module, ...]]
    draw_plan: Callable[[ModelConfig], tuple[Blueprint, *tuple[object, ...]]]


@dataclass(frozen=True, slots=True)
class Node:
    """One row of a module tree; `repeat` divides the counts of identical layers."""

    depth: int
    path: str
    title: str
    description: str = ""
    repeat: int = 1


@dataclass(slots=True)
class Sheet:
    """Terms being written down for one model, all with the same symbol values."""

    values: Mapping[str, int]
    terms: list[Term] = field(default_factory=list)

    def add(
        self,
        name: str,
        label: str,
        role: str,
        formula: Expression,
        *tensors: str,
        module: str = "",
        note: str = "",
        repeat: int = 1,
    ) -> None:
        """Write one term; `tensors` are patterns for `pattern`."""
        used = {symbol.key: self.values[symbol.key] for symbol in symbols(formula)}
        self.terms.append(
            Term(
                name=name,
                label=label,
                role=role,
                formula=formula,
                values=used,
                tensors=pattern(*tensors),
                module=module or name,
                repeat=repeat,
                note=note,
            )
        )


ZERO = Constant(0)


def pattern(*names: str) -> str:
    """Return a regular expression for tensor names: `#` a layer's number, `a|b` in brackets.

    Example:
        >>> import re
        >>> bool(re.fullmatch(pattern("h.#.mlp.(c_fc|c_proj).bias"), "h.11.mlp.c_fc.bias"))
        True
        >>> bool(re.fullmatch(pattern("h.#.bias"), "hx1.bias"))
        False
    """
    return "|".join(name.replace(".", r"\.").replace("#", r"\d+") for name in names)


def layer_norm(shape: str = "weight|bias") -> str:
    """Return the ends of a norm's tensors, old TensorFlow names included.

    Example:
        >>> layer_norm()
        '(weight|bias|gamma|beta)'
    """
    return f"({shape}|gamma|beta)"


def scope(terms: Iterable[Term], name: str, label: str, chosen: Callable[[Term], bool]) -> Scope:
    """Add up the terms that `chosen` picks."""
    picked = [term for term in terms if chosen(term)]
    return Scope(
        name=name,
        label=label,
        terms=tuple(term.name for term in picked),
        total=sum(term.count for term in picked),
    )


def tree_rows(
    terms: Iterable[Term], nodes: Iterable[Node]
) -> tuple[tuple[int, str, str, int | None], ...]:
    """Fill a module tree with counts; a node without parameters of its own shows none."""
    terms = tuple(terms)
    rows: list[tuple[int, str, str, int | None]] = []
    for node in nodes:
        below = (
            [t for t in terms if f"{t.module}.".startswith(f"{node.path}.")] if node.path else []
        )
        total = sum(term.count for term in below)
        count = total // node.repeat if below else None
        rows.append((node.depth, node.title, node.description, count))
    return tuple(rows)


def symbol_table(
    terms: Iterable[Term], extra: Mapping[Symbol, int] | None = None
) -> dict[str, tuple[str, int | float]]:
    """Return symbol key to (meaning, value), in order of first use in the formulas."""
    found: dict[str, tuple[str, int | float]] = {}
    for term in terms:
        for symbol in symbols(term.formula):
            found.setdefault(symbol.key, (symbol.meaning, term.values[symbol.key]))
    for symbol, value in (extra or {}).items():
        found.setdefault(symbol.key, (symbol.meaning, value))
    return found


def tensors_of(modules: Iterable[Module]) -> Iterator[TensorSpec]:
    """Yield every parameter of the modules under its Hugging Face name."""
    for module in modules:
        shares = "the word embeddings" if module.tied else ""
        name = module.name if module.kind == "parameter" else f"{module.name}.weight"
        yield TensorSpec(name=name, shape=module.shape, shares=shares)
        if module.bias:
            yield TensorSpec(name=f"{module.name}.bias", shape=(module.out_features,))


def head_of(values: Mapping[str, object]) -> str:
    """Return the head that `architectures` names: empty for the bare model, or where none is.

    A class whose parts are not known here has the head `"other"`.

    Example:
        >>> head_of({"architectures": ["BloomForCausalLM"]})
        'causal_lm'
        >>> head_of({}), head_of({"architectures": ["BertModel"]})
        ('', '')
        >>> head_of({"architectures": ["BertForPreTraining"]})
        'other'
    """
    named = values.get("architectures")
    if not isinstance(named, list | tuple) or not named:
        return ""
    first = str(named[0])
    return next((head for ending, head in HEADS_OF_CLASSES if first.endswith(ending)), OTHER)
