"""Same tags, steps, values and wall times as tbparse, which reads with TensorBoard's own code.

Bit for bit, and at the precision that is stored, for which TensorBoard's messages are asked.
"""

import warnings

import numpy as np
import pytest
from fakes.event_file import encode, fields, header, scalars, starts, tensor
from fakes.event_points import points_in, points_of, read_events
from fakes.event_runs import SHAPES, in_forms, long_file
from fakes.rows import rows_beside

from reportgen.read.logs import load_tree
from reportgen.read.logs.events import load_events, read_event_file

ROWS = rows_beside(__file__)

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from tbparse import SummaryReader

POINTS = ROWS["points"]
"""Published logs, and how many points they hold."""


def as_tbparse(path):
    """Return tag -> (steps, values, wall times) as tbparse reads one file.

    It gives every write, in the order of steps.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        reader = SummaryReader(str(path), extra_columns={"wall_time"})
        frames = [reader.scalars, reader.tensors]
    found = {}
    for frame in frames:
        for tag in frame["tag"].unique() if len(frame) else ():
            rows = frame[frame["tag"] == tag].sort_values("step", kind="stable")
            values = np.array([float(np.asarray(v).item()) for v in rows["value"]])
            found[tag] = (rows["step"].to_numpy(), values, rows["wall_time"].to_numpy())
    return found


def compare(path):
    """Hold a file against tbparse and against the messages in it; return its points."""
    found, expected = read_event_file(path).points, as_tbparse(path)
    assert set(found) == set(expected)
    for tag, (steps, values, wall_times) in expected.items():
        mine = found[tag].some(np.argsort(found[tag].steps, kind="stable"))
        assert np.array_equal(mine.steps, steps)
        assert equal_bits(mine.values.astype(np.float64), values)
        assert equal_bits(mine.wall_times, wall_times)
    return sum(len(points.steps) for points in found.values())


def equal_bits(one, other):
    """Compare doubles: -0.0 is not 0.0, and any NaN is the same."""
    nan = np.isnan(one) & np.isnan(other)
    return bool((nan | (one.view(np.int64) == other.view(np.int64))).all())


@pytest.mark.parametrize(
    "folder", [pytest.param(f, marks=[pytest.mark.wide] * (n > 50_000)) for f, n in POINTS.items()]
)
def test_logs_of_other_peoples_runs(realdata, folder):
    paths = sorted((realdata / folder).rglob("*tfevents*"))
    assert paths
    sound = [path for path in paths if path.read_bytes()[:1] not in {b"", b"v"}]
    assert sum(compare(path) for path in sound) == POINTS[folder]
    for path in set(paths) - set(sound):
        (log,) = load_events(path, path.name)
        assert (log.series, len(log.problems)) == ({}, 1)


@pytest.mark.parametrize("folder", POINTS)
def test_logs_of_other_peoples_runs_at_the_precision_stored(realdata, folder):
    for path in sorted((realdata / folder).rglob("*tfevents*")):
        if path.stat().st_size < 20_000 and path.read_bytes()[:1] not in {b"", b"v"}:
            assert points_of(read_event_file(path)) == points_in(read_events(path))


def test_no_folder_of_logs_is_left_out(realdata):
    folders = {path.relative_to(realdata).parts[0] for path in realdata.rglob("*tfevents*")}
    assert folders == set(POINTS)


def test_a_sample_lab(lab):
    paths = sorted((lab / "logs").rglob("*tfevents*"))
    assert sum(compare(path) for path in paths) > 0
    assert len([p for p in load_tree(lab / "logs").files if "tfevents" in p]) == len(paths)


@pytest.mark.parametrize("shape", [s for s in SHAPES if s is not in_forms])
def test_long_files_made_here(tmp_path, shape):
    path = tmp_path / "events.out.tfevents.1.host"
    path.write_bytes(encode(long_file(shape, 40)))
    assert compare(path) > 100


def test_values_that_are_no_numbers_and_steps_in_no_order(tmp_path):
    rng = np.random.default_rng(7)
    events = [header()]
    for step in map(int, rng.permutation(400)):
        odd = [np.nan, np.inf, -0.0, -np.inf][step % 4]
        proto = [fields("FLOAT", float_val=[rng.normal()]),
                 fields("DOUBLE", double_val=[rng.normal()])][step % 2]  # fmt: skip
        events += scalars("train/loss", [(step, rng.normal())], 1e9 + step / 7)
        events += scalars("précision", [(step, odd)])
        events.append(tensor(f"tensor{step % 2}", step, proto))
    path = tmp_path / "events.out.tfevents.1.host"
    path.write_bytes(encode(events))
    assert compare(path) == 3 * 400


def test_a_session_that_starts_again(tmp_path):
    first = scalars("loss", [(s, s / 3) for s in range(50)])
    path = tmp_path / "events.out.tfevents.1.host"
    path.write_bytes(encode([header(), *first, starts(30), *first[20:35]]))
    assert compare(path) == 45
