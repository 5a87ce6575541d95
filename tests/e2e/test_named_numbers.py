"""A paper made from our LaTeX and edited by hand: each named number is held against its id."""

import json
import re
import shutil
import subprocess

import pytest
from fakes.command import reportgen
from fakes.pdf_engines import require_pdflatex
from fakes.rows import rows_beside

from reportgen.render import anchor_of

ROWS = rows_beside(__file__)

NAMED = re.compile(r"\\rgnum\{([^{}]*)\}")


@pytest.fixture(scope="module")
def source(built):
    return (built / "report.tex").read_text("utf-8")


def checked(source, built, tmp_path, *evidence):
    paper = tmp_path / "paper.tex"
    paper.write_text(source, encoding="utf-8")
    evidence = evidence or ("--report", built / "report.json")
    done = reportgen(
        "check", paper, *evidence, "--format", "json", "--timeout", "600", cwd=tmp_path
    )
    return done, json.loads(done.out)


def named(record):
    return [one for one in record["numbers"] if one["rule"] == "named"]


def test_every_printed_number_is_named_and_checks_clean(source, built, tmp_path):
    report = json.loads((built / "report.json").read_text("utf-8"))
    done, record = checked(source, built, tmp_path)

    assert done.code == 0, done.err
    names = NAMED.findall(source)
    equations = report["equations"]
    results = {anchor_of(e["id"]) for e in equations}
    put_in = {anchor_of(f"{e['id']}.{symbol}") for e in equations for symbol in e["values"]}
    of_equations = [name for name in names if name in put_in | results]
    assert len(names) - len(of_equations) == len(report["numbers"])
    assert results <= set(of_equations)
    assert {f["outcome"] for f in named(record)} == {"traced"}
    assert len(named(record)) >= 0.99 * len(names)


EDITS = ROWS["edits"]
SHORTER = (r"\rgnum{glance.random.mean}{73.63}", r"\rgnum{glance.random.mean}{73.6}")
RENAMED = (r"\rgnum{lora.trained}", r"\rgnum{lora.traine}")
BOXED = re.compile(r"\\rgnum\{(best_step\.[^{}]*)\}\{(\\decimal\{[\d.]+em\}\{)(\d\d)(\})")


@pytest.fixture(scope="module")
def edited(source, built, tmp_path_factory):
    """The paper with one number of each of these ids changed: what `check` says, and the lines.

    Another one has fewer digits, one stands in boxes of a table, one has an id that nothing has.
    """
    lines = {}
    for identifier, (old, new) in EDITS.items():
        before = rf"\rgnum{{{identifier}}}{{{old}}}"
        assert source.count(before) == 1
        lines[identifier] = source[: source.index(before)].count("\n") + 1
        source = source.replace(before, rf"\rgnum{{{identifier}}}{{{new}}}")
    cell = BOXED.search(source)
    other = "11" if cell[3] != "11" else "22"
    for before, after in (
        SHORTER,
        RENAMED,
        (cell[0], rf"\rgnum{{{cell[1]}}}{{{cell[2]}{other}{cell[4]}"),
    ):
        assert before in source
        source = source.replace(before, after)
    done, record = checked(source, built, tmp_path_factory.mktemp("edited"))
    assert done.code == 1
    wrong = [f for f in named(record) if f["outcome"] == "contradicted"]
    (in_a_box,) = [f for f in wrong if cell[1] in f["message"]]
    assert in_a_box["level"] == "error"
    assert len(wrong) == len(EDITS) + 1
    (renamed,) = [f for f in named(record) if f["outcome"] == "untraced"]
    assert renamed["reason"] == "no number of the built report is called lora.traine"
    return lines, wrong


@pytest.mark.parametrize("identifier", EDITS)
def test_a_changed_number_is_named_with_line_id_printed_and_expected(edited, identifier):
    lines, wrong = edited
    old, new = (text.replace("{,}", ",").replace("$", "") for text in EDITS[identifier])
    told = f"report.json prints {old} as {identifier}"
    [finding] = [f for f in wrong if re.search(rf"{re.escape(told)}(?![.\w])", f["message"])]
    assert (finding["level"], finding["place"]["line"]) == ("error", lines[identifier])
    assert finding["message"].startswith(f"{new} is printed; ")


def test_ids_are_held_against_logs_too(source, built, lab, tmp_path):
    changed = source.replace(
        r"\rgnum{glance.random.mean}{73.63}", r"\rgnum{glance.random.mean}{75.63}"
    )
    done, record = checked(changed, built, tmp_path, "--study", lab / "study.toml")

    assert done.code == 0
    loud = [f["message"] for f in named(record) if f["level"] == "warning"]
    assert [message for message in loud if "as glance.random.mean" in message] == loud != []


def test_logs_under_other_settings_accuse_nobody(lab, tmp_path):
    done = reportgen(
        *("build", lab / "study.toml", "--ddof", "0", "--detail", "brief"),
        *("--out", "out/report.tex"),
        cwd=tmp_path,
    )
    assert done.code == 0, done.err
    source = (tmp_path / "out" / "report.tex").read_text("utf-8")
    done, record = checked(source, tmp_path / "out", tmp_path, "--study", lab / "study.toml")

    assert done.code == 0
    assert len(named(record)) > 20
    assert [f for f in named(record) if f["level"] == "error"] == []


def test_ids_of_groups_that_are_called_otherwise_here_accuse_nobody(source, built, lab, tmp_path):
    """Without the study file groups are called by their folders: numbers go by what they print."""
    logs = shutil.copytree(lab / "logs", tmp_path / "others")
    done, record = checked(source, built, tmp_path, "--runs", logs)

    assert done.code == 0
    claims = [one for one in record["numbers"] if one["outcome"] != "no_claim"]
    traced = [one for one in named(record) if one["outcome"] == "traced"]
    assert [one for one in claims if one["outcome"] == "contradicted"] == []
    assert len(traced) > 0.5 * len(claims)


def test_a_report_without_names_is_told_so(built, tmp_path):
    done = reportgen(
        *("check", built / "report.md", "--report", built, "--format", "json"), cwd=tmp_path
    )

    assert done.code == 0
    told = [problem["message"] for problem in json.loads(done.out)["problems"]]
    assert any("names none of its numbers" in message for message in told)


MOVING = ROWS["moving"]


@pytest.mark.latex
def test_names_survive_titles_captions_and_boxes(built, tmp_path):
    require_pdflatex()
    paper = tmp_path / "moving.tex"
    paper.write_text(MOVING, encoding="utf-8")
    for _ in range(2):
        done = subprocess.run(
            ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", paper.name],
            cwd=tmp_path,
            capture_output=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stdout[-2000:]
    assert (tmp_path / "moving.toc").read_text("utf-8").count("80.63") == 1
    done, record = checked(MOVING, built, tmp_path)
    assert done.code == 0
    assert len([f for f in named(record) if f["outcome"] == "traced"]) == 7
