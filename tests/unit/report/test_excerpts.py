"""Many groups and runs: which rows pages print, and that every row is in HTML and in a CSV file."""

import csv
import io
import re
from dataclasses import replace

import pytest

from reportgen.records.document import Report, Table, walk
from reportgen.render import render
from reportgen.report import compose_report

BEST = [f"g{place}" for place in range(19, 9, -1)]


def composed(made, groups, seeds):
    """The report of groups whose results rise with their number."""
    table = {
        (f"g{group:02}", seed): ([50.0, 60.0 + group], [40.0, 55.0 + group + seed / 10])
        for group in range(groups)
        for seed in range(seeds)
    }
    return compose_report(made.facts(table, groups=()), metadata={})


def tables_of(report: Report):
    return {b.id: b for b in walk(report.sections) if isinstance(b, Table)}


@pytest.fixture(scope="module")
def many(made):
    return composed(made, 20, 4)


def printed(report):
    """Return the tables as pages print them."""
    return {
        name: replace(table, rows=tuple(table.rows[i] for i in table.excerpt.rows))
        if table.excerpt
        else table
        for name, table in tables_of(report).items()
    }


def beside(report):
    """Return the files of whole tables."""
    files = render(report, "markdown")
    return {name: content for name, content in files.items() if name.endswith(".csv")}


def names(made, table):
    return [name for row in table.rows if (name := made.words(row.cells[0]))]


@pytest.mark.parametrize(("groups", "seeds"), [(12, 4), (2, 8)])
def test_a_dozen_groups_are_printed_whole(made, groups, seeds):
    report = composed(made, groups, seeds)
    assert not any(table.excerpt for table in tables_of(report).values())
    assert beside(report) == {}


def test_of_more_groups_the_ten_best_are_printed(made, many):
    assert names(made, printed(many)["results.table"]) == BEST
    assert len(tables_of(many)["results.table"].rows) == 20


@pytest.mark.parametrize(
    ("groups", "seeds", "shown"), [(20, 4, BEST[:6]), (3, 25, ["g02", "g01", "g00"])]
)
def test_the_first_rows_of_the_best_groups_are_printed(made, groups, seeds, shown):
    found = printed(composed(made, groups, seeds))["evaluations.table"]
    assert names(made, found) == shown
    assert len(found.rows) == 24


def test_the_file_beside_the_report_holds_every_row(made, many):
    held = beside(many)["report_files/evaluations.table.csv"].decode()
    rows = list(csv.reader(io.StringIO(held, newline="")))
    whole = tables_of(many)["evaluations.table"]
    assert len(rows) == 1 + len(whole.rows) == 1 + 20 * 4
    assert rows[1:] == [[made.words(cell) for cell in row.cells] for row in whole.rows]


def test_pages_name_the_file_and_html_has_every_row(made, many):
    figures = {b.id: b"<svg/>" for b in walk(many.sections) if type(b).__name__ == "Figure"}
    page = render(many, "markdown")
    text = page["report.md"].decode()
    assert "report_files/evaluations.table.csv" in text
    assert "rows are printed, the best groups first" in text
    assert "report_files/evaluations.table.csv" in page
    html = render(many, "html", figures)["report.html"].decode()
    # Those that paper leaves out are in the page too, and it says on paper alone that it does.
    assert len(re.findall(r'<tr class="[^"]*\bunprinted\b', html)) == 10 + 14 * 4 + 8
    bare = re.sub(r"</?a\b[^>]*>", "", html)
    on_paper = re.findall(r'<p class="note paper">[^<]* rows are printed', bare)
    assert bare.count(" rows are printed") == len(on_paper)
