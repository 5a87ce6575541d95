"""Programs that fill the stores: columns of a log that grows, and a run store with two runs."""

import hashlib
import json
from pathlib import Path

import numpy as np

from reportgen.train.store import RunStore

READ = """
import hashlib, sys
from pathlib import Path
from reportgen.read.logs.events.store import ColumnStore

path, store = Path(sys.argv[1]), ColumnStore(Path(sys.argv[2]))
series = store.read(path).points["loss"]
told = hashlib.sha256(series.steps.tobytes() + series.values.astype("<f4").tobytes())
print(len(series.steps), told.hexdigest(), store.digest(path, path.stat().st_size))
store.forget_unused()
"""
"""Arguments: the log, the folder of columns. Prints points, their digest, that of the file."""


def points_digest(count: int) -> str:
    """Return the digest that READ prints of a log whose loss at step n is n/7."""
    steps = np.arange(count)
    values = (steps / 7).astype("<f4")
    return hashlib.sha256(steps.astype(np.int64).tobytes() + values.tobytes()).hexdigest()


TRAIN = """
import hashlib, json, sys, time
from pathlib import Path
from reportgen.records.run import Rerun
from reportgen.train.store import run_key
from reportgen.train.store import RunStore

store = RunStore(Path(sys.argv[1]), ttl=1.0)
store.sweep()
for place in sys.argv[2:]:
    key = run_key({"place": place})
    while not store.done(place):
        lease = store.claim([key])
        if lease is None:
            time.sleep(0.05)
            continue
        with lease:
            step, value = 0, place
            for path in store.checkpoints(key):
                step, value = json.loads(path.read_bytes())
                break
            while step < 4:
                step, value = step + 1, hashlib.sha256(value.encode()).hexdigest()
                store.keep_checkpoint(key, step, json.dumps([step, value]).encode(), lease)
                store.write_progress(key, {"step": step})
            store.note_failure(key, "out of memory", step=step)
            store.note_canary(key, {"loss": 1})
            store.clear_failure(key)

            def write(folder):
                (folder / "test").mkdir()
                (folder / "test" / "value").write_text(value)

            made = Rerun(key=key, group="g", seed=1, device="", date="2026-01-02", versions={})
            store.publish(place, made, write, lease)
            store.forget_work(key)
"""
PLACES = ("g/1", "g/2")


def chain(place: str) -> str:
    value = place
    for _ in range(4):
        value = hashlib.sha256(value.encode()).hexdigest()
    return value


def assert_whole(root: Path) -> dict[str, int]:
    """Every run that is there is whole and right; return their inodes."""
    store, found = RunStore(root), {}
    for place in PLACES:
        if (root / place).exists():
            assert (root / place / "test" / "value").read_text() == chain(place)
            record = json.loads((root / place / "run.json").read_text())
            digest = hashlib.sha256(chain(place).encode()).hexdigest()
            assert record["sha256"] == {"test/value": digest}
            assert store.done(place)
            found[place] = (root / place / "run.json").stat().st_ino
    return found
