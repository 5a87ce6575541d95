"""A configuration counted: its family, the classes that are quoted, their tensors and terms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache

from reportgen.languages import message
from reportgen.parameters._expressions import answer
from reportgen.parameters._parts import Part, parts_of
from reportgen.parameters._scopes import (
    BOTH,
    COMPOSITE,
    DECODER,
    ENCODER,
    Line,
    list_scopes,
    quoted_classes,
    scope_name,
    style_of,
)
from reportgen.parameters._settings import (
    TIE,
    doubt_of,
    settings_of,
    shown,
    spread,
    usual,
    with_known_keys,
)
from reportgen.parameters._terms import size_words, write_terms, write_tree
from reportgen.parameters._words import NAMES, ROWS, Symbols, keys_of_symbols
from reportgen.parameters.families import BASE, Family, ModelClass, known_types, load_family
from reportgen.parameters.modules import Module, list_modules
from reportgen.parameters.tensors import Tensors, tensors_of_class
from reportgen.records.checkpoint import Ledger, ModelConfig
from reportgen.records.errors import EvidenceError
from reportgen.records.formula import symbols
from reportgen.records.record import record, replace

# The head of a class that the table does not have.
OTHER = "other"
MATRIX = 2
# End of the key of an old copy of a part's configuration.
COPY = "_dict"


@record
class Counted:
    """A model that was counted from its configuration.

    Attributes:
        family: Its model type.
        known: Name of each quoted class to the class and its tensors.
        parts: The parts of the model.
        names: Key of a piece of a part to the name of its term.
        values: Dotted configuration key to value.
        keys: Symbol key to the configuration key that it stands for.
        ledger: Terms, scopes, symbols and tree.
        others: Names of the terms that the class does not have that the configuration names.
        warnings: Why some total is not given.
    """

    family: Family
    known: Mapping[str, tuple[ModelClass, Sequence[Tensors]]]
    parts: Sequence[Part]
    names: Mapping[tuple[str, frozenset[str]], str]
    values: Mapping[str, object]
    keys: Mapping[str, str]
    ledger: Ledger
    others: frozenset[str]
    warnings: tuple[str, ...] = ()


def family_for(config: ModelConfig) -> Family | None:
    """Return the family that a configuration is of; fairseq's arguments have one of their own."""
    values, named = config.values, config.model_type.partition("_")[0]
    of_fairseq = "encoder_embed_dim" in values
    if "hidden_size" in values or not (of_fairseq or "encoder_layers" in values):
        return load_family(config.model_type)
    if named == "roberta" or (of_fairseq and not named):
        return load_family("fairseq_roberta")
    return None if of_fairseq else load_family(config.model_type)


def count_config(config: ModelConfig) -> Counted | None:
    """Count a model from its configuration; None where no table has its model type.

    Units: parameters.

    Raises:
        EvidenceError: A value is no size, or of the wrong kind.

    Source: `tools/families`; Kaplan et al. 2020 (arXiv:2001.08361), table 1, for what the
    parts of a Transformer hold.

    Example:
        >>> from reportgen.records.run import Source
        >>> source = Source(path="config.json", kind="config_json", size=0, sha256="")
        >>> bert = ModelConfig(source=source, model_type="bert", values={})
        >>> count_config(bert).ledger.scope("model").total
        109482240
    """
    family = family_for(config)
    if family is None:
        return None
    path = config.source.path
    config = with_known_parts(family, config)
    values, notes = settings_of(family, config)
    named = named_class(family, config)
    classes = [covered(each, family, config, values) for each in wanted(family, named)]
    known = {each.name: (each, counted_class(each, values, path)) for each in classes}
    asked_first = sorted(classes, key=lambda each: not named or each.name != named.name)
    drawn = Symbols(values, family.name)
    parts = parts_of(classes[0], known)
    written, names = write_terms(parts, drawn)
    lines = [Line(term=term, classes=held) for term, held in written]
    stated = named if "architectures" in config.values else None
    own = [line.term for line in lines if stated is None or stated.name in line.classes]
    title = ROWS["titles"].get(family.name) or family.base.name.removesuffix("Model") or family.name
    ledger = Ledger(
        family=family.name,
        terms=tuple(line.term for line in lines),
        scopes=list_scopes(family, classes, lines, used=experts_used(config)),
        symbols={
            symbol.key: (symbol.meaning, drawn.values[symbol.key])
            for line in lines
            for symbol in symbols(line.term.formula)
        }
        | stated_symbols(lines, drawn, config),
        tree=write_tree(title, about(drawn, config), own, shapes_of(parts)),
        notes=tuple(notes),
    )
    return Counted(
        family=family,
        known=known,
        parts=parts,
        names=names,
        values=values,
        keys=drawn.keys,
        ledger=ledger,
        others=frozenset(line.term.name for line in lines if line.term not in own),
        warnings=tuple(dict.fromkeys(filter(None, (each.withheld for each in asked_first)))),
    )


def with_known_parts(family: Family, config: ModelConfig) -> ModelConfig:
    """Return a configuration under the keys of its family, parts of the types that it covers.

    A part of another type is one of these where its tensors are: so is Mistral within LLaVA.
    """
    values, usual = with_known_keys(family, config.values), family.defaults
    for name, part in values.items():
        kind = load_family(str(usual.get(f"{name}.model_type")))
        own = load_family(str(part.get("model_type"))) if isinstance(part, Mapping) else None
        if not own or not kind or own is kind:
            continue
        more = own.defaults.items()
        found = {key: value for key, value in more if value != usual.get(f"{name}.{key}")}
        found |= {**part, "model_type": kind.name}
        held = bare_shapes(own, replace(config, values=part))
        if held and held == bare_shapes(kind, replace(config, values=found)):
            values[name] = found
    return replace(config, values=values)


def bare_shapes(family: Family, config: ModelConfig) -> list[tuple[object, ...]]:
    """Return the tensors of a model without a head; none where they are not sure."""
    config = replace(config, values=with_known_keys(family, config.values))
    try:
        values, _ = settings_of(family, config)
        own = covered(family.base, family, config, values)
        tensors = () if own.withheld else tensors_of_class(own, values, config.source.path)
    except EvidenceError:
        return []
    tied = family.defaults.get(TIE)
    return [(each.name, each.shape, list(each.numbers), tied) for each in tensors]


def counted_class(own: ModelClass, values: Mapping[str, object], path: str) -> tuple[Tensors, ...]:
    """Return the tensors of a class; values that its templates do not cover are said to be so."""
    try:
        return tensors_of_class(own, values, path)
    except EvidenceError as error:
        if not own.withheld:
            raise
        raise EvidenceError(own.withheld, remedy=error.remedy) from None


def wanted(family: Family, named: ModelClass | None) -> list[ModelClass]:
    """Return the classes to count, the base first; one that shares nothing with it is alone."""
    base = family.base
    if named is not None and named.role != BASE:
        held = {template.name.removeprefix(named.prefix) for template in named.templates}
        shared = sum(template.name in held for template in base.templates)
        if 2 * shared < len(base.templates):
            return [replace(named, prefix="")]
    return quoted_classes(family, named.name if named else "")


def named_class(family: Family, config: ModelConfig) -> ModelClass | None:
    """Return the class that `architectures` names, by its name or by what its name ends in.

    Where none is named, the bare model of an encoder and the language model of any other. A class
    of another model type is none of this one.
    """
    stated = config.values.get("architectures")
    if not isinstance(stated, list | tuple) or not stated:
        writing = ("Seq2SeqLM", "ImageTextToText", "CausalLM")
        roles = writing if style_of(family) != ENCODER else ()
        return next((c for role in roles if (c := of_role(family, role))), family.base)
    name = str(stated[0])
    if name in family.classes:
        return family.classes[name]
    end, role = next((row for row in ROWS["ends"].items() if name.endswith(row[0])), ("", OTHER))
    other = load_family(types_by_stem().get(name.removesuffix(end).lower(), ""))
    if role == OTHER or (other and name in other.classes):
        return None
    # Composites too are said to be for conditional generation.
    others = ("ImageTextToText", "CausalLM") if role == "Seq2SeqLM" else ()
    return next((own for each in (role, *others) if (own := of_role(family, each))), None)


@cache
def types_by_stem() -> Mapping[str, str]:
    """Return how names of classes begin, in small letters, to the model type that they say."""
    return {name.replace("_", "").replace("-", ""): name for name in known_types()}


def of_role(family: Family, role: str) -> ModelClass | None:
    """Return the first class of a role."""
    return next((own for own in family.classes.values() if own.role == role), None)


def covered(
    own: ModelClass, family: Family, config: ModelConfig, values: Mapping[str, object]
) -> ModelClass:
    """Return a class with the reason why its total is not given, where there is one."""
    return replace(own, withheld=uncovered(own, family, config, values))


def uncovered(
    own: ModelClass, family: Family, config: ModelConfig, values: Mapping[str, object]
) -> str:
    """Return why the total of a class is not given, empty where it is."""
    if own.withheld:
        return message(
            "the formula of {name} was not proven: its parts are listed without a total",
            name=own.name,
        )
    if reason := doubt_of(family, config, values):
        return reason
    given = dict(spread(config.values, family.aliases))
    for key, default in family.unsure.items():
        stated = given.get(key, default)
        known = stated == default or (default is None and not stated)
        known = known or usual(family, key, stated, values)
        if not known and not repeats_part(family, key, given):
            return message(
                "{key} is {value}: the parts of this model type are known for {default} alone, "
                "so no total is given",
                key=key,
                value=shown(given[key], 60),
                default=shown(default, 60),
            )
    for text in own.requires:
        if not answer(text, values):
            return message(
                "the parts of this model type are known where {condition}, so no total is given",
                condition=text,
            )
    return ""


def repeats_part(family: Family, key: str, given: Mapping[str, object]) -> bool:
    """Return whether a key is an old copy of a part (`text_config_dict`) and says what it says.

    The library's classes let the copy decide, with its defaults for what the copy leaves out.
    """
    start, copy = f"{key.removesuffix(COPY)}.", given[key]
    if not key.endswith(COPY) or not isinstance(copy, Mapping):
        return False
    told = dict(spread(copy, family.aliases, start))
    sizes = {name: size for name, size in family.defaults.items() if name.startswith(start)}
    return all(told.get(name, size) == given.get(name, size) for name, size in sizes.items())


def experts_used(config: ModelConfig) -> int:
    """Return how many experts a token passes through, 0 where the file does not say."""
    held: list[Mapping[str, object]] = [config.values]
    held += [each for each in config.values.values() if isinstance(each, Mapping)]
    found = (each.get(key) for each in held for key in NAMES["active"])
    return next((n for n in found if isinstance(n, int) and not isinstance(n, bool)), 0)


def shapes_of(parts: Sequence[Part]) -> dict[str, str]:
    """Return term to shape in words, of what stands in no layer: a table or matrix of one shape."""
    found: dict[str, str] = {}
    named = [f"{part.side}.{part.term}" if part.side else part.term for part in parts]
    shapes = {(name, part.weight.shape) for name, part in zip(named, parts, strict=True)}
    counts = Counter(name for name, _ in shapes)
    for name, part in zip(named, parts, strict=True):
        shape, linear = part.weight.shape, part.kind == "linear"
        if not part.stack and len(shape) == MATRIX and counts[name] == 1:
            found[name] = (
                " → ".join(map(str, shape[::-1])) if linear else " × ".join(map(str, shape))
            )
    return found


def stated_symbols(
    lines: Sequence[Line], drawn: Symbols, config: ModelConfig
) -> dict[str, tuple[str, int | float]]:
    """Return symbols that no formula uses and a reader asks for.

    They are the experts that a token passes through, and the layers that share their weights.
    """
    found: dict[str, tuple[str, int | float]] = {}
    used = experts_used(config)
    if used and any(line.term.role == "expert" for line in lines):
        found["k"] = message("experts that a token passes through"), used
    stated = config.values.get("num_hidden_layers")
    if "G" in drawn.values and isinstance(stated, int):
        found["L"] = message("number of layers"), stated
    return found


def about(drawn: Symbols, config: ModelConfig) -> str:
    """Return the sizes of a model in words; a model of several parts has no one size."""
    values = drawn.values
    if "L" not in values or "d" not in values:
        return ""
    stated = (config.values.get(key) for key in keys_of_symbols()["H"])
    heads = values.get("H", next((n for n in stated if isinstance(n, int)), 0))
    return size_words(int(values["L"]), int(values["d"]), int(heads))


def total_scope_name(family: Family, ledger: Ledger, config: ModelConfig) -> str:
    """Return the name of the scope that is the total, empty where there is none."""
    named = named_class(family, config)
    if named is None:
        return ""
    name, style = scope_name(family, named), style_of(family)
    if "architectures" in config.values:
        bare = ("encoder",) if style == ENCODER and named.role == BASE else ()
        return best_of(ledger, (f"{name}_hf", name, *bare))
    usual = {ENCODER: "encoder", DECODER: "all", BOTH: "all", COMPOSITE: "model"}[style]
    return best_of(ledger, (usual, name))


def best_of(ledger: Ledger, names: Sequence[str]) -> str:
    """Return the first name that is a scope, or an empty string."""
    return next((name for name in names if ledger.scope(name)), "")


def modules_of_config(config: ModelConfig, role: str) -> tuple[Module, ...]:
    """Return the leaf modules of the class of a role; of the class that is named where empty.

    Raises:
        EvidenceError: The family has no such class, or a value is no size.
    """
    family = family_for(config)
    if family is None:
        fault = f"the modules of model type {config.model_type[:80]!r} are not known"
        raise EvidenceError(fault, remedy="pass a checkpoint of the base model")
    own = of_role(family, role) if role else named_class(family, config)
    if own is None and role == "CausalLM":
        own = of_role(family, "Seq2SeqLM")
    if own is None:
        stated = shown(config.values.get("architectures"))
        raise EvidenceError(
            f"{config.source.path} names the class {stated}, whose parts are not counted here"
            if not role
            else f"{family.name} has no class with the head {role}",
            remedy="name the class that was trained under architectures",
        )
    config = with_known_parts(family, config)
    values, _ = settings_of(family, config)
    if reason := covered(own, family, config, values).withheld:
        raise EvidenceError(reason, remedy="count the tensors of the saved adapter")
    tensors = tensors_of_class(own, values, config.source.path)
    base = [f"{own.prefix}{each.name}" for each in family.base.templates]
    return list_modules(tensors, base)
