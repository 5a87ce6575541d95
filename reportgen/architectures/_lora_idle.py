"""Entries of an adapter's configuration that reach nothing in its base model."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from reportgen.architectures._lora_keys import HEADS_SAVED
from reportgen.architectures._match import (
    ends_with,
    layer_finder,
    names_of,
    pattern_value,
    select_saved,
)
from reportgen.architectures._terms import Module, tensors_of
from reportgen.records.checkpoint import AdapterConfig
from reportgen.records.run import Problem

MOST_NAMED = 3
"""Layers that one sentence names."""
MOST_IDLE = 10
"""Names of one key, and unknown keys, that are named one by one."""


def warning(adapter: AdapterConfig, message: str, remedy: str) -> Problem:
    """Return a remark on what PEFT refuses or ignores."""
    return Problem(path=adapter.source.path, message=message, remedy=remedy)


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
    values = adapter.values
    modules, matched = tuple(modules), tuple(matched)
    parameters = {*tensors, *(tensor.name for tensor in tensors_of(modules))}
    leaves = sorted({module.name.rsplit(".", 1)[-1] for module in modules})
    listed = {
        key: names_of(values.get(key))
        for key in ("target_modules", "exclude_modules")
        if not isinstance(values.get(key), str)
    }
    added = HEADS_SAVED.get(str(values.get("task_type")), ())
    unreached = [
        *(
            (key, name)
            for key, names in listed.items()
            for name in names
            if not any(reaches(module.name, name) for module in modules)
        ),
        *(
            ("modules_to_save", name)
            for name in names_of(values.get("modules_to_save"))
            if name not in added and not select_saved((name,), modules)
        ),
        *idle_patterns(adapter, matched),
        *(
            ("target_parameters", name)
            for name in names_of(values.get("target_parameters"))
            if not any(ends_with(parameter, name) for parameter in parameters)
        ),
    ]
    found = [
        *(idle(adapter, key, name, leaves) for key, name in first_of(unreached)),
        *(more_idle(adapter, key, count) for key, count in left_of(unreached)),
    ]
    return (*found, *idle_layers(adapter, modules), *idle_tying(adapter, modules))


def first_of(named: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield the first names of each key."""
    counted: Counter[str] = Counter()
    for key, name in named:
        counted[key] += 1
        if counted[key] <= MOST_IDLE:
            yield key, name


def left_of(named: Iterable[tuple[str, str]]) -> Iterator[tuple[str, int]]:
    """Yield each key with how many names it has beyond the first."""
    counted = Counter(key for key, _ in named)
    yield from ((key, n - MOST_IDLE) for key, n in counted.items() if n > MOST_IDLE)


def more_idle(adapter: AdapterConfig, key: str, count: int) -> Problem:
    """Say how many more entries reach no module."""
    message = f"{key} names {count:,} more that match no module of the base model"
    return warning(adapter, message, "compare with the base model's modules")


def idle_tying(adapter: AdapterConfig, modules: Iterable[Module]) -> list[Problem]:
    """Say where weights shall be tied that the base model does not tie."""
    tied = any(m.tied and m.kind != "embedding" for m in modules)
    if adapter.values.get("ensure_weight_tying") is not True or tied:
        return []
    message = "ensure_weight_tying is set and the base model ties no weights; PEFT ignores it"
    return [warning(adapter, message, "take it out")]


def idle_patterns(adapter: AdapterConfig, matched: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the patterns of ranks and alphas that match no adapted module."""
    matched = tuple(matched)
    for key in ("rank_pattern", "alpha_pattern"):
        patterns = adapter.values.get(key)
        # AdaLoRA's pattern lists the ranks that are left, by tensors.
        if isinstance(patterns, Mapping) and adapter.peft_type != "ADALORA":
            for name in patterns:
                if not any(pattern_value({name: 1}, module) for module in matched):
                    yield key, str(name)


def reaches(module: str, name: str) -> bool:
    """Return whether a name is a module's, or the end of one of its parents'."""
    parts = module.split(".")
    return any(ends_with(".".join(parts[: n + 1]), name) for n in range(len(parts)))


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
    return [
        warning(
            adapter,
            f"layers_to_transform names {which}, which the base model does not have; PEFT "
            "ignores it",
            "layers are counted from 0",
        )
    ]


def idle(adapter: AdapterConfig, key: str, name: str, leaves: list[str]) -> Problem:
    """Name an entry that reaches no module, and the nearest name that exists."""
    near = difflib.get_close_matches(name.rsplit(".", 1)[-1], leaves, n=1, cutoff=0.6)
    return warning(
        adapter,
        f"{key} names {name[:80]}, which matches no module of the base model; PEFT ignores it",
        f"did you mean {near[0]}?" if near else "compare with the base model's modules",
    )
