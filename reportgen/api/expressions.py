"""A guard for the regular expressions in an adapter's configuration."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from reportgen.errors import EvidenceError

if TYPE_CHECKING:
    from reportgen.records.checkpoint import AdapterConfig
    from reportgen.records.facts import ModelFacts

# How each key's expressions are set against the name of a module.
WHOLE = {
    "target_modules": r"\A(?:{})\Z",
    "exclude_modules": r"\A(?:{})\Z",
    "feedforward_modules": r"\A(?:{})\Z",
    "modules_to_save": r"\A(?:^|.*\.){}($|\..*)",
    "layers_pattern": r"\A(?:^|.*?\.){}\.\d+\.",
    "rank_pattern": r"\A(?:.*\.)?({})$",
    "alpha_pattern": r"\A(?:.*\.)?({})$",
}
# Where a list holds names, and a text alone is an expression.
PLAIN_IN_LISTS = frozenset({"target_modules", "exclude_modules", "feedforward_modules"})


def check_expressions(adapter: AdapterConfig, base: ModelFacts) -> None:
    """Refuse expressions that do not come to an end on the names of the base's modules.

    Args:
        adapter: The configuration.
        base: Its base model.

    Raises:
        EvidenceError: They take longer than five seconds.
    """
    from reportgen.read.logs import SECONDS, come_to_an_end, may_be_slow

    slow = {key: each for key, each in expressions(adapter) if may_be_slow(each)}
    if not slow:
        return
    patterns = [WHOLE[key].format(each) for key, each in expressions(adapter) if may_be_slow(each)]
    if not come_to_an_end(patterns, names_below(adapter, base)):
        raise EvidenceError(
            f"{', '.join(slow)} in {adapter.source.path} does not come to an end within "
            f"{SECONDS:g} s on the modules of the base model",
            remedy="write the names as a list, or without a repetition inside a repetition",
        )


def expressions(adapter: AdapterConfig) -> Iterator[tuple[str, str]]:
    """Yield key and text of every expression in a configuration."""
    for key in WHOLE:
        value = adapter.values.get(key)
        if isinstance(value, str):
            yield key, value
        elif isinstance(value, list | Mapping) and key not in PLAIN_IN_LISTS:
            yield from ((key, str(each)) for each in value)


def names_below(adapter: AdapterConfig, base: ModelFacts) -> set[str]:
    """Return the names of the base's modules and of their parents."""
    from reportgen.parameters import modules_below
    from reportgen.parameters.adapters import branches

    try:
        modules = modules_below(base, str(adapter.values.get("task_type") or ""))
    except EvidenceError:  # without modules nothing is evaluated, and that is said there
        return set()
    return {branch for module in modules for branch in branches(module.name)}
