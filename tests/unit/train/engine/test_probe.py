"""What an update costs, on an engine whose clock is known."""

import pytest

from reportgen.train.engine import probe


class Timed:
    """An engine of two members that takes its time; the first calls take longer."""

    def __init__(self, update, evaluation):
        self.now = 0.0
        self.update, self.evaluation = update, evaluation
        self.steps = []

    def perf_counter(self):
        return self.now

    def train_size(self):
        return 5

    def step(self, rows, rate, *, chunks=1):
        self.now += self.update * (10 if len(self.steps) < probe.WARM_UP else 1)
        self.steps.append((rows, rate))
        return [0.0] * len(rows)

    def evaluate(self, split):
        self.now += self.evaluation[split]
        return [{}] * 2


@pytest.fixture
def timed(monkeypatch):
    engine = Timed(0.5, {"validation": 1.0, "test": 2.0})
    monkeypatch.setattr(probe, "time", engine)
    return engine


def test_full_batches_and_every_split_are_timed_and_nothing_is_learnt(timed):
    assert probe.measure_pace(timed, 2, 8, ("validation", "test")) == (0.5, 3.0)
    assert len(timed.steps) == probe.WARM_UP + probe.TIMED
    rows, rates = zip(*timed.steps, strict=True)
    assert set(rates) == {0.0}
    assert list(rows[0]) == [[0, 1, 2, 3, 4, 0, 1, 2]] * 2


def test_slow_updates_are_measured_by_fewer(timed):
    timed.update = probe.LIMIT_SECONDS / 2
    assert probe.measure_pace(timed, 2, 8, ("validation",))[0] == probe.LIMIT_SECONDS / 2
    assert len(timed.steps) == probe.WARM_UP + 2
