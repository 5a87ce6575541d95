"""A package that is installed beside reportgen adds a source of logs, a section and a format."""

import os
import shutil
from pathlib import Path

import pytest
from fakes.command import Finished, reportgen

EXTRAS = Path(__file__).resolve().parents[1] / "data" / "plug_in"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder of installed packages with one in it."""
    return Path(shutil.copytree(EXTRAS, tmp_path / "site"))


def build(site: Path, *arguments: str) -> Finished:
    for seed in (1, 2):
        run = site.parent / "runs" / f"ours_seed{seed}"
        run.mkdir(parents=True, exist_ok=True)
        (run / "log.csv").write_text("tick,goodness\n3,0.5\n6,0.7\n", encoding="utf-8")
    paths = f"{site}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
    command = ("build", "--runs", "runs", "--no-cache", *arguments)
    return reportgen(*command, cwd=site.parent, PYTHONPATH=paths)


def test_what_a_package_brings_is_used(site):
    done = build(site, "--out", "out", "--format", "md,outline")
    assert done.code == 0, done.err
    page = (site.parent / "out" / "report.md").read_text(encoding="utf-8")
    assert "goodness" in page.lower()
    assert "2 runs were handed in." in page
    outline = (site.parent / "out" / "report.outline").read_text(encoding="utf-8").splitlines()
    # An own name is never another package's.
    assert {"Results", "Checklist"} <= set(outline)


def test_the_ending_of_a_file_names_a_format_of_another_package(site):
    done = build(site, "--out", "out/lab.outline")
    assert done.code == 0, done.err
    assert sorted(path.name for path in (site.parent / "out").glob("lab.*")) == [
        "lab.json",
        "lab.outline",
    ]


FAULTS = [
    ("checklist", "lab_extras:fail", "'checklist' of the package lab-extras fails: AttributeError"),
    ("checklist", "lab_extras:gone", "'checklist' of the package lab-extras fails: AttributeError"),
    ("checklist", "lab_gone:fail", "the package lab-extras fails: ModuleNotFoundError"),
    ("checklist", "lab_extras:guess", "cannot be printed: paragraph: the number 'guess.hours'"),
    ("checklist", "lab_extras:leave", "'checklist' of the package lab-extras fails: SystemExit: 0"),
    ("checklist", "lab_extras:nan", "cannot be printed: paragraph: the number 'own.nan' is nan"),
    ("checklist", "lab_extras:styled", "the number 'own.style' has the style 'fancy'"),
    ("checklist", "lab_extras:write_words", "lab-extras cannot be printed: build returned str"),
    ("render_outline", "lab_extras:checklist", "'outline' of the package lab-extras fails: Type"),
    ("render_outline", "lab_extras:render_another", "lab-extras makes no report.outline"),
    ("render_outline", "lab_extras:render_text", "lab-extras makes a file that is no bytes"),
]


@pytest.mark.parametrize(("own", "other", "told"), FAULTS)
def test_what_fails_is_told_as_the_fault_of_its_package(site, own, other, told):
    table = site / "lab_extras-1.0.dist-info" / "entry_points.txt"
    text = table.read_text(encoding="utf-8").replace(f"lab_extras:{own}", other)
    table.write_text(text, encoding="utf-8")
    done = build(site, "--out", "out", "--format", "md,outline")
    assert done.code == 2
    assert told in done.err
    assert "mend or uninstall" in done.err


def test_without_the_package_its_format_is_unknown(site):
    shutil.rmtree(site)
    done = build(site, "--out", "out", "--format", "outline")
    assert done.code == 2
    assert "no format is called 'outline'" in done.err
