"""Which modules an adapter's configuration names, by PEFT's own rules.

Source: peft 0.21 `tuners/tuners_utils.py`, `check_target_module_exists` and
`_maybe_include_all_linear_layers`; `utils/other.py`, `get_pattern_key` and `_set_trainable`.
"""

from __future__ import annotations

import itertools
import re
import warnings
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache

from reportgen.parameters.adapters._table import DEFAULT_TARGETS, HEADS_SAVED, OUTPUT_EMBEDDINGS
from reportgen.parameters.modules import Module
from reportgen.records.checkpoint import AdapterConfig
from reportgen.records.errors import EvidenceError

LONGEST_PATTERN = 1000
MOST_PATTERNS = 2000
"""Expressions, and names compared as endings, of one key."""
# Lists so long PEFT replaces by shorter endings that match the same modules.
LONG_LIST = 20
# Python refuses to read numbers of thousands of digits.
MOST_DIGITS = 18
# A repeated group that ends in a repetition is how a short expression takes for ever.
NESTED_REPEAT = re.compile(r"[*+}]\??\)[*+{]")


@lru_cache(maxsize=2 * MOST_PATTERNS)
def compile_safely(expression: str, where: str) -> re.Pattern[str]:
    """Compile an expression from a stranger's file, or refuse one that is not safe."""
    if len(expression) > LONGEST_PATTERN or NESTED_REPEAT.search(expression):
        raise EvidenceError(
            f"the regular expression in {where} is too long or repeats a repetition; it is not "
            "evaluated",
            remedy="write the names as a list",
        )
    try:
        with warnings.catch_warnings():
            # What a later Python may read in another way is no concern of who asks for a count.
            warnings.simplefilter("ignore", FutureWarning)
            return re.compile(expression)
    except (re.error, RecursionError, OverflowError) as error:
        raise EvidenceError(
            f"{where} is no regular expression: {error}", remedy="write the names as a list"
        ) from None


def refuse_many(entries: Collection[object], where: str) -> None:
    """Refuse a list that is compared entry by entry with every module, where it is long."""
    if len(entries) > MOST_PATTERNS:
        raise EvidenceError(
            f"{where} holds {len(entries):,} entries, and at most {MOST_PATTERNS:,} are evaluated",
            remedy="write one entry for all modules of a kind",
        )


def names_of(value: object) -> tuple[str, ...]:
    """Return the texts of a list, a single text as one, null as none."""
    if isinstance(value, str):
        return (value,)
    if isinstance(value, Sequence | set | frozenset):
        return tuple(str(item) for item in value)
    return ()


def branches(name: str) -> list[str]:
    """Return a dotted name and every parent of it.

    Example:
        >>> branches("layer.0.q")
        ['layer', 'layer.0', 'layer.0.q']
    """
    parts = name.split(".")
    return [".".join(parts[: n + 1]) for n in range(len(parts))]


def endings(name: str) -> list[str]:
    """Return every dotted ending of a name, the name itself last."""
    parts = name.split(".")
    return [".".join(parts[n:]) for n in reversed(range(len(parts)))]


def is_named(name: str, names: Collection[str]) -> bool:
    """Return whether a dotted name is one of some names or ends in one behind a dot."""
    return any(ending in names for ending in endings(name))


def chooser(
    values: Mapping[str, object],
    targets: object,
    modules: Iterable[Module],
    guarded: Iterable[str] = (),
) -> Callable[[str], bool]:
    """Return the question whether a dotted name, a leaf's or a parent's, is targeted.

    What is `guarded` is saved whole and never targeted.
    """
    modules = tuple(modules)
    saved = [compile_safely(rf"(^|.*\.){name}($|\..*)", "modules_to_save") for name in guarded]
    excluded = named_by(values.get("exclude_modules"), "exclude_modules")

    def kept(name: str) -> bool:
        return not excluded(name) and not any(whole.match(name) for whole in saved)

    if isinstance(targets, str) and targets.lower() == "all-linear":
        # A head of that name that gives no words, as for speech, is a matrix like any other.
        heads = HEADS_SAVED["SEQ_CLS"] if values.get("task_type") == "SEQ_CLS" else ()
        tables = {module.in_features for module in modules if module.kind == "embedding"}
        targets = tuple(
            module.name
            for module in modules
            if module.kind in {"linear", "conv1d"}
            and module.name not in heads
            and not (module.name in OUTPUT_EMBEDDINGS and module.out_features in tables)
        )
    if isinstance(targets, str):
        whole = named_by(targets, "target_modules")
        return lambda name: whole(name) and kept(name)
    wanted = frozenset(names_of(targets))
    # Elsewhere the endings match what the names did; a layer is asked for of endings alone.
    if len(wanted) >= LONG_LIST and values.get("layers_to_transform") is not None:
        wanted = shorten(wanted, modules)
    in_layers = layer_filter(values)
    return lambda name: (
        (name in wanted or (is_named(name, wanted) and in_layers(name))) and kept(name)
    )


def named_by(value: object, key: str) -> Callable[[str], bool]:
    """Return the question whether a key names a module: by an expression, or in a list."""
    if isinstance(value, str):
        whole = compile_safely(value, key)
        return lambda name: whole.fullmatch(name) is not None
    listed = frozenset(names_of(value))
    return lambda name: is_named(name, listed)


def shorten(names: frozenset[str], modules: Iterable[Module]) -> frozenset[str]:
    """Return the shortest endings that tell the named modules from the others, where fewer.

    Source: peft 0.21 `tuners/tuners_utils.py`, `_find_minimal_target_modules`. Modules without
    weights are not known here; none is called as a matrix is.
    """
    every = {branch for module in modules for branch in branches(module.name)}
    others = {ending for name in every if not is_named(name, names) for ending in endings(name)}
    found: set[str] = set()
    for spelled in sorted(endings(name) for name in names):
        if not any(ending in found for ending in spelled[:-1]):
            free = (ending for ending in spelled if ending not in found and ending not in others)
            found |= set(itertools.islice(free, 1))
    return frozenset(found) if 0 < len(found) < len(names) else names


def layer_finder(values: Mapping[str, object]) -> Callable[[str], int | None]:
    """Return the question which layer a module is in; None for one in no numbered layer."""
    names = names_of(values.get("layers_pattern"))
    refuse_many(names, "layers_pattern")
    patterns = [rf"(?:^|.*?\.){part}\." for part in names if part]
    numbered = [
        compile_safely(rf"{pattern}(?P<number>\d+)\.", "layers_pattern")
        for pattern in patterns or [r".*?\.[^.]*\."]
    ]

    def layer(name: str) -> int | None:
        found = next(filter(None, (pattern.match(name) for pattern in numbered)), None)
        short = found is not None and len(found["number"]) <= MOST_DIGITS
        return int(found["number"]) if found is not None and short else None

    return layer


def layer_filter(values: Mapping[str, object]) -> Callable[[str], bool]:
    """Return the question whether `layers_to_transform` lets a module's layer through."""
    chosen = values.get("layers_to_transform")
    if chosen is None or chosen == []:
        return lambda _: True
    layer = layer_finder(values)
    layers = {n for n in (chosen if isinstance(chosen, list) else [chosen]) if isinstance(n, int)}
    return lambda name: layer(name) in layers


def pattern_value(patterns: object, name: str, key: str, start: str = r"(.*\.)?") -> object:
    """Return what a key such as `rank_pattern` says of a module, or None."""
    if not isinstance(patterns, Mapping):
        return None
    refuse_many(patterns, key)
    for expression, value in patterns.items():
        if compile_safely(f"{start}({expression})$", key).match(name):
            return value
    return patterns.get(name)


def select_saved(names: Iterable[str], modules: Iterable[Module]) -> tuple[Module, ...]:
    """Return the leaf modules that `modules_to_save` copies, inner ones with their parents.

    PEFT compares with `endswith` and no dot, on every module of the tree.
    """
    wanted = tuple(names)
    refuse_many(wanted, "modules_to_save")
    return tuple(
        module
        for module in modules
        if wanted and any(branch.endswith(wanted) for branch in branches(module.name))
    )


def saved_names(values: Mapping[str, object]) -> tuple[str, ...]:
    """Return `modules_to_save` with the heads that PEFT adds for the task."""
    if isinstance(values.get("modules_to_save"), str):
        fault = "modules_to_save is a text: PEFT refuses it, or takes every letter for a name"
        raise EvidenceError(fault, remedy="write a list of names")
    added = HEADS_SAVED.get(str(values.get("task_type")), ())
    return tuple(dict.fromkeys((*names_of(values.get("modules_to_save")), *added)))


def targets_of(adapter: AdapterConfig, model_type: str) -> object:
    """Return `target_modules`, or PEFT's default for the model type where it is null."""
    targets = adapter.values.get("target_modules")
    if targets is not None:
        return targets
    defaults = DEFAULT_TARGETS[adapter.peft_type]
    if model_type not in defaults:
        raise EvidenceError(
            f"target_modules in {adapter.source.path} is null, and PEFT has no default for "
            f"model type {model_type[:80]!r}",
            remedy="name the target modules",
        )
    return defaults[model_type]
