"""Runs of Weights & Biases: files of the program itself, of a writer of our own, and damage."""

import math
import random

import pytest
from fakes import wandb_file as fake

from reportgen.read.logs.wandb_run import load_wandb_run


@pytest.fixture
def load(tmp_path):
    def from_bytes(content):
        path = tmp_path / "run-a.wandb"
        path.write_bytes(content)
        (log,) = load_wandb_run(path, "wandb/run-20240101_120000-a/run-a.wandb")
        return log

    return from_bytes


def points(log):
    return {tag: list(series.points()) for tag, series in log.series.items()}


@pytest.fixture
def made(project):
    """Load what the program itself has written, by the seed of the run."""

    def by_seed(seed):
        (path,) = (project / "tests/data/logs").rglob(f"run-run000{seed}.wandb")
        (log,) = load_wandb_run(path, path.name)
        return log

    return by_seed


@pytest.mark.parametrize("seed", [0, 1])
def test_what_the_program_wrote(made, seed):
    """`tools/oracles/wandb_logs.py` says what it was told to log."""
    log = made(seed)
    found = points(log)
    assert found.pop("odd")[0][0] == 2
    assert [step for step, _ in found.pop("_runtime")][:3] == [0, 1, 2]
    assert math.isnan(log.series["odd"].values[0])
    assert found == {
        "train/loss": [(s - 1, 1 / s + seed) for s in range(1, 6)],
        "val.accuracy": [(s - 1, 0.5 + s / 20) for s in range(1, 6)],
        "deep.er.x": [(2, math.inf)],
        "half": [(2, 0.10000000149011612)],
        "test/accuracy": [(10, 0.75 + seed / 8)],
    }
    assert log.config == {
        "seed": seed, "lr": 1e-05, "model.layers": 4, "model.act": "relu", "sizes": [1, 2],
        "late.added": True,
    }  # fmt: skip
    assert log.texts == {
        "wandb/project": "lab", "wandb/run_group": "pretrained",
        "wandb/display_name": f"small-seed{seed}",
    }  # fmt: skip
    assert [(p.level, p.message) for p in log.problems] == [
        ("note", "3 logged values are no numbers and are not read (hist, note, on)")
    ]
    assert (log.series["train/loss"].wall_times > 1.79e9).all()


def test_the_axis_that_the_program_declared(made):
    log = made(2)
    steps = (100, 200, 300)
    assert {tag: its for tag, its in points(log).items() if tag != "_runtime"} == {
        "train/loss": [(s, 100 / s) for s in steps],
        "eval/accuracy": [(s, s / 400) for s in steps],
        "train/global_step": [(s, s) for s in steps],
    }
    assert "steps are train/global_step" in log.problems[0].message


def test_rows_of_our_own_writer(load):
    log = load(
        fake.encode(
            fake.run(seed="3", project="lab", display_name="a"),
            fake.config({"lr": 0.1, "model": {"width": 8}, "gone": 1, "_wandb": {"t": 1}}),
            fake.history(0, {"loss": 0.5, "_runtime": 3}, clock=1e9),
            fake.history(None, {"loss": 0.25, "_step": 1}, clock=1e9 + 1),
            fake.history(2, {("val", "acc"): 1, "old": {"nested": 2}, "s": '"NaN"'}),
            fake.config({"late": True}, remove=("gone",)),
            fake.ended(),
        )
    )
    assert points(log)["loss"] == [(0, 0.5), (1, 0.25)]
    assert points(log)["val.acc"] == [(2, 1.0)]
    assert points(log)["old.nested"] == [(2, 2.0)]
    assert math.isnan(points(log)["s"][0][1])
    assert log.series["loss"].wall_times.tolist() == [1e9, 1e9 + 1]
    assert log.config == {"seed": 3, "lr": 0.1, "model.width": 8, "late": True}
    assert log.problems == ()


def test_no_row_without_a_step_is_guessed(load):
    log = load(fake.encode(fake.history(None, {"loss": 1}), fake.history(1, {"loss": 2})))
    assert points(log) == {"loss": [(1, 2.0)]}
    assert "record 1 has no '_step' that is a whole number; left out" in [
        p.message for p in log.problems
    ]


def test_media_count_once_each(load):
    picture = {("img", "_type"): '"image-file"', ("img", "width"): 4, ("img", "size"): 9}
    log = load(
        fake.encode(
            fake.history(0, {**picture, "loss": 1.0}),
            fake.history(1, {"old": {"_type": "histogram", "values": [1]}, "loss": 2.0}),
            fake.ended(),
        )
    )
    assert set(log.series) == {"loss"}
    assert log.skipped == {"image-file": 1, "histogram": 1}
    assert [p.message for p in log.problems] == [
        "2 logged values are no numbers and are not read (img, old)"
    ]


def test_an_axis_of_some_keys_only_is_not_the_clock(load):
    log = load(
        fake.encode(
            fake.metric(glob="eval/*", axis="epoch"),
            fake.history(0, {"loss": 1.0}),
            fake.history(1, {"eval/acc": 0.5, "epoch": 1}),
            fake.ended(),
        )
    )
    assert points(log)["eval/acc"] == [(1, 0.5)]
    assert points(log)["loss"] == [(0, 1.0)]
    assert "steps are _step" in log.problems[0].message


def test_endless_declarations_end_soon(load):
    declared = [fake.metric(name=f"k{n}", axis=f"x{n}") for n in range(3_000)]
    row = {f"v{n}": n for n in range(3_000)}
    log = load(fake.encode(*declared, fake.history(0, row), fake.ended()))
    assert len(log.series) == 3_000


def rows(count, width=0):
    return [
        fake.history(n, {"loss": 1 / (n + 1), "note": '"' + "x" * width + '"'}, clock=1e9 + n)
        for n in range(count)
    ]


@pytest.mark.parametrize("gap", range(9))
def test_a_record_at_the_end_of_a_block(load, gap):
    """Fewer than seven bytes left in a block are filled with zeros."""
    first = fake.history(0, {"loss": 1.0})
    filler = fake.BLOCK - 7 - 7 - 7 - len(first) - gap
    record = fake.history(1, {"note": '"' + "x" * (filler - 40) + '"'})
    record = fake.history(1, {"note": '"' + "x" * (2 * filler - 40 - len(record)) + '"'})
    assert len(record) == filler
    log = load(fake.encode(first, record, fake.history(2, {"loss": 3.0}), fake.ended()))
    assert points(log)["loss"] == [(0, 1.0), (2, 3.0)]


@pytest.mark.parametrize("width", [0, 900])
def test_a_bad_record_costs_that_record(load, width):
    content, places = fake.frame(*rows(120, width), fake.ended())
    rng = random.Random(width)
    for index in rng.sample(range(120), 12):
        begin, end = places[index]
        at = rng.randrange(begin, end)
        harmed = content[:at] + bytes([content[at] ^ 1 << rng.randrange(8)]) + content[at + 1 :]
        log = load(harmed)
        assert [s for s, _ in points(log)["loss"]] == [n for n in range(120) if n != index]
        (fault,) = [p for p in log.problems if p.offset is not None]
        assert (fault.offset, fault.level) == (begin, "warning")


def test_a_cut_is_normal_while_training_runs(load):
    content, places = fake.frame(*rows(10))
    log = load(content[: places[-1][1] - 3])
    assert len(log.series["loss"]) == 9
    (fault,) = [p for p in log.problems if p.offset is not None]
    assert (fault.offset, fault.level, fault.message) == (
        places[-1][0], "note",
        f"the last record is cut off; {places[-1][1] - 3 - places[-1][0]} bytes left out",
    )  # fmt: skip


def test_damage_never_invents_a_point(load):
    content, _ = fake.frame(*rows(200, 300), fake.ended())
    whole = set(points(load(content))["loss"])
    rng = random.Random(5)
    for _ in range(60):
        at, length = rng.randrange(7, len(content)), rng.randrange(1, 400)
        harmed = rng.choice(
            [
                content[:at] + content[at + length :],
                content[:at] + bytes(length) + content[at + length :],
                content[:at] + rng.randbytes(length) + content[at:],
                content[:at],
            ]
        )
        log = load(harmed)
        found = set(points(log).get("loss", ()))
        assert found <= whole
        assert found == whole or log.problems


@pytest.mark.parametrize(
    ("content", "message", "offset"),
    [
        (b"hello there", "not a run of Weights & Biases: its first bytes are others", 0),
        (b":W&B\xe1\xbe\x07", "written in version 07 of its format, which is not known", 6),
        (b"", "the file is empty (0 bytes)", 0),
    ],
)
def test_what_is_no_run_is_named(load, content, message, offset):
    log = load(content)
    assert log.series == {}
    assert [(p.message, p.offset) for p in log.problems] == [(message, offset)]


def test_only_the_beginning_was_written(load):
    assert [p.message for p in load(fake.HEADER).problems] == ["no number was logged"]


def test_a_hostile_block_ends_soon(load):
    log = load(fake.HEADER + b"\x01\x03" * 400_000)
    assert log.series == {}
    assert log.problems
