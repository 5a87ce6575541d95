"""Looking at files: equal looks where nothing changed, and every change seen."""

import os
import shutil

import pytest

from reportgen.app.live import watching
from reportgen.app.live.watching import Watched, changed_lately, everything


@pytest.fixture
def runs(tmp_path):
    root = tmp_path / "runs"
    for name in ("a/0/events.1", "a/1/events.2", "b/0/events.3"):
        path = root / name
        path.parent.mkdir(parents=True)
        path.write_bytes(b"x")
    return root


@pytest.fixture
def settled(runs):
    """The same, so old that the times of its folders are believed."""
    for path in (*runs.rglob("*"), runs):
        os.utime(path, (1e9, 1e9))
    return runs


def test_nothing_changes_where_nothing_is_done(settled):
    watched = Watched([(settled, everything)])
    first = watched.look()
    assert len(first) == 1 + 3
    assert watched.look() == first


@pytest.mark.parametrize("old", [True, False], ids=["settled", "fresh"])
@pytest.mark.parametrize(
    "change",
    [
        lambda root: (root / "a/0/events.1").write_bytes(b"xy"),
        lambda root: (root / "a/0/events.9").write_bytes(b""),
        lambda root: (root / "a/0/events.1").unlink(),
        lambda root: (root / "c/0").mkdir(parents=True) or (root / "c/0/events.4").touch(),
        lambda root: shutil.rmtree(root / "b"),
        shutil.rmtree,
        lambda root: (root / "b/0/events.3").rename(root / "b/0/events.5"),
        lambda root: _beside(root, b"y").replace(root / "b/0/events.3"),
        lambda root: os.utime(root / "a/0/events.1", (5, 5)),
    ],
    ids=[
        "grown",
        "new",
        "gone",
        "folder",
        "tree gone",
        "root gone",
        "renamed",
        "replaced",
        "clock",
    ],
)
def test_a_change_is_seen(change, old, runs, request):
    root = request.getfixturevalue("settled") if old else runs
    watched = Watched([(root, everything)])
    before = watched.look()
    change(root)
    after = watched.look()
    assert after != before
    assert watched.look() == after


def _beside(root, content):
    path = root / "b/0/.new"
    path.write_bytes(content)
    return path


def test_a_root_may_vanish_and_return(settled, tmp_path):
    watched = Watched([(settled, everything)])
    before = watched.look()
    settled.rename(tmp_path / "away")
    assert watched.look() == {}
    (tmp_path / "away").rename(settled)
    # Moving a folder leaves its files as they are.
    assert watched.look() == before


def test_a_single_file_is_watched(tmp_path):
    path = tmp_path / "study.toml"
    watched = Watched([(path, everything)])
    assert watched.look() == {}
    path.write_text("a = 1")
    before = watched.look()
    path.write_text("a = 12")
    assert list(before) == list(watched.look()) == [str(path)]
    assert watched.look() != before


def test_names_that_count_for_nothing_are_not_looked_at(settled):
    def weigh(name):
        return {"events.1": True, "weights.pt": False}.get(name.rpartition("/")[2])

    (settled / "a/weights.pt").write_bytes(b"1")
    watched = Watched([(settled, weigh)])
    before = watched.look()
    assert sorted(path[len(str(settled)) + 1 :] for path in before) == [
        "",
        "a/0/events.1",
        "a/weights.pt",
    ]
    (settled / "a/weights.pt").write_bytes(b"more")
    (settled / "b/0/events.3").write_bytes(b"more")
    (settled / "b/0/notes").touch()
    (settled / ".git").mkdir()
    assert watched.look() == before
    (settled / "a/weights.pt").unlink()
    assert watched.look() != before


def test_folders_whose_times_say_nothing_are_listed_again_in_time(settled, monkeypatch):
    watched = Watched([(settled, everything)])
    before = watched.look()
    (settled / "a/0/events.9").touch()
    os.utime(settled / "a/0", (1e9, 1e9))
    # As on a mounted object store, where a folder has no time of its own.
    assert watched.look() == before
    monkeypatch.setattr(watching, "AFRESH", -1.0)
    assert watched.look() != before


def test_two_roots_one_above_the_other_do_not_disturb_each_other(settled):
    watched = Watched([(settled, everything), (settled / "a", everything)])
    before = watched.look()
    assert watched.look() == before


def test_a_file_of_the_future_may_still_be_written(tmp_path):
    path = tmp_path / "log"
    path.touch()
    watched = Watched([(path, everything)])
    (stamp,) = watched.look().values()
    assert changed_lately(stamp, 60)
    assert not changed_lately((1, 1, 0, 0), 60)
    assert changed_lately((1, 1, stamp[2] + 10**15, 0), 60)
    assert not changed_lately((), 60)
