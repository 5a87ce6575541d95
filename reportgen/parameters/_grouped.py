"""A ledger read off the tensors alone, for models whose family is not known."""

from __future__ import annotations

import re
from collections.abc import Iterable

from reportgen.languages import message
from reportgen.parameters._reconcile import sort_tensors
from reportgen.records.checkpoint import Checkpoint, Ledger, Scope, TensorSpec, Term
from reportgen.records.formula import Symbol

# First match decides; a name that fits nothing is a matrix of the body.
ROLES = (
    ("lm_head", r"lm_head|cls\.predictions|vocab_(transform|projector|layer_norm)|embed_out"),
    ("head", r"classif|(^|\.)score\.|qa_outputs|seq_relationship"),
    ("pooler", r"pooler"),
    ("token_type", r"token_type"),
    ("position", r"embed_positions|position_embeddings|(^|\.)wpe\."),
    ("norm", r"norm|(^|\.)ln_|layernorm|(^|\.)ln\d?\."),
    ("bias", r"bias$"),
    ("embedding", r"embed|(^|\.)wte\."),
    ("attention", r"attn|attention|query|key_|value|[qkvo]_proj|[qkv]_lin"),
)
LABELS = {
    "embedding": message("word embeddings"),
    "position": message("position embeddings"),
    "token_type": message("token-type embeddings"),
    "attention": message("attention matrices"),
    "ffn": message("other matrices of the layers"),
    "norm": message("norms"),
    "bias": message("biases"),
    "pooler": message("pooler"),
    "lm_head": message("language-model head"),
    "head": message("classification head"),
}
WEIGHTS = ("embedding", "position", "attention", "ffn")
BODY = (*WEIGHTS, "norm", "bias")


def patterns_of_roles() -> dict[str, str]:
    """Return role to the pattern of the names that have it: its own sign and none before it."""
    found: dict[str, str] = {}
    before: list[str] = []
    for role, sign in ROLES:
        found[role] = rf"(?is:{without(before)}(?=.*(?:{sign})).*)"
        before.append(f"(?:{sign})")
    return found | {"ffn": rf"(?is:{without(before)}.*)"}


def without(signs: Iterable[str]) -> str:
    """Return the pattern of a place behind which none of the signs follows."""
    return "".join(f"(?!.*{sign})" for sign in signs)


def role_of(name: str) -> str:
    """Guess the role of a tensor from its name."""
    return next((role for role, sign in ROLES if re.search(sign, name, re.IGNORECASE)), "ffn")


def ledger_of_tensors(checkpoint: Checkpoint) -> Ledger:
    """Group a checkpoint's tensors by role and add them up; a shared storage counts once.

    Units: parameters.
    """
    groups: dict[str, list[TensorSpec]] = {}
    for tensor in sort_tensors(checkpoint.tensors).counted:
        if not tensor.shares:
            groups.setdefault(role_of(tensor.name), []).append(tensor)
    terms = tuple(grouped_term(role, groups[role]) for role in LABELS if role in groups)
    return Ledger(
        family="",
        terms=terms,
        scopes=grouped_scopes(terms),
        symbols={
            key: (message("stored numbers: {what}", what=term.label), value)
            for term in terms
            for key, value in term.values.items()
        },
        notes=(
            message(
                "the model's family is not known: tensors are grouped by name, without a formula"
            ),
        ),
    )


def grouped_term(role: str, tensors: Iterable[TensorSpec]) -> Term:
    """Return one group of tensors as a term whose formula is its own count."""
    symbol = Symbol(
        "N", role.replace("_", " "), meaning=message("stored numbers: {what}", what=LABELS[role])
    )
    return Term(
        name=role,
        label=LABELS[role],
        role=role,
        formula=symbol,
        values={symbol.key: sum(tensor.count for tensor in tensors)},
        # A pattern of every name would grow with the file.
        tensors=patterns_of_roles()[role],
        module=role,
    )


def grouped_scopes(terms: tuple[Term, ...]) -> tuple[Scope, ...]:
    """Name the totals that the groups allow."""
    chosen = (
        ("weights", message("matrices and embeddings; no biases, norms, pooler or heads"), WEIGHTS),
        ("body", message("everything but pooler, token types and heads"), BODY),
        ("all", message("every stored number, a shared storage once"), tuple(LABELS)),
    )
    return tuple(
        Scope(
            name=name,
            label=label,
            terms=tuple(term.name for term in terms if term.role in roles),
            total=sum(term.count for term in terms if term.role in roles),
        )
        for name, label, roles in chosen
    )
