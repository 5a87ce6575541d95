"""Study one class: choose configurations, learn from builds, and prove on others.

A class is built at a small configuration, at each of its variants, and at random ones. The rows
that are learned are held against plain builds of further random configurations; what disagrees
is built traced and learned from; what never agrees is laid to the keys that break it.
"""

from __future__ import annotations

import json
import random
import re
import time
from collections import Counter
from pathlib import Path
from typing import Any

from tools.families import builds, evaluate, learn
from tools.families.builds import Build
from tools.families.configs import Assignment, Key, Keys, attempt
from tools.families.evaluate import Values

JOINT = json.loads((Path(__file__).parent / "joint.json").read_text(encoding="utf-8"))
WORDS = ("gelu", "relu", "silu")
SMALL = (3, 4, 6, 8, 10)
MAX_BUILDS = 160
FLOATS = (0.5, 2.0)
MAX_TRIES = 14
FOLLOWED = 8


class Refused(Exception):
    """A class that cannot be built, with the reason."""


class Study:
    """One class of one model type."""

    def __init__(self, cls: Any, keys: Keys, seconds: float, seed: int = 1) -> None:
        self.cls, self.keys = cls, keys
        self.random = random.Random(seed)  # noqa: S311 - draws configurations, keeps no secret
        self.deadline = time.process_time() + seconds
        self.builds: list[Build] = []
        self.settings: list[Values] = []
        self.base: Assignment = {}
        self.options: dict[str, list[Any]] = {}
        self.unsure: dict[str, Any] = {}
        self.requires: list[str] = []
        self.words: dict[str, set[str]] = {}
        self.sought: dict[str, set[Any]] = {}
        self.structure: set[str] = set()
        self.computed: set[str] = set()
        self.read: set[str] = set()
        self.tried: set[str] = set()
        self.rows: tuple[list[list[Any]], list[list[str]], set[str]] = ([], [], set())
        self.proof = (0, 0)
        self.made = 0
        self.known: dict[str, Any] = {}
        self.thorough = True
        self.error = ""
        self.prior: dict[str, learn.Prior] = {}
        self.free_lengths: set[str] = set()
        self.fixed_lengths: set[str] = set()
        self.settled: Assignment = {}
        self.targets: dict[str, list[int]] = {}
        self.joint: list[Assignment] = []
        self.stretched: list[Assignment] = []

    # ---------------------------------------------------------------- builds
    def late(self, share: float = 1.0) -> bool:
        """Tell whether so much of the time is used up."""
        return time.process_time() > self.deadline - (1 - share) * 60

    def real(self, assignment: Assignment) -> Any:
        """Build plain, once for an assignment; None where the library refuses."""
        key = repr(sorted(assignment.items()))
        if key not in self.known:
            self.known[key] = attempt(builds.plain_shapes, self.cls, self.keys, assignment)
        return self.known[key]

    def build(self, assignment: Assignment) -> Build | None:
        """Build traced; None where the library refuses."""
        self.made += 1
        try:
            build = builds.traced(self.cls, self.keys, assignment)
        except (KeyboardInterrupt, MemoryError, TimeoutError):
            raise
        except (Exception, SystemExit) as problem:  # noqa: BLE001 - the library refuses as it likes
            self.error = str(problem)
            return None
        if not self.thorough:
            self.known[repr(sorted(assignment.items()))] = build.total, build.shapes()
        for held, new in ((self.words, build.words), (self.sought, build.sought)):
            for name, things in new.items():
                held.setdefault(name, set()).update(things)
        self.keys.indices |= {
            name for name, things in build.sought.items() if 0 in things and name in self.keys.keys
        }
        self.read |= build.read
        for name in sorted(build.missing):
            if name not in self.keys.keys and name not in self.keys.aliases:
                self.keys.keys[name] = Key(name, None, None, "missing", extra=True)
                self.read.add(name)
        for name, kind in sorted(build.computed.items()):
            if name not in self.keys.keys and name not in self.keys.aliases:
                self.keys.keys[name] = Key(name, None, None, kind, extra=True)
                self.read.add(name)
                self.computed.add(name)
        for name in assignment:
            if self.keys.keys[name].hint in ("missing", "extra") and self._in_sides(name, build):
                self._is_whole(name)
        if any(self._odd(name, value) for name, value in assignment.items()):
            return None
        names = set()
        for text in build.features | build.bounds:
            names |= evaluate.names_of(text.replace("#", "_place"))
        self.structure |= {name for name in names if name in self.keys.keys}
        return build

    def _odd(self, name: str, value: Any) -> bool:
        key = self.keys.keys[name]
        return key.extra and key.hint == "int" and type(value) is not int

    def _is_whole(self, name: str) -> None:
        """Take it that an undeclared key is a size, so no flag or word."""
        self.keys.keys[name].hint = "int"
        held = [each for each in self.options.get(name, ()) if type(each) is int]
        self.options[name] = held
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
        if self.build({}) is not None:
            return
        error = "refused"
        try:
            builds.traced(self.cls, self.keys, {})
        except Exception as problem:
            error = f"{type(problem).__name__}: {str(problem).strip()[:120]}"
            if isinstance(problem, ImportError):
                raise Refused(error) from problem
        for change in self._repairs():
            if self.build({**self.base, **change}) is not None:
                self.base = {**self.base, **change}
                self.settled = change
                return
        raise Refused(error)

    def _repairs(self) -> list[Assignment]:
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
        first = self.build(self.base)
        if first is None:
            return
        names = {template.name for template in first.under().found}
        loops = set()
        for text in first.bounds:
            loops |= evaluate.names_of(text.replace("#", "_place"))
        for name in sorted(loops & set(self.keys.keys)):
            lengths = all(f"{name}[" not in text for text in first.bounds)
            for small in self._smaller(name, only_lengths=lengths):
                build = self.build({**self.base, name: small})
                if build and names == {each.name for each in build.under().found}:
                    self.base = {**self.base, name: small}
                    break

    def _smaller(self, name: str, *, only_lengths: bool) -> list[Any]:
        key = self.keys.keys[name]
        value = self.base.get(name, key.value if key.default is None else key.default)
        if type(value) is int:
            return [each for each in SMALL if each < value]
        if isinstance(value, (list, tuple)) and value and all(type(x) is int for x in value):
            if max(value) > SMALL[0] and not only_lengths:
                return [[min(x, 2 + at % 2) for at, x in enumerate(value)]]
        return []

    # ---------------------------------------------------------------- what may vary
    def alternatives(self, name: str) -> list[Any]:
        """Return other values for a key, as far as its kind and the source tell."""
        key = self.keys.keys[name]
        now = self.base.get(name, key.value if key.default is None else key.default)
        if key.boring or name in self.unsure or name.endswith("model_type"):
            return []
        if key.kind == "bool":
            return [not now]
        if key.kind == "int":
            return self._numbers(name, now)
        if key.kind == "float":
            zero = [0.0] if name in self.structure else []
            return zero + ([now * each for each in FLOATS] if now else [0.5])
        if key.kind == "str":
            words = set(self.words.get(name, ())) | self._sought(name)
            words |= {f"{each}-{now}" for each in self._sought(name)} | set(now.split("-")[1:])
            words |= set(WORDS) if re.search(r"(^|[._])act", name) else set()
            numbers = [3] if "int" in key.hint else []
            words = words - {now} or set(self.keys.spoken(name)) - {now}
            return [*sorted(words)[:6], *numbers, "none"]
        if key.kind in ("numbers", "flags", "words"):
            return self._lists(name, list(now))
        return self._nulls(key)

    def _sought(self, name: str) -> set[str]:
        return {each for each in self.sought.get(name, ()) if isinstance(each, str)}

    def aim(self, build: Build) -> None:
        """Note which values make a comparison of two sizes come out otherwise."""
        settings = self.keys.settings(build.assignment)
        for text in build.features:
            sides = learn.compared(text)
            for side, other in (sides, sides[::-1]) if sides else ():
                value = attempt(evaluate.value, other, settings)
                if type(value) is int and re.fullmatch(r"[A-Za-z_][\w.]*(\[\d+\])?", side):
                    held = self.targets.setdefault(side, [])
                    held += [each for each in (value, value + 1) if each not in held]

    def _numbers(self, name: str, now: int) -> list[Any]:
        if name in self.structure:
            near = self.targets.get(name, [])
            usual = dict.fromkeys((now + 1, 2, 1, 0, 3, now * 2))
            return [*near[:4], *(each for each in usual if each != now)]
        return [now * 2, now * 3, now + 8, max(1, now // 2)]

    def _layers(self, name: str) -> int:
        length = self.keys.links.get(name)
        prefix = name.rpartition(".")[0]
        for candidate in (length, f"{prefix}.num_hidden_layers".lstrip(".")):
            key = self.keys.keys.get(candidate or "")
            if key and isinstance(self.base.get(key.name, key.value), int):
                return int(self.base.get(key.name, key.value))
        return SMALL[0]

    def _lists(self, name: str, now: list[Any]) -> list[Any]:
        layers = self._layers(name)
        if name in self.keys.indices:
            return [sorted(self.random.sample(range(layers), min(layers, n))) for n in (1, 2, 2)]
        if self.keys.keys[name].kind == "words":
            words = sorted(set(now) | self.words.get(name, set()) | self._sought(name))[:6]
            length = layers if name in self.keys.links else len(now)
            draws = [[self.random.choice(words) for _ in range(length)] for _ in range(3)]
            return [[word] * length for word in words] + draws
        if self.keys.keys[name].kind == "flags":
            return [[not each for each in now], [self.random.random() < 0.5 for _ in now]]
        if not now or not all(type(each) in (int, float) for each in now):
            return []
        near = [
            [other if at == place else each for at, each in enumerate(now)]
            for place in range(len(now))
            for other in self.targets.get(f"{name}[{place}]", [])[:2]
        ]
        doubled = [each * 2 for each in now]
        one = [each + 1 if at == len(now) // 2 else each for at, each in enumerate(now)]
        return [doubled, one, *near[:6]]

    def _nulls(self, key: Key) -> list[Any]:
        words = sorted(self.words.get(key.name, set()) | self._sought(key.name))[:6]
        if "str" in key.hint or "Literal" in key.hint:
            words = words or self.keys.spoken(key.name)
        anything = key.hint in ("missing", "extra")
        found: list[Any] = []
        if "int" in key.hint or anything:
            found += [64, 2, 4]
        if "bool" in key.hint or anything:
            found += [True, False] if anything else [True]
        if "float" in key.hint:
            found += [0.5, 2.0]
        if key.name in self.keys.indices:
            found += [[0], [1, 2]]
        if "str" in key.hint or "Literal" in key.hint or anything:
            found += ["none", *words]
        if words and ("list" in key.hint or anything):
            found += [words[:1], words, "|".join(words)]
        return found

    def vary(self, name: str, on: Assignment) -> list[Build]:
        """Build with each other value of a key; what it is compared with brings in more."""
        news: list[Build] = []
        key = self.keys.keys[name]
        tried: list[Any] = []
        todo = self.alternatives(name)
        while todo and len(tried) < MAX_TRIES and not self.late(0.6):
            other = todo.pop(0)
            if self._enough(name, len(news)):
                break
            if _among(other, tried) or (key.extra and key.hint == "int" and type(other) is not int):
                continue
            tried.append(other)
            build = self.build({**on, name: other})
            if build is None:
                todo += self._offered(other)
                continue
            held = self.options.setdefault(name, [])
            if not _among(other, held):
                held.append(other)
            news.append(build)
            if isinstance(other, str):
                todo += self.alternatives(name)
        return news

    def _enough(self, name: str, found: int) -> bool:
        """Tell whether a number was varied enough: a mere size once, others three times."""
        key = self.keys.keys[name]
        if key.kind not in ("int", "float") or key.extra:
            return False
        return found >= (4 if name in self.structure else 1)

    def _offered(self, other: Any) -> list[str]:
        """Return the words that a refusal names as the ones to choose from."""
        _, found, rest = self.error.partition("one of")
        if not isinstance(other, str) or not found:
            return []
        return re.findall(r"[A-Za-z][\w-]*", rest.splitlines()[0])[:6]

    def blind(self) -> list[str]:
        """Return keys that the constructor reads and of which no other value could be tried."""
        found = []
        taken = {name for name, key in self.keys.keys.items() if key.hint == "extra"}
        asked = {name for name in self.structure if self.keys.keys[name].kind in ("str", "bool")}
        for name in sorted(self.read | taken | asked):
            key = self.keys.keys.get(name)
            if key is None or key.boring or name in self.options or name in self.unsure:
                continue
            if key.kind == "float" or name in self.keys.derived or name == "num_labels":
                continue
            if name in self.computed or any(name in change for change in self.joint):
                continue
            found.append(name)
        return found

    def _in_sides(self, name: str, build: Build) -> bool:
        sides = {side for template in build.under().found for side in template.sides}
        return any(name in evaluate.names_of(side) for side in sides if side != builds.LOST)

    def explore(self) -> None:
        """Build the base, each variant of it, and what its variants bring in."""
        self.shrink()
        first = self.build(self.base)
        if first is None or not self.keep(first):
            raise Refused("the base cannot be built")
        self.aim(first)
        self.keep(self.build({}))
        front: list[Assignment] = [self.base]
        seen: set[str] = set()
        for on in front:
            extra = {name for name, key in self.keys.keys.items() if key.hint == "extra"}
            for name in sorted((self.read | self.structure | extra) - seen):
                seen.add(name)
                if name not in self.keys.keys:
                    continue
                for build in self.vary(name, on):
                    fresh = self._shows(build)
                    if fresh:
                        self.keep(build)
                    more = (self.read | self.structure) - seen
                    if more and len(front) < 6:
                        front.append(build.assignment)
            if self.late(0.6):
                break
        self._second_tries()
        self._joint_tries()
        self.infer()
        self.stretch()
        for turn in range(14):
            self.keep(self.build(self.draw(0.25, rare=turn % 3 > 0)))

    def infer(self) -> None:
        """Find what stands for a size that the class does not declare and asks for."""
        found = False
        for name, key in self.keys.keys.items():
            if not (key.extra and key.hint == "int" and key.default is None):
                continue
            if name not in self.keys.derived and (text := self._stands_for(name)):
                self.keys.derived[name] = text
                found = True
        if found:
            old = [build.assignment for build in self.builds]
            self.builds, self.settings = [], []
            for assignment in old:
                self.keep(self.build(assignment))

    def _stands_for(self, name: str) -> str | None:
        without = [build for build in self.builds if name not in build.assignment]
        given = [build for build in self.builds if name in build.assignment]
        if not without or not given:
            return None
        old = {(each.name, len(each.sides)): each.sides for each in without[0].under().found}
        wanted, candidates = [], set()
        for template in given[0].under().found:
            before = old.get((template.name, len(template.sides)))
            for at, side in enumerate(template.sides):
                if name in side and before and before[at] != builds.LOST:
                    wanted.append((side, before[at]))
                    candidates |= {before[at], *factors(before[at])}
        for text in sorted(candidates - {"1"}, key=lambda text: (-len(text), text)):
            if "[" not in text and all(self._same(name, text, *pair) for pair in wanted):
                return text
        return None

    def _same(self, name: str, text: str, side: str, before: str) -> bool:
        """Tell whether a side becomes what it was, with the text in the place of the key."""
        replaced = re.sub(rf"(?<![\w.]){re.escape(name)}(?![\w.])", f"({text})", side)
        for settings in self.settings:
            values = [attempt(evaluate.value, each, settings) for each in (replaced, before)]
            if values[0] is None or values[0] != values[1]:
                return False
        return True

    def follow(self, other: Study) -> None:
        """Explore a head class along what its base class showed."""
        self.thorough = False
        self.base, self.options = dict(other.base), dict(other.options)
        self.words, self.sought = other.words, other.sought
        self.unsure, self.structure = dict(other.unsure), set(other.structure)
        self.stretched, self.free_lengths = other.stretched, other.free_lengths
        self.fixed_lengths, self.joint = other.fixed_lengths, other.joint
        self.computed = other.computed
        if self.build(self.base) is None:
            self.settle()
        first = self.build(self.base)
        if first is None or not self.keep(first):
            raise Refused("the base cannot be built")
        ties = {name for name in self.read if "tie_" in name}
        for name in sorted((self.read - other.read) | ties):
            if name in self.keys.keys:
                for build in self.vary(name, self.base):
                    if self._shows(build):
                        self.keep(build)
        step = max(1, len(other.builds) // FOLLOWED)
        for build in other.builds[step - 1 :: step]:
            if self.late(0.7):
                break
            self.keep(self.build({**build.assignment, **self.settled}))
        for _ in range(4):
            self.keep(self.build(self.draw(0.3)))

    def _joint_tries(self) -> None:
        """Vary together what the library takes only together: rows, and pairs of sizes."""
        rows = JOINT.get(getattr(self.keys.cls, "model_type", ""), [])
        for row in rows:
            if self.keep(self.build({**self.base, **row})):
                self.joint.append(row)
        sizes = [name for name in self.blind() if self.keys.keys[name].kind == "int"][:8]
        others = [
            name
            for name in sorted(self.read)
            if name in self.keys.keys and type(self.keys.keys[name].default) is int
        ]
        for name in sizes:
            for other in [*sizes, *others]:
                if other != name and not self.late(0.5) and self._pair(name, other):
                    break

    def _pair(self, name: str, other: str) -> bool:
        """Double one size while another is doubled or halved."""
        now = [self.base.get(each, self.keys.keys[each].default) for each in (name, other)]
        if self.keys.keys[other].boring or not all(type(each) is int for each in now):
            return False
        found = False
        for second in (now[1] * 2, now[1] // 2):
            change = {name: now[0] * 2, other: second}
            if second and self.keep(self.build({**self.base, **change})):
                self.joint.append(change)
                found = True
        return found

    def _second_tries(self) -> None:
        """Vary what could not be varied at the base where some flag is the other way round."""
        grounds = [
            {**self.base, name: other}
            for name, others in self.options.items()
            for other in others
            if isinstance(other, (bool, str))
        ][:16]
        for name in self.blind():
            for on in grounds:
                if name in on or self.late(0.5):
                    continue
                news = [build for build in self.vary(name, on) if self._shows(build)]
                for build in news:
                    self.keep(build)
                if name in self.options:
                    break

    def _shows(self, build: Build) -> bool:
        known: set[Any] = set()
        counts: set[Any] = set()
        for other in self.builds:
            mine = other.under().found
            known |= set(mine)
            counts.add(tuple(sorted((str(t), len(v)) for t, v in mine.items())))
        mine = build.under().found
        return tuple(sorted((str(t), len(v)) for t, v in mine.items())) not in counts

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
        chosen = self.random.choice(scarce)
        return {key: value for key, value in chosen.items() if self.base.get(key) != value}

    def draw(self, share: float, *, rare: bool = False) -> Assignment:
        """Draw a random configuration that the library takes, also near what is rare."""
        fixed = self.rare() if rare else {}
        for attempt_ in range(12):
            chance = share / (1 + attempt_ / 2)
            drawn = dict(self.base)
            for name in sorted(self.read | self.structure):
                likely = chance * 2 if name in self.structure else chance
                if name in self.keys.keys and self.random.random() < likely:
                    value = self._random_value(name)
                    if value is not None:
                        drawn[name] = value
            if self.stretched and self.random.random() < chance:
                longer = self.random.choice(self.stretched)
                if not set(longer) & self.fixed_lengths:
                    drawn.update(longer)
            self._fit_lists(drawn)
            drawn.update(fixed if attempt_ < 9 else {})
            if self.joint and self.random.random() < 2 * share:
                drawn.update(self.random.choice(self.joint))
            if self.real(drawn) is not None:
                return drawn
        return dict(self.base)

    def _random_value(self, name: str) -> Any:
        key = self.keys.keys[name]
        if key.boring or name in self.unsure:
            return None
        now = self.base.get(name, key.default)
        if key.kind == "int" and type(now) is int:
            if name in self.structure and now <= 16:
                return self.random.randint(min(now, 1), 9)
            return self.random.choice((now * 2, now * 3, now + 8, max(1, now // 2), now + 1))
        if name in self.options:
            if key.kind in ("words", "numbers", "flags"):
                return self.random.choice(self._lists(name, list(now or key.value)) or [None])
            return self.random.choice(self.options[name])
        return None

    def _fit_lists(self, drawn: Assignment) -> None:
        """Give lists that were drawn the length that goes with the numbers drawn."""
        for name, value in list(drawn.items()):
            if name in self.keys.indices and isinstance(value, list):
                length = self.keys.links.get(name) or "num_hidden_layers"
                layers = drawn.get(length, getattr(self.keys.keys.get(length), "value", None))
                if isinstance(layers, int):
                    size = self.random.randint(0, min(3, layers))
                    drawn[name] = sorted(self.random.sample(range(layers), size))

    # ---------------------------------------------------------------- proof
    def learn(self) -> None:
        """Learn rows from all builds so far."""
        learner = learn.Learner(self.builds, self.settings, self.prior)
        terms, ties, failed = learn.learned(learner)
        self.rows = terms, ties, failed

    def agrees(self, assignment: Assignment) -> bool | None:
        """Hold the rows against a plain build; None where the library refuses."""
        real = self.real(assignment)
        if real is None:
            return None
        terms, ties, _ = self.rows
        try:
            mine = evaluate.tensors(terms, ties, self.keys.settings(assignment))
        except (TypeError, ValueError, ZeroDivisionError, IndexError, OverflowError):
            return False
        return mine[0] == real[0] and tally(mine[1]) == learn.tally(real[1], builds.fold)

    def prove(self, wanted: int) -> None:
        """Check random configurations; learn from what disagrees, until enough agree."""
        self.learn()
        for turn in range(14):
            wrong, exact = self._round(wanted)
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
            if stubborn and (turn >= 3 or not learned) and not self._blame(stubborn[0]):
                break
        if self.proof[0] == self.proof[1]:
            self._recheck()

    def _recheck(self) -> None:
        """Hold the rows against every build they were learned from."""
        for _ in range(6):
            wrong = [
                build.assignment for build in self.builds if self.agrees(build.assignment) is False
            ]
            if not wrong:
                return
            if not self._blame(wrong[0]):
                self.proof = (self.proof[0], self.proof[1] + len(wrong))
                return

    def _round(self, wanted: int) -> tuple[list[Assignment], int]:
        wrong: list[Assignment] = []
        exact = 0
        for assignment in (self.settled, self.base):
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

    def _blame(self, assignment: Assignment) -> bool:
        """Lay what stays wrong to one key, vary it no more, and forget what it showed."""
        guilty = dict(assignment)
        for name in sorted(assignment, key=self._weight):
            fewer = {key: value for key, value in guilty.items() if key != name}
            if self.agrees(fewer) is False:
                guilty = fewer
        guilty = {
            name: value
            for name, value in guilty.items()
            if name not in self.base or self.base[name] != value
        } or guilty
        if not guilty:
            return False
        lengths = [name for name in guilty if self._other_length(name, guilty[name])]
        if lengths:
            self.fixed_lengths |= set(lengths)
        else:
            name = max(guilty, key=self._weight)
            self.unsure[name] = self.keys.keys[name].default
            self.base.pop(name, None)
            lengths = [name]
        kept = [
            (build, settings)
            for build, settings in zip(self.builds, self.settings, strict=True)
            if not any(
                name in build.assignment
                and build.assignment[name] != self.base.get(name)
                and (name in self.unsure or self._other_length(name, build.assignment[name]))
                for name in lengths
            )
        ]
        self.builds, self.settings = [a for a, _ in kept], [b for _, b in kept]
        self.learn()
        return True

    def _weight(self, name: str) -> tuple[bool, bool, str]:
        """Sort keys: those a formula can least do without come first."""
        kind = self.keys.keys[name].kind
        return name not in self.structure, kind not in ("int", "numbers"), name

    def _other_length(self, name: str, value: Any) -> bool:
        default = self.keys.keys[name].value
        both = isinstance(value, (list, tuple)) and isinstance(default, (list, tuple))
        return both and len(value) != len(default) and name not in self.keys.indices

    def requirements(self, used: set[str]) -> list[str]:
        """Return the lengths of lists that the rows need."""
        found = []
        for name in sorted(used & set(self.keys.keys)):
            key = self.keys.keys[name]
            default = key.default
            listed = isinstance(default, (list, tuple)) and name not in self.keys.indices
            if listed and name not in self.free_lengths - self.fixed_lengths:
                if name in self.keys.links and name not in self.fixed_lengths:
                    continue
                found.append(f"len({name})=={len(default)}")
        return found

    def stretch(self) -> None:
        """Give the lists of a configuration one element more and one less, all together."""
        groups: dict[tuple[str, int], list[str]] = {}
        for name, key in self.keys.keys.items():
            value = self.base.get(name, key.value)
            if isinstance(value, (list, tuple)) and len(value) > 1 and not key.boring:
                if name not in self.keys.indices | set(self.keys.links):
                    groups.setdefault((name.rpartition(".")[0], len(value)), []).append(name)
        for (_, length), names in sorted(groups.items()):
            if not set(names) & (self.read | self.structure):
                continue
            for other in (length + 1, length - 1):
                change = dict(self.base)
                for name in names:
                    now = list(self.base.get(name, self.keys.keys[name].value))
                    change[name] = [now[min(at, length - 1)] for at in range(other)]
                if self.keep(self.build(change)):
                    self.free_lengths |= set(names)
                    self.stretched.append({name: change[name] for name in names})


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


def _among(value: Any, values: list[Any]) -> bool:
    """Tell whether a value is there already; True is not 1."""
    return any(value == each and type(value) is type(each) for each in values)


def tally(found: Counter[Any]) -> Counter[Any]:
    """Count by folded name, whatever numbers a name kept."""
    folded: Counter[Any] = Counter()
    for (name, shape), times in found.items():
        folded[builds.fold(name)[0], shape] += times
    return folded
