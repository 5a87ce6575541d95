"""Which modules an adapter's configuration names, by PEFT's own rules.

Source: peft `tuners/tuners_utils.py`, `check_target_module_exists` and
`_maybe_include_all_linear_layers`; `utils/other.py`, `get_pattern_key` and
`_set_trainable`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from reportgen.architectures._terms import Module
from reportgen.errors import EvidenceError

LONGEST_PATTERN = 1000
# A repeated group that ends in a repetition is how a short expression takes for ever.
NESTED_REPEAT = re.compile(r"[*+}]\??\)[*+{]")


def compile_safely(expression: str, where: str) -> re.Pattern[str]:
    """Compile an expression from a stranger's file.

    Raises:
        EvidenceError: It is no regular expression, is over-long, or repeats a repetition.

    Example:
        >>> bool(compile_safely(r".*layers[.]0[.]q", "target_modules").fullmatch("layers.0.q"))
        True
    """
    if len(expression) > LONGEST_PATTERN or NESTED_REPEAT.search(expression):
        raise EvidenceError(
            f"the regular expression in {where} is too long or repeats a repetition; it is not "
            "evaluated",
            remedy="write the names as a list",
        )
    try:
        return re.compile(expression)
    except re.error as error:
        raise EvidenceError(
            f"{where} is no regular expression: {error}", remedy="write the names as a list"
        ) from None


def names_of(value: object) -> tuple[str, ...]:
    """Return the texts of a list, a single text as one, null as none.

    Example:
        >>> names_of(["q_proj", "v_proj"]), names_of(None), names_of("score")
        (('q_proj', 'v_proj'), (), ('score',))
    """
    if isinstance(value, str):
        return (value,)
    if isinstance(value, Sequence | set | frozenset):
        return tuple(str(item) for item in value)
    return ()


def ends_with(name: str, target: str) -> bool:
    """Return whether a module's dotted name is the target or ends in it behind a dot.

    Example:
        >>> ends_with("h.0.attn.c_attn", "attn.c_attn"), ends_with("h.0.xq", "q")
        (True, False)
    """
    return name == target or name.endswith(f".{target}")


def select_targets(
    values: Mapping[str, object], targets: object, modules: Iterable[Module]
) -> tuple[Module, ...]:
    """Return the modules that get an adapter.

    Args:
        values: The adapter's configuration.
        targets: `target_modules`, defaults already filled in.
        modules: Leaf modules of the base model.

    Raises:
        EvidenceError: An expression in the file cannot be evaluated.
    """
    kept = [module for module in modules if not is_excluded(values, module.name)]
    if targets == "all-linear":
        return tuple(m for m in kept if m.kind in {"linear", "conv1d"} and not m.head)
    if isinstance(targets, str):
        whole = compile_safely(targets, "target_modules")
        return tuple(module for module in kept if whole.fullmatch(module.name))
    wanted = names_of(targets)
    return tuple(
        module
        for module in kept
        if module.name in wanted
        or (any(ends_with(module.name, t) for t in wanted) and in_layers(values, module.name))
    )


def is_excluded(values: Mapping[str, object], name: str) -> bool:
    """Return whether `exclude_modules` names the module."""
    excluded = values.get("exclude_modules")
    if isinstance(excluded, str):
        return compile_safely(excluded, "exclude_modules").fullmatch(name) is not None
    return any(ends_with(name, target) for target in names_of(excluded))


def in_layers(values: Mapping[str, object], name: str) -> bool:
    """Return whether `layers_to_transform` lets the module's layer through."""
    chosen = values.get("layers_to_transform")
    if chosen is None or chosen == []:
        return True
    layers = chosen if isinstance(chosen, list) else [chosen]
    lists = names_of(values.get("layers_pattern")) or (r"[^.]*",)
    for part in lists:
        found = compile_safely(rf".*\.{part}\.(\d+)\.", "layers_pattern").match(name)
        if found:
            return int(found.group(1)) in layers
    return False


def pattern_value(patterns: object, name: str) -> object:
    """Return what `rank_pattern` or `alpha_pattern` says of a module, or None.

    Example:
        >>> pattern_value({"q_proj": 8}, "model.layers.0.self_attn.q_proj")
        8
    """
    if not isinstance(patterns, Mapping):
        return None
    for key, value in patterns.items():
        whole = compile_safely(rf"(.*\.)?({key})$", "rank_pattern or alpha_pattern")
        if whole.match(name):
            return value
    return None


def select_saved(names: Iterable[str], modules: Iterable[Module]) -> tuple[Module, ...]:
    """Return the leaf modules that `modules_to_save` copies, inner ones with their parents.

    PEFT compares with `endswith` and no dot, on every module of the tree.
    """
    wanted = tuple(names)
    return tuple(
        module
        for module in modules
        if wanted and any(branch.endswith(wanted) for branch in branches(module.name))
    )


def branches(name: str) -> list[str]:
    """Return a dotted name and every parent of it.

    Example:
        >>> branches("classifier.dense")
        ['classifier', 'classifier.dense']
    """
    parts = name.split(".")
    return [".".join(parts[: n + 1]) for n in range(len(parts))]
