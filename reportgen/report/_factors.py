"""What the groups of a sweep differ in, from their settings, else from their names."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from reportgen.languages import say_count
from reportgen.records.document import Code, Text
from reportgen.records.facts import GroupResult
from reportgen.records.record import record, replace
from reportgen.report.phrases import in_words, joined
from reportgen.runs import tells_apart

MOST_FACTORS = 4
MOST_BESIDE = 2
"""Settings that change with a factor which are named."""
FEWEST_NUMBERS = 4
"""Values from which on results can be drawn against a number that was varied."""
_LONGEST = 24
_NO_FACTORS = frozenset({"device", "git_hash", "path", "project", "version"})
"""Settings by which runs are called or kept, beside those that no run tells apart."""
_CALLED = re.compile(r"(?:exp\w*|group|project|study|trial)[._]name$|(?<!name_or)_(path|file)$")
"""Keys of what runs are called and where something is kept; `model_name_or_path` is a model."""
_NUMBERED = frozenset({"epoch", "epochs", "exp", "experiment", "fold", "n", "run", "s", "seed"})
_NUMBERED |= {"trial", "v", "version"}
"""Words before a number that counts runs and says nothing of them."""
_TOKEN = re.compile(r"([A-Za-z]+(?:-[A-Za-z]+)*)[=_-]?(\d[\d.]*(?:e[-+_]?\d+)?)")
_DATE = re.compile(r"(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?!\d)")
_NUMBER_OF_A_FOLDER = re.compile(r"(?:^|/)([A-Za-z-]+)[_-]?(\d+)(?=/|$)")
"""A word and a number that are all of a name: `PPO_1/`, `exp3/`."""


@record(kw_only=False)
class Factor:
    """One thing that was varied: its name, and its value by group; empty where not stated.

    Attributes:
        name: The setting's name, or the word before a number in the groups' names.
        values: Its value by group; empty where not stated.
        beside: Others that have one value for each of its values: whatever it is that changes
            the results, the groups cannot tell which.
    """

    name: str
    values: Mapping[str, str]
    beside: tuple[Factor, ...] = ()

    @property
    def is_long(self) -> bool:
        """Whether one of its values is too long for a column of a table."""
        return max(map(len, self.values.values()), default=0) > _LONGEST


def factors_of(groups: Sequence[GroupResult], *, names: bool = False) -> list[Factor]:
    """Return what groups differ in, at most four factors; what changes with one is beside it.

    Args:
        groups: The groups.
        names: Whether a factor may have another value in every group, as names have.
    """
    settings = {group.name: _settings(group) for group in groups}
    most = len(groups) + 1 if names else max(len(groups), 3)
    found = _varied(groups, settings, most)
    if not found:
        tokens = {group.name: _tokens(group.name) for group in groups}
        counters = _counters(tokens) | _labels(tokens)
        told = {
            name: {word: number for word, number in own.items() if word not in counters}
            for name, own in tokens.items()
        }
        found = _varied(groups, told, most)
    return found[:MOST_FACTORS]


def named_beside(factor: Factor, *names_before: Text) -> Text:
    """Name the settings that change with a factor; of many the first ones, and how many more."""
    names = [*names_before, *((Code(one.name),) for one in factor.beside[:MOST_BESIDE])]
    more = len(factor.beside) - MOST_BESIDE
    if more > 0:
        names.append(say_count("{n} other setting", "{n} other settings", more, n=in_words(more)))
    return joined(names)


def naming_factors(groups: Sequence[GroupResult]) -> list[Factor]:
    """Return the factors whose values tell every group from the others; none where they do not."""
    factors = factors_of(groups)
    told = {tuple(factor.values[group.name] for factor in factors) for group in groups}
    return factors if len(told) == len(groups) else []


def settings_of(factors: Sequence[Factor], group: GroupResult) -> str:
    """Return a group as its settings: words by themselves, numbers with what they are.

    Example:
        >>> from reportgen.stats import group_of_values
        >>> factors = [Factor("optimizer", {"a": "adam"}), Factor("lr", {"a": "0.001"})]
        >>> settings_of(factors, group_of_values("a", {}))
        'adam, lr 0.001'
    """
    stated = ((factor.name, factor.values[group.name]) for factor in factors)
    return ", ".join(
        value if value[:1].isalpha() and value not in {"True", "False"} else f"{name} {value}"
        for name, value in stated
        if value
    )


def numbers_of(groups: Sequence[GroupResult]) -> list[tuple[Factor, dict[str, float]]]:
    """Return the settings of groups that are numbers of many values, and each group's number."""
    found = []
    for factor in factors_of(groups, names=True):
        own = {name: number_of(value) for name, value in factor.values.items()}
        numbers = {name: number for name, number in own.items() if number is not None}
        if len(numbers) == len(groups) and len(set(numbers.values())) >= FEWEST_NUMBERS:
            found.append((factor, numbers))
    return found


def settings_between(
    some: Sequence[GroupResult], others: Sequence[GroupResult]
) -> list[tuple[str, str, str]]:
    """Return settings that are one value in some groups and one other in others, with both."""
    own, theirs = ([_settings(group) for group in groups] for groups in (some, others))
    found = []
    for key in sorted({key for one in own for key in one}, key=_order):
        here, there = ({one.get(key, "") for one in sides} for sides in (own, theirs))
        if len(here) == len(there) == 1 and "" not in here | there and here != there:
            found.append((key, here.pop(), there.pop()))
    return found


def number_of(value: str) -> float | None:
    """Return a value of a factor as a number; None where it is none.

    Example:
        >>> number_of("1e-4"), number_of("adam"), number_of("nan"), number_of("24_01")
        (0.0001, None, None, None)
    """
    try:
        number = float(value if "_" not in value else "nan")
    except ValueError:
        return None
    return number if math.isfinite(number) else None


_LONGEST_NUMBER = 6
"""Letters of a setting from which on it is rounded."""


def short_value(value: str) -> str:
    """Return a value of a factor as it is printed: long numbers with three digits.

    Example:
        >>> short_value("0.00031622776"), short_value("0.001"), short_value("adam")
        ('0.000316', '0.001', 'adam')
    """
    number = number_of(value)
    return f"{number:.3g}" if number is not None and len(value) > _LONGEST_NUMBER else value


def _varied(
    groups: Sequence[GroupResult], values: Mapping[str, Mapping[str, str]], most: int
) -> list[Factor]:
    counts = Counter(key for group in groups for key in values[group.name])
    alike: dict[tuple[int, ...], list[Factor]] = {}
    # A setting that most groups state is one that was varied; a rare one belongs to few.
    for key in sorted((k for k, n in counts.items() if 2 * n > len(groups)), key=_order):
        factor = Factor(key, {g.name: values[g.name].get(key, "") for g in groups})
        first: dict[str, int] = {}
        partition = tuple(first.setdefault(factor.values[g.name], len(first)) for g in groups)
        several = len({*first} - {""}) > 1
        if several and len(first) < most:
            alike.setdefault(partition, []).append(factor)
    # A long value stands in no column of a table, and yet it may be what changes the results.
    every = [sorted(same, key=lambda one: one.is_long) for same in alike.values()]
    return [replace(one, beside=tuple(rest)) for one, *rest in every if not one.is_long]


_FIRST = ("model", "arch", "optimizer", "optim", "lr", "learning_rate", "batch_size")


def _order(key: str) -> tuple[int, str]:
    last = key.rpartition(".")[2].rpartition("/")[2]
    return (_FIRST.index(last) if last in _FIRST else len(_FIRST), key)


def _settings(group: GroupResult) -> dict[str, str]:
    """Return the settings that all runs of a group share, as short words."""
    shared: dict[str, str] | None = None
    for cell in group.cells:
        if cell.run is None or not cell.run.config:
            continue
        own = {str(k): _word(v) for k, v in cell.run.config.items() if _is_setting(str(k), v)}
        shared = own if shared is None else {k: v for k, v in shared.items() if own.get(k) == v}
    return shared or {}


def _is_setting(key: str, value: object) -> bool:
    last = re.sub(r".*[./](?!name$)", "", key.lower())  # optimizer.name
    if last in _NO_FACTORS or not tells_apart(last) or _CALLED.search(last):
        return False
    return not isinstance(value, Mapping) and 0 < len(_word(value)) <= 8 * _LONGEST


def _word(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _counters(tokens: Mapping[str, Mapping[str, str]]) -> set[str]:
    """Return words whose numbers count folders: one behind the other, with nothing beside them.

    Example:
        >>> _counters({name: _tokens(name) for name in ("a/PPO_1", "PPO_2", "b/PPO_3")})
        {'PPO'}
        >>> _counters({name: _tokens(name) for name in ("layers_2", "layers_4", "layers_8")})
        set()
    """
    found: dict[str, list[str]] = {}
    for own in tokens.values():
        for word, number in own.items():
            found.setdefault(word, []).append(number)
    folders = {pair for name in tokens for pair in _NUMBER_OF_A_FOLDER.findall(name)}
    return {
        word
        for word, numbers in found.items()
        if all((word, number) in folders for number in numbers) and _follow({*map(int, numbers)})
    }


def _labels(names: Iterable[str]) -> set[str]:
    """Return words whose number goes with one name of a folder, and that name with one number.

    Example:
        >>> _labels(["P1_resnet/a", "P1_resnet/b", "P2_vit"]), _labels(["net_lr1", "net_lr2"])
        ({'P'}, set())
    """
    found: dict[str, set[tuple[str, str]]] = {}
    for part in {part for name in names for part in name.split("/")}:
        for match in _TOKEN.finditer(part):
            found.setdefault(match[1], set()).add((_TOKEN.sub(r"\1#", part), match[2]))
    return {
        word
        for word, pairs in found.items()
        if 1 < len(pairs) == len({part for part, _ in pairs}) == len({n for _, n in pairs})
    }


def _follow(numbers: set[int]) -> bool:
    return len(numbers) > 1 and max(numbers) - min(numbers) < len(numbers)


def _tokens(name: str) -> dict[str, str]:
    """Return the numbers in a name by the letters before them.

    Example:
        >>> _tokens("UNet_dr015_bs32")
        {'dr': '015', 'bs': '32'}
        >>> _tokens("results_20250824_185504")
        {}
    """
    found = {match[1]: match[2].replace("_", "-") for match in _TOKEN.finditer(name)}
    return {
        word: number
        for word, number in found.items()
        if word.lower() not in _NUMBERED and not _DATE.match(number)
    }
