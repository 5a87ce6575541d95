"""Random labs: what each process logged, as a list, and the same as files of several programs."""

import json
import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import pandas as pd
from fakes.event_file import header, hyperparameters, put, scalar, starts
from tensorboard.compat.proto.event_pb2 import Event

HOUR = 3600.0
SHORT = {"accuracy": "acc", "f1": "f1", "mse": "mse", "loss": "loss"}
SPLITS = ("train", "validation", "test")


@dataclass(frozen=True)
class Record:
    """One logged value; `step` is None where a result has none."""

    session: int
    split: str
    metric: str
    step: int | None
    value: float
    time: float


@dataclass
class Training:
    """One run: where it lies, what it is, and all that was logged in the order of writing."""

    place: str
    group: str
    seed: int
    records: list[Record] = field(default_factory=list)

    def frame(self) -> pd.DataFrame:
        """Return the records as a frame, in the order of writing."""
        rows = [(r.session, r.split, r.metric, r.step, r.value) for r in self.records]
        frame = pd.DataFrame(rows, columns=["session", "split", "metric", "step", "value"])
        return frame.astype({"step": "Int64"})

    def sessions(self) -> list[list[Record]]:
        """Return the records with a step, those of one process after those of the other."""
        numbers = sorted({r.session for r in self.records})
        found = [[r for r in self.records if r.session == n and r.step] for n in numbers]
        return [one for one in found if one]


@dataclass(frozen=True)
class Shape:
    """How the runs of one lab log.

    Attributes:
        metric: What is measured on validation and test.
        every: Steps between evaluations.
        fine: Values of the training loss between two evaluations.
        gaps: Share of evaluations of a split that do not happen.
        tests: Whether the test split is measured in training.
        files: `"many"`: one a process; `"parts"`: two a process; `"one"`: what later processes
            write is appended to the file of the first; `"one, told"`: so that they say where they
            begin, as a writer of TensorBoard does with `purge_step`.
    """

    metric: str
    every: int
    fine: int
    gaps: float = 0.0
    tests: bool = True
    files: str = "many"


def evaluations(
    rng: random.Random, shape: Shape, session: int, first: int, last: int, percent: bool
) -> list[Record]:
    """Return what a process logs from evaluation `first` to `last`, the edges without gaps."""
    # No two processes begin at one moment: equal files would be copies.
    time = 1.6e9 + 100 * HOUR * session + round(1000 * rng.random(), 3)
    found = []

    def log(split: str, metric: str, step: int, value: float) -> None:
        found.append(Record(session, split, metric, step, value, time + len(found)))

    for number in range(first, last + 1):
        step = number * shape.every
        for part in range(shape.fine - 1, -1, -1):
            loss = round(rng.uniform(0.1, 3), 4)
            log("train", "loss", step - part * (shape.every // shape.fine), loss)
        for split in ("validation", "test") if shape.tests else ("validation",):
            edge = number in {first, last}
            if edge or rng.random() >= shape.gaps:
                log(split, shape.metric, step, measured(rng, shape, percent))
                if split == "validation" and shape.metric != "mse":
                    log(split, "loss", step, round(rng.uniform(0.1, 3), 4))
    return found


def measured(rng: random.Random, shape: Shape, percent: bool) -> float:
    """Return a value of the metric, coarse enough that some are equal."""
    if shape.metric == "mse":
        return round(rng.uniform(0.5, 60), 1)
    value = rng.randrange(30, 96)
    return float(value) if percent else value / 100


def broken(rng: random.Random, records: list[Record], shape: Shape, share: float) -> list[Record]:
    """Return records of which some are no numbers and some are written twice."""
    last = max(r.step or 0 for r in records)
    found = []
    for record in records:
        odd = rng.random() < share and record.step != last
        if odd and rng.random() < 0.4 and record.split != "train":
            first = replace(record, value=record.value + (0.01 if record.value < 1 else 1))
            found += [first, record]
        elif odd:
            kind = rng.choice([math.nan, math.nan, math.inf, -math.inf])
            found.append(replace(record, value=kind))
        else:
            found.append(record)
    return found


Story = Callable[[random.Random, Shape, bool], list[Record]]


def plain(rng: random.Random, shape: Shape, percent: bool) -> list[Record]:
    """One process, with gaps, values that are no numbers, and points that are written twice."""
    shape = replace(shape, gaps=0.2)
    records = evaluations(rng, shape, 0, 1, rng.randrange(2, 9), percent)
    return broken(rng, records, shape, 0.08)


def resumed(rng: random.Random, shape: Shape, percent: bool) -> list[Record]:
    """Processes that are killed at any moment; each goes on from a checkpoint of the one before."""
    last, reached = rng.randrange(4, 10), 0
    found = evaluations(rng, shape, 0, 1, last, percent)
    for session in range(1, rng.randrange(2, 5)):
        own = [r for r in found if r.session == session - 1]
        # The first evaluation is whole, and in one file that of every process: else what a process
        # wrote and what it found could not be told apart.
        whole = 1
        if session == 1 or shape.files == "one":
            step = (reached + 1) * shape.every
            whole += max(n for n, r in enumerate(own) if r.step == step)
        own = own[: rng.randrange(whole, len(own) + 1)]
        found = [r for r in found if r.session != session - 1] + own
        reached = rng.randint(max(1, reached), max(1, reached, (own[-1].step or 0) // shape.every))
        to = max(last, reached + rng.randrange(2, 4))
        found += evaluations(rng, replace(shape, gaps=0.1), session, reached + 1, to, percent)
    return found


def started_over(rng: random.Random, shape: Shape, percent: bool) -> list[Record]:
    """Two trainings from the first step on in one place, the first one killed."""
    found = []
    for session, least in enumerate((2, 3)):
        found += evaluations(rng, shape, session, 1, rng.randrange(least, 7), percent)
    return found


def evaluated_again(rng: random.Random, shape: Shape, percent: bool) -> list[Record]:
    """A training, and an evaluation of some weights after it, logged at its last step."""
    found = evaluations(rng, replace(shape, gaps=0.3), 0, 1, rng.randrange(3, 8), percent)
    last, time = found[-1].step, found[-1].time + HOUR
    splits = rng.choice([("validation",), ("validation", "test"), ("test",)])
    for split in splits if shape.tests else ("validation",):
        value = measured(rng, shape, percent)
        found.append(Record(1, split, shape.metric, last, value, time))
    return found


def tested_once(rng: random.Random, shape: Shape, percent: bool) -> list[Record]:
    """A training without the test split, which is measured once after it."""
    shape = replace(shape, tests=False, gaps=0.1)
    found = evaluations(rng, shape, 0, 1, rng.randrange(3, 8), percent)
    step, time = (found[-1].step or 0) + rng.choice([0, 1]), found[-1].time + HOUR
    value = measured(rng, shape, percent)
    return [*found, Record(1, "test", shape.metric, step, value, time)]


def results_file(rng: random.Random, shape: Shape, percent: bool) -> list[Record]:
    """The same, with the test value in a file of results, without a step."""
    *found, test = tested_once(rng, shape, percent)
    return [*found, replace(test, step=None)]


def write_fairseq(root: Path, run: Training, shape: Shape) -> None:
    """One folder a split, in each one event file a process."""
    folders = {"train": "train", "validation": "valid", "test": "test"}
    for number, records in enumerate(run.sessions()):
        for split in SPLITS:
            own = [r for r in records if r.split == split]
            name = f"events.out.tfevents.{int(records[0].time)}.host.{number}.{SPLITS.index(split)}"
            if own:
                events = [_event(r.metric, r) for r in own]
                put(root / run.place / folders[split] / name, [header(), *events])


def write_tags(root: Path, run: Training, shape: Shape) -> None:
    """One folder, tags as `val/acc`, one event file a process, several, or one for all."""
    in_path = run.place.endswith(str(run.seed))
    settings = [] if in_path else [hyperparameters(seed=run.seed, model=run.group)]
    heads = {"train": "train", "validation": "val", "test": "test"}
    files: dict[str, list[Event]] = {}
    for number, records in enumerate(run.sessions()):
        events = [_event(f"{heads[r.split]}/{SHORT[r.metric]}", r) for r in records]
        first = min(r.step or 0 for r in records)
        told = [starts(first, records[0].time)] if shape.files == "one, told" and number else []
        half = len(events) // 2 if shape.files == "parts" else len(events)
        for part, some in enumerate((events[:half], events[half:])):
            name = f"{int(records[0].time)}.host.{number}.{part}"
            name = "1600000000.host.0.0" if shape.files.startswith("one") else name
            if some:
                files.setdefault(name, [header(), *settings]).extend([*told, *some])
    for name, events in files.items():
        put(root / run.place / f"events.out.tfevents.{name}", events)


def write_trainer(root: Path, run: Training, shape: Shape) -> None:
    """Event files of the Hugging Face Trainer, its state where it ended, and its results."""
    heads = {"train": "train", "validation": "eval", "test": "test"}
    folder, sessions = root / run.place, run.sessions()
    for number, records in enumerate(sessions):
        events = [_event(f"{heads[r.split]}/{r.metric}", r) for r in records]
        name = f"events.out.tfevents.{int(records[0].time)}.lab.{number}.0"
        put(folder / "runs" / "Nov21_02-15-08_lab" / name, [header(), *events])
    history: list[Record] = []
    for records in sessions:
        over = any(r.split == "train" for r in records)
        first = min(r.step or 0 for r in records) if over else math.inf
        history = [r for r in history if (r.step or 0) < first] + list(records)
    rows = [
        {"step": r.step, "epoch": (r.step or 0) / shape.every, _key(r): r.value} for r in history
    ]
    state = {"global_step": history[-1].step, "log_history": rows}
    (folder / "trainer_state.json").write_text(json.dumps(state))
    results = {_key(r): r.value for r in run.records if r.step is None}
    if results:
        (folder / "test_results.json").write_text(json.dumps(results))


def _key(record: Record) -> str:
    heads = {"train": "", "validation": "eval_", "test": "test_"}
    return heads[record.split] + record.metric


def write_csv(root: Path, run: Training, shape: Shape) -> None:
    """One table, a row a value; what a later process writes is appended."""
    heads = {"train": "train", "validation": "val", "test": "test"}
    columns = ["train_loss", f"val_{SHORT[shape.metric]}", f"test_{SHORT[shape.metric]}"]
    columns += ["val_loss"] if shape.metric != "mse" else []
    lines = [",".join(["step", *columns])]
    for record in (r for one in run.sessions() for r in one):
        name = f"{heads[record.split]}_{SHORT[record.metric]}"
        cells = [str(record.value) if name == column else "" for column in columns]
        lines.append(",".join([str(record.step), *cells]))
    path = root / run.place / "metrics.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join([*lines, ""]))


def _event(tag: str, record: Record) -> Event:
    return scalar(tag, record.step or 0, record.value, record.time)


PLACES = {
    "fairseq": "sentence_prediction/books/{group}_ms8_mu3125_lr1e-05_me5/{seed}",
    "trainer": "{group}-seed{seed}",
    "tags": "{group}/seed_{seed}",
    "settings": "{group}/{letter}",
    "csv": "{group}/seed{seed}",
}
WRITERS = {
    "fairseq": write_fairseq,
    "trainer": write_trainer,
    "tags": write_tags,
    "settings": write_tags,
    "csv": write_csv,
}
FAMILIES: dict[str, tuple[str, Story, str]] = {
    "fairseq, plain": ("fairseq", plain, "many"),
    "fairseq, resumed": ("fairseq", resumed, "many"),
    "fairseq, started over": ("fairseq", started_over, "many"),
    "fairseq, evaluated again": ("fairseq", evaluated_again, "many"),
    "fairseq, tested once": ("fairseq", tested_once, "many"),
    "trainer, plain": ("trainer", plain, "many"),
    "trainer, resumed": ("trainer", resumed, "many"),
    "trainer, evaluated again": ("trainer", evaluated_again, "many"),
    "trainer, tested once": ("trainer", tested_once, "many"),
    "trainer, file of results": ("trainer", results_file, "many"),
    "tags, plain": ("tags", plain, "many"),
    "tags, seeds in settings": ("settings", plain, "many"),
    "tags, resumed in many files": ("tags", resumed, "many"),
    "tags, resumed in two files a process": ("tags", resumed, "parts"),
    "tags, resumed in one file": ("tags", resumed, "one"),
    "tags, resumed in one file that says so": ("tags", resumed, "one, told"),
    "tags, started over in many files": ("tags", started_over, "many"),
    "tags, started over in one file": ("tags", started_over, "one"),
    "tags, evaluated again in another file": ("tags", evaluated_again, "many"),
    "tags, evaluated again in one file": ("tags", evaluated_again, "one"),
    "tags, tested once": ("tags", tested_once, "one"),
    "csv, plain": ("csv", plain, "one"),
    "csv, resumed": ("csv", resumed, "one"),
    "csv, started over": ("csv", started_over, "one"),
    "csv, evaluated again": ("csv", evaluated_again, "one"),
    "csv, tested once": ("csv", tested_once, "one"),
}
"""Name to program, what happened, and the files of the processes."""


def make_lab(family: str, number: int, root: Path) -> tuple[list[Training], str]:
    """Write lab `number` of a family below a folder; return its runs and its metric."""
    rng = random.Random(f"{family} {number}")
    program, story, files = FAMILIES[family]
    metric = rng.choice(["accuracy", "f1", "mse"])
    metric = "accuracy" if program == "fairseq" else metric
    metric = "f1" if (program, metric) == ("trainer", "mse") else metric
    every = rng.choice([20, 50, 100, 240])
    shape = Shape(metric, every, rng.choice([1, 1, 2, 5]), files=files)
    seeds = rng.choice([range(2), range(3), range(4), [7, 11, 13], [1, 5]])
    mixed, percent = rng.random() < 0.2, rng.random() < 0.5
    runs = []
    for group in rng.sample(["base", "large", "tiny", "wide", "deep"], rng.randrange(2, 4)):
        for n, seed in enumerate(seeds):
            place = PLACES[program].format(group=group, seed=seed, letter="abcd"[n])
            own = rng.random() < 0.5 if mixed else percent
            runs.append(Training(place, group, seed, story(rng, shape, own)))
            WRITERS[program](root, runs[-1], shape)
    return runs, metric
