"""Say what a library puts where a configuration leaves a whole part out.

A part that is there and says little gets its own class's defaults; one that is not there gets
what the whole puts in its place. The second stands in an entry as the default of the part.
"""

from __future__ import annotations

from typing import Any

import transformers

from reportgen.parameters import tensors
from reportgen.parameters.families import Family, ModelClass, family_of_entry
from tools.families.builds import count, make
from tools.families.configs import Assignment, Keys, attempt

CHANGES = 12


def left_out(entry: dict[str, Any], keys: Keys) -> dict[str, Any]:
    """Return part to the keys that its absence sets, of parts for which the rows hold then too."""
    family = family_of_entry(entry)
    parts = [part for part in sorted(keys.needs) if part in family.defaults]
    found = {part: put(family, keys, part) for part in parts}
    good = {part: flat for part, flat in found.items() if agree(family, keys, {part: flat})}
    if agree(family, keys, found):
        good = found
    elif len(good) > 1 and not agree(family, keys, good):
        return {}
    return {part: below(flat, f"{part}.") for part, flat in good.items()}


def put(family: Family, keys: Keys, part: str) -> Assignment:
    """Return what the absence of a part makes other than the part's own class does."""
    names = [name for name in family.defaults if name.startswith(f"{part}.") and name in keys.made]
    found: Assignment = {}
    for _ in range(2):
        settings = tensors.filled(family.defaults, family.derived, found)
        found |= {name: keys.made[name] for name in names if settings[name] != keys.made[name]}
    return found


def agree(family: Family, keys: Keys, parts: dict[str, Assignment]) -> bool:
    """Hold the rows of the base class against builds without parts, also with other sizes."""
    if family.base.withheld:
        return False
    held = keys.needs & set(family.defaults)
    there: Assignment = {part: {} for part in held if part not in parts}
    flat = {name: value for each in parts.values() for name, value in each.items()}
    sizes = [
        {name: value * 2}
        for name, value in family.defaults.items()
        if type(value) is int
        and name not in family.unsure
        and not any(name.startswith(f"{part}.") for part in keys.needs | keys.optional.keys())
    ]
    holders: list[Assignment] = [{part.rpartition(".")[0]: {}} for part in parts if "." in part]
    tried = 0
    for change in [{}, *holders, *sizes]:
        config = attempt(lambda change=change: keys.cls(**nested(there | change)))
        settings = tensors.filled(family.defaults, family.derived, flat | change)
        said = says(family.base, config, settings) if tried < CHANGES else None
        if said is False or (said is None and not change):
            return False
        tried += said is not None
    return True


def says(own: ModelClass, config: Any, settings: Assignment) -> bool | None:
    """Tell whether the rows of a class come to what a build has; None where none can be made."""
    cls = getattr(transformers, own.name)
    model = attempt(make, cls, config) if config is not None else None
    if model is None:
        return None
    mine = attempt(lambda: list(tensors.shapes(own, settings)))
    return mine is not None and sum(total for *_, total in mine) == count(model)


def below(flat: Assignment, start: str) -> dict[str, Any]:
    """Return the keys of a part, without its own name."""
    return nested({name.removeprefix(start): value for name, value in flat.items()})


def nested(flat: Assignment) -> dict[str, Any]:
    """Turn dotted keys into nested dicts."""
    found: dict[str, Any] = {}
    for name, value in sorted(flat.items()):
        *parents, last = name.split(".")
        node = found
        for parent in parents:
            node = node.setdefault(parent, {})
        node[last] = value
    return found
