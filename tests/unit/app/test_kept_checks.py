"""What a kept check is known by, and that nothing else is believed."""

import hashlib
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from reportgen.app import CheckOptions, KeptCheck, ShowOptions

LOG = "step,validation/accuracy\n100,0.78\n200,0.84\n300,0.81\n"
FILES = {
    "report.md": "The best validation accuracy is 0.84 at step 200.\n",
    "paper.tex": "\\documentclass{article}\\begin{document}\\input{parts/one}\\end{document}\n",
    "parts/one.tex": "We have $2 \\times 3 = 6$ of them.\n",
    "logs/a/metrics.csv": LOG,
    "study.toml": '[report]\ntitle = "A study"\n\n[runs]\npath = "logs"\n',
    "model/config.json": '{"model_type": "bert"}',
    "rubric.toml": '[[line]]\nid = "values"\npoints = 10\n',
}
RUNS = {"runs": "logs"}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        (tmp_path / "work" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "work" / name).write_text(text)
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.setenv("REPORTGEN_CACHE", str(tmp_path / "cache"))
    return tmp_path / "work"


def asked(*reports: str, show: ShowOptions | None = None, **evidence: str | None) -> KeptCheck:
    paths = tuple(map(Path, reports or ("report.md",)))
    return KeptCheck(CheckOptions(reports=paths, **evidence), show or ShowOptions())


def rewrite(name: str, old: str, new: str) -> Callable[[Path], object]:
    def change(home: Path) -> None:
        text = (home / name).read_text()
        assert old in text
        (home / name).write_text(text.replace(old, new))

    return change


def same_size_and_time(home: Path) -> None:
    """Change a value and set the time of the file back."""
    file = home / "logs" / "a" / "metrics.csv"
    before = file.stat()
    file.write_text(LOG.replace("0.84", "0.85"))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


def results(place: str) -> Callable[[Path], object]:
    return lambda home: (home / place).write_text('{"test_accuracy": 0.84}')


CHANGES: dict[str, tuple[dict[str, str], Callable[[Path], object]]] = {
    "the report": (RUNS, rewrite("report.md", "0.84", "0.85")),
    "a log": (RUNS, rewrite("logs/a/metrics.csv", "0.84", "0.83")),
    "a log, its size and time kept": (RUNS, same_size_and_time),
    "a new log": (RUNS, lambda home: shutil.copytree(home / "logs/a", home / "logs/b")),
    "a log that is gone": (RUNS, lambda home: (home / "logs/a/metrics.csv").unlink()),
    "a configuration": (
        {**RUNS, "checkpoint": "model"},
        rewrite("model/config.json", "bert", "roberta"),
    ),
    "a new file beside a model": (
        {**RUNS, "checkpoint": "model/config.json"},
        results("model/results.json"),
    ),
    "the study": ({"study": "study.toml"}, rewrite("study.toml", "A study", "Another")),
    "a log of the study": (
        {"study": "study.toml"},
        rewrite("logs/a/metrics.csv", "0.84", "0.85"),
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_noticed(change: str, home: Path) -> None:
    evidence, make = CHANGES[change]
    kept = asked(**evidence)
    before = kept.key()
    assert before == kept.key() is not None
    make(home)
    assert kept.key() not in {before, None}


def test_a_rubric_is_noticed(home: Path) -> None:
    kept = asked(**RUNS, show=ShowOptions(formats=("gradescope",), rubric=Path("rubric.toml")))
    before = kept.key()
    rewrite("rubric.toml", "10", "20")(home)
    assert kept.key() not in {before, None}


def test_a_new_file_beside_a_report_without_named_evidence_is_noticed(home: Path) -> None:
    (home / "study.toml").unlink()
    before = asked().key()
    results("test_results.json")(home)
    assert asked().key() not in {before, None}


def test_a_file_that_latex_brings_in_is_noticed(home: Path) -> None:
    before = asked("paper.tex", **RUNS).key()
    rewrite("parts/one.tex", "= 6", "= 7")(home)
    assert asked("paper.tex", **RUNS).key() not in {before, None}


def test_nothing_is_kept_where_something_changed_meanwhile(home: Path) -> None:
    kept = asked(**RUNS)
    before = kept.key()
    rewrite("logs/a/metrics.csv", "0.84", "0.85")(home)
    kept.keep(before, {"": "told"}, 0)
    assert kept.find(before) is None


def test_another_way_of_asking_is_another_check(home: Path) -> None:
    ways = (
        ShowOptions(),
        ShowOptions(verbose=True),
        ShowOptions(formats=("json",)),
        ShowOptions(fail_on="warning"),
    )
    assert len({asked(**RUNS, show=show).key() for show in ways} - {None}) == len(ways)


@pytest.mark.parametrize("kind", ["links", "classes", "names to fill in", "studies beside"])
def test_nothing_is_kept_of(kind: str, home: Path) -> None:
    if kind == "links":
        (home / "elsewhere.csv").write_text(LOG)
        (home / "logs" / "a" / "more.csv").symlink_to(home / "elsewhere.csv")
    kept = {
        "links": asked(**RUNS),
        "classes": asked("report.md", "paper.tex", **RUNS),
        "names to fill in": asked(runs="logs/{name}"),
        "studies beside": asked(),
    }
    assert kept[kind].key() is None


def write_index(entry: Path, index: object) -> None:
    text = json.dumps(index).encode()
    digest = hashlib.sha256(text).hexdigest().encode()
    (entry / "index.json").write_bytes(digest + b"\n" + text)


def no_text(entry: Path, index: dict) -> None:
    (entry / "0000").write_bytes(b"\xff")
    blob = ("0000", hashlib.sha256(b"\xff").hexdigest())
    write_index(entry, {**index, "files": dict.fromkeys(index["files"], blob)})


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
    "bytes that are no text": no_text,
}


@pytest.mark.parametrize("harm", HOSTILE)
def test_what_is_kept_in_another_form_is_ignored(harm: str, home: Path) -> None:
    kept = asked(**RUNS, show=ShowOptions(formats=("json",), out=Path("out")))
    key = kept.key()
    kept.keep(key, {"findings.json": "{}"}, 0)
    assert kept.find(key) == ({"findings.json": "{}"}, 0)
    [entry] = (home.parent / "cache" / "checks").iterdir()
    index = json.loads((entry / "index.json").read_bytes().partition(b"\n")[2])
    HOSTILE[harm](entry, index)
    assert kept.find(key) is None
