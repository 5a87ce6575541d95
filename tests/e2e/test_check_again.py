"""A second check of what has not changed is shown from the cache, and of nothing else."""

import hashlib
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from fakes.command import Finished, reportgen

RIGHT = "# Results\n\nThe best validation accuracy is 0.84 at step 200.\n"
LOG = "step,validation/accuracy\n100,0.78\n200,0.84\n300,0.81\n"
STUDY = '[report]\ntitle = "A study"\n\n[runs]\npath = "logs"\n'
MARK = "told from the cache"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "work" / "logs" / "a").mkdir(parents=True)
    (tmp_path / "work" / "report.md").write_text(RIGHT)
    (tmp_path / "work" / "logs" / "a" / "metrics.csv").write_text(LOG)
    (tmp_path / "work" / "study.toml").write_text(STUDY)
    (tmp_path / "work" / "model").mkdir()
    (tmp_path / "work" / "model" / "config.json").write_text('{"model_type": "bert"}')
    return tmp_path / "work"


def check(home: Path, *options: str) -> Finished:
    cache = str(home.parent / "cache")
    return reportgen("check", "report.md", *options, cwd=home, REPORTGEN_CACHE=cache)


WITH_LOGS = ("--runs", "logs")


def entries(home: Path) -> list[Path]:
    folder = home.parent / "cache" / "checks"
    return sorted(folder.iterdir()) if folder.is_dir() else []


def mark(home: Path) -> None:
    """Change what is kept, as its own program would have written it."""
    for entry in entries(home):
        index = json.loads((entry / "index.json").read_bytes().partition(b"\n")[2])
        for name, (blob, _) in index["files"].items():
            (entry / blob).write_text(MARK)
            index["files"][name] = (blob, hashlib.sha256(MARK.encode()).hexdigest())
        write_index(entry, index)


def write_index(entry: Path, index: object) -> None:
    text = json.dumps(index).encode()
    digest = hashlib.sha256(text).hexdigest().encode()
    (entry / "index.json").write_bytes(digest + b"\n" + text)


def test_what_has_not_changed_is_shown_again(home: Path) -> None:
    first = check(home, *WITH_LOGS)
    assert len(entries(home)) == 1
    again = check(home, *WITH_LOGS)
    assert (again.code, again.out) == (first.code, first.out)
    mark(home)
    assert check(home, *WITH_LOGS).out == MARK


def test_the_exit_code_is_kept_too(home: Path) -> None:
    (home / "report.md").write_text("We have 2 * 3 = 7 of them.\n")
    first = check(home, *WITH_LOGS)
    assert first.code == 1
    mark(home)
    assert (check(home, *WITH_LOGS).code, check(home, *WITH_LOGS).out) == (1, MARK)


def test_files_are_written_again(home: Path) -> None:
    out = home.parent / "out"
    first = check(home, *WITH_LOGS, "--out", str(out))
    files = {file.name: file.read_bytes() for file in out.iterdir()}
    shutil.rmtree(out)
    again = check(home, *WITH_LOGS, "--out", str(out))
    assert (again.code, again.out) == (first.code, first.out)
    assert first.err.endswith(again.err)  # before it stands what a slow check tells meanwhile
    assert {file.name: file.read_bytes() for file in out.iterdir()} == files
    assert set(files) == {"findings.json", "findings.html"}


def rewrite(name: str, old: str, new: str) -> Callable[[Path], object]:
    def change(home: Path) -> None:
        file = home / name
        file.write_text(file.read_text().replace(old, new))

    return change


def same_size_and_time(home: Path) -> None:
    """Change a value and set the time of the file back."""
    file = home / "logs" / "a" / "metrics.csv"
    before = file.stat()
    file.write_text(LOG.replace("0.84", "0.85"))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


CHANGES: dict[tuple[str, ...], dict[str, Callable[[Path], object]]] = {
    WITH_LOGS: {
        "the report": rewrite("report.md", "0.84", "0.85"),
        "a log": rewrite("logs/a/metrics.csv", "0.84", "0.83"),
        "a log, its size and time kept": same_size_and_time,
        "a new log": lambda home: shutil.copytree(home / "logs/a", home / "logs/b"),
        "a log that is gone": lambda home: (home / "logs/a/metrics.csv").unlink(),
    },
    (*WITH_LOGS, "--checkpoint", "model"): {
        "a configuration": rewrite("model/config.json", "bert", "roberta"),
    },
    (*WITH_LOGS, "--checkpoint", "model/config.json"): {
        "a new file beside a model": lambda home: (home / "model" / "results.json").write_text(
            '{"accuracy": 0.84}'
        ),
    },
    ("--study", "study.toml"): {
        "the study": rewrite("study.toml", "A study", "Another"),
        "a log of the study": rewrite("logs/a/metrics.csv", "0.84", "0.85"),
    },
    (*WITH_LOGS, "--format", "gradescope", "--rubric", "rubric.toml"): {
        "the rubric": rewrite("rubric.toml", "10", "20"),
    },
}


@pytest.mark.parametrize("options", CHANGES, ids=" ".join)
def test_after_a_change_all_is_checked_again(options: tuple[str, ...], home: Path) -> None:
    (home / "rubric.toml").write_text('[[line]]\nid = "values"\npoints = 10\n')
    check(home, *options)
    mark(home)
    assert MARK in check(home, *options).out
    for name, change in CHANGES[options].items():
        change(home)
        assert MARK not in check(home, *options).out, name
        assert entries(home)
        mark(home)


def test_a_new_file_beside_a_report_without_named_evidence_is_noticed(home: Path) -> None:
    (home / "study.toml").unlink()
    check(home)
    mark(home)
    assert MARK in check(home).out
    (home / "test_results.json").write_text('{"test_accuracy": 0.84}')
    assert MARK not in check(home).out


def test_a_file_that_latex_brings_in_is_noticed(home: Path) -> None:
    (home / "parts").mkdir()
    (home / "parts" / "one.tex").write_text("We have $2 \\times 3 = 6$ of them.\n")
    (home / "report.md").write_text("")
    (home / "paper.tex").write_text(
        "\\documentclass{article}\\begin{document}\\input{parts/one}\\end{document}\n"
    )

    def again() -> Finished:
        cache = str(home.parent / "cache")
        return reportgen("check", "paper.tex", "--runs", "logs", cwd=home, REPORTGEN_CACHE=cache)

    assert again().code == 0
    assert entries(home)
    rewrite("parts/one.tex", "= 6", "= 7")(home)
    assert again().code == 1


def test_another_way_of_asking_is_another_check(home: Path) -> None:
    check(home, *WITH_LOGS)
    mark(home)
    for more in (["--verbose"], ["--format", "json"], ["--fail-on", "warning"]):
        assert MARK not in check(home, *WITH_LOGS, *more).out


@pytest.mark.parametrize("kind", ["links", "classes", "names to fill in", "studies beside"])
def test_nothing_is_kept_of(kind: str, home: Path) -> None:
    options = list(WITH_LOGS)
    if kind == "links":
        (home / "elsewhere.csv").write_text(LOG)
        (home / "logs" / "a" / "more.csv").symlink_to(home / "elsewhere.csv")
    elif kind == "classes":
        options.append("study.toml")
        (home / "two.md").write_text(RIGHT)
        options[-1] = "two.md"
    elif kind == "names to fill in":
        (home / "logs" / "report").mkdir()
        shutil.move(home / "logs" / "a", home / "logs" / "report" / "a")
        options[1] = "logs/{name}"
    else:
        options = []
    check(home, *options)
    assert not entries(home)


def test_a_report_that_cannot_be_read_is_tried_again(home: Path) -> None:
    (home / "report.md").write_bytes(b"\0" * 200)
    check(home, *WITH_LOGS)
    assert not entries(home)


HOSTILE: dict[str, Callable[[Path, dict], object]] = {
    "no index": lambda entry, _: (entry / "index.json").unlink(),
    "no JSON": lambda entry, _: (entry / "index.json").write_bytes(b"{"),
    "another digest": lambda entry, _: (entry / "0000").write_text("forged"),
    "a list": lambda entry, _: write_index(entry, []),
    "no files": lambda entry, index: write_index(entry, {**index, "files": {}}),
    "an exit code of words": lambda entry, index: write_index(
        entry, {**index, "outcome": {"exit_code": "0"}}
    ),
    "an outcome of words": lambda entry, index: write_index(entry, {**index, "outcome": "0"}),
    "a name that leads out": lambda entry, index: write_index(
        entry, {**index, "files": {"../../own.findings": next(iter(index["files"].values()))}}
    ),
    "bytes that are no text": lambda entry, index: (
        (entry / "0000").write_bytes(b"\xff"),
        write_index(
            entry,
            {
                **index,
                "files": {
                    name: ("0000", hashlib.sha256(b"\xff").hexdigest()) for name in index["files"]
                },
            },
        ),
    ),
}


def test_what_is_kept_in_another_form_is_ignored(home: Path) -> None:
    out = ("--out", str(home.parent / "out"), "--format", "json")
    first = check(home, *WITH_LOGS, *out)
    right = (home.parent / "out" / "findings.json").read_bytes()
    for name, harm in HOSTILE.items():
        [entry] = entries(home)
        index = json.loads((entry / "index.json").read_bytes().partition(b"\n")[2])
        harm(entry, index)
        (home.parent / "out" / "findings.json").unlink()
        again = check(home, *WITH_LOGS, *out)
        assert (again.code, again.out) == (first.code, first.out), name
        assert (home.parent / "out" / "findings.json").read_bytes() == right, name
        assert not (home.parent / "own").exists(), name
