"""What is the matter with an adapter's configuration: unknown keys, illegal values, clashes.

A remark is no verdict. It is a warning only where PEFT itself refuses the configuration or
ignores a part of it, and says which; what PEFT accepts is a note at most.

Source: peft 0.21, `config.py`, `tuners/*/config.py`, `__post_init__`, and what it does with
each case in the tests' `adapter_lint.csv`.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeGuard

from reportgen.parameters.adapters._table import (
    DEFAULT_RANK,
    KEYS_OF_KIND,
    KINDS,
    MISTAKES,
    OTHER_KINDS,
    PROMPTS,
    STARTED_BY,
    STARTS,
    WANTED,
    Key,
)
from reportgen.records.source import Problem
from reportgen.records.tensor import AdapterConfig

LARGEST = 2**1000
NO_NUMBERS = {math.inf: "Infinity", -math.inf: "-Infinity", "Infinity": "Infinity"}
NO_NUMBERS |= {"NaN": "NaN", "-Infinity": "-Infinity"}
# Scalings outside this range are rare enough to be worth a line.
USUAL_SCALING = (1 / 8, 8)
MOST_IDLE = 10
"""Names of one key, and unknown keys, that are named one by one."""


def warning(adapter: AdapterConfig, message: str, remedy: str) -> Problem:
    """Return a remark on what PEFT refuses or ignores."""
    return Problem(path=adapter.source.path, message=message, remedy=remedy)


def note(adapter: AdapterConfig, message: str, remedy: str = "") -> Problem:
    """Return a remark on what PEFT accepts."""
    return Problem(path=adapter.source.path, message=message, remedy=remedy, level="note")


def close_to(word: str, words: Iterable[str], cutoff: float = 0.6) -> str:
    """Return the word that another is most like, or an empty string."""
    return next(iter(difflib.get_close_matches(word, words, n=1, cutoff=cutoff)), "")


def lint_keys(adapter: AdapterConfig) -> tuple[Problem, ...]:
    """Return a problem for every unknown key, illegal value and pair of keys that clash.

    Example:
        >>> from reportgen.records.source import Source
        >>> source = Source(path="adapter_config.json", kind="adapter", size=0, sha256="")
        >>> adapter = AdapterConfig(source=source, peft_type="LORA", values={"bias": False})
        >>> print(lint_keys(adapter)[0].message)
        bias is false, which is none of "none", "all", "lora_only"; PEFT refuses it
    """
    keys = KEYS_OF_KIND.get(adapter.peft_type)
    if keys is None:
        return unknown_kind(adapter)
    found: list[Problem] = []
    unknown: list[str] = []
    for key, value in adapter.values.items():
        known = keys.get(key)
        if known is None:
            # Newer versions of PEFT write their new keys with nothing in them.
            if value not in (None, {}, []) or "peft_version" not in adapter.values:
                unknown.append(key)
        elif odd := no_number(value):
            message = f"{key[:80]} is {odd}, which is no number; it is not used"
            wanted = WANTED.get(known.kind, "a number")
            found.append(warning(adapter, message, f"set {key[:80]} to {wanted}"))
        elif value is not None and not legal(known, value):
            found.append(illegal_value(adapter, key, known, value))
    found += (unknown_key(adapter, key, keys) for key in unknown[:MOST_IDLE])
    if rest := len(unknown[MOST_IDLE:]):
        message = f"{rest:,} more keys are none of this kind of adapter; PEFT ignores them"
        found.append(warning(adapter, message, "check the file: it may be another program's"))
    return (*found, *clashes(adapter))


def unknown_kind(adapter: AdapterConfig) -> tuple[Problem, ...]:
    """Name a kind that PEFT does not have, and the nearest one; none for a kind without formula."""
    if not adapter.peft_type or adapter.peft_type in OTHER_KINDS:
        return ()
    near = close_to(adapter.peft_type.upper(), (*KINDS, *OTHER_KINDS))
    return (
        warning(
            adapter,
            f"peft_type is {adapter.peft_type[:80]}, which is no kind known here; PEFT refuses it "
            "unless a newer version has it",
            f'did you mean "{near}"?' if near else "check the spelling",
        ),
    )


def clashes(adapter: AdapterConfig) -> Iterator[Problem]:
    """Yield keys that PEFT refuses with, or without, other keys."""
    kind, values = adapter.peft_type, adapter.values
    if kind == "LORA" and values.get("r") is None:
        message = f"r is not set: PEFT's default rank, {DEFAULT_RANK}, is used"
        yield note(adapter, message, "set r")
    if kind in PROMPTS and not values.get("task_type"):
        yield warning(adapter, "task_type is not set; PEFT refuses it", "set task_type")
    alone = values.get("layers_pattern") and values.get("layers_to_transform") is None
    if isinstance(values.get("target_modules"), str):
        for key in KINDS[kind].no_text_with:
            if values.get(key) is not None:
                message = f"{key} is set although target_modules is a text; PEFT refuses it"
                yield warning(adapter, message, "write the target modules as a list")
    elif alone and not KINDS[kind].pattern_alone:
        message = "layers_pattern is set without layers_to_transform; PEFT refuses it"
        yield warning(adapter, message, "set layers_to_transform, or take layers_pattern out")
    if kind in {"LORA", "ADALORA"}:
        yield from clashing_starts(adapter)
        yield from idle_settings(adapter)


def clashing_starts(adapter: AdapterConfig) -> Iterator[Problem]:
    """Yield ways to start that PEFT does not have, or refuses with other keys."""
    values = adapter.values
    start = values.get("init_lora_weights", True)
    plain = isinstance(start, bool) or start is None
    if values.get("lora_bias") and (values.get("use_dora") or not plain):
        other = "use_dora" if values.get("use_dora") else "this init_lora_weights"
        yield warning(
            adapter, f"lora_bias is set together with {other}; PEFT refuses it", "choose one"
        )
    if not plain and not str(start).casefold().startswith(STARTS):
        near = close_to(str(start), STARTS)
        yield warning(
            adapter,
            f"init_lora_weights is {str(start)[:80]}, which is no way to start; PEFT refuses it",
            f'did you mean "{near}"?' if near else "write true or false",
        )
    if start == "loftq" and not values.get("loftq_config"):
        message = "init_lora_weights is loftq without loftq_config; PEFT refuses it"
        yield warning(adapter, message, "set loftq_config")
    if adapter.peft_type == "ADALORA":
        steps = values.get("total_step")
        if not isinstance(steps, int) or steps <= 0:
            yield warning(adapter, "total_step is not set; PEFT refuses it", "set total_step")


def idle_settings(adapter: AdapterConfig) -> Iterator[Problem]:
    """Yield settings that PEFT does not read, and a scaling that is far from the usual."""
    values = adapter.values
    for key, start in STARTED_BY.items():
        if values.get(key) and values.get("init_lora_weights") != start:
            message = f"{key} is set and init_lora_weights is not {start}; PEFT ignores it"
            yield warning(adapter, message, f"set init_lora_weights to {start}, or take it out")
    rank, alpha = values.get("r", DEFAULT_RANK), values.get("lora_alpha")
    if adapter.peft_type == "ADALORA":
        if rank != DEFAULT_RANK and rank is not None:
            yield warning(adapter, "r is set; PEFT ignores it for AdaLoRA", "set init_r")
        return
    if isinstance(rank, bool) or not isinstance(rank, int) or rank < 1:
        return
    if not is_number(alpha) or alpha <= 0:
        return
    scaling = alpha / (math.sqrt(rank) if values.get("use_rslora") else rank)
    if not USUAL_SCALING[0] <= scaling <= USUAL_SCALING[1]:
        yield note(
            adapter,
            f"lora_alpha = {alpha} and r = {rank} multiply the update by {scaling:.4g}, which is "
            "far from 1; PEFT accepts it",
        )


def no_number(value: object) -> str:
    """Return what a value is, or holds, that programs write for a number that is none."""
    match value:
        case str():
            return NO_NUMBERS.get(value, "")
        case float():
            return NO_NUMBERS.get(value, "NaN" if math.isnan(value) else "")
        case list():
            return next(filter(None, map(no_number, value)), "")
        case dict():
            return next(filter(None, map(no_number, value.values())), "")
    return ""


def is_number(value: object) -> TypeGuard[float]:
    """Return whether a value is a number that arithmetic can hold."""
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < LARGEST


def legal(key: Key, value: object) -> bool:
    """Return whether a value other than null makes sense under a key."""
    match key.kind:
        case "positive" | "count":
            least = 1 if key.kind == "positive" else 0
            return isinstance(value, int) and is_number(value) and value >= least
        case "number":
            return is_number(value) and value > 0
        case "share":
            return is_number(value) and 0 <= value <= 1
        case "switch":
            return isinstance(value, bool)
        case "choice":
            return value in key.choices
        case "names" | "list":
            listed = isinstance(value, list) and all(isinstance(item, str) for item in value)
            return listed or (key.kind == "names" and isinstance(value, str))
        case "patterns":
            return isinstance(value, Mapping)
    return True


def accepted(key: Key, value: object) -> str:
    """Return what PEFT makes of an odd value that it takes, or an empty string."""
    if key.kind == "switch":
        return "true" if value else "false"
    if key.kind == "number" and is_number(value):
        return "a scaling of 0 or below"
    if key.kind == "share" and is_number(value) and value < 0:
        return "no dropout"
    if key.kind == "choice" and str(value).endswith("_only"):
        return "the biases of the adapted modules"
    return ""


def unknown_key(adapter: AdapterConfig, key: str, keys: Mapping[str, Key]) -> Problem:
    """Name an unknown key and the nearest known one."""
    near = MISTAKES.get(key, "")
    if near not in keys:
        near = close_to(key, keys, cutoff=0.7)
    kind = "a LoRA" if adapter.peft_type == "LORA" else f"{adapter.peft_type[:40]}'s"
    return warning(
        adapter,
        f"{key[:80]} is no key of {kind} configuration known here; PEFT ignores it unless a newer "
        "version has it",
        f"did you mean {near}?" if near else "check the spelling against PEFT's documentation",
    )


def illegal_value(adapter: AdapterConfig, key: str, known: Key, value: object) -> Problem:
    """Name a value that the key does not allow, and what PEFT does with it."""
    shown = str({True: "true", False: "false"}[value] if isinstance(value, bool) else value)[:80]
    taken = accepted(known, value)
    does = f"PEFT accepts it as {taken}" if taken else "PEFT refuses it"
    if known.kind == "choice":
        wanted = "none of " + ", ".join(f'"{choice}"' for choice in known.choices)
        near = nearest(key, known, value)
        remedy = f'did you mean "{near}"?' if near else "choose one of them"
    else:
        wanted, remedy = f"not {WANTED[known.kind]}", f"set {key} to {WANTED[known.kind]}"
    say = note if taken else warning
    return say(adapter, f"{key} is {shown}, which is {wanted}; {does}", remedy)


def nearest(key: str, known: Key, value: object) -> str:
    """Return the choice that a value may stand for, or an empty string."""
    if key == "bias" and value is False:
        return "none"
    folded = {choice.casefold(): choice for choice in known.choices}
    return folded.get(close_to(str(value).casefold(), folded), "")
