"""Choose configurations of many layers: what comes each sixth layer shows in no small model."""

from __future__ import annotations

from typing import Any

from reportgen.parameters import tensors
from tools.families.configs import Assignment
from tools.families.explore import Exploration

DEPTHS, HEAD_DEPTHS = (13, 24, 30), (24,)
DRAWS, HEAD_DRAWS = 4, 1


def deep(study: Exploration) -> list[Assignment]:
    """Return configurations of many layers that the library takes.

    They are the base, each choice that decides something, and random ones.
    """
    names = bounding(study)
    found: list[Assignment] = []
    for depth in DEPTHS if study.thorough else HEAD_DEPTHS:
        found += _taken(study, study.choices.base, names, depth)
    for name in sorted(study.choices.structure - {*names}) if found and study.thorough else ():
        for value in study.choices.options.get(name, [])[:1]:
            found += _taken(study, {**study.choices.base, name: value}, names, DEPTHS[-1])[:1]
    for _ in range((DRAWS if study.thorough else HEAD_DRAWS) if found else 0):
        depth = study.choices.random.randint(DEPTHS[0], DEPTHS[-1])
        found += _taken(study, study.draw(0.15), names, depth)[:1]
    return [each for each in found if not study.doubted(each)]


def bounding(study: Exploration) -> list[str]:
    """Return the keys whose number, or each of whose numbers, says how often a loop turns."""
    texts = {text for build in study.builds for text in build.bounds}
    names = {name for text in texts for name in tensors.keys_in(text.replace("#", "_place"))}
    return [
        name
        for name in sorted(names & set(study.keys.keys) - set(study.choices.unsure))
        if not study.keys.keys[name].boring and _at(study, name, 1) is not None
        if type(_at(study, name, 1)) is int or any(f"{name}[" in text for text in texts)
    ]


def _at(study: Exploration, name: str, depth: int) -> Any:
    """Return what a key is at a depth; None where it is no number and no list of numbers."""
    key = study.keys.keys[name]
    now = study.choices.base.get(name, key.value if key.default is None else key.default)
    if type(now) is int:
        return depth
    listed = isinstance(now, (list, tuple)) and now and all(type(each) is int for each in now)
    return [depth + at % 2 for at, _ in enumerate(now)] if listed else None


def _taken(study: Exploration, on: Assignment, names: list[str], depth: int) -> list[Assignment]:
    """Deepen all together, by one more each or alike; else each alone, where that is taken."""
    together = [
        {**on, **{name: _at(study, name, depth + more * at) for at, name in enumerate(names)}}
        for more in (1, 0)
    ]
    alone = [{**on, name: _at(study, name, depth)} for name in names]
    for each in together if names else ():
        if study.real(each) is not None:
            return [each]
    return [each for each in alone if study.real(each) is not None]
