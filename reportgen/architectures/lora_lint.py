"""What is the matter with a LoRA configuration: unknown keys, illegal values, idle names.

A remark is a question to the author, not a verdict: PEFT grows keys, so an unknown one is
named with its nearest known spelling and nothing more.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping

from reportgen.architectures._lora_keys import (
    DEFAULT_RANK,
    HEADS_SAVED,
    LORA_KEYS,
    LoraKey,
)
from reportgen.architectures._match import ends_with, names_of, pattern_value, select_saved
from reportgen.architectures._terms import Module
from reportgen.records.checkpoint import AdapterConfig
from reportgen.records.run import Problem

# Spellings of other programs and of hurried hands, by the key they stand for.
KNOWN_MISTAKES = {
    "rank": "r",
    "lora_r": "r",
    "lora_rank": "r",
    "alpha": "lora_alpha",
    "dropout": "lora_dropout",
    "targets": "target_modules",
    "task": "task_type",
}


def lint_keys(adapter: AdapterConfig) -> tuple[Problem, ...]:
    """Return a problem for every unknown key and every illegal value.

    Example:
        >>> from reportgen.records.run import Source
        >>> source = Source(path="adapter_config.json", kind="adapter", size=0, sha256="")
        >>> adapter = AdapterConfig(source=source, peft_type="LORA", values={"bias": False})
        >>> print(lint_keys(adapter)[0].message)
        bias is false, which is none of "none", "all", "lora_only"
    """
    found: list[Problem] = []
    for key, value in adapter.values.items():
        known = LORA_KEYS.get(key)
        if known is None:
            # Newer versions of PEFT write their new keys with nothing in them.
            if value not in (None, {}, []) or "peft_version" not in adapter.values:
                found.append(unknown_key(adapter, key))
        elif value is not None and not legal(known, value):
            found.append(illegal_value(adapter, key, known, value))
    if adapter.values.get("r") is None:
        found.append(
            Problem(
                path=adapter.source.path,
                message=f"r is not set: PEFT's default rank, {DEFAULT_RANK}, is used",
                remedy="set r",
                level="note",
            )
        )
    return tuple(found)


def lint_names(
    adapter: AdapterConfig, modules: Iterable[Module], matched: Iterable[str]
) -> tuple[Problem, ...]:
    """Return a problem for every name that reaches no module of the base model.

    Args:
        adapter: The configuration.
        modules: Leaf modules of the base model.
        matched: Names of the modules that get an adapter.
    """
    values = adapter.values
    modules, matched = tuple(modules), tuple(matched)
    leaves = sorted({module.name.rsplit(".", 1)[-1] for module in modules})
    found: list[Problem] = []
    targets = values.get("target_modules")
    if not isinstance(targets, str):
        found += [
            idle(adapter, "target_modules", name, leaves)
            for name in names_of(targets)
            if not any(ends_with(module.name, name) for module in modules)
        ]
    added = HEADS_SAVED.get(str(values.get("task_type")), ())
    found += [
        idle(adapter, "modules_to_save", name, leaves)
        for name in names_of(values.get("modules_to_save"))
        if name not in added and not select_saved((name,), modules)
    ]
    for key in ("rank_pattern", "alpha_pattern"):
        patterns = values.get(key)
        found += [
            idle(adapter, key, str(name), leaves)
            for name in (patterns if isinstance(patterns, Mapping) else ())
            if not any(pattern_value({name: 1}, module) for module in matched)
        ]
    return tuple(found)


def legal(key: LoraKey, value: object) -> bool:
    """Return whether a value other than null makes sense under a key."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    match key.kind:
        case "positive":
            return isinstance(value, int) and number and value > 0
        case "number":
            return number and float(value) > 0  # type: ignore[arg-type]
        case "share":
            return number and 0 <= float(value) <= 1  # type: ignore[arg-type]
        case "switch":
            return isinstance(value, bool)
        case "choice":
            return value in key.choices
        case "names":
            listed = isinstance(value, list) and all(isinstance(item, str) for item in value)
            return isinstance(value, str) or listed
        case "patterns":
            return isinstance(value, Mapping)
    return True


def unknown_key(adapter: AdapterConfig, key: str) -> Problem:
    """Name an unknown key and the nearest known one."""
    near = KNOWN_MISTAKES.get(key)
    if near is None:
        close = difflib.get_close_matches(key, LORA_KEYS, n=1, cutoff=0.7)
        near = close[0] if close else None
    return Problem(
        path=adapter.source.path,
        message=f"{key[:80]} is no key of a LoRA configuration known here",
        remedy=f"did you mean {near}?" if near else "check the spelling against PEFT's LoraConfig",
    )


def illegal_value(adapter: AdapterConfig, key: str, known: LoraKey, value: object) -> Problem:
    """Name a value that the key does not allow, and what it does."""
    shown = {True: "true", False: "false"}.get(value, value) if isinstance(value, bool) else value
    if known.kind == "choice":
        wanted = ", ".join(f'"{choice}"' for choice in known.choices)
        folded = {choice.casefold(): choice for choice in known.choices}
        text = str(value).casefold()
        close = difflib.get_close_matches(text, folded, n=1, cutoff=0.6)
        near = "none" if key == "bias" and value is False else folded.get(close[0] if close else "")
        return Problem(
            path=adapter.source.path,
            message=f"{key} is {str(shown)[:80]}, which is none of {wanted}",
            remedy=f'did you mean "{near}"?' if near else "choose one of them",
        )
    wanted = {
        "positive": "a whole number of at least 1",
        "number": "a number above 0",
        "share": "a number from 0 to 1",
        "switch": "true or false",
        "names": "a list of names, or one regular expression",
        "patterns": "a mapping from names to numbers",
    }[known.kind]
    return Problem(
        path=adapter.source.path,
        message=f"{key} is {str(shown)[:80]}, which is not {wanted}",
        remedy=f"set {key} to {wanted}",
    )


def idle(adapter: AdapterConfig, key: str, name: str, leaves: list[str]) -> Problem:
    """Name an entry that reaches no module, and the nearest name that exists."""
    near = difflib.get_close_matches(name.rsplit(".", 1)[-1], leaves, n=1, cutoff=0.6)
    return Problem(
        path=adapter.source.path,
        message=f"{key} names {name[:80]}, which matches no module of the base model",
        remedy=f"did you mean {near[0]}?" if near else "compare with the base model's modules",
    )
