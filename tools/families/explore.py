"""Explore one class: choose configurations, build them, and find what a key means.

A class is built at a small configuration, at each of its variants, and at random ones.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from reportgen.parameters import tensors
from tools.families import builds, learn
from tools.families.builds import Build
from tools.families.choices import Choices, among
from tools.families.configs import Assignment, Key, Keys, Settings, attempt

JOINT = json.loads((Path(__file__).parent / "joint.json").read_text(encoding="utf-8"))
MAX_BUILDS = 160
TENSORS_A_SECOND, REFUSAL = 5000, 100
# A build may have so many tensors, or so many times those of the default.
LARGE, LARGER = 2000, 4
MAX_TRIES = 20
FOLLOWED = 5
SCATTERED, SURE = 6, 40
ROUNDED = re.compile(r"\b(int|round|ceil|floor)\(")


class RefusedError(Exception):
    """A class that cannot be built, with the reason."""


class ContradictionError(Exception):
    """A key that was inferred for a base class and means something else in a head class."""


class Exploration:
    """One class of one model type, and what its builds show."""

    def __init__(self, cls: Any, keys: Keys, seconds: float, seed: int = 1) -> None:
        self.cls, self.keys, self.seconds = cls, keys, seconds
        self.choices = Choices(keys, seed)
        self.work = 0.0
        self.builds: list[Build] = []
        self.settings: list[Settings] = []
        self.made = 0
        self.known: dict[str, Any] = {}
        self.taken: dict[str, list[Any]] = {}
        self.thorough = True
        self.error = ""
        self.settled: Assignment = {}
        self.most = 0

    # ---------------------------------------------------------------- builds
    def late(self, share: float = 1.0) -> bool:
        """Tell whether so much of the work is done: tensors looked at, the same on any machine."""
        return self.work > share * self.seconds * TENSORS_A_SECOND

    def real(self, assignment: Assignment) -> Any:
        """Build plain, once for an assignment; None where the library refuses."""
        key = repr(sorted(assignment.items()))
        if key not in self.known:
            self.known[key] = attempt(
                builds.plain_shapes, self.cls, self.keys, assignment, self.most
            )
            self.work += len(self.known[key][1]) / 2 if self.known[key] else REFUSAL
            for name, value in assignment.items() if self.known[key] else ():
                self.taken.setdefault(name, []).append(value)
        return self.known[key]

    def build(self, assignment: Assignment) -> Build | None:
        """Build traced; None where the library refuses."""
        self.made += 1
        try:
            build = builds.traced(self.cls, self.keys, assignment, self.most)
        except (KeyboardInterrupt, MemoryError):
            raise
        except (Exception, SystemExit) as problem:  # noqa: BLE001 - the library refuses as it likes
            self.error = str(problem)
            self.work += REFUSAL
            return None
        self.work += len(build.rows)
        if not self.thorough:
            self.known[repr(sorted(assignment.items()))] = build.total, build.shapes()
        self.choices.note(build)
        for name in assignment:
            if self.keys.keys[name].hint in ("missing", "extra") and self._in_sides(name, build):
                self._is_whole(name)
        if any(self._odd(name, value) for name, value in assignment.items()):
            return None
        return build

    def _odd(self, name: str, value: Any) -> bool:
        key = self.keys.keys[name]
        return key.extra and key.hint == "int" and type(value) is not int

    def _is_whole(self, name: str) -> None:
        """Take it that an undeclared key is a size, so no flag or word."""
        self.keys.keys[name].hint = "int"
        held = [each for each in self.choices.options.get(name, ()) if type(each) is int]
        self.choices.options[name] = held
        kept = [
            (build, settings)
            for build, settings in zip(self.builds, self.settings, strict=True)
            if not any(self._odd(*each) for each in build.assignment.items())
        ]
        self.builds, self.settings = [a for a, _ in kept], [b for _, b in kept]

    def keep(self, build: Build | None) -> bool:
        """Learn from a build, if it shows something."""
        if build is None or len(self.builds) >= MAX_BUILDS:
            return False
        self.builds.append(build)
        self.settings.append(self.keys.settings(build.assignment))
        return True

    def settle(self) -> None:
        """Find a configuration that can be built: the default, or near it."""
        if self._taken({}):
            return
        error = "refused"
        try:
            builds.traced(self.cls, self.keys, {})
        except Exception as problem:
            error = f"{type(problem).__name__}: {str(problem).strip()[:120]}"
            if isinstance(problem, ImportError):
                raise RefusedError(error) from problem
        for change in self._repairs(error):
            if self._taken({**self.choices.base, **change}):
                self.choices.base = {**self.choices.base, **change}
                self.settled = change
                self.keys.hold(change)
                return
        raise RefusedError(error)

    def _taken(self, assignment: Assignment) -> bool:
        """Build; where the library takes it, nothing that is built later may be far larger."""
        build = self.build(assignment)
        if build is not None:
            self.most = max(LARGE, LARGER * len(build.rows))
        return build is not None

    def _repairs(self, error: str) -> Iterator[Assignment]:
        """Yield changes of the default that may make it one that the library takes."""
        yield from self._single_repairs()
        dicts = [key for key in self.keys.keys.values() if "dict" in key.hint and not key.boring]
        yield from ({key.name: {}} for key in dicts if key.value is None)
        for key in list(self.keys.keys.values()):
            layers = self.keys.keys.get(f"{key.name.removesuffix('layer_types')}num_hidden_layers")
            if key.name.endswith("layer_types") and key.value is None and layers:
                yield {key.name: ["full_attention"] * layers.value}
        lacking = re.search(r"has no attribute '(\w+)'", error)
        for prefix in self.keys.nodes if lacking else ():
            name = prefix + lacking[1]  # type: ignore[index]
            self.keys.keys.setdefault(name, Key(name, None, None, "missing", extra=True))
            yield {name: 10000.0}
            yield {name: 64}

    def _single_repairs(self) -> list[Assignment]:
        nulls = [
            {key.name: number}
            for key in self.keys.keys.values()
            if key.default is None and "int" in key.hint and not key.boring
            for number in (64, 4)
        ]
        flags = [
            {key.name: not key.default}
            for key in self.keys.keys.values()
            if key.kind == "bool" and not key.boring
        ]
        single = [{"num_labels": 2}, *nulls, *flags][:60]
        pairs = [{**a, **b} for at, a in enumerate(nulls[:12]) for b in nulls[at + 1 : 12]]
        return single + pairs[:40]

    def shrink(self) -> None:
        """Take few layers, experts and stages, as long as every kind of tensor remains."""
        first = self.build(self.choices.base)
        if first is None:
            return
        names, size = {template.name for template in first.under().found}, len(first.rows)
        loops = set()
        for text in first.bounds:
            loops |= tensors.keys_in(text.replace("#", "_place"))
        for name in sorted(loops & set(self.keys.keys)):
            lengths = all(f"{name}[" not in text for text in first.bounds)
            for small in self.choices.smaller(name, only_lengths=lengths):
                build = self.build({**self.choices.base, name: small})
                smaller = build is not None and len(build.rows) <= size
                if build and smaller and names == {each.name for each in build.under().found}:
                    size = len(build.rows)
                    self.choices.base = {**self.choices.base, name: small}
                    break

    def vary(self, name: str, on: Assignment) -> list[Build]:
        """Build with each other value of a key; what it is compared with brings in more."""
        news: list[Build] = []
        key = self.keys.keys[name]
        tried: list[Any] = []
        todo = self.choices.alternatives(name)
        while todo and len(tried) < MAX_TRIES and not self.late(0.6):
            other = todo.pop(0)
            if self.choices.enough(name, len(news)):
                break
            if among(other, tried) or (key.extra and key.hint == "int" and type(other) is not int):
                continue
            tried.append(other)
            build = self.build({**on, name: other})
            if build is None:
                todo += self._offered(other)
                continue
            held = self.choices.options.setdefault(name, [])
            if not among(other, held):
                held.append(other)
            news.append(build)
            if isinstance(other, str):
                todo += self.choices.alternatives(name)
        return news

    def _offered(self, other: Any) -> list[str]:
        """Return the words that a refusal names as the ones to choose from."""
        _, found, rest = self.error.partition("one of")
        if not isinstance(other, str) or not found:
            return []
        return re.findall(r"[A-Za-z][\w-]*", rest.splitlines()[0])[:6]

    def _in_sides(self, name: str, build: Build) -> bool:
        sides = {side for template in build.under().found for side in template.sides}
        return any(name in tensors.keys_in(side) for side in sides if side != builds.LOST)

    def explore(self) -> None:
        """Build the base, each variant of it, and what its variants bring in."""
        self.shrink()
        first = self.build(self.choices.base)
        if first is None or not self.keep(first):
            raise RefusedError("the base cannot be built")
        self.choices.aim(first)
        self.keep(self.build({}))
        front: list[Assignment] = [self.choices.base]
        seen: set[str] = set()
        for on in front:
            open_ = self.choices.undecided()
            for name in sorted((self.choices.read | self.choices.structure | open_) - seen):
                seen.add(name)
                if name not in self.keys.keys:
                    continue
                for build in self.vary(name, on):
                    fresh = self._shows(build)
                    if fresh:
                        self.keep(build)
                    more = (self.choices.read | self.choices.structure) - seen
                    if more and len(front) < 6:
                        front.append(build.assignment)
            if self.late(0.6):
                break
        self._second_tries()
        self._flags_with_sizes()
        self._joint_tries()
        self._null_sizes()
        self.infer()
        self._fragile()
        self.stretch()
        for turn in range(14):
            self.keep(self.build(self.draw(0.25, rare=turn % 3 > 0)))

    def _null_sizes(self) -> None:
        """Take away sizes that may be null and for which nothing stands then."""
        for name in sorted((self.choices.read | self.choices.structure) & set(self.keys.keys)):
            key = self.keys.keys[name]
            optional = key.kind == "int" and key.default is not None and "None" in key.hint
            if not optional or key.boring or key.extra or name in self.keys.derived:
                continue
            build = self.build({**self.choices.base, name: None})
            if build and self._shows(build) and self.keep(build):
                self.choices.nulls.append(name)

    def infer(self) -> None:
        """Find what stands for a size that the class does not declare and asks for."""
        found = False
        for name, key in self.keys.keys.items():
            if not (key.extra and key.hint == "int" and key.default is None):
                continue
            known = self.keys.derived.keys() | self.keys.never
            if name not in known and (text := self._stands_for(name)):
                self.keys.derived[name] = text
                found = True
        if found:
            old = [build.assignment for build in self.builds]
            self.builds, self.settings = [], []
            for assignment in old:
                self.keep(self.build(assignment))

    def _fragile(self) -> None:
        """Vary no more what rounded sizes are compared by: not every way can be seen."""
        for build in self.builds:
            for text in build.features:
                if not ROUNDED.search(text):
                    continue
                for name in learn.keys_of(text) & set(self.keys.keys):
                    if self.keys.keys[name].kind == "float":
                        self.choices.unsure[name] = self.keys.keys[name].default
        self._forget(self.choices.unsure)

    def _stands_for(self, name: str) -> str | None:
        wanted, candidates = self._replaced(name)
        for text in sorted(candidates, key=lambda text: (-len(text), text)):
            if self._stands(name, text, wanted):
                return text
        return None

    def _stands(self, name: str, text: str, wanted: list[tuple[str, str]]) -> bool:
        """Tell whether every side is what it was, with the text in the place of the key."""
        draws = [self.choices.random] * SCATTERED
        draws += [random.Random(1)] * (SURE - SCATTERED)  # noqa: S311 - draws sizes, keeps no secret
        settings = [self.keys.settings(self._scatter(draw)) for draw in draws]
        return all(same(name, text, *pair, each) for pair in wanted for each in settings)

    def _scatter(self, draw: random.Random) -> Assignment:
        """Draw sizes as they come, for expressions alone; nobody builds from them."""
        whole = [key for key in self.keys.keys.values() if type(key.default) is int]
        return {key.name: draw.randint(3, 97) * 6 for key in whole}

    def _replaced(self, name: str) -> tuple[list[tuple[str, str]], set[str]]:
        """Pair the sides that a key is in with what they are without it."""
        without = next((each for each in self.builds if name not in each.assignment), None)
        given = next((each for each in self.builds if name in each.assignment), None)
        wanted: list[tuple[str, str]] = []
        candidates: set[str] = set()
        if without is None or given is None:
            return wanted, candidates
        old: dict[Any, list[tuple[str, ...]]] = {}
        for each in without.under().found:
            old.setdefault((each.name, len(each.sides)), []).append(each.sides)
        for template in given.under().found:
            before = old.get((template.name, len(template.sides)), [])
            for at, side in enumerate(template.sides if len(before) == 1 else ()):
                if side != builds.LOST and name in tensors.keys_in(side):
                    wanted.append((side, before[0][at]))
                    candidates |= {before[0][at], *factors(before[0][at])}
        keyed = {each for each in candidates if each != builds.LOST and tensors.keys_in(each)}
        return wanted, {each for each in keyed if "[" not in each}

    def contradiction(self) -> str | None:
        """Return a key that stands for other things here than in the base class."""
        inferred = [
            name
            for name, key in sorted(self.keys.keys.items())
            if key.extra and key.default is None and name in self.keys.derived
        ]
        for name in inferred:
            text = self.keys.derived.pop(name)
            number = attempt(tensors.value, text, self.keys.settings(self.choices.base))
            pair = [self.build(self.choices.base)]
            pair += [self.build({**self.choices.base, name: number})] if number else []
            held, self.builds = self.builds, [each for each in pair if each]
            wanted, _ = self._replaced(name)
            self.builds = held
            if not self._stands(name, text, wanted):
                return name
            self.keys.derived[name] = text
        return None

    def follow(self, other: Exploration) -> None:
        """Explore a head class along what its base class showed."""
        self.thorough = False
        self.choices.follow(other.choices)
        if self.build(self.choices.base) is None:
            self.settle()
        first = self.build(self.choices.base)
        if first is None or not self.keep(first):
            raise RefusedError("the base cannot be built")
        if (name := self.contradiction()) is not None:
            raise ContradictionError(name)
        self.choices.aim(first)
        ties = {name for name in self.choices.read if "tie_" in name}
        for name in sorted((self.choices.read - other.choices.read) | ties):
            if name in self.keys.keys:
                for build in self.vary(name, self.choices.base):
                    if self._shows(build):
                        self.keep(build)
        for assignment in other.telling():
            if self.late(0.7):
                break
            self.keep(self.build({**assignment, **self.settled}))
        for _ in range(3):
            self.keep(self.build(self.draw(0.3)))

    def telling(self) -> list[Assignment]:
        """Return one change of each key that shows in the tensors, and some others."""
        single: dict[str, Assignment] = {}
        others: list[Assignment] = []
        for build in self.builds:
            changed = [
                name
                for name, value in build.assignment.items()
                if self.choices.base.get(name) != value
            ]
            if len(changed) == 1 and self._shows(build):
                single.setdefault(changed[0], build.assignment)
            elif len(changed) > 1:
                others.append(build.assignment)
        step = max(1, len(others) // FOLLOWED)
        return [*single.values(), *others[::step]]

    def _joint_tries(self) -> None:
        """Vary together what the library takes only together: rows, and pairs of sizes."""
        for row in JOINT.get(getattr(self.keys.cls, "model_type", ""), []):
            if self.keep(self.build({**self.choices.base, **row})):
                self.choices.joint.append(row)
        sizes = [name for name in self.choices.blind() if self.keys.keys[name].kind == "int"][:8]
        others = [
            name
            for name in sorted(self.choices.read)
            if name in self.keys.keys and type(self.keys.keys[name].default) is int
        ]
        for name in sizes:
            for other in [*sizes, *others]:
                if other != name and not self.late(0.55) and self._pair(name, other):
                    break

    def _flags_with_sizes(self) -> None:
        """Set flags that the library takes only with sizes that are null else."""
        for name in self.choices.blind():
            key, place = self.keys.keys[name], name.rpartition(".")[0]
            nulls = [
                other.name
                for other in self.keys.keys.values()
                if other.default is None
                and "int" in other.hint
                and other.name.rpartition(".")[0] == place
                if not (other.boring or other.extra or other.name in self.keys.derived)
            ]
            change = {each: 4 + at for at, each in enumerate(nulls)} | {name: not key.default}
            if key.kind != "bool" or self.build({**self.choices.base, **change}) is None:
                continue
            for each in nulls:
                fewer = {other: size for other, size in change.items() if other != each}
                change = fewer if self.real({**self.choices.base, **fewer}) else change
            if self.keep(self.build({**self.choices.base, **change})):
                self.choices.joint.append(change)

    def _pair(self, name: str, other: str) -> bool:
        """Double one size while another is doubled or halved."""
        now = [self.choices.base.get(each, self.keys.keys[each].default) for each in (name, other)]
        if self.keys.keys[other].boring or not all(type(each) is int for each in now):
            return False
        found = False
        for second in (now[1] * 2, now[1] // 2):
            change = {name: now[0] * 2, other: second}
            if second and self.keep(self.build({**self.choices.base, **change})):
                self.choices.joint.append(change)
                found = True
        return found

    def _second_tries(self) -> None:
        """Vary what could not be varied at the base where some flag is the other way round."""
        grounds = [
            {**self.choices.base, name: other}
            for name, others in self.choices.options.items()
            for other in others
            if isinstance(other, (bool, str))
        ][:16]
        for name in self.choices.blind():
            for on in grounds:
                if name in on or self.late(0.55):
                    continue
                news = [build for build in self.vary(name, on) if self._shows(build)]
                for build in news:
                    self.keep(build)
                if news:
                    break
                self.choices.options.pop(name, None)

    def _shows(self, build: Build) -> bool:
        """Tell whether a build has other tensors than the base."""
        return not self.builds or _digest(build) != _digest(self.builds[0])

    def rare(self) -> Assignment:
        """Return what brought in a tensor that few builds have."""
        holding: Counter[Any] = Counter()
        for build in self.builds:
            holding.update((each.name, each.sides) for each in build.under().found)
        scarce = [
            build.assignment
            for build in self.builds
            if any(
                holding[each.name, each.sides] <= max(2, len(self.builds) // 6)
                for each in build.under().found
            )
        ]
        if not scarce:
            return {}
        chosen = self.choices.random.choice(scarce)
        return {key: value for key, value in chosen.items() if self.choices.base.get(key) != value}

    def draw(self, share: float, *, rare: bool = False) -> Assignment:
        """Draw a random configuration that the library takes, also near what is rare."""
        fixed = self.rare() if rare else {}
        for attempt_ in range(12):
            chance = share / (1 + attempt_ / 2)
            drawn = dict(self.choices.base)
            for name in sorted(self.choices.read | self.choices.structure):
                likely = chance * 2 if name in self.choices.structure else chance
                if name in self.keys.keys and self.choices.random.random() < likely:
                    value = self.choices.random_value(name)
                    if value is not None:
                        drawn[name] = value
            if self.choices.stretched and self.choices.random.random() < chance:
                longer = self.choices.random.choice(self.choices.stretched)
                if not set(longer) & self.choices.fixed_lengths:
                    drawn.update(longer)
            drawn |= {
                name: None for name in self.choices.nulls if self.choices.random.random() < chance
            }
            self.choices.fit_lists(drawn)
            drawn.update(fixed if attempt_ < 9 else {})
            if self.choices.joint and self.choices.random.random() < 2 * share:
                drawn.update(self.choices.random.choice(self.choices.joint))
            if self.real(drawn) is not None:
                return drawn
        return dict(self.choices.base)

    def _forget(self, names: Any) -> None:
        """Drop the builds in which keys were changed that are varied no more."""
        kept = [
            (build, settings)
            for build, settings in zip(self.builds, self.settings, strict=True)
            if not any(
                name in build.assignment
                and build.assignment[name] != self.choices.base.get(name)
                and (name in self.choices.unsure or self.other_length(name, build.assignment[name]))
                for name in names
            )
        ]
        self.builds, self.settings = [a for a, _ in kept], [b for _, b in kept]

    def doubted(self, assignment: Assignment) -> bool:
        """Tell whether a key that is varied no more is another than in the base."""
        unsure, base = self.choices.unsure, self.choices.base
        changed = unsure.keys() & assignment.keys()
        return any(assignment[name] != base.get(name, unsure[name]) for name in changed)

    def other_length(self, name: str, value: Any) -> bool:
        default = self.keys.keys[name].value
        both = isinstance(value, (list, tuple)) and isinstance(default, (list, tuple))
        return both and len(value) != len(default) and name not in self.keys.indices

    def _same_dimensions(self, build: Build | None) -> bool:
        """Tell whether no tensor has more or fewer sides than in the base."""
        known = {each.name: len(each.sides) for each in self.builds[0].under().found}
        found = build.under().found if build else ()
        return all(known.get(each.name, len(each.sides)) == len(each.sides) for each in found)

    def stretch(self) -> None:
        """Give the lists of a configuration one element more and one less, all together."""
        groups: dict[tuple[str, int], list[str]] = {}
        for name, key in self.keys.keys.items():
            value = self.choices.base.get(name, key.value)
            listed = isinstance(value, (list, tuple)) and len(value) > 1 and not key.boring
            if listed and name not in self.keys.indices | set(self.keys.links):
                groups.setdefault((name.rpartition(".")[0], len(value)), []).append(name)
        for (_, length), names in sorted(groups.items()):
            if not set(names) & (self.choices.read | self.choices.structure):
                continue
            for other in (length + 1, length - 1):
                change = dict(self.choices.base)
                for name in names:
                    now = list(self.choices.base.get(name, self.keys.keys[name].value))
                    change[name] = [now[min(at, length - 1)] for at in range(other)]
                build = self.build(change)
                if self._same_dimensions(build) and self.keep(build):
                    self.choices.free_lengths |= set(names)
                    self.choices.stretched.append({name: change[name] for name in names})


def _digest(build: Build) -> Any:
    """Return which templates a build has, how often, and what it shares."""
    counts = sorted((str(each), len(where)) for each, where in build.under().found.items())
    return tuple(counts), tuple(sorted(build.ties))


def same(name: str, text: str, side: str, before: str, settings: Settings) -> bool:
    """Tell whether a side comes out the same with a text in the place of a key."""
    replaced = re.sub(rf"(?<![\w.]){re.escape(name)}(?![\w.])", f"({text})", side)
    values = [attempt(tensors.value, each, settings) for each in (replaced, before)]
    return values[0] is not None and values[0] == values[1]


def factors(text: str) -> list[str]:
    """Split a product at its signs outside parentheses."""
    parts, depth = [""], 0
    for letter in text:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == "*" and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [part for part in parts if part]
