"""The totals that people quote: one for each class of a model, and sums by role."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from reportgen.languages import message
from reportgen.parameters._parts import name_sides, stem_of
from reportgen.parameters._terms import BIAS, EMBEDDINGS
from reportgen.parameters._words import by_word, told
from reportgen.parameters.families import BASE, Family, ModelClass
from reportgen.records.checkpoint import Scope, Term
from reportgen.records.formula import Constant
from reportgen.records.record import record, replace

ENCODER, DECODER, BOTH, COMPOSITE = "encoder", "decoder", "both", "composite"
WEIGHTS = frozenset({"embedding", "position", "attention", "ffn", "router", "expert"})
# Classes of these roles are counted beside the one that a configuration names.
QUOTED = (
    *(BASE, "CausalLM", "MaskedLM", "Seq2SeqLM", "SpeechSeq2Seq", "SequenceClassification"),
    *("ImageClassification", "AudioClassification", "ImageTextToText", "TokenClassification"),
)
# Roles of classes that write text from an encoder's output.
TWO_SIDED = frozenset({"Seq2SeqLM", "SpeechSeq2Seq"})
# Families of which fairseq stores models too, without a table of token types.
OF_FAIRSEQ = frozenset({"roberta", "camembert", "xlm-roberta", "xlm-roberta-xl"})
WITHOUT_TYPES = "_hf"

# Role of a class to the end of its scope's name.
ENDINGS = by_word("scope ends")
ONCE, UNTIED = message("tied projection once"), message("untied projection")
LABELS = told("scopes")
WHOLE = {
    ENCODER: ("model", message("bare model")),
    DECODER: ("body", message("whole model without a head")),
    BOTH: ("model", message("encoder and decoder without a head: the bare model")),
    COMPOSITE: ("model", message("bare model")),
}
STARTS = {ENCODER: "encoder", DECODER: "body", BOTH: "body", COMPOSITE: "model"}


@record
class Line:
    """A term with the classes that have it."""

    term: Term
    classes: frozenset[str]


def style_of(family: Family) -> str:
    """Return whether a family is an encoder, a decoder, both, or made of other parts."""
    roles = {own.role for own in family.classes.values()}
    if roles & TWO_SIDED:
        return BOTH
    if "CausalLM" in roles and not roles & {"MaskedLM", "PreTraining", "ImageTextToText"}:
        return DECODER
    stems = dict.fromkeys(stem_of(template.name) for template in family.base.templates)
    several = len(set(name_sides([stem for stem in stems if stem]).values())) > 1
    return COMPOSITE if several else ENCODER


def quoted_classes(family: Family, named: str) -> list[ModelClass]:
    """Return the classes that are counted: the usual ones, one a role, and the one named."""
    found: dict[str, ModelClass] = {}
    for own in family.classes.values():
        if own.name == named:
            found[own.role] = own
        elif own.role in QUOTED:
            found.setdefault(own.role, own)
    if "MaskedLM" in found and found.get("CausalLM", found["MaskedLM"]).name != named:
        # The same head; a causal model of an encoder is another class.
        found.pop("CausalLM", None)
    return list(found.values()) or [family.base]


def scope_name(family: Family, own: ModelClass) -> str:
    """Return the name of the scope that is all of one class."""
    style = style_of(family)
    if own.role == BASE:
        return WHOLE[style][0]
    whole = {"CausalLM", *TWO_SIDED} | ({"ImageTextToText"} if style == COMPOSITE else set())
    if own.role in whole and style != ENCODER:
        roles = {each.role for each in family.classes.values()}
        alone = own.role == "CausalLM" and roles & {*TWO_SIDED, "ImageTextToText"}
        return "decoder_alone_with_lm_head" if alone else "all"
    ending = ENDINGS.get(own.role, re.sub(r"(?<=[a-z])(?=[A-Z])", "_", own.role).lower())
    return f"{STARTS[style]}_with_{ending}"


def list_scopes(
    family: Family, classes: Iterable[ModelClass], lines: Sequence[Line], used: int
) -> tuple[Scope, ...]:
    """Name every total that people quote; a class that was not proven has none."""
    style = style_of(family)
    classes = [own for own in classes if not own.withheld]
    tied = any(line.term.formula == Constant(0) for line in lines)
    base = [line for line in lines if family.base.name in line.classes]
    found: list[Scope] = []
    if any(own.role == BASE for own in classes):
        roles = WEIGHTS if family.name in OF_FAIRSEQ else WEIGHTS | {"token_type"}
        found += scopes_by_role(base, style, roles)
    for own in classes:
        held = [line.term for line in lines if own.name in line.classes]
        each = scope_of_class(family, own, held, tied=tied)
        # A bare model without a pooler is the encoder, and is said once.
        if own.role != BASE or not any(each.terms == other.terms for other in found[1:]):
            found.append(each)
    heads = [own.name for own in classes if ENDINGS.get(own.role) in {"head", "lm_head"}]
    if style == ENCODER and len(heads) > 1:
        every = [line.term for line in lines if line.classes & set(heads)]
        label = message("encoder and both heads, {once}", once=ONCE if tied else UNTIED)
        found.append(scope("all", label, every))
    found += active_scope(found, lines, used)
    if any(line.term.role == "token_type" for line in lines) and family.name in OF_FAIRSEQ:
        found = list(with_and_without_types(found, lines))
    return tuple({each.name: each for each in reversed(found)}.values())[::-1]


def scopes_by_role(base: Sequence[Line], style: str, roles: frozenset[str]) -> list[Scope]:
    """Return sums of the bare model by role."""
    weights = [line.term for line in base if line.term.role in roles]
    label = message("weight matrices and embeddings; no biases, norms, pooler or heads")
    found = [scope("weights", label, weights)]
    if style == ENCODER:
        inner = [line.term for line in base if line.term.role != "pooler"]
        whole = message("whole encoder; no pooler, no heads")
        found.append(scope("encoder", whole, inner))
    if style == DECODER:
        layers = [
            line.term
            for line in base
            if line.term.role not in EMBEDDINGS and not line.term.name.endswith(BIAS)
        ]
        label = message("layers and norms alone; no embeddings, positions or heads")
        found.append(scope("non_embedding", label, layers))
    return found


def scope_of_class(family: Family, own: ModelClass, held: Sequence[Term], *, tied: bool) -> Scope:
    """Return the scope that is all of one class."""
    style, name = style_of(family), scope_name(family, own)
    if own.role == BASE:
        return scope(name, WHOLE[style][1], held)
    pattern = LABELS.get(f"{style} {ENDINGS.get(own.role)}")
    if pattern is None:
        return scope(name, message("all of the class {name}", name=own.name), held)
    once = ONCE if tied else UNTIED
    label = message(pattern, once=once) if "{once}" in pattern else pattern
    return scope(name, label, held)


def active_scope(found: Sequence[Scope], lines: Sequence[Line], used: int) -> list[Scope]:
    """Return the parameters that one token passes through, of a mixture of experts."""
    totals = {each.name: each for each in found}
    whole = totals.get("all", totals.get("body"))
    experts = [line.term for line in lines if line.term.role == "expert"]
    every = next((int(t.values["E"]) for t in experts if "E" in t.values), 0)
    if whole is None or not 0 < used <= every:
        return []
    count = sum(term.count for term in experts)
    label = message(
        "parameters that one token passes through: {used} of {every} experts a layer, all else "
        "as in `{whole}`",
        whole=whole.name,
        used=used,
        every=every,
    )
    total = whole.total - count // every * (every - used)
    return [Scope(name="active", label=label, terms=(), total=total)]


def with_and_without_types(found: Iterable[Scope], lines: Sequence[Line]) -> Iterable[Scope]:
    """Yield each total without the row of token types, and beside it with it."""
    types = {line.term.name: line.term.count for line in lines if line.term.role == "token_type"}
    for each in found:
        held = [name for name in each.terms if name in types]
        if not held:
            yield each
            continue
        if each.name not in {"model", "encoder_with_token_head"}:
            yield replace(
                each,
                label=message("{scope}; no token types", scope=each.label),
                terms=tuple(name for name in each.terms if name not in types),
                total=each.total - sum(types[name] for name in held),
            )
        if each.name != "all":
            label = message("{scope}; with token types", scope=each.label)
            yield replace(each, name=f"{each.name}{WITHOUT_TYPES}", label=label)


def scope(name: str, label: str, terms: Sequence[Term]) -> Scope:
    """Return the sum of some terms under a name."""
    names, total = tuple(term.name for term in terms), sum(term.count for term in terms)
    return Scope(name=name, label=label, terms=names, total=total)
