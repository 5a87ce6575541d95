"""A report of a lab with re-run cells, in every format."""

import json
import re

import pytest
from fakes.command import reportgen
from fakes.readback import pdf_text
from fakes.rerun_lab import HOSTILE, SOLID, copy_lab, move_run, record, write_record

MADE = "torch 2.10.0, transformers 4.57.1, reportgen 0.2.0"
HOSTILE_RUN = "huggingface/tiny_roberta/2"
NOTE = "Re-run, or computed with a re-run: "


@pytest.fixture(scope="module")
def home(lab, tmp_path_factory):
    folder = tmp_path_factory.mktemp("reruns")
    copy_lab(lab, folder / "lab")
    move_run(folder / "lab", f"{SOLID}/1", record("pretrained", 1))
    move_run(folder / "lab", HOSTILE_RUN, record("huggingface", 2))
    told = json.loads((folder / "lab" / "reruns" / HOSTILE_RUN / "run.json").read_text())
    words = {
        "device": HOSTILE,
        "engine": HOSTILE,
        "notes": [HOSTILE],
        "versions": {"torch": HOSTILE},
    }
    write_record(folder / "lab", HOSTILE_RUN, told | words)
    before = times_below(folder / "lab" / "reruns")
    done = reportgen("build", "lab/study.toml", "--out", "out/report.pdf", cwd=folder)
    assert done.code == 0, done.err
    assert times_below(folder / "lab" / "reruns") == before, "the store is only read"
    return folder


def times_below(folder):
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*")}


def test_paper(home):
    text = " ".join(pdf_text(home / "out" / "report.pdf").split())
    assert text.count("†") > 50
    assert "NVIDIA H200; stacked, 3 members" in text
    assert re.search(r"80\.63 ?± ?0\.68†", text)


def test_sources_and_pages(home):
    tex = (home / "out" / "report.tex").read_text()
    assert r"{.4\dag{}}" in tex
    assert re.search(r"\\rgnum\{[^}]*\}\{0\.68\}\\%\\dag\{\}", tex)
    markdown = (home / "out" / "report.md").read_text()
    assert re.search(r"\| +1 +\| +5 +\| +84\.5† +\| +80\.4† +\| +5 +\| +70\.0 +\|", markdown)
    assert MADE in markdown
    assert markdown.count(NOTE) > 5
    page = (home / "out" / "report.html").read_text()
    assert page.count('aria-label="re-run"') > 50


def test_json(home, project):
    import jsonschema

    schema = json.loads((project / "docs" / "reference" / "report.schema.json").read_bytes())
    content = json.loads((home / "out" / "report.json").read_bytes())
    jsonschema.validate(content, schema)
    groups = {group["name"]: group for group in content["groups"]}
    pretrained = groups["pretrained"]
    assert [run["rerun"] is not None for run in pretrained["runs"]] == [False, True, False]
    assert pretrained["runs"][1]["rerun"] == {
        "device": "NVIDIA H200",
        "date": "2026-02-03T04:05:06+00:00",
        "versions": {"reportgen": "0.2.0", "torch": "2.10.0", "transformers": "4.57.1"},
        "key": "pretrained-1",
        "engine": "stacked, 3 members",
        "notes": ["the batch was halved once"],
        "seconds": 1234.5,
    }
    assert pretrained["n_without_reruns"] == 2
    assert pretrained["mean_without_reruns"] == pytest.approx((0.814 + 0.801) / 2)
    assert pretrained["std_without_reruns"] is None
    assert "two runs" in pretrained["std_without_reruns_missing"]
    assert not [key for key in groups["random"] if "without" in key]
    broken = json.loads(json.dumps(content))
    del broken["groups"][0]["n_without_reruns"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(broken, schema)


def test_a_marked_number_can_be_explained(home):
    done = reportgen(
        *("explain", "best_step.pretrained.1.report_value", "--report", "out/report.json"), cwd=home
    )
    assert done.code == 0, done.err
    assert f"reruns/{SOLID}/1/test/events.out" in done.out


def test_a_report_is_built_anew_once_a_cell_was_trained_again(lab, tmp_path):
    copy_lab(lab, tmp_path / "lab")
    arguments = ("build", "lab/study.toml", "--out", "o/r.json")
    move_run(tmp_path / "lab", f"{SOLID}/1", record("pretrained", 1))
    reportgen(*arguments, cwd=tmp_path)
    first = (tmp_path / "o" / "r.json").read_text()
    assert "NVIDIA H200" in first
    path = tmp_path / "lab" / "reruns" / SOLID / "1" / "run.json"
    path.write_text(path.read_text().replace("NVIDIA H200", "CPU"), encoding="utf-8")
    reportgen(*arguments, cwd=tmp_path)
    second = (tmp_path / "o" / "r.json").read_text()
    assert "NVIDIA H200" not in second
    assert "CPU; stacked, 3 members" in second


def test_a_hostile_record_stays_words(home):
    page, tex, markdown = (
        (home / "out" / f"report.{ending}").read_text() for ending in ("html", "tex", "md")
    )
    assert "<script>alert" not in page + markdown
    assert "&lt;script&gt;alert(1)" in page
    assert "\\input{x}" not in tex
    assert "\\textbackslash{}input" in tex
    assert "[a](b)" not in markdown
    assert "\x1b" not in page + tex + markdown
    assert "script" in pdf_text(home / "out" / "report.pdf")
