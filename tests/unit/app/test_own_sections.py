"""Sections that a Python file of the author's builds: run, checked, and its faults told."""

import re

import pytest
from fakes.rows import rows_beside

from reportgen import Evidence, Number, Paragraph, Quantity, Section
from reportgen.app.own_words import build_section
from reportgen.records.errors import StudyError
from reportgen.records.facts import Facts
from reportgen.records.run import Runs
from reportgen.records.study import SectionPlan, Study

ROWS = rows_beside(__file__)

FACTS = Facts(study=Study(), runs=Runs(root="", runs=()), groups=())
HEAD = "from reportgen import Evidence, Number, Paragraph, Quantity, Section, Table\n"


@pytest.fixture
def build(tmp_path):
    def run(body, taken=()):
        (tmp_path / "mine.py").write_text(HEAD + body, encoding="utf-8")
        return build_section(tmp_path, SectionPlan(file="mine.py", line=4), FACTS, taken=taken)

    return run


GOOD = """\
def build(facts):
    number = Number(id="n", quantity=Quantity(value=1.0, sources=(Evidence(path="a"),)))
    return Section(id="own", title="Own", blocks=(Paragraph(text=("It is ", number)),))
"""


def test_a_section_is_built(build):
    number = Number(id="n", quantity=Quantity(value=1.0, sources=(Evidence(path="a"),)))
    assert build(GOOD) == Section(
        id="own", title="Own", blocks=(Paragraph(text=("It is ", number)),)
    )


def test_none_is_no_section(build):
    assert build("def build(facts):\n    return None\n") is None


@pytest.mark.parametrize(("body", "message"), ROWS["what_cannot_be_printed_is_a_letter"])
def test_what_cannot_be_printed_is_a_letter(build, body, message):
    with pytest.raises(StudyError, match=re.escape(message)) as caught:
        build(body)
    assert caught.value.stage == "section"
    assert "Traceback" not in str(caught.value)


def test_an_id_of_the_report_is_taken(build):
    with pytest.raises(StudyError, match="two blocks have the id 'own'"):
        build(GOOD, taken={"own"})


def test_only_files_of_the_studys_folder_are_run(tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    outside = tmp_path / "evil.py"
    outside.write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    (home / "link.py").symlink_to(outside)
    for name in ("../evil.py", "link.py", str(outside)):
        with pytest.raises(StudyError, match="leads out of the study's folder"):
            build_section(home, SectionPlan(file=name), FACTS)
    assert not (tmp_path / "ran").exists()


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(StudyError, match=r"line 7 .*no file"):
        build_section(tmp_path, SectionPlan(file="absent.py", line=7), FACTS)
