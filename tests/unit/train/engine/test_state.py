import pytest
import torch
from safetensors.torch import load_file

from reportgen.train.engine.course import Course, Mean, Point, Track
from reportgen.train.engine.loop import DamagedCheckpointError, read_state, write_state

POINTS = [
    Point(split="train_inner", metric="loss", step=1, value=0.1 + 0.2, wall_time=1e9 + 0.1),
    Point(split="validation", metric="accuracy", step=2, value=1 / 3, wall_time=1e9 + 0.2),
    Point(split="train_inner", metric="loss", step=2, value=1e-300, wall_time=1e9 + 0.3),
]
ENGINE = {"weight/a": torch.arange(6.0).view(2, 3), "updates": torch.tensor(2)}


def a_course():
    first = Track(
        points=POINTS,
        best_step=2,
        value=1 / 3,
        weights={"x.weight": torch.ones(2)},
        inner=Mean(total=0.1 + 0.7, count=3),
    )
    return Course(
        tracks=[first, Track(diverged=1)], step=2, chunks=4, seconds=1.25, notes=["a note"]
    )


def test_what_is_written_is_read(tmp_path):
    write_state(tmp_path / "c", "job", a_course(), ENGINE)
    course, engine = read_state(tmp_path / "c", "job")
    assert engine.keys() == ENGINE.keys()
    assert all(torch.equal(engine[name], ENGINE[name]) for name in ENGINE)
    expected = a_course()
    assert torch.equal(course.tracks[0].weights["x.weight"], torch.ones(2))
    for found in (course, expected):
        found.tracks[0].weights = {}
    assert course == expected


def test_other_tools_find_the_weights(tmp_path):
    write_state(tmp_path / "c", "job", a_course(), ENGINE)
    assert torch.equal(load_file(tmp_path / "c")["engine/weight/a"], ENGINE["weight/a"])


def test_other_jobs_cuts_and_lost_pages_are_found(tmp_path):
    path = tmp_path / "c"
    write_state(path, "job", a_course(), ENGINE)
    content = path.read_bytes()
    with pytest.raises(DamagedCheckpointError, match="something else"):
        read_state(path, "another")
    for length in range(0, len(content), 7):
        path.write_bytes(content[:length])
        with pytest.raises(DamagedCheckpointError):
            read_state(path, "job")
    path.write_bytes(content[:-16] + bytes(16))
    with pytest.raises(DamagedCheckpointError, match="checksum"):
        read_state(path, "job")
    path.unlink()
    with pytest.raises(DamagedCheckpointError):
        read_state(path, "job")


def test_a_checkpoint_that_cannot_be_written_is_an_error_of_the_disk(tmp_path):
    with pytest.raises(OSError, match="nowhere"):
        write_state(tmp_path / "nowhere" / "c", "job", a_course(), ENGINE)
