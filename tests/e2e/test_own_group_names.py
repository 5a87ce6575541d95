"""Our own reports on groups whose names are words of every day have no error."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from pathlib import Path

import pytest
from fakes.judged import LOUD, RISING
from fakes.right._right import Curves, write_tags

from reportgen.api._old_judgement import judgement_of as judge
from reportgen.api.building import build
from reportgen.api.evidence import EvidencePaths
from reportgen.api.options import BuildOptions
from reportgen.api.submissions import Submission

PAIRS = (
    ("baseline", "dropout"),
    ("warmup", "baseline"),
    ("augmentation", "mixup"),
    ("scheduler", "cosine"),
    ("r8", "r16"),
    ("n5", "n10"),
    ("best", "worst"),
    ("first", "last"),
    ("mean", "std"),
    ("loss", "accuracy"),
    ("step", "epoch"),
    ("early-stopping", "label-smoothing"),
    ("all", "none"),
    ("with", "without"),
    ("en", "fr"),
    ("up", "down"),
    ("yes", "no"),
    ("and", "or"),
    ("moyenne", "meilleur"),
    ("points", "percent"),
    ("100k", "1M"),
    ("mlp", "mlp+dropout"),
    ("1", "2"),
    ("10", "100"),
    ("1e-3", "1e-4"),
    ("n", "k"),
    ("A", "a"),
    ("b", "a~"),
    ("50%", "100%"),
    ("a_b^c", r"100% \textbf{d}"),
)
IN_FRENCH = (
    ("baseline", "dropout"),
    ("r8", "r16"),
    ("un", "deux"),
    ("moyenne", "meilleur"),
    *PAIRS[-4:],
)
BY_STEP = {
    "en": "Test test valid accuracy by step, as logged: logs seed 0 from {}% at step 200.\n",
    "fr": (
        "Test valid accuracy sur le test par pas, valeurs journalisées : "
        "logs graine 0, de {} % au pas 200 à 74 % au pas 1000.\n"
    ),
}
EVERY = range(200, 1200, 200)
TWO_MEANINGS = (("best", "worst"), ("first", "last"), ("mean", "std"), ("all", "none"))


def _build(
    names: tuple[str, str], lang: str, folder: Path, every: Sequence[Curves] = RISING
) -> tuple[Path, tuple[Path, ...]]:
    """Return logs of two groups, and reports on them."""
    curves = dict(zip(names, every, strict=True))
    test = {
        g: {s: [round(v - 0.013, 4) for v in c] for s, c in r.items()} for g, r in curves.items()
    }
    logs = folder / "logs"
    write_tags(logs, {"val/acc": curves, "test/acc": test}, 50)
    options = {"formats": ("md", "tex"), "cache": None, "settings": {"lang": lang}}
    made = build(BuildOptions(out=folder / "o" / "report.md", runs=logs, **options))
    return logs, tuple(path for path in made.files if path.suffix in {".md", ".tex"})


def _loud(report: Path, logs: Path, levels: Collection[str] = ("error",)) -> list[str]:
    one = Submission(name="r", report=report, evidence=EvidencePaths(runs=logs))
    return [f.message for f in judge(one).findings if f.level in levels]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("names", "lang"),
    [*((names, "en") for names in PAIRS), *((names, "fr") for names in IN_FRENCH)],
    ids=lambda value: value if isinstance(value, str) else "-".join(value),
)
def test_a_report_on_them_agrees_with_its_logs(names, lang, tmp_path: Path):
    logs, reports = _build(names, lang, tmp_path)
    assert len(reports) == 2
    for report in reports:
        assert _loud(report, logs) == [], report.name


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("name", ["a", "b", "x~", "a_"])
def test_what_some_runs_of_a_letter_do_is_read_as_theirs(name, lang, tmp_path: Path):
    long, short = RISING
    falls = {seed: [*curve[:2], curve[1] - 0.01, *curve[3:]] for seed, curve in long.items()}
    ends = {**short, 1: [*short[1][:4], short[1][3] - 0.003], 5: short[5][:3]}
    logs, reports = _build(("adam-yolo", name), lang, tmp_path, (falls, ends))
    for report in reports:
        assert _loud(report, logs) == [], report.name


@pytest.mark.slow
@pytest.mark.parametrize("names", TWO_MEANINGS, ids="-".join)
def test_a_mean_that_is_none_of_theirs_is_found(names, tmp_path: Path):
    logs, reports = _build(names, "en", tmp_path)
    [report] = (path for path in reports if path.suffix == ".md")
    text = report.read_text(encoding="utf-8")
    row = re.search(rf"^\| {re.escape(names[0])} .*?(\d\d\.\d\d) ±", text, re.MULTILINE)
    report.write_text(text[: row.start(1)] + "91.17" + text[row.end(1) :], encoding="utf-8")
    assert any("91.17" in message for message in _loud(report, logs))


@pytest.mark.slow
@pytest.mark.parametrize(
    "names", [("a", "b"), ("pretrained", "random"), ("first", "last")], ids="-".join
)
def test_a_mean_in_a_sentence_that_is_none_of_theirs_is_found(names, tmp_path: Path):
    logs, _ = _build(names, "en", tmp_path)
    report = tmp_path / "report.md"
    report.write_text(f"The mean test accuracy of {names[0]} is 91.17 %.\n", encoding="utf-8")
    assert any("91.17" in message for message in _loud(report, logs, LOUD))


@pytest.mark.slow
@pytest.mark.parametrize("names", [("lstm", "narrow"), ("wide", "no-aug")], ids="-".join)
def test_a_sentence_is_held_against_the_group_that_it_names(names, tmp_path: Path):
    logs, _ = _build(names, "en", tmp_path)
    report = tmp_path / "report.md"
    # 67.45 and 60.13 by numpy, over the values at the best validation accuracy of each seed.
    for sentence, value in (
        ("The mean test accuracy of {} is {} %.\n", "67.45"),
        ("L’exactitude de test moyenne de {} est de {} %.\n", "67,45"),
    ):
        report.write_text(sentence.format(names[0], value), encoding="utf-8")
        assert _loud(report, logs) == []
        report.write_text(sentence.format(names[1], value), encoding="utf-8")
        assert any(value in message for message in _loud(report, logs))


ALPHA_TRUE = (
    "The mean test accuracy of alpha at the last step is 67.40 %.",
    "At the last step, the mean test accuracy of beta is 60.03 %.",
    "Au dernier pas, l’exactitude de test moyenne de alpha est de 67,40 %.",
)
SET = (
    "With alpha = 16, the mean test accuracy at the last step is 60.03 %.",
    "With a value of alpha of 16, the mean test accuracy at the last step is 60.03 %.",
    "We choose alpha = 0.5 and beta = 0.9.",
    "Le coefficient de alpha = 16 donne une exactitude de test moyenne de 60,03 % au dernier pas.",
)


@pytest.mark.slow
def test_greek_letters_are_groups_where_they_stand_as_groups(tmp_path: Path):
    names = ("alpha", "beta")
    logs, _ = _build(names, "en", tmp_path)
    report = tmp_path / "report.md"
    # 67.40 and 60.03 by numpy, over the last values of each seed.
    for sentence in (*ALPHA_TRUE, *SET):
        report.write_text(f"{sentence}\n", encoding="utf-8")
        assert _loud(report, logs) == [], sentence
    for sentence in ALPHA_TRUE:
        name = "alpha" if "alpha" in sentence else "beta"
        wrong = sentence.replace(name, names[1 - names.index(name)])
        report.write_text(f"{wrong}\n", encoding="utf-8")
        assert _loud(report, logs) != [], wrong


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_metrics_that_begin_with_a_split_are_called_by_their_own_names(lang: str, tmp_path: Path):
    # Folders called as splits: the tags below them keep their own.
    for split, plus in (("train", 0.0), ("test", 0.04)):
        for seed in range(3):
            run = tmp_path / "logs" / split / f"seed_{seed}" / "metrics.csv"
            run.parent.mkdir(parents=True)
            rows = [
                f"{s},{0.6 + s / 10000 + plus + seed / 300:.4f},{0.59 + s / 10000:.4f}"
                for s in EVERY
            ]
            head = "step,valid/accuracy,test/accuracy\n"
            run.write_text(head + "\n".join(rows) + "\n", encoding="utf-8")
    options = {"formats": ("md", "tex"), "cache": None, "settings": {"lang": lang}}
    logs = tmp_path / "logs"
    made = build(BuildOptions(out=tmp_path / "o" / "report.md", runs=logs, **options))
    for report in (path for path in made.files if path.suffix in {".md", ".tex"}):
        assert _loud(report, logs) == [], report.name
    report = tmp_path / "report.md"
    for value, found in (("66", 0), ("68", 1)):
        report.write_text(BY_STEP[lang].format(value), encoding="utf-8")
        assert len(_loud(report, logs, LOUD)) == found
