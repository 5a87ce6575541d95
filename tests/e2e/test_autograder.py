"""The archive for Gradescope, unpacked as Gradescope does it, on what students hand in."""

import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import jsonschema
import pytest
from fakes.ci_runner import COMMAND, settings
from fakes.command import run_to_end
from fakes.rows import rows_beside

from reportgen import __version__
from reportgen.cli import main

ROWS = rows_beside(__file__)

RUBRIC = ROWS["rubric"]
STUDY = '[runs]\npath = "my logs"\n'
# As Gradescope documents results.json; ours must hold no other key.
DOCUMENTED = {
    *("score", "execution_time", "output", "output_format", "test_output_format"),
    *("test_name_format", "visibility", "stdout_visibility", "extra_data", "tests"),
    "leaderboard",
}
DOCUMENTED_OF_A_TEST = {
    *("score", "max_score", "status", "name", "name_format", "number", "output"),
    *("output_format", "tags", "visibility", "extra_data"),
}


@pytest.fixture(scope="module")
def assignment(project, tmp_path_factory):
    """A teacher's folder, and the archive that was made of it."""
    folder = tmp_path_factory.mktemp("teacher") / "lab 3"
    shutil.copytree(project / "inputs" / "tiny-grid" / "logs", folder / "my logs")
    (folder / "study.toml").write_text(STUDY, encoding="utf-8")
    (folder / "rubric.toml").write_text(RUBRIC, encoding="utf-8")
    (folder / "answers.md").write_text("not for students", encoding="utf-8")
    named = ["--study", str(folder / "study.toml"), "--rubric", str(folder / "rubric.toml")]
    assert main(["autograder", *named, "--out", str(folder / "autograder.zip")]) == 0
    return folder


def unpack(archive, folder):
    """Unpack an archive with the permissions it states, which Python leaves out."""
    with zipfile.ZipFile(archive) as opened:
        for info in opened.infolist():
            Path(opened.extract(info, folder)).chmod(info.external_attr >> 16 & 0o777)


@pytest.fixture
def hand_in(assignment, tmp_path):
    """Unpack the archive into a folder like `/autograder`, hand files in, return the results."""

    def grade(files, archive="autograder.zip"):
        home = tmp_path / "autograder"
        unpack(assignment / archive, home / "source")
        shutil.copy2(home / "source" / "run_autograder", home / "run_autograder")
        for folder in ("submission", "results"):
            (home / folder).mkdir()
        for name, text in files.items():
            path = home / "submission" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        done = run_to_end(
            [home / "run_autograder"],
            cwd=home,
            env=settings(
                AUTOGRADER_HOME=str(home),
                REPORTGEN_COMMAND=str(COMMAND),
                REPORTGEN_CACHE=str(tmp_path / "cache"),
            ),
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        results = json.loads((home / "results" / "results.json").read_bytes())
        assert set(results) <= DOCUMENTED
        assert all(set(test) <= DOCUMENTED_OF_A_TEST for test in results["tests"])
        return results, home

    return grade


def test_the_archive_holds_what_gradescope_asks_for_and_no_more(assignment):
    with zipfile.ZipFile(assignment / "autograder.zip") as archive:
        infos = {info.filename: info for info in archive.infolist()}
        for name in ("setup.sh", "run_autograder"):
            assert infos[name].external_attr >> 16 & 0o111, f"{name} cannot be executed"
            assert archive.read(name).startswith(b"#!/usr/bin/env bash\n")
            assert b"@" not in archive.read(name).replace(b'"$@"', b"").replace(b"[@]", b"")
    assert {name.split("/")[0] for name in infos} == {
        *("setup.sh", "run_autograder", "rubric.toml", "evidence", "constraints.txt"),
        f"reportgen_lab-{__version__}-py3-none-any.whl",
    }
    assert not [name for name in infos if "answers" in name]


def test_a_submission_gets_points_and_reasons(hand_in, project):
    text = "Pretrained models reach 93.47 % test accuracy on average.\n\n512 × 512 = 262,145\n"
    results, home = hand_in({"report.md": text, "run_autograder": "#!/bin/sh\ntouch hacked\n"})
    schema = json.loads((project / "tests/data/schemas/gradescope.json").read_bytes())
    jsonschema.Draft202012Validator(schema).validate(results)
    points = {test["name"]: (test["score"], test["max_score"]) for test in results["tests"]}
    assert points == {"Values are those of the logs": (6.0, 6.0), "Sums": (3.0, 4.0)}
    assert results["score"] == 9.0
    assert results["visibility"] == "after_published"
    assert "262,145" in results["tests"][1]["output"]
    assert not list(home.rglob("hacked"))


def test_a_report_in_a_folder_beside_other_files_is_one_report(hand_in):
    results, _ = hand_in({
        "lab3/report.md": "512 × 512 = 262,144\n",
        "lab3/notes.txt": "2 × 2 = 5\n",
        "code.py": "raise SystemExit\n",
    })  # fmt: skip
    # It says nothing of results, and what stands nowhere costs nothing.
    assert [test["score"] for test in results["tests"]] == [6.0, 4.0]


def test_nothing_to_grade_is_said_and_is_no_grade(hand_in):
    results, _ = hand_in({"photo.png": "x"})
    assert results["score"] == 0.0
    assert results["extra_data"]["graded"] is False
    assert results["output"].startswith("No report could be checked. This is no grade")
    assert "no report in the submission: looked for *.pdf" in results["output"]


def test_setup_finds_the_program(assignment, tmp_path):
    with zipfile.ZipFile(assignment / "autograder.zip") as archive:
        archive.extract("setup.sh", tmp_path / "source")
    done = subprocess.run(
        ["bash", str(tmp_path / "source" / "setup.sh")],
        env=settings(AUTOGRADER_HOME=str(tmp_path), REPORTGEN_COMMAND=str(COMMAND)),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith(f"reportgen {__version__}\n")


def test_its_wheel_is_one_that_pip_installs(assignment, tmp_path, project):
    wheel = f"reportgen_lab-{__version__}-py3-none-any.whl"
    with zipfile.ZipFile(assignment / "autograder.zip") as archive:
        archive.extract(wheel, tmp_path)
    pip = ["-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-compile"]
    subprocess.run(
        [sys.executable, *pip, "--target", str(tmp_path / "site"), str(tmp_path / wheel)],
        check=True,
        env=settings(),
    )
    done = subprocess.run(
        [sys.executable, "-P", "-m", "reportgen", "templates", "list"],
        cwd=tmp_path,
        env=settings(PYTHONPATH=str(tmp_path / "site")),
        capture_output=True,
        text=True,
        check=True,
    )
    assert "markdown" in done.stdout
    installed = {p.relative_to(tmp_path / "site") for p in tmp_path.glob("site/reportgen/**/*.py")}
    assert installed >= {
        path.relative_to(project) for path in (project / "reportgen" / "cli").glob("*.py")
    }


def test_the_same_assignment_makes_the_same_archive(assignment, capsys):
    first = (assignment / "autograder.zip").read_bytes()
    named = ["--study", str(assignment / "study.toml"), "--rubric", str(assignment / "rubric.toml")]
    again = [*named, "--out", str(assignment / "autograder.zip")]
    assert main(["autograder", *again]) == 2
    assert "is there already" in capsys.readouterr().err
    assert main(["autograder", *again, "--force"]) == 0
    assert (assignment / "autograder.zip").read_bytes() == first


@pytest.mark.parametrize(
    ("study", "rubric", "code", "told"),
    [
        ('[runs]\npath = "../outside"\n', RUBRIC, 2, "lies outside its folder"),
        ('[runs]\npath = "none"\n', RUBRIC, 3, "no such file or folder"),
        ('[runs]\npath = "empty"\n', RUBRIC, 3, "the evidence cannot be used: "),
        (STUDY, "[[line]]\npoints = 1\n", 2, "needs an id"),
        (
            STUDY,
            RUBRIC.replace('"series"', '"serie"'),
            2,
            "rubric.toml:8: line.0.rules has 'serie'",
        ),
    ],
)
def test_what_cannot_be_used_is_told_before_it_is_uploaded(
    assignment, tmp_path, capsys, study, rubric, code, told
):
    folder = tmp_path / "lab"
    (folder / "empty").mkdir(parents=True)
    (folder / "empty" / "x").write_text("x", encoding="utf-8")
    (tmp_path / "outside").mkdir()
    shutil.copytree(assignment / "my logs", folder / "my logs")
    (folder / "study.toml").write_text(study, encoding="utf-8")
    (folder / "rubric.toml").write_text(rubric, encoding="utf-8")
    named = ["--study", str(folder / "study.toml"), "--rubric", str(folder / "rubric.toml")]
    assert main(["autograder", *named, "--out", str(tmp_path / "a.zip")]) == code
    said = capsys.readouterr().err
    assert told in said
    assert tempfile.gettempdir() not in said.replace(str(tmp_path), "")
    assert not Path(tmp_path / "a.zip").exists()
