"""Layers, scopes and ledger of models with an encoder and a decoder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from reportgen.architectures._terms.blueprint import TWO_NORMS, Blueprint, Stack, write_terms
from reportgen.architectures._terms.decoder import NO_NORMS, NOT_TIED, TIED_ONCE
from reportgen.architectures._terms.encoder import roles
from reportgen.architectures._terms.keys import Keys
from reportgen.architectures._terms.model import (
    CLASSES,
    LAYERS,
    VOCABULARY,
    WIDTH,
    scope,
    symbol_table,
    tree_rows,
)
from reportgen.architectures._terms.sides import ATTENTIONS, of_side
from reportgen.architectures._terms.tree import write_nodes
from reportgen.languages import message
from reportgen.records.checkpoint import Ledger, Scope, Term
from reportgen.records.formula import Expression, Symbol

V, D, C = VOCABULARY, WIDTH, CLASSES
ENCODER_LAYERS = Symbol("L", "enc", meaning=message("layers of the encoder"))
DECODER_LAYERS = Symbol("L", "dec", meaning=message("layers of the decoder"))
ENCODER_INNER = Symbol(
    "d", "enc", meaning=message("inner width of the encoder's feed-forward networks")
)
DECODER_INNER = Symbol(
    "d", "dec", meaning=message("inner width of the decoder's feed-forward networks")
)
WEIGHTS = frozenset({"embedding", "position", "attention", "ffn"})
BODY = WEIGHTS | {"norm", "bias"}
# Begins the terms, name below a layer.
MODULES = (("attention", "self_attn"), ("cross", "encoder_attn"))
NETWORK = {
    "in": message("feed-forward, first matrix"),
    "out": message("feed-forward, second matrix"),
}


def make_stack(side: str, layers: int, below: str = "layers") -> Stack:
    """Return the layers of one side, `"encoder"` or `"decoder"`."""
    return Stack(
        stem=f"{side}.{below}.#",
        numbers=tuple((layer,) for layer in range(layers)),
        count=ENCODER_LAYERS if side == "encoder" else DECODER_LAYERS,
        tree=f"{side}.layer",
        prefix=f"{side}.",
    )


def plan_side(
    plan: Blueprint, stack: Stack, inner: Expression, *, cross: bool, key_bias: bool = True
) -> None:
    """Write down the layers of BART's kind.

    Args:
        plan: Where to write.
        stack: The layers.
        inner: Inner width of the feed-forward network.
        cross: Whether the layers attend to the encoder as well.
        key_bias: Whether the key projections have a bias.
    """
    side = stack.prefix.removesuffix(".")
    for term, module in MODULES[: 1 + cross]:
        for name in ("query", "key", "value", "output"):
            short = "out" if name == "output" else name[0]
            label = of_side(side, ATTENTIONS[term][name])
            plan.linear(
                (f"{term}.{name}", label, "attention", f"{module}.{short}_proj", D, D),
                bias=key_bias or name != "key",
                stack=stack,
            )
        plan_layer_norm(plan, stack, f"{module}_layer_norm", three=cross)
    for name, inputs, outputs in (("in", D, inner), ("out", inner, D)):
        label = of_side(side, NETWORK[name])
        row = (f"ffn.{name}", label, "ffn", "fc1" if name == "in" else "fc2", inputs, outputs)
        plan.linear(row, bias=True, stack=stack)
    plan_layer_norm(plan, stack, "final_layer_norm", three=cross)


def plan_layer_norm(plan: Blueprint, stack: Stack, module: str, *, three: bool) -> None:
    """Write down one norm of every layer."""
    label = message("three layer norms a layer (weight and bias)") if three else TWO_NORMS
    side = stack.prefix.removesuffix(".")
    plan.norm("norm", of_side(side, label), module, D, bias=True, stack=stack)


def plan_task_head(plan: Blueprint, *, tokens: str = "") -> None:
    """Write down the head of sequence classifiers, and that of token classifiers.

    Args:
        plan: Where to write.
        tokens: Name of the head of token classifiers, which stands on the encoder alone; empty
            where the family has no such class.
    """
    own = {"bias": True, "heads": ("classification",), "inside": False}
    for part, label, outputs in (
        ("dense", message("classification head, dense layer"), D),
        ("out_proj", message("classification head, output layer"), C),
    ):
        term, module = f"classifier.{part.removesuffix('_proj')}", f"classification_head.{part}"
        row = (term, label, "head", module, D, outputs)
        plan.linear(row, also=(tokens,) if tokens and outputs == C else (), **own)
    if tokens:
        label = message("token classification head")
        row = ("classifier.tokens", label, "head", tokens, D, C)
        plan.linear(row, bias=True, heads=("tokens",), inside=False, counted=False)


def plan_output(plan: Blueprint, module: str, *, tied: bool) -> None:
    """Write down the output projection."""
    row = ("lm_head", message("language-model head"), "lm_head", module, D, V)
    plan.linear(row, tied=tied, heads=("causal_lm",), inside=False)


def two_sided_ledger(
    family: str,
    title: str,
    plan: Blueprint,
    keys: Keys,
    *,
    tied: bool,
    shared: Iterable[str] = ("embeddings.word",),
) -> Ledger:
    """Return the ledger of a model with an encoder and a decoder.

    Args:
        family: Name of the plug-in.
        title: Name for people.
        plan: The parts.
        keys: Where the sizes were read.
        tied: Whether the output projection is the word-embedding table.
        shared: Names of the terms that the encoder alone needs too.
    """
    terms = write_terms(plan)
    encoder, decoder = plan.values[ENCODER_LAYERS.key], plan.values[DECODER_LAYERS.key]
    about = message(
        "{encoder} encoder and {decoder} decoder layers, width {width}",
        encoder=encoder,
        decoder=decoder,
        width=plan.values[D.key],
    )
    stacks = {
        message("Encoder"): make_stack("encoder", encoder),
        message("Decoder"): make_stack("decoder", decoder),
    }
    both = Symbol(LAYERS.name, meaning=message("number of layers, encoder and decoder together"))
    return Ledger(
        family=family,
        terms=tuple(terms),
        scopes=two_sided_scopes(terms, frozenset(shared), tied=tied, tokens=has_tokens(plan)),
        symbols=symbol_table(terms, {both: encoder + decoder}),
        tree=tree_rows(terms, write_nodes(title, about, terms, stacks)),
        notes=tuple(keys.notes),
    )


def has_tokens(plan: Blueprint) -> bool:
    """Return whether the family has a class for tokens."""
    return any("tokens" in (part.heads or ()) for part in plan.parts)


def two_sided_scopes(
    terms: list[Term], shared: frozenset[str], *, tied: bool, tokens: bool
) -> tuple[Scope, ...]:
    """Name every total that people quote."""
    once = TIED_ONCE if tied else NOT_TIED
    chosen: Mapping[str, tuple[str, frozenset[str]]] = {
        "weights": (NO_NORMS, WEIGHTS),
        "model": (message("encoder and decoder without a head: the bare model"), BODY),
        "all": (
            message("encoder, decoder and language-model head ({once})", once=once),
            BODY | {"lm_head"},
        ),
        "body_with_head": (
            message("encoder, decoder and classification head"),
            BODY | {"head"},
        ),
    }
    headed = any(term.role == "head" for term in terms)
    found = [
        scope(terms, name, label, roles(*of))
        for name, (label, of) in chosen.items()
        # Without such a head the total would be that of the bare model under another name.
        if headed or name != "body_with_head"
    ]
    label = message("encoder alone, with the embeddings it uses")
    one = scope(
        terms,
        "encoder_alone",
        label,
        lambda term: term.name.startswith("encoder.") or term.name in shared,
    )
    if tokens:
        name = "encoder_alone_with_token_head"
        label = message("encoder alone and token classification head")
        held = {*one.terms, "classifier.out"}
        return (*found, one, scope(terms, name, label, lambda term: term.name in held))
    return (*found, one)


def plan_shared_table(plan: Blueprint, side: str) -> None:
    """Write down the word embeddings of one side, a module that holds the shared table."""
    label = of_side(side, message("word embeddings"))
    row = (f"{side}.words", label, "embedding", f"{side}.embed_tokens", V, D)
    plan.table(row, tied=True, counted=False)


def read_two_sides(keys: Keys) -> dict[str, int]:
    """Read the sizes in BART's keys as symbol key to number."""
    return {
        V.key: keys.whole("vocab_size"),
        D.key: keys.whole("d_model"),
        ENCODER_LAYERS.key: keys.whole("encoder_layers"),
        DECODER_LAYERS.key: keys.whole("decoder_layers"),
        ENCODER_INNER.key: keys.whole("encoder_ffn_dim"),
        DECODER_INNER.key: keys.whole("decoder_ffn_dim"),
    }
