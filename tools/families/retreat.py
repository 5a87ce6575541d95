"""Learn a class again from its default outwards, where its builds cannot be learned together.

One build alone can always be written down. From there each key is given free as long as the
rows still say what the library builds; a key that breaks them stays as it is, and is `unsure`.
"""

from __future__ import annotations

from tools.families.builds import fold
from tools.families.choices import among
from tools.families.configs import Assignment
from tools.families.study import Study

PROBES, TURNS = 3, 20


def proven(study: Study) -> bool:
    """Tell whether the rows of a study said what the library builds, each time."""
    exact, tried = study.proof
    return bool(tried) and exact == tried and not lost(study)


def lost(study: Study) -> set[str]:
    """Return the parameters for which no row could be found."""
    rows = [row for build in study.builds for row in build.rows]
    trained = {row.name for row in rows if row.kind != "buffer"}
    return {name for name in study.rows[2] if fold(name)[0] in trained}


def retreat(study: Study, wanted: int) -> None:
    """Begin again with the default alone, and give free one key after another."""
    choices, before = study.choices, dict(study.choices.base)
    choices.base, study.builds, study.settings, study.work = dict(study.settled), [], [], 0.0
    choices.stretched, choices.nulls, choices.joint, choices.free_lengths = [], [], [], set()
    choices.fixed_lengths = set(study.keys.keys) - study.keys.indices
    if not study.keep(study.build(choices.base)):
        return
    study.learn()
    if not holds(study):
        return
    open_ = (choices.read | choices.structure | choices.undecided()) & set(study.keys.keys)
    names = [name for name in open_ if not study.keys.keys[name].boring]
    names = sorted(set(names) - set(choices.unsure), key=lambda name: weight(study, name))
    probes = {name: probes_of(study, name, before) for name in names}
    admit(study, {name: found for name, found in probes.items() if found})
    for _ in range(TURNS):
        wrong, exact = study._round(wanted)
        study.proof = exact, exact + len(wrong)
        if not wrong or study.late():
            break
        for each in wrong:
            if not (taken(study, [each]) or study._blame(each)):
                return
    if proven(study):
        study.finish()


def weight(study: Study, name: str) -> tuple[bool, bool, str]:
    """Sort keys: sizes that no loop and no condition asks for come first."""
    return name in study.choices.structure, study.keys.keys[name].kind != "int", name


def probes_of(study: Study, name: str, before: Assignment) -> list[Assignment]:
    """Return a few configurations that differ from the default by one key alone."""
    values = [before[name]] if name in before else []
    values += [*study.choices.options.get(name, ()), *study.choices.alternatives(name)]
    now = study.choices.base.get(name, study.keys.keys[name].default)
    found: list[Assignment] = []
    tried: list[object] = [now]
    for value in values[: 4 * PROBES]:
        if among(value, tried) or study._other_length(name, value):
            continue
        tried.append(value)
        each = {**study.choices.base, name: value}
        if study.real(each) is not None:
            found.append(each)
        if len(found) == PROBES:
            break
    return found


def holds(study: Study) -> bool:
    """Tell whether the rows say every build they were learned from."""
    return not lost(study) and all(study.agrees(each.assignment) for each in study.builds)


def taken(study: Study, assignments: list[Assignment]) -> bool:
    """Learn from configurations also; leave it if the rows hold no longer."""
    held = list(study.builds), list(study.settings)
    for each in assignments:
        if study.agrees(each) is False and not study.keep(study.build(each)):
            study.builds, study.settings = held
            return False
    if len(study.builds) == len(held[0]):
        return True
    study.learn()
    if holds(study) and all(study.agrees(each) for each in assignments):
        return True
    study.builds, study.settings = held
    study.learn()
    return False


def admit(study: Study, probes: dict[str, list[Assignment]]) -> None:
    """Give keys free, all together where that holds, else by halves."""
    names = list(probes)
    if not names:
        return
    if not study.late() and taken(study, [each for name in names for each in probes[name]]):
        return
    if len(names) == 1 or study.late():
        for name in names:
            study.choices.unsure[name] = study.keys.keys[name].default
        return
    half = len(names) // 2
    admit(study, {name: probes[name] for name in names[:half]})
    admit(study, {name: probes[name] for name in names[half:]})
