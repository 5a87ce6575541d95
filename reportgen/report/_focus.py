"""Which groups the body tells of, and what the groups of a sweep differ in."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from reportgen.languages import message, say, say_count
from reportgen.records.document import Code, Text
from reportgen.records.facts import Comparison, Facts, GroupResult, Task
from reportgen.records.quantity import Quantity
from reportgen.records.record import record, replace
from reportgen.report.phrases import has_seeds, in_words, joined, name_of, things, words_of
from reportgen.runs import tells_apart
from reportgen.stats import families_of

MOST_SIDE_BY_SIDE = 6
"""Groups whose runs are shown one by one; of more, the groups are ranked."""
LITTLE = 0.002
"""Share of the best one within which results of single runs are nearly the same."""
MOST_RUNS = 18
"""Runs that a table of the body lists."""


@record
class Focus:
    """The groups of the body.

    Attributes:
        groups: Those that may be compared with each other, the best first where nobody declared
            an order; of several families
            the one that the headline compares, else the one with most groups and runs.
        others: Every other group, in report order.
        comparison: The headline difference, where there is one.
        is_mixed: Whether the groups are of several tasks, as many of each: side by side, not
            ranked.
    """

    groups: tuple[GroupResult, ...]
    others: tuple[GroupResult, ...]
    comparison: Comparison | None = None
    is_mixed: bool = False

    @property
    def is_sweep(self) -> bool:
        """Whether groups are ranked instead of shown run by run."""
        if self.is_mixed:
            return False
        known = [group for group in self.groups if group.report.n]
        runs = sum(len(group.cells) for group in known)
        return len(known) > MOST_SIDE_BY_SIDE or (runs > MOST_RUNS and len(known) > 1)

    @property
    def has_seeds(self) -> bool:
        """Whether seeds name the runs of every group."""
        return all(has_seeds(group) for group in self.groups)

    def pair(self, facts: Facts) -> tuple[GroupResult, GroupResult] | None:
        """Return the two groups of the headline difference."""
        if self.comparison is None:
            return None
        return facts.group(self.comparison.first), facts.group(self.comparison.second)


def focus_of(facts: Facts) -> Focus:
    """Return the groups of the body."""
    comparison = next(
        (one for one in facts.comparisons if isinstance(one.difference, Quantity)), None
    )
    families = families_of(facts.groups)
    if not families:
        return Focus(groups=facts.groups, others=())
    named = {comparison.first, comparison.second} if comparison else set()
    chosen = next(
        (family for family in families if named and named <= {g.name for g in family}), None
    )
    if comparison and chosen is None:
        chosen = [facts.group(comparison.first), facts.group(comparison.second)]
    if chosen is None and (mixed := _equals(families)):
        return Focus(groups=mixed, others=(), is_mixed=True)
    # Of a training and its beginning the whole one is told of.
    kept = chosen or max(families, key=lambda family: (not family[0].task.is_part, *_size(family)))
    inside = {group.name for group in kept}
    # A group without a value belongs to those it was to be compared with.
    inside |= {g.name for g in facts.groups if g.report.n == 0 and g.task == kept[0].task}
    first = [comparison.first, comparison.second] if comparison else []
    groups = [g for g in facts.groups if g.name in inside]
    # A study file names the groups in an order of its own.
    declared = any(key.split(".")[0] == "groups" for key in facts.study.stated)
    if not declared and knows_better(facts):
        first += [g.name for g in ranked(facts, groups) if g.name not in first]
    order = {name: place for place, name in enumerate(first)}
    return Focus(
        groups=tuple(sorted(groups, key=lambda g: order.get(g.name, len(order)))),
        others=tuple(g for g in facts.groups if g.name not in inside),
        comparison=comparison,
    )


def facts_of(facts: Facts, groups: Sequence[GroupResult]) -> Facts:
    """Return the facts of some groups alone, which is what a section on them tells of."""
    names = {group.name for group in groups}
    if len(names) == len(facts.groups):
        return facts
    return replace(
        facts,
        groups=tuple(group for group in facts.groups if group.name in names),
        comparisons=tuple(one for one in facts.comparisons if {one.first, one.second} <= names),
    )


def has_abstract(facts: Facts) -> bool:
    """Return whether an abstract of ours says what may not be compared, and what is missing."""
    return not facts.study.report.abstract and not facts.study.questions


def _equals(families: Sequence[Sequence[GroupResult]]) -> tuple[GroupResult, ...]:
    """Return the groups of several tasks of which none has more runs than another."""
    whole = [family for family in families if not family[0].task.is_part]
    groups = tuple(group for family in whole for group in family)
    few = sum(len(group.cells) for group in groups) <= MOST_RUNS
    alike = len({_size(family) for family in whole}) == 1 and len(whole) == len(families)
    return groups if alike and few and len({family[0].task for family in whole}) > 1 else ()


def _size(family: Sequence[GroupResult]) -> tuple[int, int]:
    return len(family), sum(group.report.n for group in family)


def ranked(facts: Facts, groups: Sequence[GroupResult]) -> list[GroupResult]:
    """Return groups with a result, the best one first; the largest where nothing tells better."""
    known = [group for group in groups if isinstance(group.report.mean, Quantity)]
    return sorted(known, key=_mean, reverse=facts.selection.direction != "lower")


def knows_better(facts: Facts) -> bool:
    """Return whether the study or the metric's name tells which values are better."""
    return bool(facts.selection.direction)


def _mean(group: GroupResult) -> float:
    return group.report.mean.value if isinstance(group.report.mean, Quantity) else 0.0


# --- tasks ----------------------------------------------------------------------------


MOST_NAMED = 6
"""Tasks that a sentence names."""
MOST_ASIDE = 3
"""Groups that repeat or begin others, and are told of one by one."""

_WITHIN = {
    "environment": message(" on {task}"),
    "data": message(" on {task}"),
    "assignment": message(" in {task}"),
}


def told_tasks(facts: Facts) -> tuple[Task, ...]:
    """Return the tasks that groups with a result are of, one that is not stated last."""
    known = [group for group in facts.groups if group.report.n] or facts.groups
    tasks = dict.fromkeys(group.task for group in known if not group.task.is_part)
    return tuple(sorted(tasks, key=lambda task: not task.name))


def within(facts: Facts, task: Task) -> Text:
    """Return the task of a result, where runs are of several; nothing where it has no name."""
    named = _WITHIN.get(task.kind, "") if task.name and len(told_tasks(facts)) > 1 else ""
    return say(named, task=Code(task.name)) if named else ()


def ranked_by_task(facts: Facts) -> list[list[GroupResult]]:
    """Return for each task the most groups that may be compared, the best one first.

    The task with the most groups comes first.
    """
    most: dict[Task, list[GroupResult]] = {}
    for family in families_of(facts.groups):
        task = family[0].task
        if not task.is_part and len(family) > len(most.get(task, ())):
            most[task] = family
    lower_wins = facts.study.metric.direction == "lower"
    families = sorted(most.values(), key=len, reverse=True)
    return [sorted(family, key=_mean, reverse=not lower_wins) for family in families]


def why_apart(facts: Facts) -> Text:
    """Return what is said of groups that may not be compared; nothing where all may be."""
    tasks = told_tasks(facts)
    texts: list[Text] = []
    if len(tasks) > 1:
        shown = tasks[:MOST_NAMED]
        names = [(Code(one.name),) if one.name else say("one not stated") for one in shown]
        some: Text = tuple(part for name in names for part in (*name, ", "))
        listed = joined(names) if len(names) == len(tasks) else (*some, "…")
        texts.append(say(words_of("apart")[tasks[0].kind], names=listed))
        if len({group.task for group in facts.groups if group.name in facts.study.compare}) > 1:
            texts.append(
                say(
                    "The study file asks for one difference across them: it may be that of the "
                    "tasks, not of the runs."
                )
            )
    aside = [group for group in facts.groups if group.task.is_part]
    if len(aside) > MOST_ASIDE:
        many = say(
            "{count:cap} {things} repeat the values of others, or may be the beginning of one "
            "training with them, and are compared with no other.",
            count=in_words(len(aside)),
            things=things(facts.groups),
        )
        texts.append(many)
    else:
        texts += [
            say(
                words_of("aside")[one.task.kind],
                group=name_of(one),
                other=name_of(facts.group(one.task.name)),
            )
            for one in aside
        ]
    return tuple(part for at, text in enumerate(texts) for part in (" ", *text)[not at :])


# --- factors: what groups differ in, by settings, else by names -----------------------


MOST_FACTORS = 4
MOST_BESIDE = 2
"""Settings that change with a factor which are named."""
FEWEST_NUMBERS = 4
"""Values from which on results can be drawn against a number that was varied."""
_LONGEST = 24
_NO_FACTORS = frozenset({"device", "git_hash", "path", "project", "version"})
_NO_FACTORS |= {"is_hyper_param_search", "is_local_process_zero", "is_world_process_zero"}
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


def settings_apart(groups: Sequence[GroupResult]) -> list[Factor]:
    """Return every setting in which groups differ, those that some of them lack last.

    Words that are others in every one of many groups are names, and no settings. What few state
    counts where most settings are shared: those of two programs are others altogether.
    """
    stated = {group.name: _settings(group) for group in groups if _settings(group)}
    counts = Counter(key for own in stated.values() for key in own)
    few = 2 * sum(n == len(stated) for n in counts.values()) >= len(counts)
    found = []
    for factor in _told_apart(stated, few=few):
        values = {*factor.values.values()}
        named = len(values) == len(groups) > 2 and None in map(number_of, values)
        if not named and not factor.is_long:
            every = {group.name: factor.values.get(group.name, "") for group in groups}
            found.append(replace(factor, values=every))
    return sorted(found, key=lambda one: counts[one.name] < len(stated))


def _told_apart(values: Mapping[str, Mapping[str, str]], *, few: bool = False) -> Iterator[Factor]:
    """Yield what most groups state where two differ; with `few`, what some of them lack, too."""
    counts = Counter(key for own in values.values() for key in own)
    for key in sorted((key for key, n in counts.items() if few or 2 * n > len(values)), key=_order):
        factor = Factor(key, {name: own.get(key, "") for name, own in values.items()})
        if len({*factor.values.values()} - (set() if few else {""})) > 1:
            yield factor


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
    alike: dict[tuple[int, ...], list[Factor]] = {}
    # A setting that most groups state is one that was varied; a rare one belongs to few.
    for factor in _told_apart(values):
        first: dict[str, int] = {}
        partition = tuple(first.setdefault(factor.values[g.name], len(first)) for g in groups)
        if len(first) < most:
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
