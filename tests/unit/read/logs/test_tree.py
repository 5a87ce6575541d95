import gzip
import os
import socket
from hashlib import sha256

import pytest

from reportgen.read.logs import Reading, load_tree, walk
from reportgen.read.logs.events import load_events
from reportgen.records.errors import EvidenceError


@pytest.fixture
def lab(tmp_path, events):
    for seed in (0, 1, 10):
        folder = tmp_path / "model" / str(seed) / "valid"
        folder.mkdir(parents=True)
        content = events.file([events.header(), events.scalar("loss", seed + 1, 0.5)])
        (folder / f"events.out.tfevents.1.host.{seed}.0").write_bytes(content)
    return tmp_path


def test_every_log_is_loaded_in_order_and_the_rest_is_listed(lab):
    (lab / "config.json").write_text("{}")
    (lab / "model" / "pytorch_model.bin").write_bytes(b"")
    (lab / "notes.md").write_text("x")
    seen = []
    tree = load_tree(lab, on_file=lambda *args: seen.append(args))
    assert [log.source.path for log in tree.logs] == [
        f"model/{s}/valid/events.out.tfevents.1.host.{s}.0" for s in (0, 1, 10)
    ]
    assert "config.json" in tree.files
    assert "model/pytorch_model.bin" in tree.files
    assert "notes.md" not in tree.files
    assert [(number, total) for _, number, total in seen] == [(n, 4) for n in (1, 2, 3, 4)]
    assert tree.problems == ()


@pytest.mark.parametrize("packed", [False, True])
def test_the_digest_of_each_file_where_it_is_asked_for(lab, packed):
    path = lab / "model/0/valid/events.out.tfevents.1.host.0.0"
    content = gzip.compress(path.read_bytes()) if packed else path.read_bytes()
    path.write_bytes(content)
    (lab / "trainer_state.json").write_text('{"log_history": [{"step": 1, "loss": 0.5}]}')
    told = {log.source.path: log.source.sha256 for log in load_tree(lab).logs}
    assert told["model/0/valid/events.out.tfevents.1.host.0.0"] == sha256(content).hexdigest()
    assert all(len(digest) == 64 for digest in told.values())
    untold = {
        log.source.kind: log.source.sha256
        for log in load_tree(lab, reading=Reading(digests=False)).logs
    }
    assert untold["tfevents"] == ""


def test_copies_are_known_without_digests(lab):
    (original,) = (lab / "model/0/valid").iterdir()
    folder = original.with_name("copy")
    folder.mkdir()
    (folder / original.name).write_bytes(original.read_bytes())
    tree = load_tree(lab, reading=Reading(digests=False))
    assert len(tree.logs) == 3
    assert ["byte for byte" in problem.message for problem in tree.problems] == [True]


def test_a_missing_root_says_what_to_do(tmp_path):
    with pytest.raises(EvidenceError, match="no file or folder") as caught:
        load_tree(tmp_path / "nowhere")
    assert caught.value.remedy == f"check the path; {tmp_path} is empty"


def test_hidden_and_cache_folders_are_left_alone(lab):
    for name in (".git", "__pycache__"):
        (lab / name).mkdir()
        (lab / name / "events.out.tfevents.1.x").write_bytes(b"junk")
    assert len(load_tree(lab).logs) == 3


def test_a_broken_link_is_named_and_the_rest_loaded(lab):
    (lab / "model" / "gone.tfevents").symlink_to(lab / "nowhere")
    tree = load_tree(lab)
    assert len(tree.logs) == 3
    assert [(p.path, p.message) for p in tree.problems] == [
        ("model/gone.tfevents", "a broken link")
    ]


def test_a_loop_of_links_ends(lab):
    (lab / "model" / "loop").symlink_to(lab, target_is_directory=True)
    tree = load_tree(lab)
    assert len(tree.logs) == 3
    (problem,) = tree.problems
    assert (problem.path, problem.level) == ("model/loop", "note")
    assert problem.message == "a link to a folder that is read under its own name"


def test_a_link_inside_the_root_is_followed_to_what_is_not_read_otherwise(lab):
    hidden = lab / ".store"
    (lab / "model" / "10").rename(hidden)
    (lab / "model" / "10").symlink_to(hidden, target_is_directory=True)
    tree = load_tree(lab)
    assert [log.source.path.split("/")[1] for log in tree.logs] == ["0", "1", "10"]
    assert tree.problems == ()


def test_a_link_never_hides_the_folder_it_leads_to(lab):
    (lab / "a_link").symlink_to(lab / "model", target_is_directory=True)
    tree = load_tree(lab)
    assert all(log.source.path.startswith("model/") for log in tree.logs)
    assert [p.path for p in tree.problems] == ["a_link"]


def test_a_link_that_leaves_the_root_is_named_and_not_followed(lab):
    (lab / "all").symlink_to("/", target_is_directory=True)
    (lab / "dev").symlink_to("/dev", target_is_directory=True)
    tree = load_tree(lab)
    assert len(tree.logs) == 3
    assert [(p.path, p.level) for p in tree.problems] == [("all", "warning"), ("dev", "warning")]
    assert all("outside" in p.message and "--runs" in p.remedy for p in tree.problems)


def test_a_folder_without_end_is_refused(lab, monkeypatch):
    monkeypatch.setattr(walk, "ENTRY_LIMIT", 10)
    load_tree(lab)
    for number in range(10):
        (lab / f"{number}.md").write_text("")
    with pytest.raises(EvidenceError, match="more than 10 files and folders"):
        load_tree(lab)


def test_a_root_that_cannot_be_read_is_an_error(lab, monkeypatch):
    def refuse(_path):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(walk.os, "scandir", refuse)
    with pytest.raises(EvidenceError, match="cannot be read: Permission denied"):
        load_tree(lab)


def test_a_root_that_is_a_pipe_is_an_error(tmp_path):
    os.mkfifo(tmp_path / "x.tfevents")
    with pytest.raises(EvidenceError, match="a pipe"):
        load_tree(tmp_path / "x.tfevents")


def test_hidden_logs_are_named(lab):
    (lab / "model").rename(lab / ".model")
    (lab / ".cache").mkdir()
    tree = load_tree(lab)
    assert tree.logs == ()
    (problem,) = tree.problems
    assert (problem.path, problem.level) == (".model", "note")
    assert problem.message == "hidden, and not read: 3 log files lie in it"
    assert "rename" in problem.remedy


def test_a_hidden_log_file_is_named_and_other_hidden_files_are_not(lab):
    for name in (".events.out.tfevents.1.h", "._events.out.tfevents.1.h", ".DS_Store"):
        (lab / name).write_bytes(b"x")
    assert [p.path for p in load_tree(lab).problems] == [".events.out.tfevents.1.h"]


def test_folders_nested_without_end_are_named(lab):
    deep = lab.joinpath(*["d"] * 80)
    deep.mkdir(parents=True)
    (deep / "a.tfevents").write_bytes(b"")
    tree = load_tree(lab)
    assert len(tree.logs) == 3
    assert "not entered" in tree.problems[0].message


def test_what_is_no_file_is_named_and_never_opened(lab, monkeypatch):
    os.mkfifo(lab / "pipe.tfevents")
    os.mkfifo(lab / "other")
    (lab / "zero.tfevents").symlink_to("/dev/zero")
    with socket.socket(socket.AF_UNIX) as one:
        # A socket's path is short by law.
        monkeypatch.chdir(lab)
        one.bind("trainer_state.json")
    tree = load_tree(lab)
    assert len(tree.logs) == 3
    assert [(p.path, p.message, p.level) for p in tree.problems] == [
        ("other", "a pipe, no file; not opened", "note"),
        ("pipe.tfevents", "a pipe, no file; not opened", "warning"),
        ("trainer_state.json", "a socket, no file; not opened", "warning"),
        ("zero.tfevents", "a device, no file; not opened", "warning"),
    ]


def test_a_loader_never_waits_for_a_pipe(tmp_path):
    path = tmp_path / "x.tfevents"
    os.mkfifo(path)
    (log,) = load_events(path, "x.tfevents")
    assert [p.message for p in log.problems] == ["cannot be read: not a regular file"]


def test_control_characters_of_a_name_are_written_out(lab):
    (lab / "model").rename(lab / "mo\x1b[31mdel\n")
    (lab / "mo\x1b[31mdel\n" / "config.json").write_text("{}")
    tree = load_tree(lab)
    assert {log.source.path.split("/")[0] for log in tree.logs} == {r"mo\x1b[31mdel\n"}
    assert not any(name.endswith("config.json") for name in tree.files)
    (problem,) = tree.problems
    assert problem.path == r"mo\x1b[31mdel\n/config.json"
    assert "cannot be printed" in problem.message


def test_a_file_that_cannot_be_opened_is_named(lab, monkeypatch):
    from reportgen.read.logs import files as reading_files

    def refuse(self, *_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(reading_files.FileReader, "_raw", refuse)
    tree = load_tree(lab)
    assert len(tree.logs) == 3
    assert {(p.message, p.level) for log in tree.logs for p in log.problems} == {
        ("cannot be read: Permission denied", "warning")
    }
    assert all("permissions" in p.remedy for log in tree.logs for p in log.problems)


def test_names_that_are_no_utf8(lab):
    folder = os.fsencode(lab) + b"/odd\xff"
    try:
        os.mkdir(folder)  # noqa: PTH102
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    (lab / "odd\udcff" / "a.tfevents").write_bytes(b"junk")
    names = [log.source.path for log in load_tree(lab).logs]
    assert "odd\\xff/a.tfevents" in names


@pytest.mark.parametrize(
    ("name", "told"),
    [("log.csv", "note"), ("training_log.csv", "note"), ("Progress.CSV", ""), ("x.jsonl", "note"),
     ("history.json", "note"), ("train.log", "note"), ("progress.csv", "note"), ("x.json", ""),
     ("x.ndjson", "note"), ("a.log.json", "note"), ("metrics.json", "note"), ("labels.csv", ""),
     ("notes.txt", ""), ("metrics.csv", "warning")],
)  # fmt: skip
def test_an_empty_file_whose_name_says_that_it_is_a_log_is_named_once(lab, name, told):
    (lab / "model" / name).write_bytes(b"")
    tree = load_tree(lab)
    problems = [*tree.problems, *(problem for log in tree.logs for problem in log.problems)]
    assert [(p.path, p.message, p.level) for p in problems] == (
        [(f"model/{name}", "the file is empty (0 bytes)", told)] if told else []
    )


@pytest.mark.parametrize(
    ("curves", "read"),
    [("sub/seed0.csv", ["sub/seed0.csv"]), ("notes.csv", ["notes.csv", "sub/all.csv"])],
)
def test_results_of_runs_count_where_no_curves_lie_beside_them(tmp_path, curves, read):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "all.csv").write_text("run,test_acc\na,0.5\nb,0.75\n")
    (tmp_path / curves).write_text("step,loss\n1,0.5\n2,0.25\n")
    tree = load_tree(tmp_path)
    assert sorted({log.source.path for log in tree.logs}) == read
    assert len(tree.fates) == 2
