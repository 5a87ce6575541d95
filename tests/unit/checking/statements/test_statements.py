"""Statements of sentences held against curves: a row of `statements.csv` each, and each word."""

import csv
from importlib import resources
from pathlib import Path

import pytest
from fakes import made_runs
from fakes.manuscript_text import read
from fakes.rows import rows_beside

from reportgen.checking.context import numbers_of
from reportgen.checking.gathering import make_catalogue
from reportgen.checking.statements import check_statements
from reportgen.records.facts import Facts
from reportgen.records.run import Runs
from reportgen.records.study import Study
from reportgen.records.verdict import Evidence

ROWS = rows_beside(__file__)
HERE = Path(__file__).resolve().parent
LABS = ROWS["labs"]


def rows(name="statements.csv"):
    with (HERE / name).open(encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def frames(frame):
    text = resources.files("reportgen.checking").joinpath("frames.csv").read_text("utf-8")
    for row in csv.DictReader(line for line in text.splitlines() if not line.startswith("#")):
        if row["frame"] == frame:
            yield from ((words, row["sense"]) for words in row["words"].split("|"))


def catalogue(lab):
    runs = [
        made_runs.run(group, seed, made_runs.series("test", values))
        for group, curves in LABS[lab].items()
        for seed, values in enumerate(curves)
    ]
    facts = Facts(study=Study(), runs=Runs(root="logs", runs=tuple(runs)), groups=())
    return make_catalogue(Evidence(facts=facts))


def said(text, lab, folder):
    """What is said of a report, a word a statement: `traced` or `warning`."""
    report = read(folder, "report.md", text)
    verdicts = check_statements(report, numbers_of(report), catalogue(lab))
    return [one.outcome if one.outcome == "traced" else one.level for one in verdicts]


@pytest.mark.parametrize("row", rows(), ids=lambda row: row["text"][:70])
def test_what_is_said_of_a_sentence(row, tmp_path):
    assert said(row["text"], row["lab"], tmp_path) == row["said"].split()


SENTENCES = ROWS["sentences"]


@pytest.mark.parametrize(("words", "sense"), [*frames("compare"), *frames("than")])
def test_a_word_of_comparing_is_a_row(words, sense, tmp_path):
    frame = "than" if (words, sense) in frames("than") else "compare"
    good, bad = ("mixup", "plain") if sense in {"better", "higher"} else ("plain", "mixup")
    sentence = SENTENCES[frame]
    assert said(sentence.format(good, words, bad), "three", tmp_path) == ["traced"]
    assert said(sentence.format(bad, words, good), "three", tmp_path) == ["warning"]


@pytest.mark.parametrize(("words", "sense"), list(frames("extreme")))
def test_a_superlative_is_a_row(words, sense, tmp_path):
    good, bad = ("mixup", "cutout") if sense in {"best", "highest"} else ("cutout", "mixup")
    assert said(SENTENCES["extreme"].format(good, words), "three", tmp_path) == ["traced"]
    assert said(SENTENCES["extreme"].format(bad, words), "three", tmp_path) == ["warning"]


@pytest.mark.parametrize(("words", "sense"), list(frames("course")))
def test_a_word_of_a_course_is_a_row(words, sense, tmp_path):
    sentence = f"The test accuracy of cutout {words} in every epoch."
    expected = "traced" if sense in {"better", "higher"} else "warning"
    assert said(sentence, "three", tmp_path) == [expected]


@pytest.mark.parametrize("words", [words for words, _ in frames("_hedge")])
def test_what_is_hedged_is_not_judged(words, tmp_path):
    assert said(f"Plain is {words} better than mixup in test accuracy.", "three", tmp_path) == []


def test_runs_that_a_report_does_not_speak_of_are_none_of_its_rivals(tmp_path):
    sentence = "In test accuracy, cutout is the best."
    assert said(sentence, "three", tmp_path) == []
    assert said(f"{sentence} We also ran mixup.", "three", tmp_path) == ["warning"]


def test_a_verdict_says_what_the_evidence_has(tmp_path):
    report = read(
        tmp_path,
        "report.md",
        "We see: the test accuracy of plain is above that of mixup at epoch 4.",
    )
    (verdict,) = check_statements(report, numbers_of(report), catalogue("three"))
    assert verdict.number is None
    assert (verdict.rule, verdict.level) == ("statement", "warning")
    assert (verdict.place.line, verdict.place.column) == (1, 9)
    assert [round(trace.value, 1) for trace in verdict.traces] == [70.3, 80.5]
