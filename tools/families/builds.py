"""Build a class on the meta device and write down its tensors, plain or as templates."""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import re
from collections.abc import Iterator
from typing import Any

import torch
from transformers.initialization import no_init_weights
from transformers.pytorch_utils import Conv1D

from tools.families import tags
from tools.families.configs import Assignment, Keys, tracing
from tools.families.standins import Born, Shapes, at_most

NUMBER = re.compile(r"(?:(?<=[._])|^)\d+(?=\.|$)")
SHIFT = re.compile(r"\(([\w.]+)-(\d+)\)\+(\d+)")
LETTERS = "ijklm"
LOST = "?"
KINDS = (
    (torch.nn.Linear, "Linear"),
    (Conv1D, "Conv1D"),
    (torch.nn.Embedding, "Embedding"),
    (torch.nn.Conv1d, "Conv1d"),
    (torch.nn.Conv2d, "Conv2d"),
    (torch.nn.Conv3d, "Conv3d"),
)


Modes = dict[str, str]
"""How to write names whose stars no loop moves: "pooled" as stars, "literal" all as numbers."""


@dataclasses.dataclass(frozen=True)
class Template:
    """A tensor for each index: name, sides, one bound a `*`, and what owns it."""

    name: str
    sides: tuple[str, ...]
    loops: tuple[str, ...]
    kind: str


@dataclasses.dataclass
class Build:
    """What one traced build showed."""

    assignment: Assignment
    values: dict[str, Any]
    total: int
    rows: list[_Tensor]
    ties: list[tuple[str, str]]
    features: set[str]
    bounds: set[str]
    read: set[str]
    missing: set[str]
    computed: dict[str, str]
    words: dict[str, set[str]]
    sought: dict[str, set[Any]]
    truths: dict[tuple[str, tuple[str, ...]], tuple[int, int]] = dataclasses.field(
        default_factory=dict
    )
    _known: Any = None

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Return the shape of every parameter."""
        return {row.full: row.shape for row in self.rows if row.kind != "buffer"}

    def under(self, pairing: Pairing | None = None) -> Templates:
        """Return the tensors as templates, by a pairing of several builds or by its own."""
        if self._known is None or (pairing is not None and self._known[0] is not pairing):
            pairing = pairing or Pairing([self], {})
            self._known = pairing, Templates(self.rows, pairing)
        return self._known[1]  # type: ignore[no-any-return]


class Templates:
    """The templates of one build: shapes by index, conditions above them, and where each is."""

    def __init__(self, rows: list[_Tensor], pairing: Pairing) -> None:
        self.found: dict[Template, dict[tuple[int, ...], tuple[int, ...]]] = {}
        self.paths: dict[Template, frozenset[str]] = {}
        self.where: dict[str, tuple[str, tuple[int, ...]]] = {}
        for row in rows:
            pooled = pairing.modes.get(row.name) == "pooled"
            template, stars = row.under(pairing.places(row), pooled=pooled)
            self.found.setdefault(template, {})[stars] = row.shape
            self.where[row.full] = template.name, stars
            path = row.born.path if row.born else frozenset()
            self.paths[template] = self.paths.get(template, frozenset()) | path


@dataclasses.dataclass
class _Tensor:
    """One tensor of a build."""

    full: str
    name: str
    stars: tuple[int, ...]
    shape: tuple[int, ...]
    kind: str
    born: Born | None
    written: dict[Any, tuple[Template, tuple[int, ...]]] = dataclasses.field(default_factory=dict)

    def under(self, places: Places, *, pooled: bool) -> tuple[Template, tuple[int, ...]]:
        """Return it as a template and its indices; written once for each way to write it."""
        key = pooled, *places.items()
        if key not in self.written:
            self.written[key] = _template(self, places, pooled=pooled)
        return self.written[key]

    @property
    def group(self) -> tuple[str, ...]:
        """Return its folded name, and where the loops begin that it was made in."""
        return (self.name, *(loop[2] for loop in self.born.loops)) if self.born else (self.name,)


def kind_of(module: torch.nn.Module) -> str:
    """Name what owns a tensor."""
    return next((name for cls, name in KINDS if isinstance(module, cls)), type(module).__name__)


def make(cls: Any, config: Any, most: int = 0) -> torch.nn.Module:
    """Build a model without storage and without filling it, tied as it says.

    Args:
        cls: Its class.
        config: Its configuration.
        most: How many tensors it may have; any number where it is 0.
    """
    with torch.device("meta"), no_init_weights(), at_most(most):
        model = cls(config)
        if hasattr(model, "tie_weights"):
            model.tie_weights()
    return model  # type: ignore[no-any-return]


def tensors_of(model: torch.nn.Module) -> Iterator[tuple[str, torch.Tensor, str]]:
    """Yield name, tensor and kind of every parameter and of every buffer that is saved."""
    for prefix, module in model.named_modules(remove_duplicate=False):
        dot = f"{prefix}." if prefix else ""
        for name, parameter in module._parameters.items():
            if parameter is not None:
                yield dot + name, parameter, kind_of(module)
        for name, buffer in module._buffers.items():
            if buffer is not None and name not in module._non_persistent_buffers_set:
                yield dot + name, buffer, "buffer"


def count(model: torch.nn.Module) -> int:
    """Count parameters, tied ones once."""
    return sum(parameter.numel() for parameter in model.parameters())


def plain_shapes(
    cls: Any, keys: Keys, assignment: Assignment, most: int = 0
) -> tuple[int, dict[str, Any]]:
    """Return the total and the shape of every parameter of a plain build."""
    model = make(cls, keys.plain(assignment), most)
    shapes = {
        name: tuple(int(side) for side in tensor.shape)
        for name, tensor, kind in tensors_of(model)
        if kind != "buffer"
    }
    return count(model), shapes


def fold(name: str) -> tuple[str, tuple[int, ...]]:
    """Write each index of a name as a star."""
    return NUMBER.sub("*", name), tuple(int(number) for number in NUMBER.findall(name))


def traced(cls: Any, keys: Keys, assignment: Assignment, most: int = 0) -> Build:
    """Build with tagged numbers and return what it showed."""
    filled = keys.filled(assignment)
    with contextlib.ExitStack() as stack:
        config = keys.configure(filled, traced=True)
        early = tags.journal
        stack.enter_context(tracing())
        journal = tags.journal
        with Shapes():
            model = make(cls, config, most)
        rows, ties = _rows(model)
    features = {text for each in (early, journal) for _, text in each.decisions}
    return Build(
        assignment=assignment,
        values=filled,
        total=count(model),
        rows=rows,
        ties=ties,
        features=features,
        bounds=early.bounds | journal.bounds,
        read=journal.read,
        missing=journal.missing,
        computed=journal.computed,
        words=_joined(early.words, journal.words),
        sought=_joined(early.sought, journal.sought),
    )


def _joined(one: dict[str, set[Any]], other: dict[str, set[Any]]) -> dict[str, set[Any]]:
    return {key: one.get(key, set()) | other.get(key, set()) for key in {**one, **other}}


def _rows(model: torch.nn.Module) -> tuple[list[_Tensor], list[tuple[str, str]]]:
    rows, ties = [], []
    first: dict[int, str] = {}
    for name, tensor, kind in tensors_of(model):
        folded, stars = fold(name)
        if id(tensor) in first and kind != "buffer":
            ties.append((name, first[id(tensor)]))
        first.setdefault(id(tensor), name)
        shape = tuple(int(side) for side in tensor.shape)
        rows.append(_Tensor(name, folded, stars, shape, kind, getattr(tensor, "born", None)))
    return rows, ties


Places = dict[int, tuple[int, int, int]]
"""For each loop the star that it moves, the star's number in the first turn, and its step."""


class Pairing:
    """Which loop moves which star, for all tensors of the same name and the same loops."""

    def __init__(self, builds: list[Build], modes: Modes) -> None:
        self.modes = modes
        groups: dict[tuple[str, ...], list[list[_Tensor]]] = {}
        for build in builds:
            here: dict[tuple[str, ...], list[_Tensor]] = {}
            for row in build.rows:
                if row.stars:
                    here.setdefault(row.group, []).append(row)
            for key, rows in here.items():
                groups.setdefault(key, []).append(rows)
        self._places = {key: _places(found) for key, found in groups.items()}
        every = (place for places in self._places.values() for place in places.values())
        self.steps = sorted({(first, step) for _, first, step in every if step > 1})

    def places(self, row: _Tensor) -> Places:
        """Return the pairs for a tensor."""
        if self.modes.get(row.name) == "literal":
            return {}
        return self._places.get(row.group, {})


def _places(builds: list[list[_Tensor]]) -> Places:
    """Pair loops with stars: the loop whose turn is the star's number in every tensor."""
    places: Places = {}
    every = [row for rows in builds for row in rows]
    free = list(range(len(every[0].stars)))
    depth = len(every[0].group) - 1
    for test in (_same, _ahead, _stepping, _rising):
        for at in range(depth):
            if at in places:
                continue
            for star in free:
                columns = [
                    [(row.born.loops[at][0], row.stars[star]) for row in rows if row.born]
                    for rows in builds
                ]
                found = test(columns)
                if found is not None:
                    places[at] = star, *found
                    free.remove(star)
                    break
    return places


Columns = list[list[tuple[int, int]]]
"""For each build the pairs of a turn and a number."""


def _same(columns: Columns) -> tuple[int, int] | None:
    return (0, 1) if all(turn == number for pairs in columns for turn, number in pairs) else None


def _ahead(columns: Columns) -> tuple[int, int] | None:
    """Tell how far the numbers are ahead of several turns."""
    ahead = {number - turn for pairs in columns for turn, number in pairs}
    turns = {turn for pairs in columns for turn, _ in pairs}
    several = len(turns) > 1 and 0 in turns
    return (ahead.pop(), 1) if several and len(ahead) == 1 and min(ahead) > 0 else None


def _stepping(columns: Columns) -> tuple[int, int] | None:
    """Tell where the numbers begin and by how much they rise from turn to turn."""
    numbers = {turn: number for pairs in columns for turn, number in pairs}
    if len(numbers) < 2 or 0 not in numbers:
        return None
    first, last = numbers[0], max(numbers)
    step = (numbers[last] - first) // last
    even = all(number == first + step * turn for pairs in columns for turn, number in pairs)
    return (first, step) if step > 1 and even else None


def _rising(columns: Columns) -> tuple[int, int] | None:
    """Tell whether numbers follow the turns, some of which made nothing."""
    for column in columns:
        pairs = sorted(set(column))
        if len(pairs) == 1 and pairs[0][1] != 0:
            return None
        for one, other in itertools.pairwise(pairs):
            if one[0] >= other[0] or one[1] >= other[1]:
                return None
    return 0, 1


def turn_of(index: str, first: int, step: int) -> str:
    """Spell the turn in which a number comes up."""
    turn = f"({index}-{first})" if first else index
    return f"({turn}//{step})" if step > 1 else turn


def _template(row: _Tensor, places: Places, *, pooled: bool) -> tuple[Template, tuple[int, ...]]:
    """Write one tensor as a template and its indices."""
    loops = row.born.loops if row.born else ()
    known = row.born.sides if row.born else (None,) * len(row.shape)
    if len(known) != len(row.shape):
        known = (None,) * len(row.shape)
    spelled = {f"#{at}": str(loop[0]) for at, loop in enumerate(loops)}
    moved = {star: (at, first, step) for at, (star, first, step) in places.items()}
    kept = [star for star in range(len(row.stars)) if star in moved or pooled]
    for letter, star in zip(LETTERS, kept, strict=False):
        if star in moved:
            at, first, step = moved[star]
            spelled[f"#{at}"] = turn_of(letter, first, step)

    def spell(text: str | None) -> str:
        for place in reversed(spelled):
            text = text and text.replace(place, spelled[place])
        return SHIFT.sub(_unshifted, text) if text else LOST

    def bound(star: int) -> str:
        if star not in moved:
            return LOST
        at, first, step = moved[star]
        text = spell(loops[at][1])
        if step > 1:
            return spell(f"{step}*(({text})-1)+{first + 1}")
        return spell(f"({text})+{first}" if first else text)

    numbers = iter(enumerate(row.stars))
    name = re.sub(
        r"\*", lambda _: "*" if (each := next(numbers))[0] in kept else str(each[1]), row.name
    )
    indices = tuple(
        loops[moved[star][0]][0] * moved[star][2] + moved[star][1]
        if star in moved
        else row.stars[star]
        for star in kept
    )
    bounds = tuple(bound(star) for star in kept)
    return Template(name, tuple(map(spell, known)), bounds, row.kind), indices


def _unshifted(match: re.Match[str]) -> str:
    """Simplify (i-1)+1 to i and (n-1)+1 to n."""
    return match[1] if match[2] == match[3] else match[0]
