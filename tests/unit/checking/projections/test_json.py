"""findings.json: the keys that scripts rely on, and fingerprints that outlive an edit."""

import json
import unicodedata
from dataclasses import replace

import pytest
from fakes.reviews import every_outcome, reviewed, shown, unreadable, verdict
from fakes.rows import rows_beside
from hypothesis import given
from hypothesis import strategies as st

from reportgen.records.manuscript import Manuscript, Place
from reportgen.records.verdict import Context, Trace

ROWS = rows_beside(__file__)


def content_of(*reviews, **options):
    return json.loads(shown("json", *reviews, **options))


def test_several_reports_are_one_list():
    content = content_of(every_outcome("a.md"), unreadable())
    assert content["schema"] == "reportgen-class-findings/2"
    assert [one["report"]["path"] for one in content["submissions"]] == ["a.md", "broken.pdf"]
    assert content["submissions"][1]["fault"].endswith("the file ends in the middle of a page")


@pytest.mark.parametrize(
    ("value", "held"),
    [
        (786432.0, 786432),
        (75.4, 75.4),
        (10**400, "1.0000000000000000E+400"),
        (float("nan"), "NaN"),
        (float("-inf"), "-Infinity"),
        (None, None),
    ],
)
def test_values_are_held_as_json_prints_them_best(value, held):
    one = verdict(1, traces=(Trace(what="x", value=value),))
    [found] = content_of(reviewed([one]))["numbers"]
    assert found["evidence"][0]["value"] == held
    assert type(found["evidence"][0]["value"]) is type(held)


@given(st.text(st.characters(), max_size=60))
def test_words_of_strangers_stand_on_one_line_and_can_be_encoded(text):
    [found] = content_of(reviewed([verdict(1, text=text)]))["numbers"]
    assert not {unicodedata.category(char) for char in found["quote"]} & {"Cc", "Cs", "Zl", "Zp"}
    assert found["quote"].encode("utf-8").decode() == found["quote"]


def marks(*verdicts) -> list[str]:
    return [one["fingerprint"] for one in content_of(reviewed(verdicts))["numbers"]]


def test_fingerprints_stay_when_lines_move():
    one = verdict(1)
    assert one.number
    moved = replace(one, number=replace(one.number, place=Place(line=90), block=4, start=2, end=3))
    assert marks(one) == marks(moved)


def test_fingerprints_are_unique_in_a_report_and_the_first_of_two_keeps_its_own():
    [alone] = marks(verdict(1))
    first, second, other = marks(verdict(1), verdict(2), verdict(3, text="82"))
    assert (first, second) == (alone, f"{alone}-2")
    assert other != alone


@pytest.mark.parametrize(("change", "alike"), ROWS["a_fingerprint_is_of_the_check_and_the_words"])
def test_a_fingerprint_is_of_the_check_and_the_words(change, alike):
    assert (marks(verdict(1)) == marks(replace(verdict(1), **change))) is alike


def test_a_fingerprint_is_of_the_row_and_the_column():
    one = verdict(1)
    other = replace(one, number=replace(one.number, context=Context(row="81.5", head="Loss")))
    assert marks(one) != marks(other)


@pytest.mark.parametrize(
    ("form", "place", "file", "part"),
    [
        ("markdown", Place(line=3), "lab/r.md", ""),
        ("latex", Place(line=3, file="parts/a.tex"), "lab/parts/a.tex", ""),
        ("notebook", Place(line=3, file="cell 4"), "lab/r.md", "cell 4"),
    ],
)
def test_a_file_that_is_included_is_named_and_so_is_the_cell_of_a_notebook(form, place, file, part):
    one = verdict(1)
    one = replace(one, number=replace(one.number, place=place))
    report = Manuscript(path="lab/r.md", format=form, sha256="", blocks=())
    [found] = content_of(reviewed([one], manuscript=report))["numbers"]
    assert (found["place"]["file"], found["place"]["part"]) == (file, part)


def test_names_are_those_given_else_of_the_files_else_the_paths():
    def names(*reviews, **options) -> list[str]:
        content = content_of(*reviews, **options)
        return [one["report"]["name"] for one in content.get("submissions", [content])]

    pair = (unreadable("ana/report.pdf"), unreadable("ben/report.pdf"))
    assert names(*pair) == ["ana/report.pdf", "ben/report.pdf"]
    assert names(pair[0]) == ["report"]
    assert names(*pair, names=("Ana", "Ben\x07")) == ["Ana", "Ben\\x07"]
