"""Files that are told by their names: packed ones, parts put aside, settings, results."""

import gzip
import json

import pytest

from reportgen.read.logs import load_tree

LOG = "epoch,val_acc\n1,0.5\n2,0.6\n3,0.7\n"
PRINTED = "".join(f"Epoch {n} loss 0.{n} val_acc 0.{n}5\n" for n in range(1, 6))


@pytest.mark.parametrize(
    ("name", "content", "tag"),
    [("metrics.csv.gz", LOG, "val_acc"), ("train.log.gz", PRINTED, "val_acc")],
)
def test_a_packed_log_is_read_as_what_it_holds(tmp_path, name, content, tag):
    (tmp_path / name).write_bytes(gzip.compress(content.encode()))
    (log,) = load_tree(tmp_path).logs
    assert len(log.series[tag]) >= 3


@pytest.mark.parametrize("other", ["17\t4093\t5\n", "First Citizen: Before we proceed.\n"])
def test_a_text_that_says_nothing_of_a_training_for_long_is_other_data(tmp_path, other):
    (tmp_path / "late.log").write_text(1_000 * other + PRINTED)
    (tmp_path / "data.log").write_text(100_000 * other + PRINTED)
    assert {log.source.path for log in load_tree(tmp_path).logs} == {"late.log"}


def test_a_part_of_a_log_that_was_put_aside_is_named(tmp_path):
    (tmp_path / "train.log").write_text(PRINTED)
    (tmp_path / "train.log.1").write_text(PRINTED)
    (tmp_path / "weights.1").write_text("")
    (problem,) = load_tree(tmp_path).problems
    assert problem.path == "train.log.1"
    assert "an earlier part of train.log" in problem.message
    assert "one file" in problem.remedy


def test_entries_of_a_state_that_ends_early_are_read(tmp_path):
    whole = json.dumps({"log_history": [{"loss": 1 / n, "step": 10 * n} for n in (1, 2, 3)]})
    (tmp_path / "trainer_state.json").write_text(whole[:-12])
    (log,) = load_tree(tmp_path).logs
    assert list(log.series["train/loss"].points()) == [(10, 1.0), (20, 0.5)]
    (problem,) = log.problems
    assert "the 2 entries before that are read" in problem.message


@pytest.mark.parametrize(
    ("name", "content", "tag", "points"),
    [
        (
            "scalars.json",
            '{"iter": 9, "step": 9, "a": 1}\n{"step": 9, "b": 2}\n',
            "val/b",
            [(9, 2)],
        ),
        ("a.csv", "epoch,loss\n0.5,2\n1.0,1\n1.5,0\n", "loss", [(1, 2), (2, 1), (3, 0)]),
        ("a.csv", "epoch,loss\n1,nan\n2,nan\n", "loss", 2),
        ("a.csv.gz", gzip.compress(LOG.encode(), mtime=0)[:-12], "val_acc", [(1, 0.5), (2, 0.6)]),
    ],
)
def test_what_is_read_of_odd_clocks_lists_and_ends(tmp_path, name, content, tag, points):
    (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    (log,) = load_tree(tmp_path).logs
    found = list(log.series[tag].points())
    assert (found if isinstance(points, list) else len(found)) == points
