"""A sentence that names its test is held against that test; the p of each is scipy's."""

from __future__ import annotations

import numpy as np
import pytest
from fakes.judged import LOUD
from fakes.right._right import write_tags
from scipy import stats

from reportgen.api._old_judgement import judgement_of as judge
from reportgen.api.evidence import EvidencePaths
from reportgen.api.submissions import Submission

# At their only step; by seed the differences vary more than the groups do.
FIRST, SECOND = np.array([0.472, 0.456, 0.440]), np.array([0.425, 0.436, 0.437])
P = {
    "paired": stats.ttest_rel(FIRST, SECOND).pvalue,
    "Welch": stats.ttest_ind(FIRST, SECOND, equal_var=False).pvalue,
}
ENGLISH = "A {} t-test gives p {} for mixup against plain on test accuracy."


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    curves = {
        name: {seed: [value - 0.2, value - 0.1, float(value)] for seed, value in enumerate(values)}
        for name, values in (("mixup", FIRST), ("plain", SECOND))
    }
    folder = tmp_path_factory.mktemp("tests") / "logs"
    write_tags(folder, {"val/acc": curves, "test/acc": curves}, 50)
    return folder


@pytest.fixture
def judged(logs, tmp_path):
    def found(sentence):
        report = tmp_path / "report.md"
        report.write_text(f"{sentence}\n", encoding="utf-8")
        one = Submission(name="r", report=report, evidence=EvidencePaths(runs=logs))
        [finding] = [f for f in judge(one).findings if f.rule == "significance"]
        return finding

    return found


def test_the_two_tests_give_other_values():
    assert P["paired"] > 0.2
    assert P["Welch"] < 0.15


@pytest.mark.parametrize("name", P)
def test_the_p_of_the_test_that_is_named_agrees_and_no_other_does(name, judged):
    other = next(each for each in P if each != name)
    assert judged(ENGLISH.format(name, f"= {P[name]:.3f}")).verdict.startswith("agrees")
    assert judged(ENGLISH.format(name, f"= {P[other]:.3f}")).level in LOUD
    assert judged(ENGLISH.format("simple", f"= {P[other]:.3f}")).verdict.startswith("agrees")


@pytest.mark.parametrize(
    "sentence",
    [
        ENGLISH.format("paired", "< 0.2"),
        "Un test t apparié donne p < 0,2 pour mixup contre plain sur le test.",
    ],
)
def test_a_bound_that_half_of_the_p_keeps_is_doubtful(sentence, judged):
    finding = judged(sentence)
    assert (finding.level, finding.verdict) == ("note", "borderline")
    assert f"{P['paired']:.3g}" in finding.message


def test_of_one_side_it_is_kept(judged):
    assert judged(ENGLISH.format("one-sided paired", "< 0.2")).verdict == "agrees"
    assert judged(ENGLISH.format("unpaired", "< 0.15")).verdict == "agrees"
