"""Another reader's word for the numbers: the same, where it can read at all."""

import subprocess
import sys

import numpy as np
import pytest
from fakes.event_file import content, encode, header, image, scalars, tensor, text

from reportgen.read.logs.events import load_by_loop, load_events, load_through_tbparse
from reportgen.records.errors import MissingExtraError

EVENTS = [
    header(),
    *scalars("loss", [(step, step / 7) for step in range(200)]),
    *(tensor("acc", step, content("DOUBLE", "d", step / 9)) for step in range(50)),
    *(tensor("tf2", step, content("FLOAT", "f", step / 9)) for step in range(50)),
    text("args", "--lr 1"),
    image("picture", 3),
]


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "events.out.tfevents.1.host.1.0"
    path.write_bytes(encode(EVENTS))
    return path


@pytest.mark.parametrize("load", [load_through_tbparse, load_by_loop])
def test_the_same_points_and_texts(path, load):
    (mine,), (theirs,) = load_events(path, "a"), load(path, "a")
    assert mine.series.keys() == theirs.series.keys()
    for tag, series in mine.series.items():
        other = theirs.series[tag]
        assert series.steps.tolist() == other.steps.tolist()
        assert series.wall_times.tolist() == other.wall_times.tolist()
        assert np.array_equal(series.values, other.values)
        assert series.values.dtype == other.values.dtype
    assert mine.texts == theirs.texts
    assert mine.source.points == theirs.source.points == 300


@pytest.mark.parametrize(
    ("stored", "said"),
    [
        (b"", "the file is empty"),
        (b"junk" * 99, "tbparse"),
        (encode([tensor("a", 1, content("BFLOAT16", "H", 3))]), "tbparse cannot read it"),
    ],
)
def test_what_it_cannot_read_is_named(path, stored, said):
    path.write_bytes(stored)
    (log,) = load_through_tbparse(path, "a")
    assert said in log.problems[0].message


def test_a_missing_extra_has_a_remedy(path, monkeypatch):
    monkeypatch.setitem(sys.modules, "tbparse", None)
    with pytest.raises(MissingExtraError, match="not installed") as caught:
        load_through_tbparse(path, "a")
    assert 'pip install "tbparse' in caught.value.remedy


@pytest.mark.parametrize("loader", ["loop", "tbparse"])
def test_it_can_be_named_on_the_command_line(path, loader):
    command = [sys.executable, "-m", "reportgen", "inspect", str(path), "--loader"]
    shown = {
        name: subprocess.run([*command, name], capture_output=True, text=True, check=True).stdout
        for name in ("own", loader)
    }
    assert "loss" in shown["own"]
    if loader == "loop":
        assert shown["own"] == shown["loop"]
    else:
        assert "loss" in shown["tbparse"]
