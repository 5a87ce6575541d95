"""A configuration's keys under the names of the table, what it lacks filled in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from reportgen.languages import message
from reportgen.parameters._expressions import answer, keys_of
from reportgen.parameters._words import keys_of_symbols
from reportgen.parameters.families import Family, load_family
from reportgen.records.checkpoint import ModelConfig
from reportgen.records.errors import EvidenceError

# No published model has a size near this; a number above it is a broken file, and refusing
# it here keeps every later product small.
LARGEST = 2**40
# Entries of one list, and levels of configurations inside configurations.
LONGEST_LIST = 2**14
DEEPEST = 4
# Lists that older files spell in another way: the list of today, and its word for each sign; no
# list where the library's classes leave out the layers that it is about.
BLOCKS = {"M": "linear_attention", "E": "moe", "*": "full_attention", "-": "mlp"}
OLDER_LISTS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "hybrid_override_pattern": ("layers_block_type", BLOCKS),
    "mtp_hybrid_override_pattern": ("", BLOCKS),
    "moe_layer_freq": ("mlp_layer_types", {"0": "dense", "1": "sparse"}),
    "sparse_attention_config.sparse_attention_freq": (
        *("layer_types", {"0": "full_attention", "1": "minimax_m3_sparse"}),
    ),
    "compress_ratios": (
        "layer_types",
        {
            "0": "sliding_attention",
            "4": "compressed_sparse_attention",
            "128": "heavily_compressed_attention",
        },
    ),
}
# Sizes that some layers have of their own; what transformers 5 writes so of the layers of full
# attention, older files write under keys of the model.
PER_LAYER, OF_FULL = "per_layer_config", "full_attention"
GLOBAL = {"head_dim": "global_head_dim", "num_key_value_heads": "num_global_key_value_heads"}
LABELS = "num_labels"
VERSION = "transformers_version"
TIE = "tie_word_embeddings"


def settings_of(family: Family, config: ModelConfig) -> tuple[dict[str, object], list[str]]:
    """Return dotted key to value for every key that the family uses, and what was assumed."""
    stated = dict(spread(config.values, family.aliases))
    count_labels(stated, config.values)
    usual = {**family.defaults, **left_out(family, stated)}
    given: dict[str, object] = {}
    notes: list[str] = []
    for key, default in usual.items():
        if key in stated:
            value, kind = stated[key], default
            if value is None and key in family.derived:
                given[key] = None
                continue
            if isinstance(default, str) and not isinstance(value, str) and is_size(family, key):
                kind = 1
            given[key] = checked(value, kind, key, config.source.path)
        elif isinstance(default, int) and not isinstance(default, bool) and key != LABELS:
            notes.append(assumed(key, default, config.source.path))
    found = filled(usual, family.derived, given)
    found[VERSION] = shown(config.values.get(VERSION) or "")
    found.setdefault(TIE, config.values.get(TIE))
    return found, notes


def is_size(family: Family, key: str) -> bool:
    """Return whether a key makes some side of a tensor: a word can stand for what is computed."""
    templates = (each for own in family.classes.values() for each in own.templates)
    return any(key in keys_of(side) for each in templates for side in each.sides)


def left_out(family: Family, stated: Mapping[str, object]) -> dict[str, object]:
    """Return the keys that are set where a file lacks a whole part of a composite model."""
    parts = {
        part: instead
        for part, instead in family.defaults.items()
        if isinstance(instead, Mapping) and stated.get(part) is None
    }
    return dict(spread(parts, {}))


def spread(
    values: Mapping[str, object], aliases: Mapping[str, str], start: str = ""
) -> Iterator[tuple[str, object]]:
    """Yield dotted keys with their values, under the names of the table.

    What is nested deeper than any model's sizes (how weights are packed) is not looked into.
    """
    for name, value in values.items():
        dotted = f"{start}{name}"
        key = aliases.get(dotted, dotted)
        if key != dotted and key.removeprefix(start) in values:
            continue
        if isinstance(value, Mapping) and start.count(".") < DEEPEST:
            yield from spread(value, aliases, f"{key}.")
        yield key, value


def count_labels(given: dict[str, object], values: Mapping[str, object]) -> None:
    """Add the number of classes, which a file says by naming them."""
    names = values.get("id2label")
    stated = given.get(LABELS, given.get("num_classes"))
    if stated is None and isinstance(names, Mapping) and names:
        stated = len(names)
    if stated is not None:
        given[LABELS] = stated


def checked(value: object, default: object, key: str, path: str) -> object:
    """Return a value of the kind that its default has."""
    if value is None and not isinstance(default, bool):
        return None
    if isinstance(default, bool):
        if value is None or isinstance(value, bool):
            return bool(value)
        raise unfit(key, path, value, "true or false")
    if isinstance(value, int | float) and not isinstance(value, bool):
        return checked_number(value, default, key, path)
    if isinstance(value, list | tuple):
        if len(value) > LONGEST_LIST:
            raise unfit(key, path, f"{len(value):,} entries", f"at most {LONGEST_LIST:,} of them")
        return list(value)
    if isinstance(default, int | float):
        raise unfit(key, path, value, "a number")
    return value


def checked_number(value: float, default: object, key: str, path: str) -> int | float:
    """Return a number that can be a size where its default is one."""
    if not -LARGEST <= value <= LARGEST:
        raise unfit(key, path, value, f"a number of at most {LARGEST:,}")
    if isinstance(default, str | list):
        raise unfit(key, path, value, "a list" if isinstance(default, list) else "a text")
    if not isinstance(default, float) and value == int(value):
        value = int(value)
    if isinstance(default, int) and isinstance(value, float):
        raise unfit(key, path, value, "a whole number")
    never = key.rpartition(".")[2] in never_zero()
    if isinstance(default, int) and default > 0 and (value < 0 or (never and not value)):
        raise unfit(key, path, value, f"a number of at least {int(never)}")
    return value


@cache
def never_zero() -> frozenset[str]:
    """Return the keys of widths and of numbers of heads."""
    return frozenset({*keys_of_symbols()["d"], *keys_of_symbols()["H"]})


def shown(value: object, limit: int = 80) -> str:
    """Return the beginning of a value as text, whatever a stranger wrote."""
    try:
        return str(value)[:limit]
    except (ValueError, RecursionError):
        return "(too long to print)"


def unfit(key: str, path: str, value: object, wanted: str) -> EvidenceError:
    """Return the error for a value that cannot be what it is."""
    return EvidenceError(
        f"{key} in {path} is {shown(value)!r}, not {wanted}", remedy=f"write {key} as {wanted}"
    )


def filled(
    defaults: Mapping[str, object], derived: Mapping[str, str], given: Mapping[str, object]
) -> dict[str, object]:
    """Return what every key is: what is given, else the default, else what stands for null.

    Keys that follow from others wait for those that they follow from.
    """
    found = {**defaults, **given}
    todo = {key: text for key, text in derived.items() if found.get(key) is None}
    while todo:
        ready = [key for key, text in todo.items() if not keys_of(text) & todo.keys()]
        for key in ready or list(todo):
            found[key] = answer(todo.pop(key), found)
    return found


def assumed(key: str, default: int, path: str) -> str:
    """Return the note for a default."""
    return message(
        "{key} is not in {file}: the default value of the model family, {default}, is used",
        key=key,
        file=path,
        default=default,
    )


def with_known_keys(family: Family, values: Mapping[str, Any], start: str = "") -> dict[str, Any]:
    """Return a configuration whose kinds and sizes of layers stand under keys of the family.

    What it has no keys for stays where it is: no total can be given.
    """
    found = {
        key: with_known_keys(family, value, f"{start}{key}.")
        if isinstance(value, Mapping) and key != PER_LAYER and start.count(".") < DEEPEST
        else value
        for key, value in values.items()
    }
    for old, (new, words) in OLDER_LISTS.items():
        place, _, last = old.rpartition(".")
        holder = found.get(place, {}) if place else found
        signs = holder.get(last) if isinstance(holder, dict) else None
        listed = [words.get(str(sign)) for sign in signs] if isinstance(signs, list | str) else []
        read = place or f"{start}{old}" in family.unsure
        known = not new or (f"{start}{new}" in family.defaults and found.get(new) is None)
        if read and known and listed and all(listed):
            del holder[last]
            found |= {new: listed} if new else {}
    return with_full_layers(family, found, start)


def with_full_layers(family: Family, values: dict[str, Any], start: str) -> dict[str, Any]:
    """Return a configuration in which its sizes of single layers are those of full attention.

    None at all: these layers are as large as the others.
    """
    own, kinds = values.get(PER_LAYER, values), values.get("layer_types")
    if own is values or not isinstance(own, Mapping | None):
        return values
    every = {key.lstrip("0") or "0" for key in own or ()}
    listed = kinds if isinstance(kinds, list) else []
    full = {str(place) for place, kind in enumerate(listed) if kind == OF_FULL}
    sizes, *others = (own or {"": {}}).values()
    if every and (every != full or any(each != sizes for each in others)):
        return values
    names = {key: f"{start}{name}" for key, name in GLOBAL.items()}
    held = {key for key, name in names.items() if name in family.defaults}
    if not isinstance(sizes, Mapping) or sizes.keys() - held:
        return values
    plain = {key: values.get(key, family.defaults.get(f"{start}{key}")) for key in held}
    here = {GLOBAL[key]: value for key, value in {**plain, **sizes}.items()}
    return {key: value for key, value in values.items() if key != PER_LAYER} | here


def doubt_of(family: Family, config: ModelConfig, settings: Mapping[str, object]) -> str:
    """Return why a configuration can be read in two ways, empty where it cannot.

    The library's classes take an old spelling of a key before or after the new one, and
    compute what follows from a key before an old spelling reaches it.
    """
    values = config.values
    layered = next((key for key, _ in spread(values, {}) if key.endswith(PER_LAYER)), "")
    if layered:
        return message("{key} gives some layers sizes of their own: no total is given", key=layered)
    for other, key in family.aliases.items():
        if values.get(other) is None:
            continue
        if values.get(key) is not None and values[key] != values[other]:
            return message(
                "{other} and {key} are two spellings of one size and say {first} and {second}: no "
                "total is given",
                other=other,
                key=key,
                first=shown(values[other], 40),
                second=shown(values[key], 40),
            )
        late = [name for name, text in family.derived.items() if key in keys_of(text)]
        waits = [name for name in late if values.get(name) is None]
        if waits and values.get(key) is None:
            return message(
                "{name} is not stated, and would follow from {key}, which stands under the old "
                "name {other}: no total is given",
                name=waits[0],
                key=key,
                other=other,
            )
    return inner_tie(family, values, settings) or misplaced(family, values, settings)


def usual(family: Family, key: str, stated: object, settings: Mapping[str, object]) -> bool:
    """Return whether a key states what the library's own class writes out for it."""
    written = family.written.get(key)
    return written is not None and answer(written, settings, family) == stated


def inner_tie(family: Family, values: Mapping[str, object], settings: Mapping[str, object]) -> str:
    """Return why a tie is not sure that a part of a composite model states for itself.

    Some classes take it from there, and others pass over it. What the part's own class has
    anyway says nothing new, nor does a part that has no words: older files write out each key.
    """
    for name, part in values.items():
        key, kind = f"{name}.{TIE}", family.defaults.get(f"{name}.model_type")
        worded = {TIE, f"{name}.vocab_size"} <= family.defaults.keys()
        if not worded or not isinstance(part, Mapping) or part.get(TIE) is None:
            continue
        stated = part[TIE]
        own = load_family(str(part.get("model_type", kind)))
        known = (own.defaults.get(TIE) if own else None), values.get(TIE, family.defaults[TIE])
        if bool(stated) not in known and not usual(family, key, stated, settings):
            return message("{key} is stated for a part alone: no total is given", key=key)
    return ""


def misplaced(family: Family, values: Mapping[str, object], settings: Mapping[str, object]) -> str:
    """Return why a part of a composite model is not where it belongs, empty where all are.

    Older files hold the sizes of the text beside those of the vision, and not below a part. What
    the parts state too, and the type of the whole, say nothing new.
    """
    parts = {key.partition(".")[0] for key in family.defaults if "." in key}
    below = {key.rpartition(".")[2] for key in family.defaults if "." in key}
    plain = {key for key in family.defaults if "." not in key} | set(family.aliases)
    loose = [key for key in sorted((below & values.keys()) - plain) if key != "model_type"]
    for key in loose if parts else ():
        # Where every part states it, nothing is open: what the whole sets has an alias.
        named = [name for name in family.defaults if name.rpartition(".")[2] == key and "." in name]
        held = [values.get(name.partition(".")[0]) for name in named]
        stated = all(isinstance(part, Mapping) and key in part for part in held)
        if not stated and not usual(family, key, values[key], settings):
            return message(
                "{key} stands beside {parts} and not in one of them: no total is given",
                key=key,
                parts=", ".join(sorted(parts)),
            )
    return ""
