"""Where logs belong by their paths and tags: to which split, to which run of a study."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from fnmatch import filter as matching
from fnmatch import fnmatchcase, translate
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from reportgen.records.errors import StudyError
from reportgen.records.metrics import SHARES_OF_EXAMPLES, known_metric
from reportgen.records.record import replace
from reportgen.records.run import SPLITS, Log, Problem, Run, Series
from reportgen.records.study import Decision, Study
from reportgen.runs._layout import (
    OF_LOGS,
    TABLES,
    Draft,
    Layout,
    Names,
    Place,
    inside,
    leaf,
    parent,
    stem_of,
)
from reportgen.runs._words import (
    SPLIT_NAMES,
    decided,
    is_evaluated,
    is_result,
    meant_label,
    metric_name,
    problem,
    split_tag,
    table_of_words,
    told,
    words,
)
from reportgen.runs.series import Scalars, group_by

if TYPE_CHECKING:
    from numpy.typing import NDArray

# On which split a tag was measured: by folders and prefixes, by its program, by the study.

_SEPARATOR = re.compile(r"[/_ .\-]")
_EVAL = words("names", "evaluated")
_DEV = words("splits", "validation") - _EVAL
_VALIDATED = re.compile(r"^val(?:idation)?[_/]")
_TEST = words("splits", "test")
_OWN_WORD = frozenset({"hf_trainer", "keras", "fairseq", "fairseq_console"})
"""Layouts of programs that have a word of their own for each split."""

_SIZED = frozenset({"hf_trainer"})
"""Layouts of programs that log how long evaluations took, and how many examples."""
_OF_EXAMPLES = SHARES_OF_EXAMPLES | {"exact_match"}
_PACE = "samples_per_second"
_ROUNDED = (0.5e-4, 0.5e-3)
"""By how much the seconds of an evaluation and its examples a second are rounded at most."""
_HALF = 0.25
_MOST_EXAMPLES = 1e12
MOST_SIZES = 10
"""Numbers of examples that one run may allow; of more, nothing is told."""


def split_names_of(layout: str, logs: Sequence[Log], study: Study) -> dict[str, str]:
    """Return folder or prefix to split, for the logs of one layout.

    `eval` beside a development set and without a test set is the test set, as in speech
    recognition; else it is taken for the validation split.
    """
    names = dict(SPLIT_NAMES)
    if layout not in _OWN_WORD:
        there = {leaf(parent(log.source.path)).lower() for log in logs}
        for tag in {tag.lower() for log in logs for tag in log.series}:
            parts = _SEPARATOR.split(tag)
            there.update((parts[0], parts[-1], *tag.split("/")[1:-1]))
        if there & _DEV and not there & _TEST:
            names.update(dict.fromkeys(there & _EVAL, "test"))
    return {**names, **study.split_names}


def used_names(runs: Sequence[Run]) -> Mapping[str, str]:
    """Return the folders and prefixes that named a split in these runs."""
    used: dict[str, str] = {}
    # Runs log the same tags, mostly: each is taken apart once, in the order of the runs.
    tags = dict.fromkeys((key, s.split) for run in runs for key, s in run.scalars.items())
    for key, split in tags:
        if split in SPLITS:
            found = set(_SEPARATOR.split(key.lower())) & set(SPLIT_NAMES)
            fitting = {word for word in found if SPLIT_NAMES[word] == split}
            moved = found & _EVAL if split == "test" else set()
            used.update(dict.fromkeys(fitting or moved, split))
    return dict(sorted(used.items()))


def split_decisions(study: Study, metric: str, runs: Sequence[Run]) -> list[Decision]:
    """Return on which splits names and tags were taken to be measured, and what is asked."""
    used = used_names(runs)
    own = {run.layout for run in runs} <= _OWN_WORD
    return [
        *(
            _name_decision(name, split, set(used), own_word=own)
            for name, split in used.items()
            if name != split and name not in study.split_names
        ),
        *_program_decisions(study, runs),
        *_unsaid_decisions(study, runs),
        *_tag_decisions(study, metric, runs),
    ]


def split_sizes(runs: Sequence[Run]) -> dict[str, int]:
    """Return how many examples the evaluations of each split took, where the logs tell.

    A program states the number itself, or for each evaluation how long it took and how many
    examples a second: their product is that number, as near as both are rounded. It counts where
    every run that has the split agrees on one, and an accuracy is a whole number of examples in
    each evaluation: one of tokens, of which an example has many, is none.

    Source: `speed_metrics` in transformers/trainer_utils.py rounds to 4 and 3 decimals.
    """
    found: dict[str, int] = {}
    for split in ("validation", "test"):
        own = [run for run in runs if any(s.split == split for s in run.scalars.values())]
        own = own if all(run.layout in _SIZED for run in own) else []
        sizes = [_sizes_of_run(run, split) for run in own]
        if sizes and len(same := set.intersection(*sizes)) == 1:
            found[split] = same.pop()
    return found


def _sizes_of_run(run: Run, split: str) -> set[int]:
    """Return the numbers of examples that every evaluation of a run allows."""
    own = {leaf(s.tag).removeprefix("eval_"): s for s in run.scalars.values() if s.split == split}
    stated, seconds, pace = (own.get(name) for name in ("samples", "runtime", _PACE))
    found = None if stated is None else {int(n) for n in stated.values if 1 <= n < _MOST_EXAMPLES}
    measured = _measured_sizes(seconds, pace)
    sizes = (measured if found is None else found if measured is None else found & measured) or ()
    shares = [s.values.astype(float) for s in own.values() if s.metric in _OF_EXAMPLES]
    return {size for size in sizes if all(_is_whole(v, size) for v in shares)}


def _measured_sizes(seconds: Series | None, pace: Series | None) -> set[int] | None:
    """Return the numbers of examples that times and speeds allow; None where these are not told."""
    if seconds is None or pace is None or not np.array_equal(seconds.steps, pace.steps):
        return None
    times, paces = seconds.values.astype(float), pace.values.astype(float)
    with np.errstate(over="ignore", invalid="ignore"):
        sizes = times * paces
    if not len(sizes) or not ((times > 0) & (paces > 0) & (sizes < _MOST_EXAMPLES)).all():
        return None
    slack = sizes * (_ROUNDED[0] / times + _ROUNDED[1] / paces + np.finfo(np.float32).eps)
    low, high = int(np.ceil((sizes - slack).max())), int(np.floor((sizes + slack).min()))
    return set(range(low, high + 1)) if high - low < MOST_SIZES else None


def _is_whole(shares: NDArray[np.float64], size: int) -> bool:
    """Tell whether each share, or percentage, is a whole number of so many examples."""
    counts = shares * size / (100 if (shares > 1).any() else 1)
    slack = size * 2 * np.finfo(np.float32).eps
    return bool(slack < _HALF and (np.abs(counts - np.round(counts)) <= slack).all())


def _name_decision(name: str, split: str, used: set[str], *, own_word: bool) -> Decision:
    """Return what a folder or prefix was taken for, where its name is not the split's own."""
    key, beside = f"splits.names.{name}", ", ".join(sorted(used & _TEST))
    if name not in _EVAL:
        return decided(key, split, told("found_name"))
    if split == "test":
        reason = told("eval_beside", name=name, beside=", ".join(sorted(used & _DEV)))
        return decided(key, split, reason, ("validation",), asks=True)
    if own_word:
        return decided(key, split, told("eval_of_program"), ("test",))
    if beside:
        return decided(key, split, told("found_beside", beside=beside))
    return decided(key, split, told("eval_alone", name=name), ("test",), asks=True)


# --- tags of which a program documents what they are measured on --------------------------


class ProgramTag(NamedTuple):
    """Tags of one program: a row of `words.ini`, where the columns are explained."""

    tag: str
    program: str
    split: str = ""
    prefix: str = ""
    beside: str = ""


PROGRAM_TAGS = tuple(
    ProgramTag(tag, *(word.strip("-") for word in row.split()))
    for tag, row in table_of_words()["program_tags"].items()
)
_ANY = re.compile("|".join(translate(row.tag) for row in PROGRAM_TAGS))


def documented_tags(scalars: Scalars) -> dict[str, ProgramTag]:
    """Return key to row of the series whose tags known programs document."""
    tags = {series.tag for series in scalars.values()}
    if not any(_ANY.match(tag.strip()) for tag in tags):
        return {}
    rows = [row for row in PROGRAM_TAGS if not row.beside or matching(tags, row.beside)]
    found = {
        key: next((row for row in rows if fnmatchcase(series.tag.strip(), row.tag)), None)
        for key, series in scalars.items()
    }
    return {key: row for key, row in found.items() if row is not None}


def label_program_tags(drafts: Sequence[Draft]) -> None:
    """Give the tags of known programs their metric and split; what the runs hold is changed."""
    for draft in drafts:
        for key, row in documented_tags(draft.scalars).items():
            series = draft.scalars[key]
            own = metric_name(series.tag.strip())
            metric = row.prefix + (own if row.split else series.metric)
            draft.scalars[key] = replace(series, metric=metric, split=row.split or series.split)


# --- tags that leave their split open, and what a study states for single ones ------------

KEY = "splits.tags"


def unsaid_labels(labelled: Mapping[str, Series], names: Names) -> dict[str, tuple[str, str]]:
    """Return (metric, split) of tags whose own words do not tell it, by what stands beside them.

    A mean over an epoch is what it is the mean of, where nothing else is: `avg_val_loss`. Beside
    `avg_return`, `avg_test_return` keeps the name of that.
    Beside `val_loss`, `loss` is of training, as Keras calls the two, and Chainer. Where the losses
    of both name their splits, a result beside them that is measured when the validation loss is,
    and that no other tag repeats, is of validation: who writes `train_loss, val_loss, miou`
    returns it from the function that validates.
    """
    open_ones = {key: one for key, one in labelled.items() if not one.split}
    said = {(one.metric, one.split): one for one in labelled.values() if one.split}
    plain = {one.metric for one in open_ones.values()}
    found: dict[str, tuple[str, str]] = {}
    for key, one in open_ones.items():
        metric, split = meant_label(one.metric, names)
        beside = f"{one.metric.partition('_')[0]}_{metric}"
        label = (beside if beside in plain else metric, split)
        if label[1] and label not in said:
            found[key] = label
            said[label] = one
    behind = {_VALIDATED.sub("", one.tag): one.metric for one in labelled.values() if one.split}
    found |= {k: (behind[s.tag], "train") for k, s in open_ones.items() if s.tag in behind}
    validated = said.get(("loss", "validation"))
    if validated is None or ("loss", "train") not in said:
        return found
    return found | {
        key: (one.metric, "validation")
        for key, one in open_ones.items()
        if key not in found
        and one.metric not in {metric for metric, _ in said}
        and is_evaluated(one.metric)
        and np.array_equal(one.steps, validated.steps)
    }


def state_splits(drafts: Sequence[Draft], stated: Mapping[str, str]) -> list[Problem]:
    """Give each tag that the study names its split; what the runs hold is changed.

    A tag goes by its own name before any pattern, and by the first of several patterns.

    Returns:
        A problem for each name or pattern that no tag has, with the nearest one there is.
    """
    used: set[str] = set()
    logged: set[str] = set()
    for draft in drafts:
        for key, series in draft.scalars.items():
            logged |= {key, series.tag}
            name = _statement_for(key, series, stated)
            if name:
                used.add(name)
                draft.scalars[key] = replace(series, split=stated[name])
    problems = []
    for name in (name for name in stated if name not in used):
        import difflib

        near = difflib.get_close_matches(name, sorted(logged), n=1, cutoff=0.5)
        code, places = "no_such_tag", {"name": repr(name)}
        if near:
            code, places = "no_such_tag_but", {**places, "near": repr(near[0])}
        problems.append(problem(code, ".", **places))
    return problems


def _statement_for(key: str, series: Series, stated: Mapping[str, str]) -> str:
    """Return the name or pattern that speaks of a tag, with its folder or alone."""
    names = (key, series.tag)
    own = next((name for name in names if name in stated), "")
    return own or next((p for p in stated if any(fnmatchcase(n, p) for n in names)), "")


def _unsaid_decisions(study: Study, runs: Sequence[Run]) -> list[Decision]:
    """Tell which results were taken for those of validation though their tags name no split."""
    names = {**SPLIT_NAMES, **study.split_names}
    tags = {
        series.tag
        for run in runs
        if run.find("loss", "validation") is not None
        for documented in (documented_tags(run.scalars),)
        for key, series in run.scalars.items()
        if series.split == "validation"
        and is_evaluated(series.metric)
        and is_result(series.metric)
        and not (split_tag(key, names)[1] or meant_label(series.tag.lower(), names)[1])
        and key not in documented
        and not _statement_for(key, series, study.split_tags)
    }
    reason, others = told("names_no_split"), ("test", "train")
    return [decided(f"{KEY}.{tag}", "validation", reason, others) for tag in sorted(tags)]


def _program_decisions(study: Study, runs: Sequence[Run]) -> list[Decision]:
    """Say of tags that name no split which one their program documents, but that of training."""
    found = {
        row
        for run in runs
        for key, row in documented_tags(run.scalars).items()
        if row.split not in {"", "train"}
        and not _statement_for(key, run.scalars[key], study.split_tags)
    }
    return [
        decided(
            f"{KEY}.{row.tag}",
            row.split,
            told("split_of_program", program=row.program, split=row.split),
        )
        for row in sorted(found)
    ]


def _tag_decisions(study: Study, metric: str, runs: Sequence[Run]) -> list[Decision]:
    """Ask of which split a metric is that decides, where no tag of it names one."""
    found = [s for run in runs for s in run.scalars.values() if s.metric == metric and len(s)]
    if not metric or not found or any(series.split for series in found):
        return []
    tag = Counter(series.tag for series in found).most_common(1)[0][0]
    if tag in study.split_tags:
        return []
    others = ("validation", "test", "train")
    return [decided(f"{KEY}.{tag}", "", told("split_unknown", tag=tag), others, asks=True)]


# Where logs belong by their paths: a word of a split in them, and the pattern of a study.

ULTRALYTICS = "ultralytics"
_SEPARATORS = "_-. /"
_WORDS = re.compile(r"[\W_]+")

Places = dict[int, Place]
"""`id` of a log to its place, where that is another than its layout says."""
Stated = dict[int, tuple[Place, str, int | None]]
"""`id` of a log to the place, group and seed that the pattern found for it."""


def split_places(layout: Layout, logs: Sequence[Log], names: Names) -> Places:
    """Return the places of logs whose files and folders are, or are not, those of splits."""
    return {
        **(_split_files(layout, logs, names) if layout.name == "plain" else {}),
        **_owned_folders(layout, logs, names),
        **_nested_splits(layout, logs, names),
    }


def _counterparts(found: Sequence[tuple[Log, Place]], names: Names) -> Places:
    """Return the places of runs that have logs of several splits: one word proves nothing."""
    return {
        id(log): place
        for several in group_by(found, lambda one: one[1].run).values()
        if len({names[place.folder.lower()] for _, place in several}) > 1
        for log, place in several
    }


def _nested_splits(layout: Layout, logs: Sequence[Log], names: Names) -> Places:
    """Return the places of logs below a folder that is of a split: `train/a` beside `test/a`."""
    found = []
    for log in logs:
        place = layout.place(log)
        parts = place.run.split("/")
        at = [i for i, part in enumerate(parts) if not place.folder and part.lower() in names]
        if at:
            run = "/".join([*parts[: at[-1]], *parts[at[-1] + 1 :]])
            found.append((log, Place(run=run, folder=parts[at[-1]])))
    return _counterparts(found, names)


def _split_files(layout: Layout, logs: Sequence[Log], names: Names) -> Places:
    """Return the places of logs in files whose names differ in the word of a split alone.

    `train_log.csv` and `val_log.csv` are of one run, which the rest of their name names, if that
    says more than what a log is called. A file of validation or test that holds a training is not,
    nor is one that its program keeps below the folder of its run.
    """
    found = []
    for log in logs:
        folder = parent(log.source.path)
        if not f"{layout.place(log).run}/".startswith(f"{folder}/" if folder else ""):
            continue
        parts = _WORDS.split(stem_of(log.source.path))
        at = [i for i, word in enumerate(parts) if word.lower() in names]
        if len(at) == 1 and len(parts) > 1 and log.source.kind in TABLES and not log.run_key:
            word = parts.pop(at[0])
            told = {split_tag(tag, names)[1] for tag in log.series}
            if names[word.lower()] == "train" or "train" not in told:
                name = "_".join(parts) if any(map(_says_more, parts)) else ""
                found.append((log, Place(run=inside(folder, name), folder=word)))
    return _counterparts(found, names)


def _says_more(word: str) -> bool:
    return word.lower() not in OF_LOGS and not known_metric(metric_name(word))


def _owned_folders(layout: Layout, logs: Sequence[Log], names: Names) -> Places:
    """Return the places of logs whose folder is called as a split and is a run.

    A folder of validation or test in which a training is logged is one; and beside other runs, a
    folder without those of other splits that logs what they do, or names splits of its own.
    """
    placed = [(log, layout.place(log)) for log in logs]
    runs = group_by(placed, lambda one: one[1].run)
    beside = group_by(runs, parent)
    found: Places = {}
    for run, several in runs.items():
        folders = group_by([(log, place.folder) for log, place in several], lambda one: one[1])
        own = {
            folder: [log for log, _ in some]
            for folder, some in folders.items()
            if folder.lower() in names and leaf(parent(some[0][0].source.path)) == folder
        }
        near = [one for one in beside.get(run, ()) if own and one != run]
        others = [log for one in near if leaf(one).lower() not in names for log, _ in runs[one]]
        # As Ultralytics calls a run whose owner gives it no name.
        default = [f for f, some in own.items() if any(one.program == ULTRALYTICS for one in some)]
        for folder, alone in {**_runs_among(own, others, names), **dict.fromkeys(default)}.items():
            place = run if alone and len(folders) == 1 else f"{run}/{folder}".lstrip("/")
            found |= {id(log): Place(run=place) for log in own[folder]}
    return found


def _runs_among(
    folders: Mapping[str, Sequence[Log]], others: Sequence[Log], names: Names
) -> dict[str, bool]:
    """Return which folders called as splits are runs, and whether nothing lies beside each."""
    found: dict[str, bool] = {}
    splits = {folder: names[folder.lower()] for folder in folders}
    # What is called after training may hold it, unless it is alone among runs.
    for folder in sorted(folders, key=lambda one: splits[one] == "train"):
        left = {split for one, split in splits.items() if one not in found}
        tags = {tag for log in folders[folder] for tag in log.series}
        told = {split_tag(tag, names)[1] for tag in tags} - {splits[folder], ""}
        among = bool(others or found)
        alike = any(tags == set(log.series) for log in others)
        if splits[folder] != "train" and "train" in told:
            found[folder] = not among
        elif len(left) == 1 and among and (told or alike):
            found[folder] = False
    return found


# --- the pattern of a study ---------------------------------------------------------------


def compile_pattern(pattern: str) -> re.Pattern[str] | None:
    """Return the study's pattern, ready to search; None where it has none."""
    if not pattern:
        return None
    try:
        compiled = re.compile(pattern)
    except (re.error, RecursionError, OverflowError) as error:
        told = f"runs.pattern is no regular expression: {error}"
        raise StudyError(told, remedy="correct it, or leave it empty") from error
    if not {"group", "seed"} & set(compiled.groupindex):
        raise StudyError(
            "runs.pattern names neither (?P<group>...) nor (?P<seed>...)",
            remedy=r"for example (?P<group>[^/]+)/(?P<seed>\d+)$",
        )
    return compiled


def read_pattern(
    pattern: re.Pattern[str], layout: Layout, logs: Sequence[Log], nested: Places
) -> Stated:
    """Return `id` of a log to (place, group, seed), for logs on whose path it matches.

    It is searched in the run's path; where it names a split, in the folder of the log first.
    """
    found: Stated = {}
    for log in logs:
        place = nested.get(id(log)) or layout.place(log)
        folder = log.run_key if "/" in log.run_key else parent(log.source.path)
        paths = (folder, place.run) if "split" in pattern.groupindex else (place.run, folder)
        path, match = next(((p, m) for p in paths if (m := pattern.search(p))), ("", None))
        if match is None:
            continue
        if split := match.groupdict().get("split"):
            begin, end = match.span("split")
            place = Place(run=(path[:begin].rstrip("/") + path[end:]).strip("/"), folder=split)
        found[id(log)] = (place, *groups_in(match))
    return found


def groups_in(match: re.Match[str]) -> tuple[str, int | None]:
    r"""Return the group and the seed that a match states.

    A name in two parts, around the seed, is `group` and `group2`: what stands between them
    begins with the separator that joins them. A pattern that names the seed alone leaves the
    rest of the path as the group.

    Example:
        >>> groups_in(re.search(r"(?P<group>\w+)-s(?P<seed>\d)-(?P<group2>\w+)", "bert-s3-large"))
        ('bert-large', 3)
        >>> groups_in(re.search(r"seed(?P<seed>\d)", "bert_seed3"))
        ('bert', 3)
    """
    parts = match.groupdict()
    seed = parts.get("seed") or ""
    number = int(seed) if seed.isascii() and seed.isdecimal() else None
    if not {"group", "group2"} & set(parts):
        rest = (match.string[: match.start()], match.string[match.end() :])
        return inside(*(part.strip(_SEPARATORS) for part in rest)), number
    first, second = parts.get("group") or "", parts.get("group2") or ""
    if first and second:
        between = match.string[match.end("group") : match.start("group2")][:1]
        first += between if between and between in _SEPARATORS else "_"
    return first + second, number


def state_groups(
    drafts: Sequence[Draft], stated: Stated, root_name: str, pattern: re.Pattern[str]
) -> None:
    """Give runs the group and seed that the study's pattern finds.

    Where a program has a name for a run, the pattern is searched in that first. A run whose path
    is nothing but a seed is of the group `root_name`.
    """
    by_folder = {place.run: (group, seed) for place, group, seed in stated.values()}
    for draft in drafts:
        match = pattern.search(draft.name) if draft.name else None
        found = groups_in(match) if match else by_folder.get(draft.place)
        if found:
            draft.group, draft.seed = found[0] or root_name, found[1]
