"""How much one group gains over another, where nobody says when: the usual readings alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes.right._right import write_tags

from reportgen.api._old_judgement import judgement_of as judge
from reportgen.api.evidence import EvidencePaths
from reportgen.api.submissions import Submission

# The means lie 12.20 points apart after the first 50 steps, and 5.00 at the best and last step.
CURVES = {
    "mixup": {0: [0.562, 0.67, 0.71], 1: [0.572, 0.68, 0.72], 2: [0.582, 0.69, 0.73]},
    "plain": {0: [0.44, 0.60, 0.66], 1: [0.45, 0.61, 0.67], 2: [0.46, 0.62, 0.68]},
}
SENTENCES = {
    "en": "mixup improves on plain by {} points of test accuracy.",
    "fr": "mixup gagne {} points d’exactitude de test sur plain.",
}


def _judged(sentence: str, tmp_path: Path) -> set[tuple[str, str]]:
    write_tags(tmp_path / "logs", {"val/acc": CURVES, "test/acc": CURVES}, 50)
    report = tmp_path / "report.md"
    report.write_text(f"{sentence}\n", encoding="utf-8")
    one = Submission(name="r", report=report, evidence=EvidencePaths(runs=tmp_path / "logs"))
    return {(f.level, f.verdict) for f in judge(one).findings if f.rule == "ordering"}


@pytest.mark.parametrize("lang", SENTENCES)
def test_a_gain_of_the_means_at_the_best_step_agrees(lang: str, tmp_path: Path):
    assert _judged(SENTENCES[lang].format("5.0"), tmp_path) == {("none", "agrees")}


@pytest.mark.parametrize("lang", SENTENCES)
@pytest.mark.parametrize("amount", ["12.2", "7.0", "3.0"])
def test_a_gain_at_some_step_or_of_some_pair_of_runs_does_not(
    amount: str, lang: str, tmp_path: Path
):
    # 7.0 and 3.0 are of the best run of one against the worst of the other.
    assert _judged(SENTENCES[lang].format(amount), tmp_path) == {("note", "borderline")}


def test_a_gain_at_a_step_that_is_named_is_that_of_the_step(tmp_path: Path):
    sentence = "At step 50, mixup improves on plain by 12.2 points of test accuracy."
    assert _judged(sentence, tmp_path) == {("none", "agrees")}


def test_a_gain_that_no_runs_have_is_found(tmp_path: Path):
    assert _judged(SENTENCES["en"].format("31.0"), tmp_path) == {("warning", "disagrees")}
