"""What is the matter with an adapter's configuration: unknown keys, illegal values, idle names.

A remark is no verdict. It is a warning only where PEFT itself refuses the configuration or
ignores a part of it, and says which; what PEFT accepts is a note at most.

Source: peft 0.21, `config.py`, `tuners/lora/config.py`, `__post_init__`, and what it does
with each case in the tests' `adapter_lint.csv`.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterator, Mapping
from typing import TypeGuard

from reportgen.architectures._lora_idle import MOST_IDLE, lint_names, warning
from reportgen.architectures._lora_keys import (
    DEFAULT_RANK,
    KEYS_OF_KIND,
    LORA_KEYS,
    OTHER_KINDS,
    STARTS,
    LoraKey,
)
from reportgen.records.checkpoint import AdapterConfig
from reportgen.records.run import Problem

__all__ = ["lint_keys", "lint_names"]

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
WANTED = {
    "positive": "a whole number of at least 1",
    "count": "a whole number of at least 0",
    "number": "a number above 0",
    "share": "a number from 0 to 1",
    "switch": "true or false",
    "names": "a list of names, or one regular expression",
    "list": "a list of names",
    "patterns": "a mapping from names to numbers",
}
# Settings that only one way to start reads.
STARTED_BY = {"loftq_config": "loftq", "eva_config": "eva", "corda_config": "corda"}
LARGEST = 2**1000
NO_NUMBERS = ("NaN", "-Infinity", "Infinity")
# Scalings outside this range are rare enough to be worth a line.
USUAL_SCALING = (1 / 8, 8)


def lint_keys(adapter: AdapterConfig) -> tuple[Problem, ...]:
    """Return a problem for every unknown key, illegal value and pair of keys that clash.

    Example:
        >>> from reportgen.records.run import Source
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
        elif holds_no_number(value):
            found.append(no_number(adapter, key, known, value))
        elif value is not None and not legal(known, value):
            found.append(illegal_value(adapter, key, known, value))
    found += (unknown_key(adapter, key, keys) for key in unknown[:MOST_IDLE])
    if rest := len(unknown[MOST_IDLE:]):
        message = f"{rest:,} more keys are none of this kind of adapter; PEFT ignores them"
        found.append(warning(adapter, message, "check the file: it may be another program's"))
    if adapter.peft_type == "LORA" and adapter.values.get("r") is None:
        found.append(
            note(adapter, f"r is not set: PEFT's default rank, {DEFAULT_RANK}, is used", "set r")
        )
    if adapter.peft_type in {"LORA", "ADALORA"}:
        found += [*clashes(adapter), *idle_settings(adapter)]
    return tuple(found)


def note(adapter: AdapterConfig, message: str, remedy: str = "") -> Problem:
    """Return a remark on what PEFT accepts."""
    return Problem(path=adapter.source.path, message=message, remedy=remedy, level="note")


def unknown_kind(adapter: AdapterConfig) -> tuple[Problem, ...]:
    """Name a kind that PEFT does not have, and the nearest one; none for a kind without formula."""
    if not adapter.peft_type or adapter.peft_type in OTHER_KINDS:
        return ()
    close = difflib.get_close_matches(adapter.peft_type.upper(), (*KEYS_OF_KIND, *OTHER_KINDS), n=1)
    return (
        warning(
            adapter,
            f"peft_type is {adapter.peft_type[:80]}, which is no kind known here; PEFT refuses it "
            "unless a newer version has it",
            f'did you mean "{close[0]}"?' if close else "check the spelling",
        ),
    )


def clashes(adapter: AdapterConfig) -> Iterator[Problem]:
    """Yield pairs of keys that PEFT refuses together."""
    values = adapter.values
    layers, pattern = values.get("layers_to_transform"), values.get("layers_pattern")
    start, starts = values.get("init_lora_weights", True), tuple(STARTS)
    plain = isinstance(start, bool) or start is None
    if isinstance(values.get("target_modules"), str):
        for key, value in (("layers_to_transform", layers), ("layers_pattern", pattern)):
            if value is not None:
                message = f"{key} is set although target_modules is a text; PEFT refuses it"
                yield warning(adapter, message, "write the target modules as a list")
    elif pattern and layers is None:
        message = "layers_pattern is set without layers_to_transform; PEFT refuses it"
        yield warning(adapter, message, "set layers_to_transform, or take layers_pattern out")
    if values.get("lora_bias") and (values.get("use_dora") or not plain):
        other = "use_dora" if values.get("use_dora") else "this init_lora_weights"
        yield warning(
            adapter, f"lora_bias is set together with {other}; PEFT refuses it", "choose one"
        )
    if not plain and not str(start).casefold().startswith(starts):
        close = difflib.get_close_matches(str(start), starts, n=1)
        yield warning(
            adapter,
            f"init_lora_weights is {str(start)[:80]}, which is no way to start; PEFT refuses it",
            f'did you mean "{close[0]}"?' if close else "write true or false",
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


def holds_no_number(value: object) -> bool:
    """Return whether a value is, or holds, what a program writes for a number that is none.

    Example:
        >>> holds_no_number({"query": "NaN"}), holds_no_number([1, 2])
        (True, False)
    """
    match value:
        case str():
            return value in NO_NUMBERS
        case list():
            return any(map(holds_no_number, value))
        case dict():
            return any(map(holds_no_number, value.values()))
    return False


def no_number(adapter: AdapterConfig, key: str, known: LoraKey, value: object) -> Problem:
    """Name a value that is NaN or infinite; the other keys are used."""
    shown = value if isinstance(value, str) else next(n for n in NO_NUMBERS if n in str(value))
    wanted = WANTED.get(known.kind, "a number")
    message = f"{key[:80]} is {shown}, which is no number; it is not used"
    return warning(adapter, message, f"set {key[:80]} to {wanted}")


def is_number(value: object) -> TypeGuard[float]:
    """Return whether a value is a number that arithmetic can hold.

    Example:
        >>> is_number(0.5), is_number(True), is_number(10**400)
        (True, False, False)
    """
    small = isinstance(value, float) or (isinstance(value, int) and abs(value) < LARGEST)
    return small and not isinstance(value, bool)


def legal(key: LoraKey, value: object) -> bool:
    """Return whether a value other than null makes sense under a key."""
    number = is_number(value)
    match key.kind:
        case "positive" | "count":
            least = 1 if key.kind == "positive" else 0
            return isinstance(value, int) and number and value >= least
        case "number":
            return number and float(value) > 0  # type: ignore[arg-type]
        case "share":
            return number and 0 <= float(value) <= 1  # type: ignore[arg-type]
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


def accepted(key: LoraKey, value: object) -> str:
    """Return what PEFT makes of an odd value that it takes, or an empty string."""
    number = is_number(value)
    if key.kind == "switch":
        return "true" if value else "false"
    if key.kind == "number" and number:
        return "a scaling of 0 or below"
    if key.kind == "share" and number and float(value) < 0:  # type: ignore[arg-type]
        return "no dropout"
    if key.kind == "choice" and str(value).endswith("_only"):
        return "the biases of the adapted modules"
    return ""


def unknown_key(adapter: AdapterConfig, key: str, keys: Mapping[str, LoraKey]) -> Problem:
    """Name an unknown key and the nearest known one."""
    near = KNOWN_MISTAKES.get(key, "")
    if near not in keys:
        close = difflib.get_close_matches(key, keys, n=1, cutoff=0.7)
        near = close[0] if close else ""
    kind = "a LoRA" if keys is LORA_KEYS else f"{adapter.peft_type[:40]}'s"
    return warning(
        adapter,
        f"{key[:80]} is no key of {kind} configuration known here; PEFT ignores it unless a newer "
        "version has it",
        f"did you mean {near}?" if near else "check the spelling against PEFT's documentation",
    )


def illegal_value(adapter: AdapterConfig, key: str, known: LoraKey, value: object) -> Problem:
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


def nearest(key: str, known: LoraKey, value: object) -> str:
    """Return the choice that a value may stand for, or an empty string."""
    if key == "bias" and value is False:
        return "none"
    folded = {choice.casefold(): choice for choice in known.choices}
    close = difflib.get_close_matches(str(value).casefold(), folded, n=1, cutoff=0.6)
    return folded[close[0]] if close else ""
