"""Where programs put their logs: from folders and tags to runs, a row of functions a program."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from reportgen.records.metrics import known_metric
from reportgen.records.record import replace
from reportgen.records.run import Log, Problem, Series
from reportgen.records.source import read_download
from reportgen.runs._evidence import contradict, find_tokens, read_path, settings_of
from reportgen.runs._layout import (
    TABLES,
    Draft,
    Layout,
    Names,
    Place,
    inside,
    leaf,
    parent,
    stem_of,
    step_in_name,
)
from reportgen.runs._words import (
    SPLIT_NAMES,
    is_result,
    metric_name,
    named_split,
    problem,
    result_key,
    split_tag,
    told,
    trainer_tag,
    words,
)
from reportgen.runs.series import BOOKKEEPING, group_by, join, last_step, point_of, result_of


def _split_below(log: Log, is_split: Callable[[str], object]) -> Place:
    """Return the folder of a log as the run, or that above it where it is one of a split."""
    folder = parent(log.source.path)
    if is_split(leaf(folder)):
        return Place(run=parent(folder), folder=leaf(folder))
    return Place(run=folder)


def _place_at(log: Log, pattern: re.Pattern[str]) -> Place:
    """Return the first folder of a name that a program gives, or the file's own."""
    parts = parent(log.source.path).split("/")
    depth = next((i for i, part in enumerate(parts, start=1) if pattern.fullmatch(part)), None)
    return Place(run="/".join(parts[:depth]))


def _stem(log: Log) -> str:
    return log.source.path.rpartition(".")[0] or log.source.path


def _is_split_name(name: str) -> bool:
    return name.lower() in SPLIT_NAMES


# --- fairseq: `<model>/<seed>/{train,train_inner,valid,test}`, bare tags, percent -----------

_FOLDER = re.compile(r"train|train_inner|valid\d*|test\d*")
_MARKS = ("train_inner", "valid")
_ARGUMENTS = frozenset({"sys.argv", "sys.argv/text_summary"})
_ACCURACY = frozenset({"accuracy"})


def _fairseq(logs: Sequence[Log]) -> Sequence[Log]:
    """Take event files in fairseq's split folders, where one of them is fairseq's own name."""
    events = [
        log for log in logs if log.source.kind == "tfevents" and _place_of_fairseq(log).folder
    ]
    runs = group_by(events, lambda log: _place_of_fairseq(log).run)
    marked = {run for run, members in runs.items() if any(map(_is_marked, members))}
    beside = {above for run in marked for above in _above(run)}
    return [
        log
        for run, members in runs.items()
        if run in marked or (beside & _above(run) and all(map(_is_bare, members)))
        for log in members
    ]


def _above(run: str) -> set[tuple[int, str]]:
    """Return the folder of a run's siblings and that of its cousins, each with its depth."""
    return {(1, parent(run)), (2, parent(parent(run)))} if "/" in run else {(1, "")}


def _is_bare(log: Log) -> bool:
    return not any("/" in tag for tag in log.series)


def _is_marked(log: Log) -> bool:
    own = bool(_ARGUMENTS & set(log.texts)) or leaf(parent(log.source.path)) in _MARKS
    return own and _is_bare(log)


def _place_of_fairseq(log: Log) -> Place:
    return _split_below(log, _FOLDER.fullmatch)


def _percent_of_fairseq(draft: Draft) -> frozenset[str]:
    """Name accuracy, where the run shows fairseq's hand: its command line or inner epochs.

    Source: `fairseq/criterions/sentence_prediction.py`, `100.0 * ncorrect / nsentences`.
    """
    own = bool(draft.config) or any(key.startswith("train_inner/") for key in draft.scalars)
    return _ACCURACY if own else frozenset()


def _place_of_console(log: Log) -> Place:
    """Return the folder that fairseq printed, else the file and the run's place in it."""
    return Place(run=log.run_key if "/" in log.run_key else inside(_stem(log), log.run_key))


def _label_of_console(_folder: str, tag: str, names: Names) -> tuple[str, str]:
    """Read the split off the tag's first part, as in `valid/accuracy`."""
    subset, _, rest = tag.rpartition("/")
    return metric_name(rest), named_split(subset, names)


# --- Keras: `train` and `validation` folders, tags that count epochs or iterations ----------

_TAG = re.compile(r"(epoch|batch)_(?P<metric>[^/]+)|evaluation_(?P<late>.+_vs_iterations)")
_TENSOR_FILE = re.compile(r"\.v2(\.|$)")


def _is_of_keras(log: Log) -> bool:
    """Take event files of TensorFlow 2 (`.v2`) and those with Keras's tags."""
    told = _TENSOR_FILE.search(leaf(log.source.path)) or any(map(_TAG.fullmatch, log.series))
    return log.source.kind == "tfevents" and bool(told)


def _label_of_keras(folder: str, tag: str, names: Names) -> tuple[str, str]:
    """Read the split off the folder."""
    found = _TAG.fullmatch(tag)
    if found is None:
        metric, split = split_tag(tag.removeprefix("v_") if folder else tag, names)
        return metric, names.get(folder.lower(), split)
    prefix = "batch_" if found[1] == "batch" else ""
    return prefix + metric_name(found["late"] or found["metric"]), names.get(folder.lower(), "")


# --- Lightning: `version_N` folders with event files, `metrics.csv` and `hparams.yaml` ------

_VERSION = re.compile(r"version_\d+")


def _is_of_lightning(log: Log) -> bool:
    """Take what lies in a `version_N` folder, and Lightning's own file, of which a run has one."""
    own = log.program == "lightning" and not log.run_key
    return own or any(map(_VERSION.fullmatch, parent(log.source.path).split("/")))


def _give_tests(drafts: list[Draft], _logs: Sequence[Log]) -> list[Draft]:
    """Give what a version measured once, of the test alone, to the version before it.

    A trainer that tests in a process of its own counts that as a version. After another test, or
    of a run that was tested, nothing tells whose it is.
    """
    at = {draft.place: draft for draft in drafts}
    tests = {id(draft) for draft in drafts if _only_tests(draft)}
    gone = set()
    for draft in drafts:
        stem, _, number = draft.place.rpartition("_")
        numbers = (int(number) - 1, int(number) + 1) if number.isdecimal() else ()
        host, *after = [at.get(f"{stem}_{one}") for one in numbers] or [None]
        alone = not {id(one) for one in (host, *after)} & tests
        if id(draft) not in tests or host is None or not alone:
            continue
        tested = any(series.split == "test" for series in host.scalars.values())
        if not tested and not contradict(settings_of(host.config), settings_of(draft.config)):
            host.results += [result_of(series, key) for key, series in draft.scalars.items()]
            draft.results = []
            host.take(draft)
            gone.add(id(draft))
    return [draft for draft in drafts if id(draft) not in gone]


def _only_tests(draft: Draft) -> bool:
    telling = [s for s in draft.scalars.values() if s.metric not in BOOKKEEPING]
    return bool(telling) and all(s.split == "test" and len(s) == 1 for s in telling)


# --- MLflow: a folder a run, or a database of runs, named by ids of 32 digits ---------------

_ID = re.compile(r"[0-9a-f]{32}")
_SYSTEM = "system/"


def _place_of_mlflow(log: Log) -> Place:
    """Return the run's folder, or the database and the run's id in it."""
    return Place(run=inside(_stem(log), log.run_key)) if log.run_key else _place_at(log, _ID)


def _label_of_mlflow(_folder: str, tag: str, names: Names) -> tuple[str, str]:
    """Read the split off the tag; what MLflow measures of the machine is no metric."""
    return ("", "") if tag.startswith(_SYSTEM) else split_tag(tag, names)


def _name_as_mlflow(drafts: list[Draft], logs: Sequence[Log]) -> list[Draft]:
    """Name runs as MLflow does: by experiment, by the run above, and by their own name."""
    about: dict[str, dict[str, str]] = {}
    for log in logs:
        about.setdefault(_place_of_mlflow(log).run, {}).update(log.texts)
    by_id = {leaf(folder): texts for folder, texts in about.items()}
    for draft in drafts:
        texts, above = about.get(draft.place, {}), about.get(parent(draft.place), {})
        over = by_id.get(texts.get("mlflow/mlflow.parentRunId", ""), {})
        experiment = texts.get("mlflow/experiment") or above.get("mlflow/experiment", "")
        own = _own_name(texts)
        draft.name = inside(experiment, _own_name(over), own) if own else ""
    return [d for d in drafts if about.get(d.place, {}).get("mlflow/stage") != "deleted"]


def _own_name(texts: Mapping[str, str]) -> str:
    return texts.get("mlflow/mlflow.runName") or texts.get("mlflow/run_name", "")


# --- CatBoost: `learn_error.tsv`, `test_error.tsv`, and event files of the same beside them ---

_ERRORS = re.compile(r"(learn|test)_error\.tsv")
_SETS = {"learn": "train", "test": "validation"}
"""What CatBoost calls its sets; the best iteration is chosen on the second one.

Source: catboost.ai, `concepts/output-data_loss-function` ("the validation dataset").
"""


def _of_catboost(logs: Sequence[Log]) -> Sequence[Log]:
    """Take its tables of errors, and what lies in folders of its sets beside these."""
    tables = [log for log in logs if _ERRORS.fullmatch(leaf(log.source.path))]
    folders = {parent(log.source.path) for log in tables}
    events = [log for log in logs if log.source.kind == "tfevents" and folders]
    return [
        *tables,
        *(log for log in events if (at := _place_of_catboost(log)).folder and at.run in folders),
    ]


def _place_of_catboost(log: Log) -> Place:
    found = _ERRORS.fullmatch(leaf(log.source.path))
    own = Place(run=parent(log.source.path), folder=found[1]) if found else None
    return own or _split_below(log, lambda name: name in _SETS)


# --- anything else: a folder is a run; its splits are in folders or in tags -----------------

_SESSION = re.compile(r"(?:^|/)(?:\d{9,11}\.\d+|\d{8}_\d{6}/vis_data)$")
"""Folders that `add_hparams` makes, and mmengine for each start of a training."""
_OF_RESULTS = words("names", "of_results")
_MONITOR = ".monitor.csv"
"""How Stable-Baselines3 ends the name of what it logs of an environment."""


def _place_of_any(log: Log) -> Place:
    """Return the file's folder as the run, or its parent where the folder is a split.

    `add_scalars` writes `<tag>_<name>` folders below the run, `add_hparams` and mmengine one named
    after the clock: all belong to the folder above. Of tables, which many people keep side by side,
    one that is named like a split is a split of its folder, and each that a column of theirs
    tells apart is a run. So is a table with a number, and a console with a seed of its own.
    """
    folder = parent(log.source.path)
    if log.program == "dvclive":
        above, plots, _ = f"/{log.source.path}".rpartition("/plots/metrics/")
        return Place(run=above.lstrip("/") if plots else folder)
    stem = stem_of(log.source.path)
    if log.run_key:
        # What several files of results state of a run under its name is of one.
        plain = not log.series and _OF_RESULTS.issuperset(re.split(r"[\W_]+", stem.lower()))
        return Place(run=inside(folder, "" if plain else stem, log.run_key))
    # A console called after training tells all of a run, one after validation that alone.
    told = log.source.kind in TABLES or SPLIT_NAMES.get(stem.lower()) == "validation"
    table = _place_of_table(log, folder, stem) if told else None
    if table is not None:
        return table
    if _names_run(log, folder, stem) and not step_in_name(log):
        return Place(run=inside(folder, stem))
    if session := _SESSION.search(folder):
        return Place(run=folder[: session.start()])
    name = leaf(folder)
    for tag in log.series:
        prefix = tag.replace("/", "_") + "_"
        one_of_several = len(log.series) == 1 and name.startswith(prefix) and name != prefix
        if one_of_several and not _is_split_name(name):
            return Place(run=parent(folder), folder=name.removeprefix(prefix))
    return _split_below(log, _is_split_name)


def _names_run(log: Log, folder: str, stem: str) -> bool:
    """Tell whether a table is called after a run, or a console after a seed not its folder's."""
    if log.source.kind == "console":
        # A number alone may be that of a job.
        return bool(find_tokens(stem)) and read_path(stem).seed != read_path(folder).seed
    return log.source.kind in TABLES and stem != leaf(folder) and bool(read_path(stem).origin)


def _place_of_table(log: Log, folder: str, stem: str) -> Place | None:
    """Return where a table belongs by its name, None where that does not tell."""
    # The stem of `run-a-tag-x.y.csv` goes up to the last dot.
    if downloaded := read_download(leaf(log.source.path).rpartition(".")[0]):
        # The slashes of the run's name are underscores.
        above, _, last = downloaded[0].rpartition("_")
        split = last if _is_split_name(last) else ""
        name = above if split else downloaded[0]
        return Place(run=inside(folder, name.strip(".")), folder=split)
    # One agent learns in several environments at once, each with a file of its own.
    if leaf(log.source.path).endswith(_MONITOR):
        return Place(run=folder, folder=stem)
    if not _is_split_name(stem):
        return None
    # What names other splits besides is a log of the whole run: Keras' `training.log`.
    told = {split_tag(tag, SPLIT_NAMES)[1] for tag in log.series} - {""}
    return Place(run=folder, folder=stem if told <= {SPLIT_NAMES[stem.lower()]} else "")


def _label_of_any(folder: str, tag: str, names: Names) -> tuple[str, str]:
    """Read the split off the folder where it is one, else off the tag."""
    metric, split = split_tag(tag, names)
    above = names.get(folder.lower())
    if above is None or (above == "train" and split):
        return metric, split
    return (metric if split else metric_name(tag)), above


# --- the rows -------------------------------------------------------------------------------


def _all(test: Callable[[Log], bool]) -> Callable[[Sequence[Log]], Sequence[Log]]:
    return lambda logs: [log for log in logs if test(log)]


def _of_kind(*kinds: str) -> Callable[[Sequence[Log]], Sequence[Log]]:
    return _all(lambda log: log.source.kind in kinds)


FAIRSEQ = Layout(
    name="fairseq",
    recognise=_fairseq,
    place=_place_of_fairseq,
    # `train_inner` averages over a few updates inside an epoch, and is of no split.
    label=lambda folder, tag, names: (metric_name(tag), named_split(folder, names)),
    percent_metrics=_percent_of_fairseq,
)
FAIRSEQ_CONSOLE = Layout(
    name="fairseq_console",
    recognise=_of_kind("fairseq_log"),
    place=_place_of_console,
    label=_label_of_console,
    percent_metrics=lambda _: _ACCURACY,
)
KERAS = Layout(
    name="keras",
    recognise=_all(_is_of_keras),
    place=lambda log: _split_below(log, _is_split_name),
    label=_label_of_keras,
)
LIGHTNING = Layout(
    name="lightning",
    recognise=_all(_is_of_lightning),
    place=lambda log: _place_at(log, _VERSION),
    label=lambda _, tag, names: split_tag(tag, names),
    settle=_give_tests,
)
MLFLOW = Layout(
    name="mlflow",
    recognise=_of_kind("mlflow_store", "mlflow_db"),
    place=_place_of_mlflow,
    label=_label_of_mlflow,
    settle=_name_as_mlflow,
)
CATBOOST = Layout(
    name="catboost",
    recognise=_of_catboost,
    place=_place_of_catboost,
    label=lambda folder, tag, _: (metric_name(tag), _SETS.get(folder, "")),
)
PLAIN = Layout(name="plain", recognise=lambda logs: logs, place=_place_of_any, label=_label_of_any)


# Hugging Face Trainer: event files under `runs/`, trainer states, result files.

_EVENT_FOLDER = re.compile(r"[A-Z][a-z]{2}\d\d_\d\d-\d\d-\d\d_.+")
_TRAINER_SESSION = re.compile(r"\d{9,11}\.\d+")
_CHECKPOINT = re.compile(r"checkpoint-(\d+)")
_TRAINER_ARGUMENTS = "args/text_summary"
_OWN_TAGS = frozenset(
    {"train/train_runtime", "train/total_flos", "eval/samples_per_second", "train/grad_norm"}
)
_STATES = ("trainer_state", "hf_results", "training_args")
_PREFIXES = ("train", "eval", "test", "predict")
_MEASURED = ("eval/", "test/", "predict/")

_Pair = tuple[str, Series, float]
"""Tag of a result, a series of the same metric and split, the result."""


def _of_trainer(logs: Sequence[Log]) -> Sequence[Log]:
    """Take states, settings, results, and the event files of output folders with the like."""
    own = {
        _place_of_trainer(log) for log in logs if log.source.kind in _STATES or _is_trainers(log)
    }
    kinds = {*_STATES, "tfevents"}
    return [log for log in logs if log.source.kind in kinds and _place_of_trainer(log) in own]


def _is_trainers(log: Log) -> bool:
    """Tell an event file of the Trainer by what is in it, wherever it lies.

    Its callback tells the epoch beside each number, and knows no other splits.

    Source: `transformers/integrations/integration_utils.py`, `TensorBoardCallback`.
    """
    if log.source.kind != "tfevents":
        return False
    if _TRAINER_ARGUMENTS in log.texts or any(tag in _OWN_TAGS for tag in log.series):
        return True
    prefixes = {tag.partition("/")[0] for tag in log.series}
    return "train/epoch" in log.series and prefixes <= set(_PREFIXES)


def _place_of_trainer(log: Log) -> Place:
    """Return the Trainer's output folder: without `runs/<date>_<host>` and `checkpoint-N`."""
    parts = parent(log.source.path).split("/")
    if _TRAINER_SESSION.fullmatch(parts[-1]):
        parts.pop()
    if parts and _EVENT_FOLDER.fullmatch(parts[-1]):
        parts.pop()
        if parts and parts[-1] in {"runs", "logs"}:
            parts.pop()
    if parts and _CHECKPOINT.fullmatch(parts[-1]):
        parts.pop()
    return Place(run="/".join(parts))


def _finish_trainer(draft: Draft, late: Sequence[Log], names: Names) -> None:
    """Put the numbers of result files at the step whose weights they measure."""
    results: dict[str, Series] = {}
    for log in late:
        for tag, value in log.results.items():
            metric, split = trainer_tag(result_key(tag, names), names)
            results.setdefault(tag, point_of(tag, value, metric, split, log.source.path))
    pairs = _pairs(draft, results, names)
    step, reason = _find_step(draft, pairs)
    last = last_step(draft.scalars)
    added = []
    for tag, series in results.items():
        measured = tag.startswith(_MEASURED)
        if step is None and measured:
            draft.config.setdefault(tag, float(series.values[0]))
            draft.results.append(result_of(series, tag))
            continue
        at = last if step is None or not measured else step
        there = draft.scalars.get(tag)
        logged = [one for name, one, _ in pairs if name == tag]
        if any(at in one.steps for one in logged) or (there is not None and at in there.steps):
            continue
        if there is not None and not measured:
            continue
        point = replace(series, steps=np.array([at]))
        draft.scalars[tag] = point if there is None else join(point, there)
        added.append(tag)
    if any(tag.startswith(_MEASURED) for tag in results):
        draft.problems.extend(_problems(late[0].source.path, step, reason, pairs, added))


def _problems(
    path: str, step: int | None, reason: str, pairs: Sequence[_Pair], added: Sequence[str]
) -> list[Problem]:
    """Say where results were put, and which contradict what was logged there."""
    if step is None:
        return [problem("step_unknown", path, reason=reason)]
    against = [tag for tag, series, value in pairs if not _agrees(series, step, value)]
    found = []
    if against:
        found.append(problem("other_values", path, step=step, tags=", ".join(against[:3])))
    if reason and any(tag.startswith(_MEASURED) for tag in added):
        found.append(problem("step_taken", path, step=step, reason=reason))
    return found


def _pairs(draft: Draft, results: Mapping[str, Series], names: Names) -> list[_Pair]:
    """Return each result beside the series that logged the same metric on the same split."""
    found = []
    for tag, series in results.items():
        prefix, _, rest = tag.partition("/")
        if trainer_tag(tag, names)[0] in {"", "epoch"}:
            continue
        also = {"eval": ("eval",), "test": ("test", "predict"), "predict": ("predict", "test")}
        logged = (draft.scalars.get(f"{name}/{rest}") for name in also.get(prefix, ()))
        found += [(tag, one, float(series.values[0])) for one in logged if one is not None]
    return found


def _find_step(draft: Draft, pairs: Sequence[_Pair]) -> tuple[int | None, str]:
    """Return the step whose weights a result file measures, None where it is open, and why."""
    last = last_step(draft.scalars)
    found = _CHECKPOINT.search(leaf(str(draft.config.get("best_model_checkpoint", ""))))
    best = int(found[1]) if found else draft.config.get("best_global_step")
    of_eval = [pair for pair in pairs if pair[0].startswith("eval/")]
    for some in (pairs, of_eval, [pair for pair in pairs if pair not in of_eval]):
        steps = {int(step) for _, series, _ in some for step in series.steps}
        same = [n for n in steps if all(_agrees(series, n, value) for _, series, value in some)]
        if same:
            tags = ", ".join(dict.fromkeys(tag for tag, _, _ in some[:3]))
            step = max(same, key=lambda n: (n == best, n))
            return step, told("same_evaluation", tags=tags)
    loaded = draft.config.get("load_best_model_at_end")
    if isinstance(best, int) and best > 0 and loaded is True:
        return best, told("best_loaded")
    if not last:
        return 0, ""  # a run of results alone, or they are of one that another program logged
    if pairs:
        return None, told("none_the_same")
    # The Trainer loads the best weights at the end only where its state names them
    # (`_inner_training_loop` in transformers/trainer.py).
    if draft.config.get("best_model_checkpoint") == "":
        return last, told("no_best_kept")
    if loaded is False or not any(tag.startswith(_MEASURED) for tag in draft.scalars):
        return last, told("last_one")
    return None, told("weights_unknown")


def _agrees(series: Series, step: int, value: float) -> bool:
    """Tell whether a series has this value at this step, within single precision."""
    at = np.flatnonzero(series.steps == step)
    return len(at) == 0 or bool(np.isclose(float(series.values[at[0]]), value, rtol=1e-6, atol=0))


HF_TRAINER = Layout(
    name="hf_trainer",
    recognise=_of_trainer,
    place=_place_of_trainer,
    label=lambda _, tag, names: trainer_tag(tag, names),
    # Result files state no step.
    is_late=lambda log: log.source.kind == "hf_results",
    finish=_finish_trainer,
)


# Weights & Biases: a folder a run below `wandb/`, named by clock and id.

_WANDB_FOLDER = re.compile(r"(?:offline-|dry)?run-\d{8}_\d{6}-(?P<id>.+)")
_KINDS = ("wandb_run", "wandb_summary")
_NO_RESULT = frozenset({"best", "min", "max"})
"""Words of keys of a summary that say what was best of many."""

_BESIDE = ("config_yaml", "json_lines")


def _of_wandb(logs: Sequence[Log]) -> Sequence[Log]:
    """Take runs and summaries, and settings, histories and consoles in a run's folder."""
    taken = [
        log
        for log in logs
        if log.source.kind in _KINDS
        or (
            log.source.kind in _BESIDE
            and any(map(_WANDB_FOLDER.fullmatch, log.source.path.split("/")))
        )
    ]
    known = {_place_of_wandb(log).run for log in taken}
    return [
        *taken,
        *(log for log in logs if _is_printed(log) and _place_of_wandb(log).run in known),
    ]


def _is_printed(log: Log) -> bool:
    """Tell whether a log is what the program caught of a run's console."""
    return log.source.kind == "console" and log.source.path.endswith("/files/output.log")


def _place_of_wandb(log: Log) -> Place:
    """Return the run's id below the folder of all runs.

    A run that was resumed has a folder for each start, and one id.
    """
    path = log.source.path
    for folder in (path[:end] for end, letter in enumerate(path) if letter == "/"):
        if found := _WANDB_FOLDER.fullmatch(leaf(folder)):
            return Place(run=inside(parent(folder), found["id"]))
    own = leaf(path).removeprefix("run-").removesuffix(".wandb")
    return Place(run=inside(parent(path), own if log.source.kind == "wandb_run" else ""))


def _is_summary(log: Log) -> bool:
    return log.source.kind == "wandb_summary"


def _finish_wandb(draft: Draft, late: Sequence[Log], names: Names) -> None:
    """Take the values of a summary that nothing else holds; say what a run printed alone.

    With a history beside it they were measured after training, on a split that they name.
    """
    held = {(series.metric, series.split) for series in draft.scalars.values()}
    metrics = {metric for metric, _ in held}
    for log in filter(_is_printed, late):
        printed = {trainer_tag(tag, names)[0] for tag in log.series} - metrics
        if missing := sorted(filter(known_metric, printed)):
            places = {"names": ", ".join(missing)}
            draft.problems.append(problem("printed_alone", log.source.path, **places))
    alone = not held
    for log in late if alone else filter(_is_summary, late):
        for tag, series in log.series.items():
            metric, split = trainer_tag(tag, names)
            labelled = replace(series, metric=metric, split=split)
            is_best = not _NO_RESULT.isdisjoint(re.split(r"[\W_]+", tag.lower()))
            if alone:
                step = max(0, int(series.steps[0]))
                draft.scalars[tag] = replace(labelled, steps=np.array([step]))
            elif split and is_result(metric) and (metric, split) not in held and not is_best:
                draft.results.append(result_of(labelled, tag))
    if alone:
        draft.problems.append(problem("no_history", late[0].source.path))


def _settle_wandb(drafts: list[Draft], logs: Sequence[Log]) -> list[Draft]:
    """Name runs as the program does: by project, and by group and job, or by their own name.

    A name of a run in a group counts where it states a seed: most are made up.
    """
    about = {_place_of_wandb(log).run: log.texts for log in logs if log.source.kind == "wandb_run"}
    for draft in drafts:
        draft.name = _name_of(about.get(draft.place, {}))
    said = {log.source.path: _said(log) for log in logs if _is_summary(log)}
    hosts: dict[object, Draft] = {}
    for draft in drafts:
        for source in draft.sources:
            if source.kind == "wandb_run":
                hosts[parent(source.path)] = draft
            elif source.path in said and any(map(_WANDB_FOLDER.fullmatch, source.path.split("/"))):
                hosts.setdefault(said[source.path], draft)
    return [draft for draft in drafts if not _repeats_one(draft, hosts, said)]


def _said(log: Log) -> object:
    """Return what a summary says, by which copies of it are known."""
    return frozenset((tag, *map(float, series.values)) for tag, series in log.series.items())


def _repeats_one(draft: Draft, hosts: Mapping[object, Draft], said: Mapping[str, object]) -> bool:
    """Give a summary whose folder has no clock and id in its name to the run it is of.

    That lies beside it, or says the same, as the run of which `latest-run` is a copy.
    """
    paths = [s.path for s in draft.sources if s.kind == "wandb_summary"]
    above = [parent(path).removesuffix("files").rstrip("/") for path in paths]
    found = [hosts[one] for one in (*above, *(said[path] for path in paths)) if one in hosts]
    host = found[0] if found else draft
    own = [s for s in draft.sources if s.kind not in _BESIDE]
    if host is draft or len(paths) < len(own):
        return False
    host.sources.extend(draft.sources)
    return True


def _name_of(texts: Mapping[str, str]) -> str:
    """Return a name as a path, empty where the run has none."""
    project, group, job, own = (
        texts.get(f"wandb/{key}", "")
        for key in ("project", "run_group", "job_type", "display_name")
    )
    seeded = own and read_path(own).seed is not None
    called = inside(group, job, own if seeded else "") if group else own
    return inside(project, called) if called else ""


WANDB = Layout(
    name="wandb",
    recognise=_of_wandb,
    place=_place_of_wandb,
    label=lambda _, tag, names: trainer_tag(tag, names),
    # A summary or console repeats a history, and stands in for one that is not there.
    is_late=lambda log: _is_summary(log) or _is_printed(log),
    finish=_finish_wandb,
    settle=_settle_wandb,
)
