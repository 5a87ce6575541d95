"""Every total of a model that people quote, and which to quote when."""

from __future__ import annotations

from collections.abc import Mapping

from reportgen.languages import message, retell, say, tell
from reportgen.languages._language import Message
from reportgen.records.checkpoint import Scope
from reportgen.records.document import Code, Paragraph, Table, TableColumn, TableRow, Text
from reportgen.records.facts import ModelFacts
from reportgen.report._counts import count_number, hugging_face, origin
from reportgen.report._quotes import listed

ADVICE = {
    "weights": message("for a count by hand that leaves out biases, layer norms and heads"),
    "encoder": message("for the size of the pre-trained encoder"),
    "body": message("for the size of the model without a head"),
    "encoder_with_head": message("for what fine-tuning on the classification task trains"),
    "encoder_with_lm_head": message("for what pre-training trained"),
    "all": message("for what a checkpoint with every head holds"),
    "encoder_hf": message("for the encoder as Hugging Face stores it"),
    "model_hf": message("for the bare Hugging Face model"),
    "model": message("for the bare model"),
    "encoder_with_head_hf": message("for the Hugging Face classifier"),
    "encoder_with_lm_head_hf": message("for the Hugging Face masked language model"),
    "non_embedding": message("for scaling laws, which leave embeddings out"),
    "body_with_head": message("for a sequence classifier"),
    "backbone": message("for the model without pooler and heads"),
    "encoder_alone": message("for an encoder that is used by itself"),
    "encoder_with_token_head": message("for a token classifier"),
    "encoder_with_token_head_hf": message("for the Hugging Face token classifier"),
    "body_with_token_head": message("for a token classifier"),
    "encoder_alone_with_token_head": message("for a token classifier"),
    "encoder_with_discriminator": message("for the discriminator as it is pre-trained"),
    "encoder_with_pretraining_heads": message("for pre-training with both heads"),
    "active": message("for what one token passes through"),
}
# RoBERTa's scopes without token types, which only fairseq leaves out.
FAIRSEQ = frozenset({"encoder", "encoder_with_head", "encoder_with_lm_head", "all"})
LANGUAGE_MODEL = message("for the size of the language model")


def scope_table(model: ModelFacts) -> Table:
    """Return every total that people quote, under its name."""
    return Table(
        id="table.scopes",
        caption=say("Totals of this model under each reading of “number of parameters”."),
        columns=(
            TableColumn(title=say("Scope")),
            TableColumn(title=say("What is counted"), wide=True),
            TableColumn(title=say("Parameters"), align="right"),
        ),
        rows=tuple(
            TableRow(
                cells=(
                    (Code(scope.name),),
                    (scope_label(model, scope),),
                    (
                        count_number(
                            f"parameters.scope.{scope.name}",
                            scope.total,
                            method=scope.label,
                            formula=" + ".join(scope.terms),
                            sources=(origin(model),),
                        ),
                    ),
                )
            )
            for scope in model.ledger.scopes
        ),
    )


def scope_label(model: ModelFacts, scope: Scope) -> str:
    """Return what a scope counts; one of fairseq's says so where fairseq has no part."""
    if scope.name in FAIRSEQ and hugging_face(model):
        return tell("{scope}; as fairseq would store it", scope=unprinted(scope.label))
    return retell(scope.label)


def unprinted(label: str) -> str:
    """Return what a scope counts without the remark that fairseq prints it."""
    inner = label.places.get("scope") if isinstance(label, Message) else None
    return retell(inner if isinstance(inner, str) else label)


def speaks(scope: Scope, roles: Mapping[str, str]) -> bool:
    """Return whether "all" of a model is a language model: its head is in, no other is."""
    held = {roles[name] for name in scope.terms}
    return scope.name == "all" and "lm_head" in held and "head" not in held


def advice(model: ModelFacts) -> tuple[Paragraph, ...]:
    """Say which total to quote when, where there is one that people quote."""
    roles = {term.name: term.role for term in model.ledger.terms}
    words = [
        (scope.name, LANGUAGE_MODEL if speaks(scope, roles) else ADVICE[scope.name])
        for scope in model.ledger.scopes
        if scope.name in ADVICE and not (scope.name in FAIRSEQ and hugging_face(model))
    ]
    parts: list[Text] = [(Code(name), f" {retell(when)}") for name, when in words]
    if not parts:
        return ()
    first, last = parts[:-1], parts[-1]
    said = say(
        "None of these totals is more right than another: each answers its own question, and a "
        "number can only be compared with one of the same scope. Quote {scopes}.",
        scopes=say("{first}, and {last}", first=listed(first, ", "), last=last) if first else last,
    )
    return (Paragraph(text=said),)
