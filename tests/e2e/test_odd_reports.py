"""Our own reports of labs of odd shapes, checked against the very same logs: nothing is found.

`make wide` takes the PDF too.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes.judged import LOUD
from fakes.odd_labs import LABS

from reportgen.api._old_judgement import judgement_of as judge
from reportgen.api.building import build
from reportgen.api.evidence import EvidencePaths
from reportgen.api.options import BuildOptions
from reportgen.api.submissions import Submission

LANGUAGES = ("en", "fr")
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Build the report of a lab in a language and the formats asked for, each once."""
    home = tmp_path_factory.mktemp("odd")
    made: dict[tuple[str, str, tuple[str, ...]], Path] = {}

    def build_once(lab: str, language: str, formats: tuple[str, ...]) -> tuple[Path, Path]:
        logs = home / lab
        if not logs.exists():
            LABS[lab](logs)
        key = (lab, language, formats)
        if key not in made:
            folder = home / "-".join(("out", lab, language, *formats))
            build(
                BuildOptions(
                    out=folder,
                    runs=logs,
                    formats=formats,
                    engine="typst",
                    settings={"lang": language},
                    cache=None,
                )
            )
            made[key] = folder
        return made[key], logs

    return build_once


def complaints(report: Path, logs: Path) -> list[str]:
    """Return every error and warning on a report."""
    one = Submission(name="r", report=report, evidence=EvidencePaths(runs=logs))
    return [f"{f.level}: {f.message}" for f in judge(one).findings if f.level in LOUD]


@pytest.mark.parametrize("form", ["md", "tex"])
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("lab", LABS)
def test_a_report_agrees_with_its_own_logs(built, lab, language, form):
    folder, logs = built(lab, language, ("md", "tex"))
    assert complaints(folder / f"report.{form}", logs) == []


@pytest.mark.wide
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("lab", LABS)
def test_a_page_agrees_with_its_own_logs(built, lab, language):
    folder, logs = built(lab, language, ("pdf",))
    assert complaints(folder / "report.pdf", logs) == []
