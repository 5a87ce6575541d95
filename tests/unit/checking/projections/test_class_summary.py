"""A class at a glance: one row a submission."""

from __future__ import annotations

import csv
import io
from decimal import Decimal

from fakes.judgements import empty, every_verdict, finding, hostile, judged, unreadable

from reportgen.checking.projections._class_rows import class_rows
from reportgen.checking.projections._class_summary import class_csv, class_html
from reportgen.checking.projections._html_class import class_table
from reportgen.checking.projections._rendering import Rendering
from reportgen.records.rubric import Rubric, RubricLine

RUBRIC = Rubric(lines=(RubricLine(id="all", points=Decimal(10), error=Decimal("1.5")),))


def rows(*judgements, **options) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(class_csv(judgements, Rendering(**options)))))


def test_a_row_has_verdicts_points_and_the_loudest_findings():
    [row] = rows(every_verdict("ana/report.md"), rubric=RUBRIC, names=("Ana",))
    assert row["name"] == "Ana"
    assert row["status"] == "error"
    assert (row["errors"], row["warnings"], row["notes"]) == ("2", "2", "2")
    assert (row["checked"], row["disagrees"], row["not_checkable"]) == ("7", "3", "3")
    assert (row["points"], row["max_points"]) == ("7", "10")
    assert row["top_findings"].count(" | ") == 2
    assert row["path"] == "ana/report.md"


def test_without_a_rubric_and_without_a_reading_there_are_no_points():
    graded, unread, free = (
        *rows(every_verdict(), unreadable(), rubric=RUBRIC),
        *rows(every_verdict()),
    )
    assert graded["points"] == "7"
    assert (unread["points"], unread["max_points"]) == ("", "")
    assert unread["status"] == "could not be checked"
    assert "ends in the middle of a page" in unread["top_findings"]
    assert free["points"] == ""


def test_no_cell_is_a_formula():
    formula = judged([finding(1, text="=cmd|' /C calc'!A0")], "=1+1.md")
    for row in rows(formula, hostile(), names=("@SUM(A1)", "-1")):
        assert not any(cell.startswith(("=", "+", "-", "@")) for cell in row.values())


def test_every_row_has_all_cells():
    text = class_csv([hostile(), empty()], Rendering())
    assert {len(row) for row in csv.reader(io.StringIO(text))} == {16}


def test_the_table_links_each_name_and_sorts_by_numbers():
    found = class_rows([every_verdict(), unreadable()], Rendering(rubric=RUBRIC))
    table = class_table(found, ["r1", "r2"])
    assert '<a href="#r1">report</a>' in table
    assert 'data-sort="7">7 of 10<' in table
    assert 'data-sort="-1">not graded<' in table
    assert "Points" not in class_table(class_rows([empty()], Rendering()), ["r1"])


def test_a_class_of_one_has_its_table_too():
    page = class_html([every_verdict()], Rendering(names=("Ana",)))
    assert "<h1>1 report</h1>" in page
    assert '<a href="#r1">Ana</a>' in page
