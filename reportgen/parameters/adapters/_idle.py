"""Entries of an adapter's configuration that reach nothing in its base model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from reportgen.parameters.adapters._linting import MOST_IDLE, close_to, warning
from reportgen.parameters.adapters._matching import (
    branches,
    endings,
    layer_finder,
    names_of,
    pattern_value,
    refuse_many,
)
from reportgen.parameters.adapters._table import HEADS_SAVED
from reportgen.parameters.modules import Module, tensors_of
from reportgen.records.source import Problem
from reportgen.records.tensor import AdapterConfig

MOST_NAMED = 3
"""Layers that one sentence names."""
PATTERNS = ("rank_pattern", "alpha_pattern")


def lint_names(
    adapter: AdapterConfig,
    modules: Iterable[Module],
    matched: Iterable[str],
    tensors: Iterable[str] = (),
) -> tuple[Problem, ...]:
    """Return a problem for every name that reaches no module of the base model.

    Args:
        adapter: The configuration.
        modules: Leaf modules of the base model.
        matched: Names of the modules that get an adapter.
        tensors: Names of the base model's stored tensors, where they are known.
    """
    modules = tuple(modules)
    leaves = sorted({module.name.rsplit(".", 1)[-1] for module in modules})
    unreached = tuple(unreached_names(adapter, modules, tuple(matched), tensors))
    counted = Counter(key for key, _ in unreached)
    named: Counter[str] = Counter()
    found: list[Problem] = []
    for key, name in unreached:
        named[key] += 1
        if named[key] <= MOST_IDLE:
            found.append(idle(adapter, key, name, leaves))
    for key, number in counted.items():
        if number > MOST_IDLE:
            rest = number - MOST_IDLE
            message = f"{key} names {rest:,} more that match no module of the base model"
            found.append(warning(adapter, message, "compare with the base model's modules"))
    found += idle_layers(adapter, modules)
    tied = any(m.tied and m.kind != "embedding" for m in modules)
    if adapter.values.get("ensure_weight_tying") is True and not tied:
        message = "ensure_weight_tying is set and the base model ties no weights; PEFT ignores it"
        found.append(warning(adapter, message, "take it out"))
    return tuple(found)


def unreached_names(
    adapter: AdapterConfig,
    modules: tuple[Module, ...],
    matched: tuple[str, ...],
    tensors: Iterable[str],
) -> Iterator[tuple[str, str]]:
    """Yield key and name of every entry that reaches nothing."""
    values = adapter.values
    every = {branch for module in modules for branch in branches(module.name)}
    reached = {ending for branch in every for ending in endings(branch)}
    for key in ("target_modules", "exclude_modules"):
        if not isinstance(values.get(key), str):
            yield from ((key, name) for name in names_of(values.get(key)) if name not in reached)
    saved = names_of(values.get("modules_to_save"))
    refuse_many(saved, "modules_to_save")
    added = HEADS_SAVED.get(str(values.get("task_type")), ())
    for name in saved:
        # PEFT compares with `endswith` and no dot.
        if name not in added and not any(branch.endswith(name) for branch in every):
            yield "modules_to_save", name
    # AdaLoRA's pattern lists the ranks that are left, by tensors.
    for key in () if adapter.peft_type == "ADALORA" else PATTERNS:
        patterns = values.get(key)
        for name in patterns if isinstance(patterns, Mapping) else ():
            if not any(pattern_value({name: 1}, module, key) for module in matched):
                yield key, str(name)
    parameters = {*tensors, *(tensor.name for tensor in tensors_of(modules))}
    known = {ending for parameter in parameters for ending in endings(parameter)}
    for name in names_of(values.get("target_parameters")):
        if name not in known:
            yield "target_parameters", name


def idle_layers(adapter: AdapterConfig, modules: tuple[Module, ...]) -> list[Problem]:
    """Name numbers of layers that the base model does not have."""
    layer = layer_finder(adapter.values)
    known = {layer(module.name) for module in modules}
    chosen = adapter.values.get("layers_to_transform")
    numbers = chosen if isinstance(chosen, list) else [chosen]
    left = list(dict.fromkeys(n for n in numbers if isinstance(n, int) and n not in known))
    if not left:
        return []
    named = ", ".join(str(number)[:20] for number in left[:MOST_NAMED])
    more = f" and {len(left) - MOST_NAMED:,} more" if len(left) > MOST_NAMED else ""
    which = f"layer {named}" if len(left) == 1 else f"layers {named}{more}"
    message = f"layers_to_transform names {which}, which the base model does not have; PEFT ignores"
    return [warning(adapter, f"{message} it", "layers are counted from 0")]


def idle(adapter: AdapterConfig, key: str, name: str, leaves: list[str]) -> Problem:
    """Name an entry that reaches no module, and the nearest name that exists."""
    near = close_to(name.rsplit(".", 1)[-1], leaves)
    return warning(
        adapter,
        f"{key} names {name[:80]}, which matches no module of the base model; PEFT ignores it",
        f"did you mean {near}?" if near else "compare with the base model's modules",
    )
