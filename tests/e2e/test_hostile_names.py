"""Names of a stranger's choosing, from real logs through every format: built, safe, read back.

What a format cannot draw is replaced as docs/reference/names.md says: accents composed, controls
and invisible characters dropped, white space one space, a glyph no font has its code point.
"""

import html
import json
import re
from pathlib import Path

import pytest
from fakes.command import WITH_EVERY_ROW, reportgen
from fakes.event_file import write_scalars
from fakes.pdf_engines import pages, require_pdflatex, squeezed
from fakes.readback import html_text
from fakes.sample_report import HOSTILE
from fakes.spelling import drawable

from reportgen.render import clean, clean_prose

pytestmark = pytest.mark.slow
# Longer names are cut in tables; the whole of them stands in the attached files.
SHORT = tuple(name for name in HOSTILE if len(name) < 40 and clean(name).strip())


def toml_text(text: str) -> str:
    """Return a text as TOML writes it; controls by their code."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def path_text(name: str) -> str:
    """Return a folder's name as messages and groups show it: what cannot be seen as its escape."""
    return "".join(c if c.isprintable() or c in "\u00ad\u200b" else ascii(c)[1:-1] for c in name)


@pytest.fixture(scope="module")
def labelled(tmp_path_factory) -> Path:
    """A lab of six groups at a time whose labels are the names, in every format."""
    home = tmp_path_factory.mktemp("labels")
    lines = ["[report]", f"title = {toml_text(' '.join(SHORT[:9]))}",
             f"authors = [{toml_text(SHORT[4])}]", "[metric]", 'name = "accuracy"']  # fmt: skip
    for place, name in enumerate(HOSTILE):
        for split, value in (("valid", 70.0), ("test", 69.0)):
            folder = home / "logs" / f"g{place}_seed0" / split
            write_scalars(folder, {"accuracy": [(10, value - place / 4), (20, value)]})
        lines += [f"[groups.g{place}]", f"label = {toml_text(name)}", f'match = "g{place}_seed*"']
    lines += ["[runs]", 'path = "logs"']
    (home / "study.toml").write_text("\n".join(lines), encoding="utf-8")
    done = reportgen("build", "study.toml", "--out", "typst/", cwd=home, program=WITH_EVERY_ROW)
    assert done.code == 0, done.err
    return home


@pytest.fixture(scope="module")
def report(labelled):
    return json.loads((labelled / "typst" / "report.json").read_text("utf-8"))


def test_json_and_csv_hold_the_names_as_they_are(labelled, report):
    assert [group["label"] for group in report["groups"]] == list(HOSTILE)


def test_html_shows_them_and_runs_none(labelled):
    source = (labelled / "typst" / "report.html").read_text("utf-8")
    shown = squeezed(html_text(source))
    for name in SHORT:
        assert squeezed(clean(name)) in shown or squeezed(clean_prose(name)) in shown, name
    assert not re.search(r"<script>alert|<img|javascript:|<b>(?!\w)", source)


def test_markdown_shows_them(labelled):
    source = (labelled / "typst" / "report.md").read_text("utf-8")
    plain = squeezed(html.unescape(re.sub(r"\\(?=[!-/:-@\[-`{-~])", "", source)))
    for name in SHORT:
        assert squeezed(clean(name)) in plain or squeezed(clean_prose(name)) in plain, name
    assert "<script>" not in re.sub(r"`[^`]*`", "", source)


def test_pages_of_the_embedded_engine_show_them(labelled):
    shown = squeezed("".join(pages((labelled / "typst" / "report.pdf").read_bytes())))
    for name in SHORT:
        wanted = (squeezed(drawable(f(name), "typst")) for f in (clean, clean_prose))
        assert any(text in shown for text in wanted), name


@pytest.mark.latex
def test_pages_of_pdflatex_show_them(labelled):
    require_pdflatex()
    arguments = ("build", "study.toml", "--out", "latex/", "--engine", "latex")
    done = reportgen(*arguments, cwd=labelled, program=WITH_EVERY_ROW)
    assert done.code == 0, done.err
    shown = squeezed("".join(pages((labelled / "latex" / "report.pdf").read_bytes())))
    for name in SHORT:
        wanted = (squeezed(drawable(f(name), "latex")) for f in (clean, clean_prose))
        assert any(text in shown for text in wanted), name


def test_folders_with_such_names_are_groups(tmp_path):
    names = [n for n in HOSTILE if "/" not in n and "\x00" not in n and len(n.encode()) < 200]
    for place, name in enumerate(names):
        for seed in range(2):
            folder = tmp_path / "logs" / name / f"seed{seed}"
            write_scalars(folder, {"eval/accuracy": [(10, 0.5), (20, 0.6 + place / 1000)]})
    done = reportgen("build", "--runs", "logs", "--out", "out/report.json", cwd=tmp_path)
    assert done.code == 0, done.err
    report = json.loads((tmp_path / "out" / "report.json").read_text("utf-8"))
    shown = {group["name"].rpartition("/")[2] for group in report["groups"]}
    assert shown == {path_text(name) for name in names} or shown == set(names)
