"""Choose other values for a key: by its kind, by what it was compared with, by the source."""

from __future__ import annotations

import random
import re
from typing import Any

from reportgen.parameters import tensors
from tools.families import learn
from tools.families.builds import Build
from tools.families.configs import PART, TIED, Assignment, Key, Keys, attempt

WORDS = ("gelu", "relu", "silu")
SMALL = (3, 4, 6, 8, 10)
FLOATS = (0.5, 2.0)
LAYERS = (
    *("full_attention", "sliding_attention", "linear_attention", "chunked_attention"),
    *("attention", "mamba", "conv", "recurrent", "hybrid", "moe", "mlp", "dense", "sparse"),
)


class Choices:
    """What builds have shown about the keys of a class, and the values that follow from it."""

    def __init__(self, keys: Keys, seed: int) -> None:
        self.keys = keys
        self.random = random.Random(seed)  # noqa: S311 - draws configurations, keeps no secret
        self.base: Assignment = {}
        self.options: dict[str, list[Any]] = {}
        self.unsure: dict[str, Any] = {}
        self.words: dict[str, set[str]] = {}
        self.sought: dict[str, set[Any]] = {}
        self.structure: set[str] = set()
        self.computed: set[str] = set()
        self.read: set[str] = set()
        self.targets: dict[str, list[int]] = {}
        self.joint: list[Assignment] = []
        self.nulls: list[str] = []
        self.stretched: list[Assignment] = []
        self.free_lengths: set[str] = set()
        self.fixed_lengths: set[str] = set()

    def follow(self, other: Choices) -> None:
        """Take over what a base class has shown."""
        self.base, self.options = dict(other.base), dict(other.options)
        self.words, self.sought, self.targets = other.words, other.sought, other.targets
        self.unsure, self.structure = dict(other.unsure), set(other.structure)
        self.stretched, self.free_lengths = other.stretched, other.free_lengths
        self.fixed_lengths, self.joint = other.fixed_lengths, other.joint
        self.nulls = other.nulls
        self.computed = other.computed

    def note(self, build: Build) -> None:
        """Take in what a build read, compared and looked for."""
        for held, new in ((self.words, build.words), (self.sought, build.sought)):
            for name, things in new.items():
                held.setdefault(name, set()).update(things)
        known = self.keys.keys
        self.keys.indices |= {
            name for name, things in build.sought.items() if 0 in things and name in known
        }
        self.read |= build.read
        new_keys = {
            name: "bool" if name.endswith(TIED) else "missing" for name in sorted(build.missing)
        }
        new_keys |= dict(sorted(build.computed.items()))
        for name, hint in new_keys.items():
            if name not in known and name not in self.keys.aliases:
                known[name] = Key(name, None, None, hint, extra=True)
                self.read.add(name)
                if name in build.computed:
                    self.computed.add(name)
        for text in build.features | build.bounds:
            self.structure |= learn.keys_of(text) & set(known)

    def blind(self) -> list[str]:
        """Return keys that the constructor reads and of which no other value could be tried."""
        found = []
        known = self.keys.keys
        taken = {name for name, key in known.items() if key.hint == "extra"}
        asked = {name for name in self.structure if known[name].kind in {"str", "bool"}}
        for name in sorted((self.read | taken | asked) & set(known)):
            key = known[name]
            varied = name in self.options or any(name in change for change in self.joint)
            settled = name in self.unsure or name in self.computed or name in self.keys.derived
            if not (key.boring or varied or settled or key.kind == "float"):
                found.append(name)
        return [name for name in found if name != "num_labels"]

    def undecided(self) -> set[str]:
        """Return keys that may decide something before the model reads them."""
        return {
            name
            for name, key in self.keys.keys.items()
            if not key.boring and (key.hint == "extra" or key.kind not in {"int", "float", "other"})
        }

    def smaller(self, name: str, *, only_lengths: bool) -> list[Any]:
        """Return smaller numbers of layers for a key that bounds a loop."""
        key = self.keys.keys[name]
        value = self.base.get(name, key.value if key.default is None else key.default)
        if type(value) is int:
            return [each for each in SMALL if each < value]
        listed = isinstance(value, (list, tuple)) and value and not only_lengths
        if listed and all(type(x) is int for x in value) and max(value) > SMALL[0]:
            return [[min(x, 2 + at % 2) for at, x in enumerate(value)]]
        return []

    def alternatives(self, name: str) -> list[Any]:
        """Return other values for a key, as far as its kind and the source tell."""
        key = self.keys.keys[name]
        now = self.base.get(name, key.value if key.default is None else key.default)
        return [each for each in self._others(name) if not among(each, [now])]

    def _others(self, name: str) -> list[Any]:
        key = self.keys.keys[name]
        now = self.base.get(name, key.value if key.default is None else key.default)
        if key.boring or name in self.unsure or name.endswith("model_type"):
            return []
        if key.word_or_flag:
            return [not now, *self.keys.spoken(name)]
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
            numbers += [key.value] if type(key.value) is int else []
            spoken = [word for word in self.keys.spoken(name) if word != now]
            return [*sorted(words - {now})[:6], *spoken, *numbers, "none"]
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
                value = attempt(tensors.value, other, settings)
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
            words = sorted(set(now) | self.words.get(name, set()) | self._sought(name))[:8]
            words += [word for word in self.keys.spoken(name)[:4] if word not in words]
            if name.endswith(("_types", "_type")):
                words += [word for word in LAYERS if word not in words]
            tried = {word for each in self.options.get(name, ()) for word in each}
            words = [word for word in words if word in tried | set(now)] if tried else words
            length = layers if name in self.keys.links else len(now)
            draws = [[self.random.choice(words) for _ in range(length)] for _ in range(3)]
            return [each for each in [*([word] * length for word in words), *draws] if each != now]
        if self.keys.keys[name].kind == "flags":
            return [[not each for each in now], [self.random.random() < 0.5 for _ in now]]
        if not now or not all(type(each) in (int, float) for each in now):
            return []
        near = [
            [other if at == place else each for at, each in enumerate(now)]
            for place in range(len(now))
            for other in self.targets.get(f"{name}[{place}]", [])[:2]
        ]
        few = [[0], [1, 2]] if self.keys.keys[name].default is None else []
        doubled = [each * 2 for each in now]
        one = [each + 1 if at == len(now) // 2 else each for at, each in enumerate(now)]
        return [*few, doubled, one, *near[:6]]

    def _nulls(self, key: Key) -> list[Any]:
        words = sorted(self.words.get(key.name, set()) | self._sought(key.name))[:6]
        if "str" in key.hint or "Literal" in key.hint:
            words = words or self.keys.spoken(key.name)
        anything = key.hint in ("missing", "extra")
        found: list[Any] = [{}] if key.hint == PART else []
        if "int" in key.hint or anything:
            found += [64, 2, 4]
        if "bool" in key.hint or anything:
            found += [True, False] if anything else [True]
        if "float" in key.hint:
            found += [0.5, 2.0]
        listed = key.name in self.keys.indices or "list[int]" in key.hint
        if listed or key.hint == "extra":
            found += [[0], [1, 2]]
        if "str" in key.hint or "Literal" in key.hint or anything:
            found += ["none", *words]
        if words and ("list" in key.hint or anything):
            found += [words[:1], words, "|".join(words)]
        return found

    def enough(self, name: str, found: int) -> bool:
        """Tell whether a number was varied enough: a mere size once, others three times."""
        key = self.keys.keys[name]
        if key.kind not in ("int", "float") or key.extra:
            return False
        return found >= (4 if name in self.structure else 1)

    def random_value(self, name: str) -> Any:
        key = self.keys.keys[name]
        if key.boring or name in self.unsure:
            return None
        now = self.base.get(name, key.default)
        if key.kind == "int" and type(now) is int:
            if self.targets.get(name) and self.random.random() < 0.3:
                return self.random.choice(self.targets[name])
            if name in self.structure and now <= 16:
                return self.random.randint(min(now, 1), 9)
            return self.random.choice((now * 2, now * 3, now + 8, max(1, now // 2), now + 1))
        if key.kind == "float" and type(now) is float and name in self.structure:
            return round(now * self.random.uniform(0.2, 1.8), 3)
        if name in self.options:
            if key.kind in ("words", "numbers", "flags"):
                return self.random.choice(self._lists(name, list(now or key.value)) or [None])
            return self.random.choice(self.options[name])
        return None

    def fit_lists(self, drawn: Assignment) -> None:
        """Give lists that were drawn the length that goes with the numbers drawn."""
        for name, value in list(drawn.items()):
            if name in self.keys.indices and isinstance(value, list):
                length = self.keys.links.get(name) or "num_hidden_layers"
                layers = drawn.get(length, getattr(self.keys.keys.get(length), "value", None))
                if isinstance(layers, int):
                    size = self.random.randint(0, min(3, layers))
                    drawn[name] = sorted(self.random.sample(range(layers), size))


def among(value: Any, values: list[Any]) -> bool:
    """Tell whether a value is there already; True is not 1."""
    return any(value == each and type(value) is type(each) for each in values)
