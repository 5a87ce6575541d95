"""Our own reports, held against the evidence they were built from: nothing is doubted.

They are of the sample labs, of labs of odd shapes, and of groups whose names are words. `make wide`
takes every language and form, pages and parts of the evidence. A report in `KNOWN` is accused all
the same; it has to leave the list as soon as it is not.
"""

from __future__ import annotations

import random
import sys
from itertools import combinations
from pathlib import Path

import pytest
from fakes.event_file import write_scalars
from fakes.odd_labs import LABS as ODD
from fakes.rewrapped import rewrapped

from reportgen.api import build, check

SAMPLES = {
    "roberta-small-fr": {"study": "study.toml"},
    "tiny-reviews-hf": {"runs": "logs"},
    "tiny-grid": {"study": "study.toml"},
}
PARTS = {
    "runs": "logs",
    "checkpoint": "model",
    "adapter": "lora",
    "base": "lora/bloom-560m/config.json",
}
NAMES = (
    *(("baseline", "dropout"), ("r8", "r16"), ("best", "worst"), ("first", "last")),
    *(("mean", "std"), ("loss", "accuracy"), ("step", "epoch"), ("all", "none"), ("1", "2")),
    *(("moyenne", "meilleur"), ("100k", "1M"), ("1e-3", "1e-4"), ("A", "a"), ("50%", "100%")),
    ("a_b^c", r"100% \textbf{d}"),
)
CURVES = ((0.412, 0.551, 0.633, 0.671, 0.669), (0.381, 0.502, 0.577, 0.609, 0.613))
KNOWN: frozenset[str] = frozenset()
LEAST = 0.5
"""Share of a report's numbers that are traced in LaTeX; fewer, and it was not read."""
CHANGED = 0.5
"""Share of changed digits in tables that have to be told."""


def write_named(folder: Path, names: tuple[str, str]) -> None:
    """Write three runs of each of two groups."""
    for group, curve in zip(names, CURVES, strict=True):
        for seed in range(3):
            values = [round(value + 0.007 * seed, 4) for value in curve]
            tags = {"val/acc": values, "test/acc": [round(value - 0.013, 4) for value in values]}
            points = {tag: list(zip(range(50, 300, 50), v)) for tag, v in tags.items()}
            write_scalars(folder / group / f"seed_{seed}", points)


@pytest.fixture(scope="module")
def own(project, tmp_path_factory):
    """Build a report in a language once: its folder, and what it was built from."""
    home, made = tmp_path_factory.mktemp("own"), {}

    def of(lab: str, language: str) -> tuple[Path, dict[str, Path]]:
        if (lab, language) in made:
            return made[lab, language]
        folder, logs = home / f"out{len(made)}", home / f"logs{len(made)}"
        given = {"runs": logs}
        if lab in SAMPLES:
            inputs = project / "inputs" / lab
            given = {key: inputs / name for key, name in SAMPLES[lab].items()}
        elif lab in ODD:
            ODD[lab](logs)
        else:
            write_named(logs, next(names for names in NAMES if "-".join(names) == lab))
        build(out=folder / "report.pdf", engine="typst", cache=None, settings={"lang": language}, **given)
        made[lab, language] = folder, given
        return made[lab, language]

    return of


def loud(report: Path, **given: Path) -> list[str]:
    (checked,) = check(reports=(report,), **given)
    assert not checked.review.fault
    told = checked.review.verdicts
    return [one.message for one in told if one.level in {"error", "warning"}]


def cases():
    for lab in (*SAMPLES, *ODD, *map("-".join, NAMES)):
        for language in ("en", "fr"):
            for form in ("md", "tex", "pdf"):
                usual = (language, form) in {("en", "md"), ("fr", "tex")}
                marks = [] if usual or lab in SAMPLES else pytest.mark.wide
                yield pytest.param(lab, language, form, marks=marks)


@pytest.mark.slow
@pytest.mark.parametrize(("lab", "language", "form"), cases())
def test_no_number_is_doubted(own, lab, language, form):
    folder, given = own(lab, language)
    told = loud(folder / f"report.{form}", **given)
    if f"{lab} {language} {form}" in KNOWN:
        assert told, "it is accused no more: take it off the list"
    else:
        assert told == []
