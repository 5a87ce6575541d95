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
    words: dict[str, set[str]]
    sought: dict[str, set[Any]]
    _known: dict[Any, Any] = dataclasses.field(default_factory=dict)

    def _both(self, modes: Modes) -> Any:
        key = frozenset(modes.items())
        if key not in self._known:
            self._known[key] = _templates(self.rows, modes)
        return self._known[key]

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Return the shape of every parameter."""
        return {row.full: row.shape for row in self.rows if row.kind != "buffer"}

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

    @property
    def depth(self) -> int:
        """Return how many loops it was made in."""
        return len(self.born.loops) if self.born else 0


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
        total=count(model),
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
    for name, depth in sorted({(row.name, row.depth) for row in rows}):
        group = [row for row in groups[name] if row.depth == depth]
        mode = modes.get(name, "")
        places = {} if mode == "literal" else _places(group)
        for row in group:
            template, stars = _template(row, places, pooled=mode == "pooled")
            found.setdefault(template, {})[stars] = row.shape
            where[row.full] = template.name, stars
            path = row.born.path if row.born else frozenset()
            paths[template] = paths.get(template, frozenset()) | path
    return found, paths, where


Places = dict[int, tuple[int, int]]
"""For each loop the star that it moves, and how far the star's number is ahead of the turn."""


def _places(group: list[_Tensor]) -> Places:
    """Pair loops with stars: the loop whose turn is the star's number in every tensor."""
    places: Places = {}
    free = list(range(len(group[0].stars)))
    for test in (_same, _ahead, _rising):
        for at in range(group[0].depth):
            turns = [row.born.loops[at][0] for row in group if row.born]
            if at in places:
                continue
            for star in free:
                shift = test(turns, [row.stars[star] for row in group])
                if shift is not None:
                    places[at] = star, shift
                    free.remove(star)
                    break
    return places


def _same(turns: list[int], numbers: list[int]) -> int | None:
    return 0 if turns == numbers else None


def _ahead(turns: list[int], numbers: list[int]) -> int | None:
    """Tell how far the numbers are ahead of several turns."""
    ahead = {number - turn for turn, number in zip(turns, numbers, strict=True)}
    several = len(set(turns)) > 1 and 0 in turns
    return ahead.pop() if several and len(ahead) == 1 and min(ahead) > 0 else None


def _rising(turns: list[int], numbers: list[int]) -> int | None:
    """Tell whether numbers follow the turns, some of which made nothing."""
    pairs = sorted(set(zip(turns, numbers, strict=True)))
    several = len(pairs) > 1 or pairs[0][1] == 0
    rises = all(a[0] < b[0] and a[1] < b[1] for a, b in zip(pairs, pairs[1:], strict=False))
    single = len({turn for turn, _ in pairs}) == len(pairs)
    return 0 if several and rises and single else None


def _template(row: _Tensor, places: Places, *, pooled: bool) -> tuple[Template, tuple[int, ...]]:
    """Write one tensor as a template and its indices."""
    loops = row.born.loops if row.born else ()
    known = row.born.sides if row.born else (None,) * len(row.shape)
    if len(known) != len(row.shape):
        known = (None,) * len(row.shape)
    spelled = {f"#{at}": str(loop[0]) for at, loop in enumerate(loops)}
    moved = {star: (at, shift) for at, (star, shift) in places.items()}
    kept = [star for star in range(len(row.stars)) if star in moved or pooled]
    for letter, star in zip(LETTERS, kept, strict=False):
        if star in moved:
            at, shift = moved[star]
            spelled[f"#{at}"] = f"({letter}-{shift})" if shift else letter

    def spell(text: str | None) -> str:
        for place in reversed(spelled):
            text = text and text.replace(place, spelled[place])
        return SHIFT.sub(_unshifted, text) if text else LOST

    def bound(star: int) -> str:
        if star not in moved:
            return LOST
        at, shift = moved[star]
        text = spell(loops[at][1])
        return spell(f"({text})+{shift}" if shift else text)

    numbers = iter(enumerate(row.stars))
    name = re.sub(
        r"\*", lambda _: "*" if (each := next(numbers))[0] in kept else str(each[1]), row.name
    )
    indices = tuple(
        loops[moved[star][0]][0] + moved[star][1] if star in moved else row.stars[star]
        for star in kept
    )
    bounds = tuple(bound(star) for star in kept)
    return Template(name, tuple(map(spell, known)), bounds, row.kind), indices


def _unshifted(match: re.Match[str]) -> str:
    """Simplify (i-1)+1 to i and (n-1)+1 to n."""
    return match[1] if match[2] == match[3] else match[0]
