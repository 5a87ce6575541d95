"""What a checkpoint's tensors alone tell of a model whose family is not known."""

from __future__ import annotations

import re
from collections.abc import Iterable

from reportgen.languages import message
from reportgen.parameters._reconcile import plain_name, sort_tensors, unpack
from reportgen.parameters._scopes import scope
from reportgen.parameters._words import told
from reportgen.parameters.modules import Module
from reportgen.records.checkpoint import Checkpoint, Ledger, Scope, TensorSpec, Term
from reportgen.records.errors import EvidenceError
from reportgen.records.formula import Symbol
from reportgen.records.record import replace

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
LABELS = told("stored")
WEIGHTS = ("embedding", "position", "attention", "ffn")
BODY = (*WEIGHTS, "norm", "bias")
TABLES = ("wte", "wpe")
HEADS = frozenset({"lm_head", "embed_out", "score", "classifier"})


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
        scope(name, label, [term for term in terms if term.role in roles])
        for name, label, roles in chosen
    )


def modules_of_tensors(checkpoint: Checkpoint) -> tuple[Module, ...]:
    """Read modules off tensor names: two sizes are a matrix, one size a norm.

    A matrix whose name says so is an embedding; the transposed storage of GPT-2 cannot be
    told from names, and does not change any count.

    Raises:
        EvidenceError: The weights are packed, so that their shapes are not told.
    """
    unpacked = unpack(plain_tensors(checkpoint))
    if unpacked.packed or unpacked.unclear:
        fault = f"{checkpoint.source.path} holds packed weights, whose shapes it does not tell"
        raise EvidenceError(fault, remedy="pass the base model's config.json")
    tensors = {tensor.name: tensor for tensor in unpacked.tensors}
    found = []
    for name, tensor in tensors.items():
        stem = name.removesuffix(".weight")
        if stem == name or len(tensor.shape) not in {1, 2}:
            continue
        matrix = len(tensor.shape) == 2
        table = matrix and ("embed" in stem.lower() or stem.endswith(TABLES))
        rows, columns = tensor.shape if matrix else (tensor.shape[0], 0)
        found.append(
            Module(
                name=stem,
                kind="embedding" if table else "linear" if matrix else "norm",
                in_features=rows if table else columns,
                out_features=columns if table else rows,
                bias=f"{stem}.bias" in tensors,
                tied=bool(tensor.shares),
                head=stem.rsplit(".", 1)[-1] in HEADS,
            )
        )
    return tuple(found)


def plain_tensors(checkpoint: Checkpoint | None) -> tuple[TensorSpec, ...]:
    """Return a checkpoint's tensors under the names that the bare model gives them."""
    tensors = checkpoint.tensors if checkpoint else ()
    return tuple(replace(t, name=plain_name(t.name)) for t in tensors if t.trainable)
