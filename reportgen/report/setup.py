"""The set-up: data, schedule, runs and time, and the conventions, said once for the report."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from statistics import median

from reportgen.languages import message, noun, say, say_count, spoken, tell
from reportgen.records.document import Code, Emphasis, Inline, Number, Paragraph, Section, Text
from reportgen.records.facts import Facts, GroupResult
from reportgen.records.quantity import Quantity
from reportgen.records.record import replace
from reportgen.records.run import Run
from reportgen.records.study import Decision
from reportgen.report import _run_readings as readings
from reportgen.report._focus import (
    Focus,
    focus_of,
    named_beside,
    naming_factors,
    number_of,
    ranked,
    short_value,
)
from reportgen.report.names import shared_frames
from reportgen.report.numbers import count_of, counted, of_cells, of_last_step, step_number
from reportgen.report.phrases import (
    chose_its_own,
    grouped,
    has_folds,
    in_words,
    joined,
    listed,
    lists_of,
    sentences,
    spelled,
    split_size,
)
from reportgen.runs import TASK_SETTINGS

ID = "setup"
# A number of epochs or updates from here on says that there is no limit.
_NO_LIMIT = 10**7
_WARMUP = ("warmup_updates", "warmup_steps", "warmup_ratio")
# Settings that the first paragraph names, with the keys under which programs log them.
_SCHEDULE = (
    (readings.EPOCHS, ""),
    (
        ("batch_size", "max_sentences", "per_device_train_batch_size"),
        message("batches of {value}"),
    ),
    (("optimizer", "optim"), message("{value}")),
    (("lr", "learning_rate"), message("a peak learning rate of {value}")),
    (_WARMUP, message("{value} warm-up updates")),
    (("weight_decay",), message("a weight decay of {value}")),
)
_OF_ITSELF = frozenset({"auto", "default", "none"})
"""Words by which a setting says nothing."""
_OPTIMIZERS = {
    one.lower(): one
    for one in ("Adadelta", "Adafactor", "Adagrad", "Adam", "AdamW", "Lion", "RMSprop", "SGD")
}
"""Names of optimizers as papers write them."""
LONGER = 1.5
"""From so many times the steps on, runs were trained for unlike lengths."""
MOST_VALUES = 6
"""Values of a setting that are listed; of more, their ends."""
FEWEST_VALUES = 3
"""Different values that two curves begin with which are the same by no chance."""
LEAST_SETTINGS = 5
"""Settings that a run states of which equal ones mean something."""
_APART = 1.05
"""Epochs that are logged with two decimals give their steps no more exactly than by so much."""
_PLACES = ("_dir", "run_name", "logdir")
"""Ends of the names of settings that say where a run is kept."""
_TRAINED_ON = (TASK_SETTINGS["data"], TASK_SETTINGS["environment"])
LONGEST_NAME = 60
_NAME = re.compile(r"[\w./\\ -]+")
"""What a setting names in plain words; an address or a variable may hold a password."""
_TOKEN = re.compile(r"(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z\d]{20}|\b(?:conda|v?envs?)/")
"""What looks like a key, or is a place of programs."""
_NO_DATA = _OF_ITSELF | {
    "custom", "data", "dataset", "dev", "env", "false", "local", "nan", "null", "prod", "test",
    "train", "training", "true", "unknown", "val", "validation",
}  # fmt: skip
_STARTS = lists_of("settings")["Start from"]
_TOOK = (
    message("Runs took between {low} and {high}."),
    message("A run took about {time}."),
    message("The run took {time}."),
)
_SPANS = (
    message("The logs span between {low} and {high}."),
    message("The log of a run spans about {time}."),
    message("The log spans {time}."),
)
MOST_STARTS = 3
"""Groups of which is told what each starts from."""
_SIZES = {
    "train": message("{n} training"),
    "validation": message("{n} validation"),
    "test": message("{n} test"),
}


def build(facts: Facts) -> Section | None:
    """Return the section; None without runs."""
    focus = focus_of(facts)
    if not focus.groups:
        return None
    parts = [
        *_named(focus), *_data(facts), _runs(facts, focus), *_varied(facts, focus),
        _called(facts, focus), *_started(focus), *_alike(focus), *_copied(facts, focus),
        *_schedule(focus), _time(focus), _ends(focus), _rule(facts, focus),
    ]  # fmt: skip
    return Section(id=ID, title=tell("Set-up"), blocks=(Paragraph(text=sentences(parts)),))


def _named(focus: Focus) -> Iterator[Text]:
    """Yield which data or environment the settings of all runs name."""
    stated = [readings.settings_of(run.config) for run in _of(focus.groups)]
    told: list[Text] = []
    for keys in _TRAINED_ON:
        names = [_name_in(one, keys) for one in stated]
        spelled = {re.sub(r"[-_ ]", "", name.casefold()) for name in names}
        told += [(Code(names[0]),)] if len(spelled) == 1 and names[0] else []
    if told:
        yield say("According to the settings, training was on {what}.", what=joined(told))


def _name_in(settings: Mapping[str, object], keys: Sequence[str]) -> str:
    """Return the first name under some keys, without the folders far above it, if it is plain.

    Example:
        >>> _name_in({"data": "../lab/sticks/data.yaml", "dataset": "none"}, ("dataset", "data"))
        'sticks/data.yaml'
        >>> _name_in({"dataset": "postgresql://admin:word@host/prod", "data": "N/A"}, ("dataset",))
        ''
    """
    words = (value.strip() for key in keys if isinstance(value := settings.get(key), str))
    ends = ((word, word.replace("\\", "/").rstrip("/").split("/")[-2:]) for word in words)
    word, end = next(((word, end) for word, end in ends if any(map(_says, end))), ("", []))
    name = "/".join(end)
    is_plain = _NAME.fullmatch(word) and not _TOKEN.search(word) and len(name) <= LONGEST_NAME
    return name if is_plain else ""


def _says(part: str) -> bool:
    """Return whether a part of a name says more than that it is one, or a number."""
    stem = part.lower().partition(".")[0]
    return len(stem) > 1 and stem not in _NO_DATA and not stem.isdecimal()


def _started(focus: Focus) -> Iterator[Text]:
    """Yield which weights each of a few groups starts from, where settings tell all of them apart.

    One place may be written from another folder, or with the name of its owner in front.
    """
    values = [readings.shared_setting(_of([group]), _STARTS) for group in focus.groups]
    names = [_name_in({"": value}, ("",)) for value in values]
    told = [
        say(
            "{group} from {weights}" if name else "{group} from no checkpoint",
            group=Emphasis((group.label,)),
            weights=Code(name),
        )
        for group, name in zip(focus.groups, names, strict=True)
    ]
    places = [one.removeprefix("./").strip("/").split("/") for one in names]
    apart = all(a[-len(b) :] != b[-len(a) :] for a, b in combinations(places, 2))
    is_plain = all(n or v.lower() == "none" for n, v in zip(names, values, strict=True))
    if len(told) > 1 and len(told) <= MOST_STARTS and apart and is_plain:
        yield say("They start from different weights: {starts}.", starts=joined(told))


def _data(facts: Facts) -> Iterator[Text]:
    sizes = facts.study.split_sizes
    if sizes:
        parts: list[Text] = [
            say(_SIZES[s], n=split_size(f"{ID}.size.{s}", s, facts.study))
            for s in sizes
            if s in _SIZES
        ]
        yield say("There are {sizes} examples.", sizes=joined(parts))


def _schedule(focus: Focus) -> Iterator[Text]:
    """Yield the settings that all runs of the body share."""
    runs = _of(focus.groups)
    words: list[Text] = []
    for keys, text in _SCHEDULE:
        value = readings.shared_setting(runs, keys)
        if keys is readings.EPOCHS and _is_endless(value):
            updates = readings.shared_setting(runs, readings.UPDATES)
            if not _is_endless(updates):
                words.append(say("{value} updates", value=_grouped(updates)))
        elif keys is _WARMUP and _is_share(value):
            share = f"{100 * float(value):g}".replace(".", spoken().decimal_mark)
            words.append(say("{value} warm-up", value=f"{share}{spoken().percent_mark}"))
        elif keys is readings.EPOCHS and value.isdecimal():
            # A run that went further was not set to that.
            ends = [float(run.clock.epochs.max(initial=0)) for run in runs if run.clock]
            if max(ends, default=0) <= int(value) + 1:
                words.append(say_count("{value} epoch", "{value} epochs", int(value), value=value))
        elif value and value.lower() not in _OF_ITSELF:
            name = _OPTIMIZERS.get(value.lower().partition("_torch")[0], value)
            words.append(say(text, value=name))
    if words:
        yield say(
            "The run was set to {settings}."
            if len(runs) == 1
            else "These runs were set to {settings}."
            if focus.others
            else "All runs were set to {settings}.",
            settings=joined(words),
        )


def _is_endless(value: str) -> bool:
    return not value or (value.isdecimal() and int(value) >= _NO_LIMIT)


def _grouped(value: str) -> str:
    return grouped(int(value)) if value.isdecimal() else value


def _is_share(value: str) -> bool:
    """Return whether a number of updates is a share of them."""
    try:
        return 0 < float(value) < 1
    except ValueError:
        return False


def _of(groups: Sequence[GroupResult]) -> list[Run]:
    return [cell.run for group in groups for cell in group.cells if cell.run is not None]


def _runs(facts: Facts, focus: Focus) -> Text:
    groups, runs = focus.groups, _of(focus.groups)
    if len(runs) < 2:
        return ()
    sizes = {sum(cell.run is not None for cell in group.cells) for group in groups}
    every, sources = len(facts.runs), of_cells(facts.study, facts.groups)
    own = of_cells(facts.study, groups)
    places: dict[str, Number | str] = {
        "n": counted(f"{ID}.runs", len(runs), message("runs"), own),
        "every": counted(f"{ID}.every", every, message("runs found"), sources),
        "groups": in_words(len(groups)),
        "each": in_words(max(sizes)),
    }
    alike, seeds, folds = len(sizes) == 1, focus.has_seeds, has_folds(groups)
    if focus.others:
        return say(
            "Of {every} runs, {n} are compared: {groups} groups of {each} seeds."
            if alike and seeds and len(groups) > 1 and sizes != {1}
            else "Of {every} runs, {n} are compared here.",
            **places,
        )
    if len(groups) == 1:
        return say(
            "The {n} runs differ in their seed."
            if seeds
            else "The {n} runs are the folds of a cross-validation."
            if folds
            else "There are {n} runs.",
            **places,
        )
    return say(
        "There are {n} runs."
        if sizes == {1}
        else "The {n} runs form {groups} groups."
        if not alike
        else "The {n} runs are {groups} groups of {each} seeds."
        if seeds
        else "The {n} runs are {groups} groups of {each} folds."
        if folds
        else "The {n} runs are {groups} groups of {each}.",
        **places,
    )


def _alike(focus: Focus) -> Iterator[Text]:
    """Yield which runs state equal settings and one seed, so that nothing tells them apart."""
    alike: dict[str, list[GroupResult]] = {}
    for group in focus.groups:
        for run in [cell.run for cell in group.cells if len(group.cells) == 1 and cell.run]:
            stated = {k: v for k, v in run.config.items() if not k.lower().endswith(_PLACES)}
            if run.seed is not None and len(stated) >= LEAST_SETTINGS:
                alike.setdefault(repr((run.seed, sorted(stated.items()))), []).append(group)
    same = max(alike.values(), key=len, default=[])
    if 1 < len(same) <= MOST_VALUES:
        clocks = [cell.run.clock for one in same for cell in one.cells if cell.run]
        paces = [clock.steps_per_epoch for clock in clocks if clock and clock.steps_per_epoch]
        yield say(
            "{groups} state the same settings and the same seed, but their epochs have "
            "{least} to {most} steps: their training data differ."
            if paces and max(paces) > _APART * min(paces)
            else "{groups} state the same settings and the same seed: they repeat one setting, or "
            "differ in what was not logged.",
            least=grouped(min(paces, default=0)),
            most=grouped(max(paces, default=0)),
            groups=joined([(Emphasis((label,)),) for label in sorted(one.label for one in same)]),
        )


def _copied(facts: Facts, focus: Focus) -> Iterator[Text]:
    """Yield which runs log the same curve, value by value: they are no two witnesses."""
    curves: dict[bytes, list[Text]] = {}
    for group in focus.groups:
        for run in _of([group]):
            series = run.find(facts.study.metric.name, group.report_split)
            if series and len({*series.values[:FEWEST_VALUES].tolist()}) == FEWEST_VALUES:
                name = group.label if len(group.cells) == 1 else run.id
                same = curves.setdefault(series.values.astype("float32").tobytes(), [])
                same.append((Emphasis((name,)),))
    same = max(curves.values(), key=len, default=[])
    if len(same) > 1:
        yield say(
            "{runs} log the same {metric} throughout: one run told twice, or an exact repetition."
            if len(same) <= MOST_VALUES
            else "{count:cap} runs log the same {metric} throughout: they repeat one run exactly.",
            runs=joined(same),
            count=in_words(len(same)),
            metric=spelled(facts.study.metric.name),
        )


def _varied(facts: Facts, focus: Focus) -> Iterator[Text]:
    """Yield what was varied in a sweep, with the values that were tried."""
    order = ranked(facts, focus.groups) if focus.is_sweep else []
    texts: list[Text] = []
    for factor in naming_factors(order):
        values = {short_value(value): number_of(value) for value in factor.values.values() if value}
        known = [(number, value) for value, number in values.items() if number is not None]
        shown = [value for _, value in sorted(known)] if len(known) == len(values) else [*values]
        name: Inline | Text = Code(factor.name)
        if factor.beside:
            name = say("{factor} together with {others}", factor=name, others=named_beside(factor))
        told = say(
            "{factor} ({values})"
            if len(shown) <= MOST_VALUES
            else "{factor} ({n} values from {low} to {high})"
            if len(known) == len(values)
            else "{factor} ({n} values)",
            factor=name,
            values=listed([(Code(value),) for value in shown], ", "),
            n=in_words(len(shown)),
            low=Code(shown[0]),
            high=Code(shown[-1]),
        )
        texts.append(told)
    if texts:
        yield say("They vary {factors}.", factors=joined(texts))


def _called(facts: Facts, focus: Focus) -> Text:
    """Say what names of groups leave out, where they do."""
    frames = joined([(Code(frame),) for frame in shared_frames(facts, focus.groups)])
    return say("Their names leave out what they share: {frame}.", frame=frames) if frames else ()


# --- time -----------------------------------------------------------------------------


def _time(focus: Focus) -> Text:
    """Say how long a run took as it logged that, else what its log spans: a part of it."""
    runs = _of(focus.groups)
    times = [time for run in runs if (time := readings.seconds_of(run)) is not None]
    apart, several, one = _SPANS if any(run.elapsed() is None for run in runs) else _TOOK
    if not times or median(time.value for time in times) < 1:
        return ()
    # A log of less than a second tells when it was written, not how long a run took.
    ordered = sorted((time for time in times if time.value >= 1), key=lambda time: time.value)
    if ordered[-1].value > 2 * ordered[0].value:
        low, high = (_seconds(f"{ID}.seconds.{i}", [ordered[i]]) for i in (0, -1))
        low = low[:1] if low[1:] == high[1:] else low
        return say(apart, low=low, high=high)
    text = several if len(runs) > 1 else one
    return say(text, time=_seconds(f"{ID}.seconds", ordered))


def _ends(focus: Focus) -> Text:
    """Say between which steps runs end, where these differ much and count nothing that is known."""
    runs = _of(focus.groups)
    found = [(run, points) for run in runs if (points := of_last_step(run)) and points[0].step]
    counted_in = readings.count_updates(runs) or all(run.clock is not None for run in runs)
    if len(focus.groups) < 3 or len(found) < len(runs) or counted_in:
        return ()
    steps = sorted(points[0].step or 0 for _, points in found)
    if steps[-1] < LONGER * steps[0]:
        return ()
    words = message("last logged step")
    low, high = (
        count_of(step, words, [p for _, points in found for p in points if p.step == step])
        for step in (steps[0], steps[-1])
    )
    return say(
        "Their last steps lie between {low} and {high}.",
        low=step_number(f"{ID}.end.first", replace(low, unit="step")),
        high=step_number(f"{ID}.end.last", replace(high, unit="step")),
    )


def _seconds(identifier: str, times: Sequence[Quantity]) -> Text:
    """Return the median of some times with its unit."""
    value, unit = _unit_of(median(time.value for time in times))
    quantity = Quantity(
        value=value,
        unit=unit,
        n=len(times),
        method=message("median time of a run, by its own clock"),
        sources=tuple(evidence for time in times for evidence in time.sources)[:100],
    )
    number = Number(id=identifier, quantity=quantity, decimals=0 if value >= 10 else 1)
    return (number, f" {tell(unit)}")


def _unit_of(seconds: float) -> tuple[float, str]:
    """Return a time in the unit that suits it."""
    if seconds < 120:
        return seconds, message("seconds")
    if seconds < 7200:
        return seconds / 60, message("minutes")
    return seconds / 3600, message("hours")


# --- conventions ----------------------------------------------------------------------


def _rule(facts: Facts, focus: Focus) -> Text:
    """Return what chooses the reported value, and what stands behind ±."""
    text = _choice(facts, focus)
    metric = facts.study.metric
    splits = {metric.select_on, *(group.report_split for group in focus.groups)}
    curves = (run.find(metric.name, split) for run in _of(focus.groups) for split in splits)
    tags = {curve.tag for curve in curves if curve is not None}
    for decision in facts.study.decisions:
        asked = decision.key == "metric.tags" and decision.asks and decision.alternatives
        if asked and tags & {*decision.value.split(", ")}:
            text += (" ", *_one_of(decision))
    if any(isinstance(group.report.std, Quantity) for group in facts.groups):
        text += (" ", *_deviation(facts))
    return text


def _one_of(decision: Decision) -> Text:
    """Say which of several curves is meant that measure the same and differ."""
    return say(
        "It was logged under {count} names, with unlike values; we take {tag}.",
        tag=Code(decision.value),
        count=in_words(len(decision.alternatives) + 1),
    )


def _choice(facts: Facts, focus: Focus) -> Text:
    metric = facts.study.metric
    if not metric.name:
        return ()
    splits = {group.report_split for group in focus.groups if group.report.n}
    report = noun(metric.report_on if metric.report_on in splits else next(iter(splits), ""))
    words = {"metric": spelled(metric.name), "select": noun(metric.select_on), "report": report}
    one, once = len(_of(focus.groups)) < 2, readings.once_after(facts, focus.groups)
    if once and not report:
        return say("{metric:cap} was measured once, after training.", **words)
    if readings.judged_once(facts, focus.groups):
        return say("The run was evaluated once." if one else "Each run was evaluated once.")
    if facts.selection.is_last:
        return say("We report the last {metric} that was logged; no step was chosen.", **words)
    if splits == {metric.select_on}:
        return say(
            "We report the best {select} {metric}. The same data choose the step and give the "
            "value, so it is optimistic."
            if one
            else "For each run we report the best {select} {metric}. The same data choose the step "
            "and give the value, so the values are optimistic.",
            **words,
        )
    if metric.select_on == "test":
        text = say("For each run the step with the best {select} {metric} is chosen.", **words)
        return (*text, " ", *say("Caution: {caveat}.", caveat=chose_its_own(facts)))
    if once:
        return say("{report:cap} {metric} was measured once, after training.", **words)
    return say(
        "We report {report} {metric} at the evaluation with the best {select} {metric}."
        if one
        else "For each run we report {report} {metric} at the evaluation with the best {select} "
        "{metric}.",
        **words,
    )


def _deviation(facts: Facts) -> Text:
    folds = has_folds(facts.groups)
    if facts.study.statistics.ddof == 1:
        return say(
            "± is the sample standard deviation (n − 1) over folds."
            if folds
            else "± is the sample standard deviation (n − 1) over runs."
        )
    return say(
        "± is the population standard deviation (n) over folds."
        if folds
        else "± is the population standard deviation (n) over runs."
    )
