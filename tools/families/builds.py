"""Build a class on the meta device and write down its tensors, plain or as templates."""

from __future__ import annotations

import contextlib
import dataclasses
import re
from collections.abc import Iterator
from typing import Any

import torch
from transformers.initialization import no_init_weights
from transformers.pytorch_utils import Conv1D

from tools.families import tags
from tools.families.configs import Assignment, Keys, tracing
from tools.families.standins import Born, Shapes

NUMBER = re.compile(r"(?:(?<=\.)|^)\d+(?=\.|$)")
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
    rows: list[_Tensor]
    ties: list[tuple[str, str]]
    features: set[str]
    bounds: set[str]
    read: set[str]
    missing: set[str]
    words: dict[str, set[str]]
    sought: dict[str, set[Any]]
    _known: dict[Any, Any] = dataclasses.field(default_factory=dict)

    def _both(self, modes: Modes) -> Any:
        key = frozenset(modes.items())
        if key not in self._known:
            self._known[key] = _templates(self.rows, modes)
        return self._known[key]

    def templates(self, modes: Modes) -> dict[Template, dict[tuple[int, ...], Any]]:
        """Return the shape of each index of each template."""
        return self._both(modes)[0]  # type: ignore[no-any-return]

    def paths(self, modes: Modes) -> dict[Template, frozenset[str]]:
        """Return the conditions asked above each template."""
        return self._both(modes)[1]  # type: ignore[no-any-return]

    def places(self, modes: Modes) -> dict[str, tuple[str, tuple[int, ...]]]:
        """Return for each tensor the name of its template and its indices."""
        return self._both(modes)[2]  # type: ignore[no-any-return]


@dataclasses.dataclass
class _Tensor:
    """One tensor of a build."""

    full: str
    name: str
    stars: tuple[int, ...]
    shape: tuple[int, ...]
    kind: str
    born: Born | None


def kind_of(module: torch.nn.Module) -> str:
    """Name what owns a tensor."""
    return next((name for cls, name in KINDS if isinstance(module, cls)), type(module).__name__)


def make(cls: Any, config: Any) -> torch.nn.Module:
    """Build a model without storage and without filling it, tied as it says."""
    with torch.device("meta"), no_init_weights():
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


def plain_shapes(cls: Any, keys: Keys, assignment: Assignment) -> tuple[int, dict[str, Any]]:
    """Return the total and the shape of every parameter of a plain build."""
    model = make(cls, keys.plain(assignment))
    shapes = {
        name: tuple(int(side) for side in tensor.shape)
        for name, tensor, kind in tensors_of(model)
        if kind != "buffer"
    }
    return count(model), shapes


def fold(name: str) -> tuple[str, tuple[int, ...]]:
    """Write each index of a name as a star."""
    return NUMBER.sub("*", name), tuple(int(number) for number in NUMBER.findall(name))


def traced(cls: Any, keys: Keys, assignment: Assignment) -> Build:
    """Build with tagged numbers and return what it showed."""
    filled = keys.filled(assignment)
    with contextlib.ExitStack() as stack:
        config = keys.configure(filled, traced=True)
        early = tags.journal
        stack.enter_context(tracing())
        journal = tags.journal
        with Shapes():
            model = make(cls, config)
        rows, ties = _rows(model)
    features = {text for each in (early, journal) for _, text in each.decisions}
    return Build(
        assignment=assignment,
        values=filled,
        rows=rows,
        ties=ties,
        features=features,
        bounds=early.bounds | journal.bounds,
        read=journal.read,
        missing=journal.missing,
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


def _templates(rows: list[_Tensor], modes: Modes) -> tuple[Any, Any, Any]:
    """Put the tensors of each folded name under templates, by which loop moves which star."""
    groups: dict[str, list[_Tensor]] = {}
    for row in rows:
        groups.setdefault(row.name, []).append(row)
    found: dict[Template, dict[tuple[int, ...], tuple[int, ...]]] = {}
    paths: dict[Template, frozenset[str]] = {}
    where: dict[str, tuple[str, tuple[int, ...]]] = {}
    for name, group in groups.items():
        mode = modes.get(name, "")
        places = {} if mode == "literal" else _places(group)
        for row in group:
            template, stars = _template(row, places, pooled=mode == "pooled")
            found.setdefault(template, {})[stars] = row.shape
            where[row.full] = template.name, stars
            path = row.born.path if row.born else frozenset()
            paths[template] = paths.get(template, frozenset()) | path
    return found, paths, where


def _places(group: list[_Tensor]) -> dict[int, int]:
    """Pair loops with stars: the loop whose turn is the star's number in every tensor."""
    places: dict[int, int] = {}
    loops = [row.born.loops if row.born else () for row in group]
    depth = min(map(len, loops))
    free = list(range(len(group[0].stars)))
    for test in (_same, _rising):
        for at in range(depth):
            if at in places:
                continue
            for star in free:
                turns = [each[at][0] for each in loops]
                if test(turns, [row.stars[star] for row in group]):
                    places[at] = star
                    free.remove(star)
                    break
    return places


def _same(turns: list[int], numbers: list[int]) -> bool:
    return turns == numbers


def _rising(turns: list[int], numbers: list[int]) -> bool:
    """Tell whether numbers follow the turns, some of which made nothing."""
    pairs = sorted(set(zip(turns, numbers, strict=True)))
    several = len(pairs) > 1 or pairs[0][1] == 0
    rises = all(a[0] < b[0] and a[1] < b[1] for a, b in zip(pairs, pairs[1:], strict=False))
    return several and rises and len({turn for turn, _ in pairs}) == len(pairs)


def _template(
    row: _Tensor, places: dict[int, int], *, pooled: bool
) -> tuple[Template, tuple[int, ...]]:
    """Write one tensor as a template and its indices."""
    loops = row.born.loops if row.born else ()
    known = row.born.sides if row.born else (None,) * len(row.shape)
    if len(known) != len(row.shape):
        known = (None,) * len(row.shape)
    spelled = {f"#{at}": str(loop[0]) for at, loop in enumerate(loops)}
    moved = {star: at for at, star in places.items()}
    kept = [star for star in range(len(row.stars)) if star in moved or pooled]
    for letter, star in zip(LETTERS, kept, strict=False):
        if star in moved:
            spelled[f"#{moved[star]}"] = letter

    def spell(text: str | None) -> str:
        for place in reversed(spelled):
            text = text and text.replace(place, spelled[place])
        return text or LOST

    numbers = iter(enumerate(row.stars))
    name = re.sub(
        r"\*", lambda _: "*" if (each := next(numbers))[0] in kept else str(each[1]), row.name
    )
    bounds = [spell(loops[moved[star]][1]) if star in moved else LOST for star in kept]
    indices = tuple(
        loops[moved[star]][0] if star in moved else row.stars[star] for star in kept
    )
    return Template(name, tuple(map(spell, known)), tuple(bounds), row.kind), indices
