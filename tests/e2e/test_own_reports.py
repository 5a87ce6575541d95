"""Our own reports, held against the evidence they were built from: nothing is doubted.

They are of the sample labs, of labs of odd shapes, and of groups whose names are words. `make wide`
takes every language and form, pages and parts of the evidence.
"""

import random
import sys
from itertools import combinations
from pathlib import Path

import pytest
from fakes.event_file import write_scalars
from fakes.odd_labs import LABS as ODD
from fakes.odd_labs import write_lab
from fakes.rewrapped import rewrapped
from fakes.rows import rows_beside

from reportgen.app import build, check
from reportgen.records.verdict import Verdict

ROWS = rows_beside(__file__)

SAMPLES = ROWS["samples"]
SMALL = ("tiny-reviews-hf", "tiny-grid")
PARTS = ROWS["parts"]
NAMES = ROWS["names"]
STEPS = range(50, 300, 50)
CURVES = ((0.412, 0.551, 0.633, 0.671, 0.669), (0.381, 0.502, 0.577, 0.609, 0.613))
TOLD = 0.5
"""Least share of the digits changed in tables that are told."""


def write_named(folder: Path, names: tuple[str, str]) -> None:
    """Write three runs of each of two groups."""
    for group, curve in zip(names, CURVES, strict=True):
        for seed in range(3):
            values = [round(value + 0.007 * seed, 4) for value in curve]
            tags = {"val/acc": values, "test/acc": [round(value - 0.013, 4) for value in values]}
            points = {tag: list(zip(STEPS, v, strict=True)) for tag, v in tags.items()}
            write_scalars(folder / group / f"seed_{seed}", points)


@pytest.fixture(scope="module")
def own(project, tmp_path_factory):
    """Build a report in a language and form once: its folder, and what it was built from."""
    home, made = tmp_path_factory.mktemp("own"), {}

    def of(lab: str, language: str, form: str = "md") -> tuple[Path, dict[str, Path]]:
        case = lab, language, form
        if case in made:
            return made[case]
        folder, logs = home / f"out{len(made)}", home / f"logs{len(made)}"
        given = {"runs": logs}
        if lab in SAMPLES:
            inputs = project / "inputs" / lab
            given = {key: inputs / name for key, name in SAMPLES[lab].items()}
        elif lab in ODD:
            write_lab(lab, logs)
        else:
            write_named(logs, next(names for names in NAMES if "-".join(names) == lab))
        options = {"engine": "typst", "cache": None, "settings": {"lang": language}}
        build(out=folder, formats=(form,), **options, **given)
        made[case] = folder, given
        return made[case]

    return of


def verdicts_on(report: Path, **given: Path) -> tuple[Verdict, ...]:
    (checked,) = check(reports=(report,), **given)
    assert not checked.review.fault
    return checked.review.verdicts


def loud(report: Path, **given: Path) -> list[str]:
    told = verdicts_on(report, **given)
    return [one.message for one in told if one.level in {"error", "warning"}]


def cases():
    usual = {("tiny-reviews-hf", "en", "pdf"), ("tiny-grid", "fr", "tex")}
    labs = ("roberta-small-fr", *ODD, *map("-".join, NAMES[::2]))
    usual |= {(lab, "en", "md") for lab in labs}
    for lab in (*SAMPLES, *ODD, *map("-".join, NAMES)):
        for language in ("en", "fr"):
            for form in ("md", "tex", "pdf"):
                case = (lab, language, form)
                yield pytest.param(*case, marks=[] if case in usual else pytest.mark.wide)


@pytest.mark.slow
@pytest.mark.parametrize(("lab", "language", "form"), list(cases()))
def test_no_number_is_doubted(own, lab, language, form):
    folder, given = own(lab, language, form)
    told = loud(folder / f"report.{form}", **given)
    assert told == []


@pytest.mark.slow
@pytest.mark.parametrize(("lab", "language"), [("tiny-reviews-hf", "fr"), ("tiny-grid", "en")])
def test_it_is_the_same_wherever_lines_are_broken(own, lab, language, tmp_path):
    folder, given = own(lab, language)
    report = folder / "report.md"
    narrow = tmp_path / "report.md"
    narrow.write_text(rewrapped(report.read_text("utf-8"), 61), encoding="utf-8")
    assert loud(narrow, **given) == []


def parts():
    named = [names for n in range(len(PARTS)) for names in combinations(PARTS, n)]
    for names in (names for names in named if "base" not in names or "adapter" in names):
        yield pytest.param(names, marks=pytest.mark.wide if names else [], id="+".join(names))


@pytest.mark.slow
@pytest.mark.parametrize("names", list(parts()))
def test_a_part_of_the_evidence_accuses_nobody(own, lab, names):
    """What a report speaks of may not be among the files that are named."""
    folder, _ = own("roberta-small-fr", "en")
    assert loud(folder / "report.md", **{name: lab / PARTS[name] for name in names}) == []


@pytest.mark.wide
@pytest.mark.parametrize("lab", SMALL)
def test_changed_digits_are_told(own, lab, tmp_path):
    folder, given = own(lab, "en")
    report, changed = folder / "report.md", tmp_path / "report.md"
    lines = report.read_text("utf-8").split("\n")
    before = verdicts_on(report, **given)
    traced = [
        (one.place.line - 1, one.number.printed.text, one.number.id)
        for one in before
        if one.number
        and one.number.row is not None
        and one.outcome == "traced"
        and one.rule == "series"
    ]
    unique = [one for one in traced if lines[one[0]].count(one[1]) == 1 and len(one[1]) > 3]
    state, told = random.Random(20), 0
    drawn = state.sample(unique, min(20, len(unique)))
    for line, printed, name in drawn:
        digit = len(printed) - 2
        other = str((int(printed[digit]) + 5) % 10) if printed[digit].isdigit() else "."
        wrong = printed[:digit] + other + printed[digit + 1 :]
        text = [*lines[:line], lines[line].replace(printed, wrong), *lines[line + 1 :]]
        changed.write_text("\n".join(text), encoding="utf-8")
        (one,) = (v for v in verdicts_on(changed, **given) if v.number and v.number.id == name)
        told += one.outcome == "contradicted"
    sys.stdout.write(f"{lab}: {told} of {len(drawn)}\n")
    assert told >= TOLD * len(drawn)
