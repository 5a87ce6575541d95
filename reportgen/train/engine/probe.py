"""`python -m reportgen.train.engine.probe JOB.json STORE`: what an update costs on this machine.

A few updates and one evaluation of each split are timed; weights and logs are thrown away.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path

from reportgen.records.job import Job
from reportgen.train.engine.assembly import assemble
from reportgen.train.engine.course import updates_per_epoch
from reportgen.train.engine.engine import Engine
from reportgen.train.store import RunStore

WARM_UP, TIMED = 3, 20
"""Updates; the first ones of a process take longer than the rest."""

LIMIT_SECONDS = 30.0
"""After so long no further update is timed."""


def measure_pace(
    engine: Engine, members: int, batch: int, splits: Sequence[str]
) -> tuple[float, float]:
    """Return seconds of one update, and of one evaluation of all held-out splits.

    The engine, ready for its first update, learns nothing, for the rate is 0.
    """
    rows = [[i % engine.train_size() for i in range(batch)]] * members
    engine.evaluate(splits[0])
    for _ in range(WARM_UP):
        engine.step(rows, 0.0)
    begun = time.perf_counter()
    done = 0
    while done < TIMED and time.perf_counter() - begun < LIMIT_SECONDS:
        engine.step(rows, 0.0)
        done += 1
    update = (time.perf_counter() - begun) / done
    begun = time.perf_counter()
    for split in splits:
        engine.evaluate(split)
    return update, time.perf_counter() - begun


def main(arguments: Sequence[str]) -> int:
    """Measure, and write what was found into the job's progress."""
    job = Job.from_json(Path(arguments[0]).read_text(encoding="utf-8"))
    splits = [split for split in ("validation", "test") if split in job.train.data.files]
    engine = assemble(job).engine
    update, evaluation = measure_pace(engine, len(job.members), job.train.batch_size, splits)
    seconds = update + evaluation / updates_per_epoch(engine.train_size(), job.train)
    RunStore(Path(arguments[1])).write_progress(job.id, {"seconds_per_step": seconds})
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
