import hashlib
import os
from dataclasses import replace

import pytest
from fakes.store_folder import KEY, RERUN, fill, visible

from reportgen.records.errors import OutputError, UsageError
from reportgen.train.store import LostLeaseError, RunStore

# Finished runs


def test_an_empty_store_holds_nothing(store):
    assert not store.done("pretrained/1")
    assert store.read("pretrained/1") is None
    assert store.published() == ()
    assert store.holder(KEY) is None
    assert store.checkpoints("job") == ()
    assert store.failures() == {}
    assert store.canary(KEY) is None
    assert store.read_progress("job") is None
    assert store.set_aside("pretrained/1") is None
    assert store.sweep() == 0
    store.clear_failure(KEY)
    store.forget_work("job")


def test_a_published_run_is_there_with_its_record(store, lease):
    assert store.publish("pretrained/1", RERUN, fill, lease)
    assert visible(store) == [
        "pretrained/1/model.safetensors",
        "pretrained/1/run.json",
        "pretrained/1/train/events",
    ]
    assert store.done("pretrained/1")
    digests = {
        "model.safetensors": hashlib.sha256(b"weights").hexdigest(),
        "train/events": hashlib.sha256(b"points").hexdigest(),
    }
    expected = replace(RERUN, sha256=digests)
    assert store.read("pretrained/1") == expected
    assert store.holds("pretrained/1", expected.key)
    assert not store.holds("pretrained/1", "another")
    assert not store.holds("pretrained/2", expected.key)
    assert store.published() == (("pretrained/1", expected),)


def test_others_may_read_a_published_run(store, lease, tmp_path):
    plain = tmp_path / "plain"
    plain.mkdir()
    (plain / "file").write_bytes(b"")
    store.publish("1", RERUN, fill, lease)
    assert (store.root / "1").stat().st_mode == plain.stat().st_mode
    assert (store.root / "1" / "run.json").stat().st_mode == (plain / "file").stat().st_mode


def test_the_first_one_wins_also_while_the_second_is_writing(store, lease):
    def write(folder):
        (folder / "x").write_bytes(b"second")
        other = RunStore(store.root)
        assert other.publish("1", RERUN, lambda p: (p / "x").write_bytes(b"first"), lease)

    for attempt in (write, fill):
        assert not store.publish("1", RERUN, attempt, lease)
        assert (store.root / "1" / "x").read_bytes() == b"first"
        assert visible(store) == ["1/run.json", "1/x"]


def test_a_lease_lost_while_writing_publishes_nothing(store):
    with store.claim([KEY]) as lease:

        def write(folder):
            fill(folder)
            (store.root / ".reportgen" / "lease" / KEY).unlink()

        with pytest.raises(LostLeaseError):
            store.publish("1", RERUN, write, lease)
    assert visible(store) == []
    assert not (store.root / "1").exists()


def fail(folder):
    fill(folder)
    raise ValueError("no weights")


@pytest.mark.parametrize(
    ("rerun", "write", "told"),
    [
        (replace(RERUN, key="another"), fill, "not of another"),
        (RERUN, fail, "no weights"),
        (replace(RERUN, seconds=-1.0), fill, "seconds"),  # it could not be read back
        (RERUN, lambda p: (p / "model").symlink_to("/etc/passwd"), "model is neither"),
    ],
)
def test_what_cannot_be_published_is_not_there(store, lease, rerun, write, told):
    with pytest.raises(ValueError, match=told):
        store.publish("1", rerun, write, lease)
    assert visible(store) == []


@pytest.mark.parametrize("place", ["../1", "/1", ".reportgen/x", "a/../../b", "a\n"])
def test_a_place_outside_is_refused_everywhere(store, lease, place):
    for use in (
        store.done,
        store.read,
        store.set_aside,
        lambda place: store.publish(place, RERUN, fill, lease),
    ):
        with pytest.raises(UsageError, match="a run cannot lie at"):
            use(place)


def test_a_folder_in_the_way_is_told(store, lease):
    (store.root / "1").mkdir()
    (store.root / "1" / "notes.txt").write_text("mine")
    with pytest.raises(OutputError, match="is no finished run"):
        store.publish("1", RERUN, fill, lease)
    assert visible(store) == ["1/notes.txt"]
    (store.root / "2").write_text("mine")
    with pytest.raises(OutputError, match="is no finished run"):
        store.publish("2", RERUN, fill, lease)


def test_a_run_lies_in_no_other(store, lease):
    store.publish("a", RERUN, fill, lease)
    with pytest.raises(OutputError, match="inside the finished run a"):
        store.publish("a/b/1", RERUN, fill, lease)
    store.publish("b/c", RERUN, fill, lease)
    with pytest.raises(OutputError, match="is no finished run"):
        store.publish("b", RERUN, fill, lease)


def test_a_damaged_record_is_a_problem_and_the_others_are_read(store, lease):
    for place in ("c", "b/1", "a"):
        store.publish(place, RERUN, fill, lease)
    (store.root / "b/1/run.json").write_text('{"format": 1}')
    (store.root / "d").mkdir()
    (store.root / "d/run.json").write_bytes(b" " * (2**20 + 1))
    assert store.read("b/1") is None
    contents = store.read_all()
    assert [place for place, _ in contents.runs] == ["a", "c"]
    assert [place for place, _ in store.published()] == ["a", "c"]
    assert [p.path for p in contents.problems] == ["b/1/run.json", "d/run.json"]
    assert "'key'" in contents.problems[0].message
    assert "more than 1048576 bytes" in contents.problems[1].message
    # It is there all the same, and nobody trains it again unasked.
    assert store.done("b/1")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_for_a_record_stops_nobody(store):
    (store.root / "a").mkdir(parents=True)
    os.mkfifo(store.root / "a" / "run.json")
    assert not store.done("a")
    assert store.read("a") is None
    assert "no regular file" in store.read_all().problems[0].message


def test_a_name_that_is_no_text_is_a_problem(store):
    try:
        (store.root / "a\udc80").mkdir(parents=True)
    except (OSError, UnicodeError):
        pytest.skip("such names cannot be made here")
    (store.root / "a\udc80" / "run.json").write_bytes(b"{}")
    assert "lies where no run can lie" in store.read_all().problems[0].message


def test_links_to_folders_are_not_followed(store, lease):
    store.publish("a", RERUN, fill, lease)
    (store.root / "loop").symlink_to(store.root)
    assert [place for place, _ in store.published()] == ["a"]


def test_a_finished_run_holds_no_other(store, lease):
    def write(folder):
        fill(folder)
        (folder / "train" / "run.json").write_bytes(b"{}")

    store.publish("a", RERUN, write, lease)
    contents = store.read_all()
    assert [place for place, _ in contents.runs] == ["a"]
    assert contents.problems == ()


def test_runs_set_aside_are_kept_and_not_found(store, lease):
    places = []
    for content in (b"1", b"2", b"3"):
        store.publish("g/1", RERUN, lambda p, c=content: (p / "x").write_bytes(c), lease)
        places.append(store.set_aside("g/1"))
        assert not store.done("g/1")
    replaced = store.root / ".reportgen/replaced/g"
    assert places == [replaced / "1-1", replaced / "1-2", replaced / "1-3"]
    assert [(p / "x").read_bytes() for p in places] == [b"1", b"2", b"3"]
    assert store.published() == ()
