"""Split folders above the folders of runs are splits only where two of them hold the same run."""

import pytest

POINTS = {"accuracy": {1: 0.5, 2: 0.6}}


@pytest.fixture
def read(put_together, log):
    def from_folders(*folders, **fields):
        logs = [
            log(f"{folder}/events.out.tfevents.{n}.h.{n}.0", POINTS)
            for n, folder in enumerate(folders)
        ]
        runs, _ = put_together(*logs, **fields)
        return {run.id: {s.split for s in run.scalars.values()} for run in runs}, runs

    return from_folders


@pytest.mark.parametrize("pattern", ["", r"^(?P<group>\w)_s(?P<seed>\d)$"])
def test_splits_at_the_top_and_a_pattern_reads_the_path_without_them(read, pattern):
    found, runs = read("train/a_s1", "test/a_s1", "train/a_s2", "test/a_s2", pattern=pattern)
    assert found == {"a_s1": {"train", "test"}, "a_s2": {"train", "test"}}
    assert [(run.group, run.seed) for run in runs] == [("a", 1), ("a", 2)]


def test_splits_with_a_folder_below(read):
    found, _ = read("a/train/tb", "a/valid/tb")
    assert found == {"a/tb": {"train", "validation"}}


def test_one_folder_called_test_is_none(read):
    found, _ = read("test/a", "test/b")
    assert found == {"test/a": {""}, "test/b": {""}}
