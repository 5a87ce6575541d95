"""Logs as loaders give them, made in memory."""

import numpy as np
import pytest

from reportgen.records.run import Log, Series, Source


def make_log(path, tags=None, *, kind="tfevents", start=1000.0, single=True, **fields):
    """Return a log: tag to {step: value}; the clock ticks with the steps."""
    series = {}
    for tag, points in (tags or {}).items():
        steps = np.array(sorted(points), dtype=np.int64)
        values = np.array([points[int(s)] for s in steps], dtype="f4" if single else "f8")
        clock = np.full(len(steps), np.nan) if start is None else start + steps.astype(float)
        series[tag] = Series(tag=tag, steps=steps, values=values, wall_times=clock, path=path)
    count = sum(len(s) for s in series.values())
    source = Source(path=path, kind=kind, size=1, sha256=path, points=count)
    return Log(source=source, series=series, **fields)


@pytest.fixture
def log():
    return make_log


@pytest.fixture
def put_together():
    """Assemble logs under an empty study, or one with these fields."""
    from reportgen.records.study import Study
    from reportgen.runs import assemble

    def run(*logs, files=(), root="lab", **fields):
        return assemble(logs, files, Study(**fields), root)

    return run


@pytest.fixture
def fairseq():
    """The logs of one fairseq run: accuracies in percent by split."""

    def logs(folder, valid, test=None, *, start=1000.0):
        found = []
        for number, (split, values) in enumerate({"valid": valid, "test": test}.items()):
            if values is not None:
                points = {225 * (i + 1): v for i, v in enumerate(values)}
                path = f"{folder}/{split}/events.out.tfevents.1.lab.7.{number}"
                found.append(make_log(path, {"accuracy": points, "loss": points}, start=start))
        return found

    return logs
