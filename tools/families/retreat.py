"""Learn a class again from its default outwards, where its builds cannot be learned together.

One build alone can always be written down. From there each key is given free as long as the
rows still say what the library builds; a key that breaks them stays as it is, and is `unsure`.
"""

from __future__ import annotations

from tools.families.builds import fold
from tools.families.choices import among
from tools.families.configs import Assignment
from tools.families.depth import deep
from tools.families.study import Study

PROBES, TURNS = 3, 20
# So many random configurations at least have to agree; fewer were tried where time ran out.
LEAST = 15
# So many keys are tried together; where the rows hold no longer, half of them.
TOGETHER = 8


def proven(study: Study) -> bool:
    """Tell whether the rows of a study said what the library builds, often and each time."""
    exact, tried = study.proof
    return tried >= LEAST and exact == tried and not lost(study)


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
    # What no time is left to probe stays as it is.
    probes = {name: [] if study.late(0.5) else probes_of(study, name, before) for name in names}
    for name in names:
        if not probes[name]:
            choices.options.pop(name, None)
    known = [each for name in names for each in probes[name] if study.agrees(each)]
    rest = {name: probes[name] for name in names if any(each not in known for each in probes[name])}
    for at in range(0, len(rest), TOGETHER):
        admit(study, dict(list(rest.items())[at : at + TOGETHER]), known)
    study.work = 0.0
    wrong: list[Assignment] = []
    for _ in range(TURNS):
        wrong = fresh(study, wanted)
        if not wrong or study.late():
            break
        learn_or_blame(study, wrong, known)
    give_up(study, wrong)
    if proven(study):
        study.give_lists()


def fresh(study: Study, wanted: int) -> list[Assignment]:
    """Return random configurations, then pairs of choices, that the rows do not say."""
    wrong, exact = study.round(wanted)
    wrong = [each for each in wrong if not refused(study, each)]
    study.proof = exact, exact + len(wrong)
    if wrong:
        return wrong
    study.deep = deep(study)
    pairs = [each for each in study.deep + study.pairs() if study.real(each) is not None]
    pairs = [each for each in pairs if not refused(study, each)]
    wrong = [each for each in pairs if study.agrees(each) is False]
    study.proof = exact + len(pairs) - len(wrong), exact + len(pairs)
    return wrong


def give_up(study: Study, wrong: list[Assignment]) -> None:
    """Lay what the rows do not say to every key in it, where no time is left."""
    for name in {name for each in wrong for name in each if name not in study.settled}:
        study.choices.unsure[name] = study.keys.keys[name].default
    study.proof = study.proof[0], study.proof[1] - len(wrong)


def learn_or_blame(study: Study, wrong: list[Assignment], known: list[Assignment]) -> None:
    """Learn from configurations that the rows do not say, or lay each to a key."""
    for each in wrong:
        if study.agrees(each) is not False or taken(study, [each], known):
            continue
        study.blame(each)
        unsure = study.choices.unsure
        known[:] = [
            other
            for other in known
            if all(
                study.choices.base.get(name, unsure[name]) == other.get(name, unsure[name])
                for name in unsure
            )
        ]
        if not (holds(study) and all(study.agrees(other) for other in known)):
            again, known[:] = list(known), []
            study.builds, study.settings = study.builds[:1], study.settings[:1]
            study.learn()
            taken(study, again, known)


def refused(study: Study, assignment: Assignment) -> bool:
    """Tell whether a list has another length than the rows are for; no other length is then."""
    others = {name for name, value in assignment.items() if study.other_length(name, value)}
    if others & set(study.choices.unsure):
        return True
    for name in others - study.lengths:
        study.choices.unsure[name] = study.keys.keys[name].default
    return bool(others)


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
        if among(value, tried) or study.other_length(name, value):
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


def taken(study: Study, assignments: list[Assignment], known: list[Assignment]) -> bool:
    """Learn from configurations also; leave it if the rows hold no longer."""
    held = list(study.builds), list(study.settings)
    every = known + assignments
    for _ in range(PROBES + 1):
        wrong = [each for each in every if study.agrees(each) is False]
        if not wrong and holds(study):
            known += [each for each in assignments if each not in known]
            return True
        first = {tuple(sorted(changed(study, each))): each for each in reversed(wrong)}
        if not wrong or not all(study.keep(study.build(each)) for each in first.values()):
            break
        study.learn()
    study.builds, study.settings = held
    study.learn()
    return False


def changed(study: Study, assignment: Assignment) -> set[str]:
    """Return the keys that are not as in the default."""
    base = study.choices.base
    return {name for name, value in assignment.items() if base.get(name) != value}


def admit(study: Study, probes: dict[str, list[Assignment]], known: list[Assignment]) -> None:
    """Give keys free, all together where that holds, else by halves."""
    names = list(probes)
    every = [each for name in names for each in probes[name]]
    if not names or (not study.late() and taken(study, every, known)):
        return
    if len(names) == 1 or study.late():
        for name in names:
            study.choices.unsure[name] = study.keys.keys[name].default
        return
    half = len(names) // 2
    admit(study, {name: probes[name] for name in names[:half]}, known)
    admit(study, {name: probes[name] for name in names[half:]}, known)
