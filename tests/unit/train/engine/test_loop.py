"""The loop against transformers' schedules and itself: stopped, killed, out of memory, diverged."""

import json
import math
import os
import signal
from pathlib import Path

import pytest
import torch
from accelerate.data_loader import SeedableRandomSampler
from fakes.classifiers import an_engine
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from transformers import get_constant_schedule_with_warmup, get_linear_schedule_with_warmup

from reportgen.records.job import Job, Member
from reportgen.records.study import DataPlan, TrainPlan
from reportgen.train.engine.course import data_order, learning_rate
from reportgen.train.engine.engine import DeviceMemoryError
from reportgen.train.engine.loop import Hooks, StoppedError, catch_signals, train
from reportgen.train.store import RunStore

SIZE, EPOCHS, BATCH = 20, 3, 8
TOTAL = EPOCHS * math.ceil(SIZE / BATCH)
FILES = {"train": "a", "validation": "b", "test": "c"}


class Lease:
    """Nobody else wants the job."""

    def check(self) -> None:
        pass


def a_job(seeds=(3, 5), **changes):
    plan = {
        "data": DataPlan(files=FILES),
        "epochs": EPOCHS,
        "batch_size": BATCH,
        "learning_rate": 2e-3,
        "weight_decay": 0.1,
    }
    kept = {name: changes.pop(name) for name in list(changes) if hasattr(TrainPlan(), name)}
    members = tuple(
        Member(group="g", seed=seed, start="random", place=f"g/{seed}", key=f"k{seed}")
        for seed in seeds
    )
    return Job(id="job", members=members, train=TrainPlan(**(plan | kept)), **changes)


def run(job, folder, *, engine=None, **hooks):
    engine = engine or an_engine([m.seed for m in job.members], job.train, size=SIZE)
    return train(engine, job, RunStore(folder), Lease(), Hooks(**hooks))


def values(training):
    """All that must be the same bits: everything but clocks."""
    return [
        (
            [(p.split, p.metric, p.step, p.value) for p in member.points],
            member.best_step,
            member.value,
            member.diverged,
            {name: tensor.numpy().tobytes() for name, tensor in member.weights.items()},
        )
        for member in training.tracks
    ]


def stop_after(step):
    """What asks to stop when so many updates of this attempt are done."""
    calls = []
    return lambda: calls.append(1) or len(calls) == step


def series(member, split, metric="loss"):
    return {p.step: p.value for p in member.points if (p.split, p.metric) == (split, metric)}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    torch.set_num_threads(1)
    return values(run(a_job(), tmp_path_factory.mktemp("whole")))


@pytest.mark.parametrize("schedule", ["linear", "constant"])
@pytest.mark.parametrize("warmup", [0.0, 0.06, 0.5])
def test_rates_are_those_of_transformers(schedule, warmup):
    plan = TrainPlan(learning_rate=3e-4, warmup=warmup, schedule=schedule)
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=3e-4)
    warm = math.ceil(37 * warmup)
    if schedule == "linear":
        oracle = get_linear_schedule_with_warmup(optimizer, warm, 37)
    else:
        oracle = get_constant_schedule_with_warmup(optimizer, warm)
    for done in range(37):
        assert learning_rate(done, 37, plan) == pytest.approx(oracle.get_last_lr()[0], abs=1e-12)
        optimizer.step()
        oracle.step()


def test_the_order_is_that_of_accelerate():
    sampler = SeedableRandomSampler(range(50), generator=torch.Generator(), data_seed=7)
    for epoch in range(3):
        sampler.set_epoch(epoch)
        assert data_order(7, epoch, 50) == list(sampler)


def test_curves_have_every_epoch_once_and_the_means_of_what_was_seen(tmp_path):
    training = run(a_job(), tmp_path)
    for member in training.tracks:
        inner, epochs = series(member, "train_inner"), series(member, "train")
        assert list(inner) == list(range(1, TOTAL + 1))
        assert series(member, "train_inner", "epoch")[3] == 1
        rates = series(member, "train_inner", "learning_rate")
        assert rates[TOTAL] == 0
        assert rates[1] == 2e-3, "a warm-up of one update ends with it"
        for split in ("validation", "test"):
            for metric in ("loss", "accuracy"):
                assert list(series(member, split, metric)) == [3, 6, 9]
        for step, mean in epochs.items():
            seen = [inner[step - 2] * 8, inner[step - 1] * 8, inner[step] * 4]
            assert mean == pytest.approx(sum(seen) / 20)
    assert training.seconds > 0


@pytest.mark.parametrize(
    ("metric", "direction", "ties", "curve", "best"),
    [
        ("accuracy", "higher", "first", [0.5, 0.7, 0.7], 6),
        ("accuracy", "higher", "last", [0.5, 0.7, 0.7], 9),
        ("accuracy", "lower", "first", [0.5, 0.7, 0.7], 3),
        ("loss", "lower", "first", [0.9, 0.2, 0.4], 6),
        ("loss", "lower", "first", [0.9, math.nan, 0.95], 3),
    ],
)
def test_the_best_step_is_selected_and_its_weights_kept(
    metric, direction, ties, curve, best, tmp_path
):
    job = a_job((3,), metric=metric, direction=direction, ties=ties)
    engine = an_engine([3], job.train, size=SIZE)
    seen, weights = iter(curve), {}

    def evaluate(split):
        if split != "validation":
            return [{"loss": 1.0, "accuracy": 0.1}]
        weights[3 * (len(weights) + 1)] = engine.export(0)
        value = next(seen)
        return [{"loss": value, "accuracy": value}]

    engine.evaluate = evaluate
    member = run(job, tmp_path, engine=engine).tracks[0]
    assert member.best_step == best
    assert member.value == curve[best // 3 - 1]
    for name, tensor in member.weights.items():
        assert torch.equal(tensor, weights[best][name])


def test_no_weights_are_kept_where_none_are_wanted(tmp_path):
    member = run(a_job((3,), keep="none"), tmp_path).tracks[0]
    assert not member.weights
    assert member.best_step


@settings(
    max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(stops=st.lists(st.integers(1, TOTAL - 1), min_size=1, max_size=2))
def test_a_job_stopped_anywhere_goes_on_with_the_same_bits(stops, whole, tmp_path_factory):
    folder = tmp_path_factory.mktemp("stopped")
    for step in stops:
        try:
            training = run(a_job(), folder, stop=stop_after(step))
        except StoppedError:
            continue
        break
    else:
        training = run(a_job(), folder)
    assert values(training) == whole


@pytest.mark.parametrize("seconds", [0.0, 1e9])
def test_a_job_killed_anywhere_goes_on_with_the_same_bits(seconds, whole, tmp_path):
    job = a_job()
    engine = an_engine([3, 5], job.train, size=SIZE)
    real, calls = engine.step, []

    def step(*args, **kwargs):
        calls.append(1)
        if len(calls) == 8:
            raise OSError("killed")
        return real(*args, **kwargs)

    engine.step = step
    with pytest.raises(OSError, match="killed"):
        run(job, tmp_path, engine=engine, checkpoint_seconds=seconds, clock=lambda: 0.0)
    kept = RunStore(tmp_path).checkpoints("job")
    assert kept[0].name.endswith("7" if seconds == 0 else "6")
    assert values(run(job, tmp_path)) == whole


@pytest.mark.parametrize("how", ["cut", "empty", "flipped"])
def test_a_torn_checkpoint_gives_way_to_the_one_before(how, whole, tmp_path):
    with pytest.raises(StoppedError):
        run(a_job(), tmp_path, stop=stop_after(4))
    with pytest.raises(StoppedError):
        run(a_job(), tmp_path, stop=stop_after(1))
    newest, before, *_ = RunStore(tmp_path).checkpoints("job")
    assert (newest.name[-1], before.name[-1]) == ("5", "4")
    tear(newest, how)
    training = run(a_job(), tmp_path)
    assert values(training) == whole
    assert any(f"{newest.name} could not be read" in note for note in training.notes)
    assert any("from step 4" in note for note in training.notes)


def test_when_all_checkpoints_are_torn_it_begins_again(whole, tmp_path):
    with pytest.raises(StoppedError):
        run(a_job(), tmp_path, stop=stop_after(5))
    for path in RunStore(tmp_path).checkpoints("job"):
        tear(path, "cut")
    assert values(run(a_job(), tmp_path)) == whole


def tear(path: Path, how: str) -> None:
    content = bytearray(path.read_bytes())
    if how == "flipped":
        content[-100] ^= 1
    path.write_bytes({"cut": content[:-5000], "empty": b"", "flipped": content}[how])


def test_a_fresh_job_takes_no_checkpoint(whole, tmp_path):
    with pytest.raises(StoppedError):
        run(a_job(learning_rate=0.5), tmp_path, stop=stop_after(2))
    assert values(run(a_job(fresh=True), tmp_path)) == whole


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGUSR1"])
def test_a_signal_stops_after_the_step(name, tmp_path):
    job = a_job((3,))
    engine = an_engine([3], job.train, size=SIZE)
    real, number = engine.step, getattr(signal, name)

    def step(*args, **kwargs):
        os.kill(os.getpid(), number)
        return real(*args, **kwargs)

    engine.step = step
    before = signal.getsignal(number)
    with catch_signals() as stop, pytest.raises(StoppedError, match="step 1 of 9"):
        run(job, tmp_path, engine=engine, stop=stop)
    assert signal.getsignal(number) is before
    assert [p.name[-1] for p in RunStore(tmp_path).checkpoints("job")] == ["1"]


def test_a_second_interrupt_does_not_wait():
    with catch_signals() as stop:
        os.kill(os.getpid(), signal.SIGINT)
        assert stop()
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)


def test_a_member_that_diverges_is_stopped_and_others_go_on(tmp_path, whole):
    job = a_job()
    engine = an_engine([3, 5], job.train, size=SIZE)
    real, calls = engine.step, []

    def step(*args, **kwargs):
        calls.append(1)
        if len(calls) == 5:
            engine.state()["0/weight/those that decay"].fill_(math.inf)
        return real(*args, **kwargs)

    engine.step = step
    training = run(job, tmp_path, engine=engine)
    first, second = training.tracks
    assert (first.diverged, second.diverged) == (5, None)
    assert max(p.step for p in first.points) == 4
    assert first.best_step == 3
    assert all(math.isfinite(p.value) for p in first.points)
    assert all(bool(tensor.isfinite().all()) for tensor in first.weights.values())
    expected = [value for *_, value in whole[1][0]]
    assert [p.value for p in second.points] == pytest.approx(expected, abs=1e-6)


def test_a_job_without_a_live_member_ends(tmp_path):
    job = a_job((3,), learning_rate=1e30, clip_norm=0.0, warmup=0.0)
    member = run(job, tmp_path).tracks[0]
    assert member.diverged is not None
    assert member.diverged < TOTAL
    assert member.best_step is None


def test_a_batch_without_memory_is_computed_in_parts(tmp_path):
    job = a_job(dropout=0.0)
    whole = values(run(job, tmp_path / "whole"))
    engine = an_engine([3, 5], job.train, size=SIZE)
    real, tried = engine.step, []

    def step(rows, rate, *, chunks):
        tried.append(chunks)
        if len(rows[0]) / chunks > 2:
            raise DeviceMemoryError("full")
        return real(rows, rate, chunks=chunks)

    engine.step = step
    training = run(job, tmp_path / "parts", engine=engine)
    assert tried[:4] == [1, 2, 4, 4]
    assert any("added up in 4 parts" in note for note in training.notes)
    for member, (points, *_) in zip(training.tracks, whole, strict=True):
        expected = [value for *_, value in points]
        assert [p.value for p in member.points] == pytest.approx(expected, abs=1e-5)


def test_no_memory_for_one_example_is_an_error(tmp_path):
    job = a_job((3,))
    engine = an_engine([3], job.train, size=SIZE)
    tried = []

    def step(rows, rate, *, chunks):
        tried.append(chunks)
        raise DeviceMemoryError("full")

    engine.step = step
    with pytest.raises(DeviceMemoryError):
        run(job, tmp_path, engine=engine)
    assert tried == [1, 2, 4, 8]


def test_checkpoints_take_a_small_share_of_the_time(tmp_path):
    """A clock on which an update takes 1 s and a checkpoint 30 s."""
    time = [0.0]
    job = a_job((3,), epochs=40)
    engine = an_engine([3], job.train, size=SIZE)
    real, kept = engine.step, []

    def step(*args, **kwargs):
        time[0] += 1
        return real(*args, **kwargs)

    class Slow(RunStore):
        __slots__ = ()

        def keep_checkpoint(self, *args):
            kept.append(args[1])
            time[0] += 30
            return super().keep_checkpoint(*args)

    engine.step = step
    hooks = Hooks(clock=lambda: time[0], checkpoint_seconds=60)
    train(engine, job, Slow(tmp_path), Lease(), hooks)
    assert kept == [3]
    assert json.loads((tmp_path / ".reportgen/work/job/progress.json").read_text())["step"] == 120


def test_the_time_between_checkpoints_can_be_set(monkeypatch):
    assert Hooks().checkpoint_seconds == 60
    monkeypatch.setenv("REPORTGEN_CHECKPOINT_S", "0.5")
    assert Hooks().checkpoint_seconds == 0.5
