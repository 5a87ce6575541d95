"""Say what the library itself writes out under keys of which one value alone is covered.

A file that the library saved states what its class put for a null: the stages that a backbone
hands on, the kind of each layer, the size of a head. It says no more than the null does, where
the rows hold for a file that states it.
"""

from __future__ import annotations

import itertools
import json
from typing import Any

from reportgen.parameters import tensors
from reportgen.parameters.families import Family, family_of_entry
from tools.families.configs import Assignment, Keys, attempt
from tools.families.leftout import says

CHANGES, HEAD_CHANGES = 8, 3
TIE = "tie_word_embeddings"


def written_out(entry: dict[str, Any], keys: Keys) -> dict[str, str]:
    """Return key to the expression of what a class writes for it, where the rows hold then too."""
    family = family_of_entry(entry)
    made = attempt(lambda: json.loads(json.dumps(keys.plain(keys.optional).to_dict())))
    stated = flat(made or {})
    found: dict[str, str] = {}
    for key in sorted(doubtful(family, stated)):
        if stated[key] == family.unsure.get(key, ...):
            continue
        for text in spelled(family, keys, key, stated[key]):
            if holds(family, keys, {**found, key: text}):
                found[key] = text
                break
    return found


def doubtful(family: Family, stated: Assignment) -> set[str]:
    """Return the keys that withhold a total where they are stated."""
    below = {key.rpartition(".")[2] for key in family.defaults if "." in key}
    beside = {key for key in below & stated.keys() if key not in family.defaults}
    ties = {key for key in stated if key.endswith(f".{TIE}") and stated[key]}
    return {*family.unsure.keys() & stated.keys(), *beside, *ties} - {"model_type"}


def spelled(family: Family, keys: Keys, key: str, value: Any) -> list[str]:
    """Return expressions that come to a value: what it follows from first, then itself."""
    texts = [family.derived[key]] if key in family.derived else []
    if isinstance(value, list) and key in keys.links and len({*map(repr, value)}) == 1:
        texts.append(f"{value[:1]!r}*{keys.links[key]}")
    settings = tensors.filled(family.defaults, family.derived, {})
    return [
        text for text in [*texts, repr(value)] if attempt(tensors.value, text, settings) == value
    ]


def holds(family: Family, keys: Keys, texts: dict[str, str]) -> bool:
    """Hold the rows against builds of files that state these keys, also with other sizes."""
    named = {TIE, *(key for text in texts.values() for key in tensors.keys_in(text))}
    others = [
        {name: not value if isinstance(value, bool) else value * 2}
        for name, value in sorted(family.defaults.items(), key=lambda each: each[0] not in named)
        if isinstance(value, int) and name not in family.unsure and name in keys.keys
    ]
    for own in family.classes.values():
        taken = (
            said
            for change in [{}, *others]
            if not own.withheld and (said := stating(family, own, keys, texts, change)) is not None
        )
        most = CHANGES if own is family.base else HEAD_CHANGES
        if not all(itertools.islice(taken, most)):
            return False
    return stating(family, family.base, keys, texts, {}) is not None


def stating(
    family: Family, own: Any, keys: Keys, texts: dict[str, str], change: Assignment
) -> bool | None:
    """Tell whether the rows come to what the library builds from a file that states keys."""
    given = keys.given(keys.optional | change)
    plain = tensors.filled(family.defaults, family.derived, given)
    given |= {key: tensors.value(text, plain) for key, text in texts.items()}
    config = attempt(lambda: keys.cls(**keys.nest(given)))
    return says(own, config, tensors.filled(family.defaults, family.derived, given))


def flat(values: Assignment, start: str = "") -> Assignment:
    """Return nested keys as dotted ones."""
    found: Assignment = {}
    for name, value in values.items():
        found |= flat(value, f"{start}{name}.") if isinstance(value, dict) else {}
        found[f"{start}{name}"] = value
    return found
