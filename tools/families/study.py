"""Study one class: learn rows from its builds, and prove them on others.

The rows that are learned are held against plain builds of random configurations; what disagrees
is built traced and learned from; what never agrees is laid to the keys that break it.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from reportgen.parameters import tensors
from reportgen.records.errors import EvidenceError
from tools.families import builds, learn
from tools.families.configs import Assignment, Keys
from tools.families.depth import deep
from tools.families.explore import Exploration

PAIRS, HEAD_PAIRS = 120, 30
MAX_OTHERS = 3
# So many are built before the rows are learned anew.
TOGETHER = 8


class Study(Exploration):
    """A class that was explored, the rows learned from its builds, and how often they held."""

    def __init__(self, cls: Any, keys: Keys, seconds: float, seed: int = 1) -> None:
        super().__init__(cls, keys, seconds, seed)
        self.rows: tuple[list[list[Any]], list[list[str]], set[str]] = ([], [], set())
        self.learned = tensors.class_of([], [])
        self.lengths: set[str] = set()
        self.proof = (0, 0)
        self.deep: list[Assignment] = []
        self.prior: dict[str, learn.Prior] = {}
        self.modes: dict[str, str] = {}
        self.base_modes: dict[str, str] = {}

    def learn(self) -> None:
        """Learn rows from all builds so far."""
        self.work += sum(len(build.rows) for build in self.builds)
        modes = {
            prefix + name: mode for prefix in self.prior for name, mode in self.base_modes.items()
        }
        learner = learn.Learner(self.builds, self.settings, self.prior, modes)
        terms, ties, failed = learn.learned(learner)
        if failed:
            other = learn.Learner(self.builds, self.settings, self.prior, modes, empty=True)
            found = learn.learned(other)
            if len(found[2]) < len(failed):
                learner, (terms, ties, failed) = other, found
        self.modes = learner.modes
        self.rows = terms, ties, failed
        self.learned = tensors.class_of(terms, ties)
        self.lengths = set(self._lengths(names_in(terms, ties)))

    def agrees(self, assignment: Assignment) -> bool | None:
        """Hold the rows against a plain build; None where the library or they refuse."""
        lists = assignment.keys() & self.lengths
        if any(self.other_length(name, assignment[name]) for name in lists):
            return None
        real = self.real(assignment)
        if real is None:
            return None
        try:
            mine = list(tensors.shapes(self.learned, self.keys.settings(assignment)))
        except EvidenceError:
            return False
        total = sum(count for *_, count in mine)
        return total == real[0] and tally(mine) == learn.tally(real[1], builds.fold)

    def prove(self, wanted: int) -> None:
        """Check random configurations; learn from what disagrees, until enough agree."""
        self.learn()
        for turn in range(14):
            wrong, exact = self.round(wanted)
            self.proof = (exact, exact + len(wrong))
            if not wrong or self.late(0.9):
                break
            learned = False
            for each in wrong:
                known = any(each == build.assignment for build in self.builds)
                learned |= not known and self.keep(self.build(each))
            if learned:
                self.learn()
            stubborn = [each for each in wrong if self.agrees(each) is False]
            if stubborn and (turn >= 3 or not learned) and not self.blame(stubborn[0]):
                break
        if self.proof[0] == self.proof[1]:
            self._hold(self.unvaried())
            self.deep = deep(self)
            self._hold(self.deep)
            self._hold(itertools.takewhile(lambda _: not self.late(), self.pairs()))
            self._recheck()
            self.give_lists()

    def unvaried(self) -> Iterator[Assignment]:
        """Yield changes of each key that is the base's in all that the library took."""
        for name in sorted((self.choices.read | self.choices.structure) & set(self.keys.keys)):
            base = self.choices.base.get(name, self.keys.keys[name].default)
            if not any(base != value for value in self.taken.get(name, ())):
                others = (
                    {**self.choices.base, name: value}
                    for value in self.choices.alternatives(name)[:MAX_OTHERS]
                )
                yield from itertools.islice(filter(self.real, others), 1)

    def pairs(self) -> list[Assignment]:
        """Return pairs of choices that decide something, in a random order."""
        choices = self.choices
        deciding = [
            {name: value}
            for name in sorted(choices.structure | choices.undecided() & choices.read)
            for value in choices.options.get(name, [])[:2]
        ]
        deciding += choices.joint
        pairs = [
            {**choices.base, **one, **other}
            for at, one in enumerate(deciding)
            for other in deciding[at + 1 :]
            if not set(one) & set(other) and not (set(one) | set(other)) & set(choices.unsure)
        ]
        choices.random.shuffle(pairs)
        return pairs[: PAIRS if self.thorough else HEAD_PAIRS]

    def _hold(self, assignments: Iterable[Assignment]) -> None:
        """Hold the rows against configurations, and learn from what they do not say."""
        exact, tried = self.proof
        todo = iter(assignments if exact == tried else ())
        while group := list(itertools.islice(todo, TOGETHER)):
            answers = [self._judged(each) for each in group]
            wrong = [each for each, said in zip(group, answers, strict=True) if said is False]
            if sum(self.keep(self.build(each)) for each in wrong):
                self.learn()
            # What is learned from one may say the others too; only then is a key to blame.
            if any(self._judged(each) is False and not self.blame(each) for each in wrong):
                self.proof = exact, tried + 1
                return
            exact, tried = (n + len(group) - answers.count(None) for n in (exact, tried))
        self.proof = exact, tried

    def _judged(self, assignment: Assignment) -> bool | None:
        """Hold the rows against a build, unless a key in it is varied no more."""
        return None if self.doubted(assignment) else self.agrees(assignment)

    def give_lists(self) -> None:
        """Give two numbers where one is usual, for keys that no row uses: rows may not see it."""
        used = names_in(self.rows[0], self.rows[1])
        for name in sorted(self.choices.read - used):
            key = self.keys.keys.get(name)
            if key is None or key.kind != "int" or "list" not in key.hint or key.boring:
                continue
            if self.agrees({**self.choices.base, name: [key.default, key.default]}) is False:
                self.choices.unsure[name] = key.default

    def _recheck(self) -> None:
        """Hold the rows against every build they were learned from, and all of many layers."""
        for _ in range(6):
            shown = [build.assignment for build in self.builds] + self.deep
            wrong = [each for each in shown if self._judged(each) is False]
            if not wrong:
                return
            if not self.blame(wrong[0]):
                self.proof = (self.proof[0], self.proof[1] + len(wrong))
                return

    def round(self, wanted: int) -> tuple[list[Assignment], int]:
        wrong: list[Assignment] = []
        exact = 0
        for assignment in (self.settled, self.choices.base):
            agreed = self.agrees(assignment)
            exact += agreed is True
            wrong += [assignment] if agreed is False else []
        tries = 0
        while exact + len(wrong) < wanted and tries < 4 * wanted and len(wrong) < 3:
            tries += 1
            drawn = self.draw(0.35 if tries % 2 else 0.15, rare=tries % 3 > 0)
            agreed = self.agrees(drawn)
            exact += agreed is True
            wrong += [drawn] if agreed is False else []
            if self.late(1.2):
                break
        return wrong, exact

    def blame(self, assignment: Assignment) -> bool:
        """Lay what stays wrong to one key, vary it no more, and forget what it showed."""
        guilty = dict(assignment)
        for name in sorted(assignment, key=self._weight):
            fewer = {key: value for key, value in guilty.items() if key != name}
            if self.agrees(fewer) is False:
                guilty = fewer
        guilty = {
            name: value
            for name, value in guilty.items()
            if name not in self.choices.base or self.choices.base[name] != value
        } or guilty
        lengths = [name for name in guilty if self.other_length(name, guilty[name])]
        if not guilty:
            known = {name for each in self.choices.stretched for name in each}
            lengths = sorted(known - self.choices.fixed_lengths)
            if not lengths:
                return self._give_up_a_key()
        if lengths:
            self.choices.fixed_lengths |= set(lengths)
        else:
            name = max(guilty, key=self._weight)
            self.choices.unsure[name] = self.keys.keys[name].default
            self.choices.base.pop(name, None)
            lengths = [name]
        self._forget(lengths)
        self.learn()
        return True

    def _give_up_a_key(self) -> bool:
        """Vary no more the key without whose builds the most is learned, if that is more."""
        names = {
            name
            for build in self.builds
            for name, value in build.assignment.items()
            if self.choices.base.get(name, self.keys.keys[name].default) != value
        }
        held = self.builds, self.settings
        scores: list[tuple[int, int]] = [(len(self.rows[2]), 0)]
        order = sorted(names - set(self.choices.unsure), key=self._weight, reverse=True)
        for at, name in enumerate(order):
            self.choices.unsure[name] = self.keys.keys[name].default
            self._forget([name])
            self.learn()
            scores.append((len(self.rows[2]), at))
            del self.choices.unsure[name]
            self.builds, self.settings = held
        best = min(scores)
        found = best < scores[0]
        if found:
            name = order[best[1]]
            self.choices.unsure[name] = self.keys.keys[name].default
            self.choices.base.pop(name, None)
            self._forget([name])
        self.learn()
        return found

    def _weight(self, name: str) -> tuple[bool, bool, str]:
        """Sort keys: those a formula can least do without come first."""
        kind = self.keys.keys[name].kind
        return name not in self.choices.structure, kind not in ("int", "numbers"), name

    def requirements(self, used: set[str]) -> list[str]:
        """Return the lengths of lists that the rows need."""
        return [f"len({name})=={length}" for name, length in self._lengths(used).items()]

    def _lengths(self, used: set[str]) -> dict[str, int]:
        found = {}
        for name in sorted(used & set(self.keys.keys)):
            key = self.keys.keys[name]
            fixed = self.keys.derived.get(name, "").startswith("[")
            default = key.value if fixed else key.default
            listed = isinstance(default, (list, tuple)) and name not in self.keys.indices
            if listed and name not in self.choices.free_lengths - self.choices.fixed_lengths:
                if name in self.keys.links and name not in self.choices.fixed_lengths:
                    continue
                found[name] = len(default)
        return found


def names_in(terms: list[list[Any]], ties: list[list[str]]) -> set[str]:
    """Return the keys that rows use."""
    texts: set[str] = set()
    for _, sides, loops, _, *conditions in terms:
        texts |= {*sides.split("|"), *loops.split("|"), *conditions}
    for _, _, *conditions in ties:
        texts |= set(conditions)
    return {name for text in texts - {""} for name in tensors.keys_in(text)}


def tally(found: list[tuple[str, tuple[int, ...], int, int]]) -> Counter[Any]:
    """Count by folded name, whatever numbers a name kept."""
    folded: Counter[Any] = Counter()
    for name, shape, times, _ in found:
        if math.prod(shape):
            folded[builds.fold(name)[0], shape] += times
    return folded
