"""Terms and modules that GPT-2, BLOOM and the LLaMA kind have in common."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from reportgen.architectures._terms.blueprint import (
    ONE,
    Blueprint,
    Row,
    Stack,
    times,
    write_terms,
)
from reportgen.architectures._terms.keys import Keys
from reportgen.architectures._terms.model import (
    CLASSES,
    INNER,
    LAYERS,
    VOCABULARY,
    WIDTH,
    Node,
    scope,
    symbol_table,
    tree_rows,
)
from reportgen.architectures._terms.tree import write_nodes
from reportgen.architectures._terms.words import (
    layers_words,
    norm_words,
    norms_words,
    size_words,
    tied_words,
)
from reportgen.languages import message
from reportgen.records.checkpoint import Ledger, Scope, Term
from reportgen.records.formula import Constant, Expression

V, D, L, F, C = VOCABULARY, WIDTH, LAYERS, INNER, CLASSES

TIED_ONCE = message("tied projection counted once")
NOT_TIED = message("projection not tied, counted")
NO_NORMS = message("weight matrices and embeddings; no biases, norms or heads")
WEIGHTS = frozenset({"embedding", "position", "attention", "ffn", "router", "expert"})
BODY = WEIGHTS | {"norm", "bias"}


def fused_rows(names: Mapping[str, str]) -> tuple[Row, ...]:
    """Return the matrices of a layer with one matrix for queries, keys and values.

    Args:
        names: `qkv`, `output`, `in` and `out` to the names below a layer.
    """
    label = message("query, key and value projections")
    output = message("attention output projections")
    return (
        ("attention.qkv", label, "attention", names["qkv"], D, times(Constant(3), D)),
        ("attention.output", output, "attention", names["output"], D, D),
        ("ffn.in", message("feed-forward, first matrix"), "ffn", names["in"], D, F),
        ("ffn.out", message("feed-forward, second matrix"), "ffn", names["out"], F, D),
    )


def fused_nodes(
    title: str, values: Mapping[str, int], heads: int, second: Node, *, tied: bool
) -> tuple[Node, ...]:
    """Return the module tree of such a model; counts below a layer are those of one layer.

    Args:
        title: Name of the family.
        values: Symbol key to number.
        heads: Number of attention heads.
        second: What stands beside the word embeddings.
        tied: Whether the output projection is the word-embedding table.
    """
    d, layers, inner = values[D.key], values[L.key], values[F.key]
    way = f"{d} → {values[V.key]}"
    return (
        Node(0, "", title, size_words(layers, d, heads)),
        Node(1, "embeddings", message("Embeddings")),
        Node(2, "embeddings.word", message("Word embeddings"), f"{values[V.key]} × {d}"),
        second,
        Node(1, "layers", message("Decoder"), layers_words(layers)),
        Node(2, "layers.layer", message("One layer"), "", layers),
        Node(
            3, "layers.layer.attention", message("Self-attention"), f"{d} → 3 × {d} → {d}", layers
        ),
        Node(
            3, "layers.layer.ffn", message("Feed-forward network"), f"{d} → {inner} → {d}", layers
        ),
        Node(3, "layers.layer.norm", message("Two layer norms"), norms_words(d), layers),
        Node(1, "final.norm", message("Last layer norm"), norm_words(d)),
        Node(1, "lm_head", message("Language-model head"), tied_words(way) if tied else way),
    )


def decoder_scopes(terms: Iterable[Term], *, tied: bool, body: str = "body") -> tuple[Scope, ...]:
    """Name every total that people quote for a decoder; `body` names the one without a head."""
    terms = tuple(terms)
    once = TIED_ONCE if tied else NOT_TIED
    chosen = [
        ("weights", NO_NORMS, WEIGHTS),
        (body, message("whole model without a head"), BODY),
        (
            "all",
            message("whole model with its language-model head ({once})", once=once),
            BODY | {"lm_head"},
        ),
        (
            "non_embedding",
            message("layers and norms alone; no embeddings, positions or heads"),
            BODY - {"embedding", "position"},
        ),
        ("body_with_head", message("whole model with a classification head"), BODY | {"head"}),
    ]
    if any(term.role == "token_head" for term in terms):
        label = message("whole model with a token classification head")
        chosen.append(("body_with_token_head", label, BODY | {"head", "token_head"}))
    return tuple(
        scope(terms, name, label, lambda term, of=of: term.role in of)  # type: ignore[misc]
        for name, label, of in chosen
    )


def plan_decoder_heads(
    plan: Blueprint,
    *,
    tied: bool,
    module: str = "lm_head",
    also: tuple[str, ...] = (),
    width: Expression = D,
    bias: bool = False,
    tokens: str = "score",
) -> None:
    """Write down the output projection and the heads of classifiers.

    Args:
        plan: Where to write.
        tied: Whether the projection is the word-embedding table.
        module: Name of the projection.
        also: Other spellings of that name.
        width: What the heads take in.
        bias: Whether the projection has a bias.
        tokens: Name of the head of token classifiers, which has a bias; empty where the family
            has no such class.
    """
    plan.linear(
        ("lm_head", message("language-model head"), "lm_head", module, width, V),
        bias=bias,
        bias_term="lm_head.bias" if tied else "",
        tied=tied,
        also=also,
        heads=("causal_lm",),
        inside=False,
    )
    label = message("classification head (no bias)")
    note = message("only in models for sequence classification")
    own = ("classifier", label, "head", "score", width, C)
    also = (tokens,) if tokens else ()
    plan.linear(own, also=also, heads=("classification",), inside=False, note=note)
    if tokens:
        plan_token_head(plan, tokens, width)


def plan_token_head(plan: Blueprint, module: str, width: Expression) -> None:
    """Write down the head of token classifiers: the matrix of the other head, and a bias."""
    every = ("classifier", message("token classification head"), "head", module, width, C)
    plan.linear(every, bias=True, heads=("tokens",), inside=False, counted=False)
    label = message("bias of the token classification head")
    note = message("only in models for tokens")
    # The module above holds it: no class has it beside that.
    own = {"inputs": ONE, "outputs": C, "heads": (), "inside": False, "note": note}
    plan.add("parameter", "token_bias", label, "token_head", f"{module}.bias", **own)


def decoder_ledger(
    family: str,
    title: str,
    plan: Blueprint,
    keys: Keys,
    stacks: Mapping[str, Stack],
    *,
    tied: bool,
    body: str = "body",
    extra: Iterable[Scope] = (),
    nodes: Iterable[Node] = (),
) -> Ledger:
    """Return the ledger of a decoder that is written down as a plan.

    Args:
        family: Name of the plug-in.
        title: Name for people.
        plan: The parts.
        keys: Where the sizes were read.
        stacks: Title of each stack of layers ("Decoder") to the stack.
        tied: Whether the output projection is the word-embedding table.
        body: Name of the scope without a head.
        extra: More scopes.
        nodes: The module tree, where it says more than the terms do.
    """
    terms = write_terms(plan)
    about = size_words(plan.values[L.key], plan.values[D.key])
    return Ledger(
        family=family,
        terms=tuple(terms),
        scopes=(*decoder_scopes(terms, tied=tied, body=body), *extra),
        symbols=symbol_table(
            (t for t in terms if t.role in BODY | {"lm_head"}), {L: plan.values[L.key]}
        ),
        tree=tree_rows(terms, nodes or write_nodes(title, about, terms, stacks)),
        notes=tuple(keys.notes),
    )


def numbered(layers: int) -> tuple[tuple[int, ...], ...]:
    """Return the numbers of so many layers, as a stack wants them.

    Example:
        >>> numbered(2)
        ((0,), (1,))
    """
    return tuple((layer,) for layer in range(layers))
