"""Reports of others, where they lie beside the checkout: who is right is never held to be wrong."""

import json
import shutil

import pytest

from reportgen.app.evidence import EvidencePaths, gather_evidence
from reportgen.checking.context import numbers_of
from reportgen.checking.settings import check_settings
from reportgen.read.documents import read_document
from reportgen.records.verdict import Evidence

KINDS = {"setting", "config", "count"}
LEAST_TRACED = 0.9
LEAST_TOLD = 0.8


@pytest.fixture(scope="module")
def strangers(project):
    folder = project.parent / "shared" / "strangers"
    if not folder.is_dir():
        pytest.skip("no shared/strangers beside the checkout")
    return folder


@pytest.fixture(scope="module")
def judged(strangers, tmp_path_factory):
    """(case, answer, verdicts at its place) of every number whose answer is known."""
    found = []
    for path in sorted(strangers.glob("*/truth.json")):
        truth = json.loads(path.read_text(encoding="utf-8"))
        case = tmp_path_factory.mktemp("strangers") / path.parent.name
        hidden = shutil.ignore_patterns("truth.json", "why.md", "*.typ")
        shutil.copytree(path.parent, case, ignore=hidden)
        manuscript = read_document(case / truth["report"])
        facts = gather_evidence(paths_of(case, truth))[0].facts
        said = check_settings(numbers_of(manuscript), manuscript, Evidence(facts=facts))
        answers = [answer for answer in truth["numbers"] if is_placed(answer)]
        found += [(case.name, answer, at(answer, said)) for answer in answers]
        wrong = [one for answer in truth["numbers"] if not fits(answer) for one in at(answer, said)]
        accused = [one for one in said if one.outcome == "contradicted" and one not in wrong]
        found.append((case.name, None, accused))
    return found


def paths_of(case, truth):
    runs, adapter = (case / truth[key] if truth[key] else None for key in ("runs", "adapter"))
    model = case if runs is None and (case / "config.json").exists() else None
    return EvidencePaths(runs=runs, adapter=adapter, checkpoint=model)


def is_placed(answer):
    return "line" in answer["place"] and answer["kind"] in KINDS and "cell" not in answer["place"]


def fits(answer):
    """Whether nothing may be raised at a number."""
    return answer["right"] is not False and not answer.get("may_be_told")


def at(answer, said):
    """The verdicts on the number of an answer."""
    place = answer["place"]
    return [
        one
        for one in said
        if one.place.line == place.get("line")
        and (one.number is None or one.number.printed.text == answer["text"])
        and abs(one.place.column - place.get("col", one.place.column)) <= 3
    ]


@pytest.mark.slow
def test_nobody_who_is_right_is_accused(judged):
    accused = [(name, one.message) for name, answer, said in judged for one in said if not answer]
    assert accused == []


def test_what_is_right_is_traced(judged):
    right = [said for _, answer, said in judged if answer and answer["right"]]
    traced = sum(any(one.outcome == "traced" for one in said) for said in right)
    assert traced / len(right) >= LEAST_TRACED


def test_what_is_wrong_is_told(judged):
    wrong = [said for _, answer, said in judged if answer and answer["right"] is False]
    told = sum(any(one.outcome == "contradicted" for one in said) for said in wrong)
    assert told / len(wrong) >= LEAST_TOLD
