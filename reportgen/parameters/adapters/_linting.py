"""What is the matter with an adapter's configuration: unknown keys, illegal values, clashes.

A remark is no verdict. It is a warning only where PEFT itself refuses the configuration or
ignores a part of it, and says which; what PEFT accepts is a note at most.

Source: peft 0.21, `config.py`, `tuners/*/config.py`, `__post_init__`, and what it does with
each case in the tests' `adapter_lint.csv`.
"""

from __future__ import annotations

import difflib
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeGuard

from reportgen.parameters.adapters._matching import (
    branches,
    endings,
    layer_finder,
    names_of,
    pattern_value,
    refuse_many,
)
from reportgen.parameters.adapters._table import (
    DEFAULT_RANK,
    HEADS_SAVED,
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
from reportgen.parameters.modules import Module, tensors_of
from reportgen.records.checkpoint import AdapterConfig
from reportgen.records.source import Problem

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


# Entries of an adapter's configuration that reach nothing in its base model.

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
