"""The same numbers in every format, and the right ones."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from fakes.command import reportgen
from fakes.event_file import write_scalars
from fakes.readback import html_text, latex_text, markdown_text, number_counts, pdf_text


def missing_from(report: dict[str, Any], text: str) -> dict[str, int]:
    wanted = number_counts(" ".join(n["printed"] for n in report["numbers"]))
    return dict(wanted - number_counts(text))


def page_of(path: Path) -> str:
    return html_text(path.read_text("utf-8").partition('<section class="evidence"')[0])


@pytest.mark.parametrize(
    ("ending", "text_of"),
    [
        ("pdf", pdf_text),
        ("tex", lambda path: latex_text(path.read_text("utf-8"))),
        ("md", lambda path: markdown_text(path.read_text("utf-8"))),
        ("html", page_of),
    ],
)
def test_every_format_holds_every_number(report, built, ending, text_of):
    assert missing_from(report, text_of(built / f"report.{ending}")) == {}


@pytest.mark.latex
def test_pdf_by_pdflatex_holds_every_number(report, built_latex):
    assert missing_from(report, pdf_text(built_latex / "report.pdf")) == {}


@pytest.mark.latex
def test_the_engine_changes_no_number(built, built_latex):
    assert (built / "report.json").read_bytes() == (built_latex / "report.json").read_bytes()


def test_every_number_has_an_id_of_its_own(report):
    ids = [n["id"] for n in report["numbers"]]
    assert len(ids) == len(set(ids))


def test_every_number_says_how_it_came_about(report):
    bare = [
        n["id"] for n in report["numbers"] if not (n["method"] or n["formula"] or n.get("reason"))
    ]
    assert bare == []


def plain_lab(folder: Path) -> Path:
    """Two groups in plain folders, no study file, and one run that only has a loss."""
    for group, height in (("small", 0.5), ("large", 0.6)):
        for seed in (1, 2, 3):
            points = [(s, height + 0.01 * seed + 0.001 * s) for s in (10, 20, 30)]
            write_scalars(folder / f"{group}_seed{seed}", {"val/accuracy": points})
    write_scalars(folder / "other_seed1", {"train/loss": [(10, 0.7), (20, 0.6)]})
    return folder


@pytest.fixture(scope="module", params=["roberta-small-fr", "tiny-reviews-hf", "plain"])
def traced(request, project, tmp_path_factory) -> tuple[dict[str, Any], tuple[Path, ...]]:
    """A report, and the folders its evidence lies in."""
    folder = tmp_path_factory.mktemp("traced")
    if request.param == "roberta-small-fr":
        lab = project / "inputs" / request.param
        given, roots = [lab / "study.toml"], (lab / "logs", lab)
    elif request.param == "plain":
        given, roots = ["--runs", "runs"], (plain_lab(folder / "runs"),)
    else:
        lab = project / "inputs" / request.param
        given, roots = ["--runs", lab], (lab,)
    done = reportgen("build", *given, "--out", "report.json", cwd=folder)
    assert done.code == 0, done.err
    return json.loads((folder / "report.json").read_bytes()), roots


def test_every_number_rests_on_evidence(traced):
    report, _ = traced
    with_value = [n for n in report["numbers"] if n["value"] is not None]
    assert len(with_value) > 20
    assert [n["id"] for n in with_value if not n["evidence"]] == []


def test_evidence_names_files_that_are_there(traced):
    report, roots = traced
    paths = {e["path"] for n in report["numbers"] for e in n["evidence"]}
    settings = paths & {"default", "inferred"}
    lost = [p for p in paths - settings if not any((root / p).exists() for root in roots)]
    assert lost == []
    assert settings < paths


def test_no_evidence_tells_where_this_machine_keeps_its_files(traced):
    report, roots = traced
    paths = {e["path"] for n in report["numbers"] for e in n["evidence"]}
    assert [p for p in paths if not p or Path(p).is_absolute() or ".." in Path(p).parts] == []
    assert str(roots[0]) not in json.dumps(report)


def test_a_count_lists_what_it_counts(traced):
    report, _ = traced
    of_runs = re.compile(r"setup\.runs|.*\.n")
    counts = [n for n in report["numbers"] if of_runs.fullmatch(n["id"])]
    assert counts
    for number in counts:
        assert len({e["run"] for e in number["evidence"]}) == number["value"], number["id"]
        assert len(number["evidence"]) == number["value"], number["id"]
    points = next(n for n in report["numbers"] if n["id"] == "files.n.points")
    assert sum(e["value"] for e in points["evidence"]) == points["value"]


def test_a_step_is_evidence_of_itself(traced):
    report, _ = traced
    steps = [n for n in report["numbers"] if n["unit"] == "step" and n["value"] is not None]
    assert steps
    for number in steps:
        assert {e["step"] for e in number["evidence"]} == {number["value"]}, number["id"]


def test_settings_say_who_stated_them(report):
    (entry,) = (n for n in report["numbers"] if n["id"] == "statistics.groups.size")
    assert [evidence["path"] for evidence in entry["evidence"]] == ["study.toml"]
