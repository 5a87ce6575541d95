import gzip
import os
import socket
from hashlib import sha256

import pytest
from fakes.rows import rows_beside

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


@pytest.mark.parametrize("row", rows_beside(__file__), ids=lambda row: row["it"])
def test_what_is_told_of_links_and_odd_names(lab, monkeypatch, row):
    for name, target in row.get("moved", {}).items():
        (lab / name).rename(lab / target)
    for name in row.get("files", ()):
        (lab / name).parent.mkdir(parents=True, exist_ok=True)
        (lab / name).write_text("{}")
    for name, target in row.get("links", {}).items():
        (lab / name).symlink_to(lab / target)
    for name in row.get("pipes", ()):
        os.mkfifo(lab / name)
    monkeypatch.chdir(lab)  # a socket's path is short by law
    for name in row.get("sockets", ()):
        with socket.socket(socket.AF_UNIX) as one:
            one.bind(name)
    tree = load_tree(lab)
    folder = row.get("folder", "model")
    logs = [f"{folder}/{seed}/valid/events.out.tfevents.1.host.{seed}.0" for seed in (0, 1, 10)]
    assert [log.source.path for log in tree.logs] == (logs if folder else [])
    assert set(tree.files) == set(logs if folder else [])
    told = [[p.path, p.level, p.message, *filter(None, [p.remedy])] for p in tree.problems]
    assert told == row.get("told", [])


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


def test_a_loader_never_waits_for_a_pipe(tmp_path):
    path = tmp_path / "x.tfevents"
    os.mkfifo(path)
    (log,) = load_events(path, "x.tfevents")
    assert [p.message for p in log.problems] == ["cannot be read: not a regular file"]


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
