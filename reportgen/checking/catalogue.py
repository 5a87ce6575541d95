"""The evidence as a catalogue: every curve by run and tag, looked up by key or by moment.

A *family* is one tag over all runs that log it. A value of the evidence is a family, one run or
several, a time (a step, an epoch, the best or the last evaluation) and, over several runs, an
aggregate. The catalogue answers what such a reading is; it is made once for all reports that share
their evidence.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache, partial
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from reportgen.checking.index import Index, make_index
from reportgen.checking.kept import Kept
from reportgen.checking.verdicts import SCALES, Form, ends_of, is_printed
from reportgen.checking.words import Words, names_of, said, tokens_of
from reportgen.records.record import record, replace
from reportgen.records.verdict import Trace

if TYPE_CHECKING:
    from numpy.typing import NDArray


__all__ = [
    "SAME",
    "Catalogue",
    "Choices",
    "Curve",
    "Family",
    "Mention",
    "Reading",
    "RunName",
    "Time",
    "metric_fits",
    "tag_is_said",
]

_MOST_KEPT = 200_000
_MOST_NAMED = 4_000
_MOST_BOUND = 1_000
_NAMED_SHARE = 0.6
"""Share of a text's telling words that a run has to have to be called by it."""
_MANY = 4
SAME = 5
"""Letters at least that two forms of a word have in common."""
_OF_ONE = frozenset({"mean", "median", "max", "min"})


class Time(NamedTuple):
    """When a value was measured.

    Attributes:
        kind: `step`, `epoch`, `index` (position of the evaluation from 0), `max`, `min`, `last`,
            `first`, `once` (measured without a step), or `at` (where `by` has its best).
        at: Of the first three: the key.
        by: Of `at`: key of the family that chooses, and `max` or `min`.
        clock: `step` or `epoch` where the reading is not the value but when it was measured.
    """

    kind: str
    at: float = 0.0
    by: tuple[str, str] = ("", "")
    clock: str = ""


class Reading(NamedTuple):
    """One value of the evidence, and how it is read.

    Attributes:
        value: Unrounded.
        family: Key of its family.
        runs: Indices of the runs.
        time: When.
        aggregate: Empty for one run; `mean`, `std` (sample), `pstd` (population), `se`, `max`,
            `min`, `median` over several.
        step: Step of a single run's value.
    """

    value: float
    family: str
    runs: tuple[int, ...]
    time: Time
    aggregate: str = ""
    step: int | None = None


class Curve:
    """One series of one run: finite values in the order of their steps."""

    def __init__(
        self,
        steps: NDArray[np.int64],
        values: NDArray[np.float64],
        path: str,
        tag: str,
        epochs: NDArray[np.float64] | Callable[[], NDArray[np.float64] | None] | None = None,
        *,
        ordered: bool = True,
        from_one: bool = False,
        whole: bool = True,
    ) -> None:
        self.steps = steps
        self.values = values
        self.path = path
        self.tag = tag
        self.ordered = ordered
        """Whether its values were measured one after another, or are a list of anything."""
        self.from_one = from_one
        """Whether its log counts epochs, or what it calls steps, from 1."""
        self.whole = whole
        """Whether it has all that was logged, and not of each step the last value alone."""
        self._epochs = epochs

    @cached_property
    def epochs(self) -> NDArray[np.float64] | None:
        """The epoch of each step, as far as the run tells."""
        return self._epochs() if callable(self._epochs) else self._epochs

    @cached_property
    def parts(self) -> NDArray[np.float64]:
        """The epochs that are no whole numbers, in order."""
        epochs = self.epochs if self.epochs is not None else np.zeros(0)
        return np.unique(epochs[epochs % 1.0 != 0.0])

    @cached_property
    def highest(self) -> int:
        """Position of the first of the highest values."""
        return int(np.argmax(self.values))

    @cached_property
    def lowest(self) -> int:
        """Position of the first of the lowest values."""
        return int(np.argmin(self.values))

    def index_of(self, time: Time) -> int | None:
        """Return the position of a time, or None where the curve has none."""
        match time.kind:
            case "max":
                return self.highest
            case "min":
                return self.lowest
            case "last" | "once":
                return len(self.values) - 1
            case "first":
                return 0
            case "index":
                return int(time.at) if 0 <= time.at < len(self.values) else None
            case "step":
                return self._at_step(time.at)
            case "epoch":
                return self._at_epoch(time.at)
        return None

    def _at_step(self, step: float) -> int | None:
        if not (abs(step) < _MOST_STEPS and step == int(step)):
            return None
        # A whole number, or all steps would be made floats to be compared.
        at = int(self.steps.searchsorted(int(step)))
        return at if at < len(self.steps) and self.steps[at] == step else None

    def _at_epoch(self, epoch: float) -> int | None:
        """Return the last position whose epoch is printed as this one, within a hundredth."""
        if self.epochs is None:
            return None
        epochs = self.epochs
        if not self._in_order:
            near = np.flatnonzero(np.abs(epochs - epoch) <= _SAME_EPOCH)
            return int(near[-1]) if len(near) else None
        behind = int(epochs.searchsorted(epoch + _SAME_EPOCH, side="right"))
        # The sum may be rounded otherwise than the difference.
        while behind < len(epochs) and epochs[behind] - epoch <= _SAME_EPOCH:
            behind += 1
        while behind and epochs[behind - 1] - epoch > _SAME_EPOCH:
            behind -= 1
        return behind - 1 if behind and epoch - epochs[behind - 1] <= _SAME_EPOCH else None

    @cached_property
    def _in_order(self) -> bool:
        return self.epochs is not None and bool((np.diff(self.epochs) >= 0).all())


_SAME_EPOCH = 0.0051
_MOST_STEPS = 2.0**53


@record(eq=False)
class Family:
    """One tag over all runs that log it.

    Attributes:
        key: The tag with its split (`validation/accuracy`).
        metric: In one spelling, or empty.
        split: `train`, `validation`, `test` or empty.
        words: What the words of the tag say.
        curves: Index of a run to its curve.
        unit: `percent`, `fraction` or empty, as logged.
        low: Smallest value of all.
        high: Largest value of all.
        once: Whether its values were measured once, without a step.
        rest: Key of the family whose values leave its own to the whole: accuracies, of errors.
    """

    key: str
    metric: str
    split: str
    words: Words
    curves: Mapping[int, Curve]
    low: float
    high: float
    unit: str = ""
    once: bool = False
    rest: str = ""

    @property
    def fraction(self) -> bool:
        """Whether its values are fractions of one, or may be."""
        return self.unit == "fraction" or (self.low >= -1.0 and self.high <= 1.0)

    @property
    def from_one(self) -> bool:
        """Whether its log counts from 1."""
        return all(curve.from_one for curve in islice(self.curves.values(), _MOST_COUNTED))


_MOST_COUNTED = 8


_REST = "1 - "


class Families(dict[str, Family]):
    """Families by key; `1 - KEY` is what an accuracy leaves, made when it is first asked for.

    Example:
        >>> from reportgen.checking.gathering import catalogue_of_stored
        >>> from reportgen.records.verdict import Stored
        >>> found = catalogue_of_stored([Stored(path="m.json", keys=("accuracy",), value=0.75)])
        >>> found.families["1 - accuracy"].curves[0].values.tolist(), len(found.families)
        ([0.25], 1)
    """

    def __init__(self, families: Mapping[str, Family]) -> None:
        super().__init__(families)
        self._rests: dict[str, Family] = {}

    def __missing__(self, key: str) -> Family:
        own = key.removeprefix(_REST)
        if own == key:
            raise KeyError(key)
        if key not in self._rests:
            self._rests[key] = _rest(self[own], key)
        return self._rests[key]

    def measuring(self, words: Words) -> list[Family]:
        """Return the families of the metric that words name, errors where accuracy was logged."""
        found = [one for one in self.values() if metric_fits(words, one)]
        if not found and "error" in words.metrics:
            shares = (one for one in self.values() if _ACCURACY in {one.metric, *one.words.metrics})
            found = [self[_REST + one.key] for one in shares if one.low >= 0 and one.high <= 100]
        return found


_ACCURACY = "accuracy"


def _rest(family: Family, key: str) -> Family:
    whole = 1.0 if family.high <= 1.0 else 100.0
    return replace(
        family,
        key=key,
        metric="error",
        words=Words(metrics=frozenset({"error"}), splits=family.words.splits),
        curves={
            run: Curve(
                steps=curve.steps,
                values=whole - curve.values,
                path=curve.path,
                tag=curve.tag,
                epochs=partial(getattr, curve, "epochs"),
                ordered=curve.ordered,
                whole=curve.whole,
            )
            for run, curve in family.curves.items()
        },
        low=whole - family.high,
        high=whole - family.low,
        rest=family.key,
    )


@record
class RunName:
    """What a run is called.

    Attributes:
        id: Its path below the root.
        group: Name of its group.
        seed: None where unknown.
        tokens: Words and numbers of its path, group and label.
        settings: Numbers that it was set to: by its configuration, with their keys, or its name.
    """

    id: str
    group: str
    seed: int | None
    tokens: frozenset[str]
    settings: frozenset[tuple[str, float]] = frozenset()


class Mention(NamedTuple):
    """Words of a text that name runs.

    Attributes:
        start: Where they begin.
        end: Where they end.
        runs: Indices of the runs.
        is_seed: Whether they are the number of a seed.
    """

    start: int
    end: int
    runs: tuple[int, ...]
    is_seed: bool = False


class Choices:
    """The readings that some words leave open, and their values in order.

    Attributes:
        readings: In the order in which they are tried.
        families: Keys of their families.
    """

    def __init__(self, readings: Iterable[Reading]) -> None:
        self.readings = tuple(readings)
        self.families = frozenset(reading.family for reading in self.readings)
        ordered = sorted((reading.value, at) for at, reading in enumerate(self.readings))
        self._values, self._places = [one for one, _ in ordered], [at for _, at in ordered]

    def may_have(self, form: Form, scales: Sequence[float] = SCALES) -> bool:
        """Say whether one of them may be printed as a number in one of some units."""
        values = self._values
        for scale in scales:
            low, high = ends_of(form, scale)
            at = bisect_left(values, low)
            if at < len(values) and values[at] <= high:
                return True
        return False

    def first(self, form: Form, scale: float) -> Reading | None:
        """Return the first of them that is printed so in a unit."""
        found = self.printed(form, (scale,)) if self.may_have(form, (scale,)) else iter(())
        return next((one for one, _ in found), None)

    def printed(
        self, form: Form, scales: Sequence[float] = SCALES
    ) -> Iterator[tuple[Reading, float]]:
        """Yield those that are printed so, in their order, each with its unit."""
        values, ends = self._values, [ends_of(form, scale) for scale in scales]
        spans = [(bisect_left(values, low), bisect_right(values, high)) for low, high in ends]
        near: Iterable[int] = range(len(values))
        # The first of many is found before they are put in order.
        if _MANY * sum(end - start for start, end in spans) < len(values):
            near = sorted({at for start, end in spans for at in self._places[start:end]})
        for at in near:
            one = self.readings[at]
            yield from ((one, scale) for scale in scales if is_printed(form, one.value * scale))


class Catalogue:
    """All evidence of one report, to be asked.

    Attributes:
        runs: Names of the runs, in the order of their indices.
        families: Key to family.
        groups: Name of a group to the indices of its runs.
        informative: Tokens that some runs have and not all.
    """

    def __init__(
        self,
        *,
        runs: Sequence[RunName],
        families: Mapping[str, Family],
        groups: Mapping[str, tuple[int, ...]],
        informative: frozenset[str] = frozenset(),
    ) -> None:
        self.runs = tuple(runs)
        self.families = Families(families)
        self.groups = groups
        self.informative = informative
        self.asked = Kept[object, frozenset[str]](_MOST_KEPT)
        self.alike = Kept[str, frozenset[str]](_MOST_KEPT)
        self.bound = Kept[object, Any](_MOST_BOUND)
        self.statements = Kept[object, list[Any]](_MOST_NAMED)
        self.margins = Kept[object, list[Any]](_MOST_BOUND)
        self.phrases = Kept[object, tuple[Any, ...]](_MOST_NAMED)
        self.mentions = Kept[str, tuple[Mention, ...]](_MOST_NAMED)
        self._kept = Kept[object, Reading | None](_MOST_KEPT)
        self._traces = Kept[Reading, Trace](_MOST_NAMED)
        self._timed = Kept[object, bool](_MOST_KEPT)
        self._searched: dict[object, Choices] = {}
        self._held = 0
        self._known_by = Kept[frozenset[str], tuple[int, ...]](_MOST_KEPT)
        self._named = Kept[str, tuple[int, ...]](_MOST_NAMED)

    @cached_property
    def index(self) -> Index:
        """Where each value stands; made when it is first asked for."""
        return make_index(self)

    def read(
        self, family: Family, runs: Sequence[int], time: Time, aggregate: str = ""
    ) -> Reading | None:
        """Return a value, or None where it is not there.

        Example:
            >>> from reportgen.checking.gathering import catalogue_of_stored
            >>> from reportgen.records.verdict import Stored
            >>> losses = [(("0", "loss"), 0.9), (("1", "loss"), 0.5), (("2", "loss"), 0.6)]
            >>> made = catalogue_of_stored(
            ...     [Stored(path="log.json", keys=keys, value=value) for keys, value in losses]
            ... )
            >>> made.read(made.families["loss"], (0,), Time(kind="min")).value
            0.5
        """
        key = (family.key, tuple(runs), time, aggregate)
        if key not in self._kept:
            self._kept[key] = self._read(family, tuple(runs), time, aggregate)
        return self._kept[key]

    def _read(
        self, family: Family, runs: tuple[int, ...], time: Time, aggregate: str
    ) -> Reading | None:
        there = [run for run in runs if run in family.curves]
        if not there or (not aggregate and len(there) != 1):
            return None
        if len(there) == 1 and aggregate in _OF_ONE:
            aggregate = ""
        values, step = [], None
        for run in there:
            found = self._one(family, run, time)
            if found is None:
                return None
            values.append(found[0])
            step = found[1]
        if not aggregate:
            return Reading(
                value=values[0], family=family.key, runs=(there[0],), time=time, step=step
            )
        total = _aggregate_of(values, aggregate)
        if total is None:
            return None
        return Reading(
            value=total, family=family.key, runs=tuple(there), time=time, aggregate=aggregate
        )

    def is_whole(self, reading: Reading) -> bool:
        """Say whether the evidence seems to have all that a value was made of.

        Of several runs, each of their group has a value; what a test set chose, no validation set
        chose whose log is missing; no value of the metric was left out for a later one of its step.
        """
        family = self.families[reading.family]
        alike = [one for one in self.families.values() if one.metric == family.metric != ""]
        curves = [one.curves.get(run) for one in (family, *alike) for run in reading.runs]
        whole = all(curve.whole for curve in curves if curve)
        if not whole and reading.time.kind not in {"last", "once"}:
            return False
        if reading.aggregate:
            own = (one for one in self.groups.values() if not {*one}.isdisjoint(reading.runs))
            return all(run in family.curves for one in own for run in one)
        chosen = reading.time.clock and family.split == "test"
        return not chosen or all(one.split != "validation" for one in alike)

    def _one(self, family: Family, run: int, time: Time) -> tuple[float, int] | None:
        curve = family.curves[run]
        if time.kind == "at":
            chooser = self.families[time.by[0]].curves.get(run)
            at = chooser.index_of(Time(kind=time.by[1])) if chooser is not None else None
            if chooser is None or at is None:
                return None
            index = curve.index_of(Time(kind="step", at=float(chooser.steps[at])))
        else:
            index = curve.index_of(time)
        if index is None:
            return None
        step = int(curve.steps[index])
        if time.clock == "step":
            return float(step), step
        if time.clock == "epoch":
            return (float(curve.epochs[index]), step) if curve.epochs is not None else None
        if time.clock == "index":
            return float(index), step
        return float(curve.values[index]), step

    def has(self, family: Family, time: Time) -> bool:
        """Say whether any run of a family has a value at a step, an epoch or a position."""
        curves = family.curves.values()
        return self._timed.made(
            (family.key, time.kind, time.at),
            lambda: any(curve.index_of(time) is not None for curve in curves),
        )

    def choices(self, key: object, readings: Callable[[], Iterable[Reading]]) -> Choices:
        """Return the readings of a search, those of the last searches without a look."""
        found = self._searched.get(key)
        if found is None:
            found = Choices(readings())
            self._held += len(found.readings) + 1
            if self._held > _MOST_KEPT:
                self._searched.clear()
                self._held = 0
            self._searched[key] = found
        return found

    def allowed(self, words: Words) -> frozenset[str]:
        """Return the keys of the families that words leave open.

        Where words name a metric, only its families, and none where the evidence has none of
        it; where they name a split, those of it and those of no split, if it was logged.
        """
        key = ("allowed", words.metrics, words.splits, words.clocks, words.tokens)
        return self.asked.made(key, lambda: frozenset(one.key for one in self._allowed(words)))

    def _allowed(self, words: Words) -> list[Family]:
        families = list(self.families.values())
        if words.metrics and not words.clocks:
            families = self.families.measuring(words)
        else:
            named = [one for one in families if tag_is_said(words, one)]
            families = named or families
        if words.splits and any(one.split in words.splits for one in families):
            families = [one for one in families if one.split in {*words.splits, ""}]
        return families

    def trace(self, reading: Reading) -> Trace:
        """Return where a reading stands, for people and machines."""
        return self._traces.made(reading, lambda: self._trace(reading))

    def _trace(self, reading: Reading) -> Trace:
        family = self.families[reading.family]
        run = reading.runs[0]
        names = [self.runs[one].id for one in reading.runs]
        over = _AGGREGATES[reading.aggregate]
        whose = self._whose(reading.runs)
        before = f"{over} of {len(names)} runs{whose}, " if over else ""
        after = "" if over else whose
        return Trace(
            what=f"{before}{family.key} {_time_words(reading, self.families)}".strip() + after,
            value=reading.value,
            path=family.curves[run].path,
            tag=family.curves[run].tag,
            run=names[0] if len(names) == 1 else ", ".join(names[:8]),
            step=reading.step,
        )

    def _whose(self, runs: tuple[int, ...]) -> str:
        """Return " of" with the name of a run or group, where the evidence holds others too."""
        if len(runs) == len(self.runs):
            return ""
        if len(runs) == 1:
            run = self.runs[runs[0]]
            return f" of {run.id if run.seed is None else f'{run.group}, seed {run.seed}'}"
        groups = (name for name, own in self.groups.items() if set(own) == set(runs))
        return next((f" of {name}" for name in groups if name), "")

    def runs_called(self, text: str) -> tuple[int, ...]:
        """Return the runs that a text names best; none where it names none.

        Every run whose name shares most of the text's telling words; where the text names a
        group exactly, its runs.

        Example:
            >>> names = tuple(
            ...     RunName(id=one, group=one, seed=None, tokens=frozenset([one]))
            ...     for one in ("base", "wide")
            ... )
            >>> told = frozenset(["base", "wide"])
            >>> found = Catalogue(runs=names, families={}, groups={}, informative=told)
            >>> found.runs_called("the wide model"), found.runs_called("another")
            ((1,), ())
        """
        return self._named.made(text, lambda: self._runs_called(text))

    def _runs_called(self, text: str) -> tuple[int, ...]:
        tokens = names_of(_without_measures(text)) & self.informative
        return self._known_by.made(tokens, lambda: self._called(tokens)) if tokens else ()

    def _called(self, tokens: frozenset[str]) -> tuple[int, ...]:
        scores = Counter(run for token in tokens for run in self.having.get(token, ()))
        best = max(scores.values(), default=0)
        if best < max(1, _NAMED_SHARE * len(tokens)):
            return ()
        found = tuple(sorted(run for run, score in scores.items() if score == best))
        exact = [group for group in self._exact.get(tokens, ()) if self._within(group, found)]
        if len(exact) == 1 and len(found) > len(self.groups[exact[0]]):
            return self.groups[exact[0]]
        return found

    def _within(self, group: str, found: tuple[int, ...]) -> bool:
        return set(self.groups[group]) <= set(found)

    @cached_property
    def having(self) -> Mapping[str, tuple[int, ...]]:
        """The runs that have a telling word in their names."""
        found: dict[str, list[int]] = {}
        for run, one in enumerate(self.runs):
            for token in one.tokens & self.informative:
                found.setdefault(token, []).append(run)
        return {token: tuple(runs) for token, runs in found.items()}

    @cached_property
    def telling(self) -> Mapping[str, Sequence[str]]:
        """The words that some runs have and not all, by the letters that their forms share."""
        found: dict[str, list[str]] = {}
        for word in self.informative:
            found.setdefault(word[:SAME], []).append(word)
        return found

    @cached_property
    def set_to(self) -> Mapping[float, frozenset[int]]:
        """The runs that were set to a number of one setting, if others were not."""
        found: dict[float, list[tuple[str, int]]] = {}
        for run, one in enumerate(self.runs):
            for key, number in one.settings:
                found.setdefault(number, []).append((key, run))
        # A learning rate of 0.1 says nothing of a run whose weight decay is 0.1.
        some = [(one, own) for one, own in found.items() if len({k for k, _ in own} - {""}) < 2]
        runs = {one: frozenset(run for _, run in own) for one, own in some}
        return {one: own for one, own in runs.items() if len(own) < len(self.runs)}

    @cached_property
    def longer_groups(self) -> Mapping[str, Sequence[tuple[tuple[str, ...], tuple[int, ...]]]]:
        """The words and runs of the groups that are called by several, by the first of these."""
        found: dict[str, list[tuple[tuple[str, ...], tuple[int, ...]]]] = {}
        for group, runs in self.groups.items():
            if len(parts := tokens_of(group)) > 1:
                found.setdefault(parts[0], []).append((parts, runs))
        return found

    @cached_property
    def tag_words(self) -> frozenset[str]:
        """The words that are each a whole tag of the evidence, of no metric that is known."""
        tags = (one.words.tokens - _COMMON for one in self.families.values() if not one.metric)
        words = (word for tag in tags for word in tag if len(tag) == 1 < len(word))
        return frozenset(one for one in words if one.isalpha() and not said(one))

    @cached_property
    def _exact(self) -> Mapping[frozenset[str], Sequence[str]]:
        """The groups that are called by some telling words and no others."""
        found: dict[frozenset[str], list[str]] = {}
        for group in self.groups:
            found.setdefault(frozenset(tokens_of(group)) & self.informative, []).append(group)
        return found


def _without_measures(text: str) -> str:
    """Return a text without numbers of metrics and times: F1 and epoch 1 name no run 1."""
    for one in reversed(said(text)):
        start, end = one.start, one.end
        if one.slot == "clock":
            behind, before = _BEHIND.match(text, end), _BEFORE.search(text[:start])
            start = before.start() if before else start
            end = behind.end() if behind else end
        elif one.slot != "metric":
            continue
        if any(map(str.isdigit, text[start:end])):
            text = f"{text[:start]} {text[end:]}"
    return text


_BEHIND, _BEFORE = re.compile(r"\W{0,3}\d{1,9}\b"), re.compile(r"\b\d{1,9}\W{0,3}$")

_AGGREGATES = {
    "": "",
    "mean": "mean",
    "std": "sample standard deviation",
    "pstd": "population standard deviation",
    "se": "standard error",
    "max": "highest",
    "min": "lowest",
    "median": "median",
}


def _aggregate_of(values: Sequence[float], how: str) -> float | None:
    """Return an aggregate of values; None for a spread of fewer than two.

    Example:
        >>> _aggregate_of([1.0, 3.0], "mean"), round(_aggregate_of([1.0, 3.0], "std"), 3)
        (2.0, 1.414)
    """
    n = len(values)
    if how == "mean":
        return math.fsum(values) / n
    if how == "max":
        return max(values)
    if how == "min":
        return min(values)
    if how == "median":
        return float(np.median(values))
    if n < 2:
        return None
    mean = math.fsum(values) / n
    squares = math.fsum((value - mean) ** 2 for value in values)
    if how == "pstd":
        return math.sqrt(squares / n)
    deviation = math.sqrt(squares / (n - 1))
    return deviation if how == "std" else deviation / math.sqrt(n)


def _time_words(reading: Reading, families: Mapping[str, Family]) -> str:
    """Return when a reading was measured, in words."""
    time = reading.time
    at = f" (step {reading.step})" if reading.step is not None else ""
    match time.kind:
        case "step":
            words = f"at step {time.at:g}"
        case "epoch":
            words = f"at epoch {time.at:g}"
        case "index":
            words = f"at evaluation {time.at + 1:g}{at}"
        case "max" | "min":
            words = f"{'highest' if time.kind == 'max' else 'lowest'}{at}"
        case "last" | "first":
            words = f"{time.kind}{at}"
        case "at":
            end = "highest" if time.by[1] == "max" else "lowest"
            words = f"where {families[time.by[0]].key} is {end}{at}"
        case _:
            words = ""
    return f"{time.clock} of {words}" if time.clock else words


def metric_fits(words: Words, family: Family) -> bool:
    """Say whether words name the metric of a family.

    Example:
        >>> from reportgen.checking.gathering import catalogue_of_stored
        >>> from reportgen.checking.words import words_of
        >>> from reportgen.records.verdict import Stored
        >>> one = Stored(path="m.json", keys=("eval_acc",), value=0.9)
        >>> family = catalogue_of_stored([one]).families["eval_acc"]
        >>> metric_fits(words_of("Accuracy"), family), metric_fits(words_of("Loss"), family)
        (True, False)
    """
    if words.metrics & (family.words.metrics | {family.metric}):
        return True
    return tag_is_said(words, family)


def tag_is_said(words: Words, family: Family) -> bool:
    """Say whether a text has every telling word of a tag.

    Example:
        >>> from reportgen.checking.gathering import catalogue_of_stored
        >>> from reportgen.checking.words import words_of
        >>> from reportgen.records.verdict import Stored
        >>> one = Stored(path="m.json", keys=("f1_macro",), value=0.9)
        >>> family = catalogue_of_stored([one]).families["f1_macro"]
        >>> tag_is_said(words_of("Macro F1"), family), tag_is_said(words_of("F1"), family)
        (True, False)
    """
    telling = _telling(family.words.tokens)
    return bool(telling) and telling <= words.tokens


@lru_cache(maxsize=4096)
def _telling(tokens: frozenset[str]) -> frozenset[str]:
    """Return the words of a tag that tell it from others; none where it has but letters."""
    telling = tokens - _COMMON
    # A letter with a number (`e2`) is a name of anything.
    return telling if any(len(one) > 1 and one.isalpha() for one in telling) else frozenset()


_COMMON = frozenset(
    ["train", "eval", "val", "valid", "validation", "test", "metrics", "epoch", "b"]
)
