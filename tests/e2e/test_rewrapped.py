"""Nothing is doubted in our own reports, wherever their lines are broken."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from fakes.rewrapped import rewrapped

from reportgen.api._old_judgement import judgement_of as judge
from reportgen.api.building import build
from reportgen.api.evidence import EvidencePaths
from reportgen.api.options import BuildOptions
from reportgen.api.submissions import Submission

ROOT = Path(__file__).parents[2]
LABS = {
    "roberta-small-fr": {"study": "study.toml"},
    "tiny-reviews-hf": {"runs": "logs"},
    "tiny-grid": {"study": "study.toml"},
}
UNTRAINED = ("adapter-", "count-", "folds-", "peft-")
"""Real data without training logs."""
LOUD = {"error", "warning"}
WIDTHS = (61,)
MORE_WIDTHS = (50, 61, 73, 90)
FORMS = ("tex", "pdf")


def told(path: Path, evidence: dict[str, Path]) -> Counter[tuple[str, str]]:
    """Count what is found, by level and rule; lines have other numbers."""
    one = Submission(name="report", report=path, evidence=EvidencePaths(**evidence))
    found = judge(one).findings
    return Counter(
        (f.level, f"{f.rule}: {f.message}") for f in found if f.level in {"error", "warning"}
    )


def compare(path: Path, evidence: dict[str, Path], widths: tuple[int, ...] = WIDTHS) -> None:
    """Look for findings in a report, as it was written and with other lines."""
    assert told(path, evidence) == {}
    text = path.read_text("utf-8")
    for width in widths:
        again = path.with_name(f"wide{width}.md")
        again.write_text(rewrapped(text, width), encoding="utf-8")
        assert told(again, evidence) == {}, width


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("lab", LABS)
def test_a_report_has_no_finding_wherever_its_lines_are_broken(tmp_path, lab, language):
    evidence = {key: ROOT / "inputs" / lab / name for key, name in LABS[lab].items()}
    path = tmp_path / "report.md"
    build(BuildOptions(out=path, cache=None, settings={"lang": language}, **evidence))
    compare(path, evidence)


@pytest.mark.wide
@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_reports_of_real_labs_have_none_in_any_form(tmp_path, realdata, language):
    for lab in sorted(realdata.iterdir()):
        if not lab.is_dir() or lab.name.startswith(UNTRAINED):
            continue
        path, evidence = tmp_path / lab.name / "report.md", {"runs": lab}
        given = {"cache": None, "engine": "typst", "settings": {"lang": language}}
        build(BuildOptions(out=path.with_suffix(".pdf"), **given, **evidence))
        compare(path, evidence, MORE_WIDTHS)
        for form in FORMS:
            assert told(path.with_suffix(f".{form}"), evidence) == {}, (lab.name, form)
