"""Reports and findings as notebooks show them; pandas and the JSON are the oracles."""

import html
import json
import re
import sys
import webbrowser
from types import SimpleNamespace

import pytest

import reportgen
from reportgen.app import notebook
from reportgen.records.errors import EvidenceError, UsageError


@pytest.fixture(scope="module")
def built(project, tmp_path_factory):
    folder = tmp_path_factory.mktemp("notebook")
    logs = str(project / "inputs" / "tiny-reviews-hf" / "logs")
    # Texts stand for paths, and keywords for options.
    return reportgen.build(runs=logs, out=str(folder / "report.html"), cache=None)


def content(built):
    return json.loads(built.files[0].with_suffix(".json").read_bytes())


@pytest.mark.slow
def test_numbers_are_those_of_the_json(built):
    numbers = built.numbers
    told = content(built)
    assert numbers["id"].tolist()[: len(told["numbers"])] == [one["id"] for one in told["numbers"]]
    mean = numbers.set_index("id").loc[told["numbers"][0]["id"]]
    assert mean["value"] == told["numbers"][0]["value"]
    assert mean["printed"] == told["numbers"][0]["printed"]
    assert len(built.report.evidence) >= sum(len(one["evidence"]) for one in told["numbers"])


def test_a_table_is_what_is_printed(built):
    told = content(built)["tables"][0]
    table = built.table(told["id"])
    frame = table.to_frame()
    assert frame.shape == (len(told["rows"]), len(told["columns"]))
    assert frame.iloc[0].tolist() == told["rows"][0]
    assert built.report.tables[0] == told["id"]
    assert html.escape(told["rows"][0][0]) in table._repr_html_()
    with pytest.raises(UsageError, match="no table is called 'none'"):
        built.table("none")


def test_a_cell_shows_the_page_in_a_frame_that_reaches_nothing(built):
    markup = built._repr_html_()
    assert 'sandbox="allow-scripts"' in markup
    assert "allow-same-origin" not in markup
    source = re.search(r'srcdoc="([^"]*)"', markup)[1]
    assert html.unescape(source) == built.report.page.read_text(encoding="utf-8")


def test_a_page_that_is_too_large_is_a_link(built, monkeypatch):
    monkeypatch.setattr(notebook, "INLINE_BYTES", 10)
    monkeypatch.chdir(built.files[0].parent)
    assert built._repr_html_() == '<a href="report.html" target="_blank">report.html</a>'


def test_show_displays_in_a_notebook_and_opens_a_browser_elsewhere(built, monkeypatch):
    opened, displayed = [], []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    monkeypatch.setitem(sys.modules, "IPython", None)
    built.show()
    assert opened == [built.report.page.resolve().as_uri()]
    shell = SimpleNamespace(get_ipython=object)
    monkeypatch.setitem(sys.modules, "IPython", shell)
    shown = SimpleNamespace(display=displayed.append)
    monkeypatch.setitem(sys.modules, "IPython.display", shown)
    built.show(height=300)
    assert len(opened) == 1
    assert "height: 300px" in displayed[0]._repr_html_()


def test_a_build_without_a_page_says_so(project, tmp_path):
    logs = project / "inputs" / "tiny-reviews-hf" / "logs"
    built = reportgen.build(runs=logs, out=tmp_path / "report.md", cache=None)
    assert len(built.numbers)
    with pytest.raises(EvidenceError, match=r"there is no .*report\.html"):
        built.show()
    assert reportgen.open_report(tmp_path).title == built.report.title
    assert str(tmp_path) in repr(built.report)


def test_findings_are_rows(tmp_path):
    good, bad = tmp_path / "good.md", tmp_path / "bad.md"
    good.write_text("We count 2 * 3 = 6 parameters.", encoding="utf-8")
    bad.write_text("First.\n\nWe count 2 * 3 = 7 parameters.", encoding="utf-8")
    checked = reportgen.check(reports=[str(good), bad])
    frame = reportgen.frame_of_findings(checked)
    errors = frame[frame["level"] == "error"]
    assert errors[["report", "rule", "line", "printed"]].values.tolist() == [
        ["bad", "arithmetic", 3, "7"]
    ]
    assert float(errors["expected"].iloc[0]) == 6
    own = reportgen.check(reports=str(bad))[0].to_frame()
    assert own.loc[own["level"] == "error", "rule"].tolist() == ["arithmetic"]


def test_a_report_that_cannot_be_checked_is_a_row(tmp_path):
    (tmp_path / "report.pdf").write_bytes(b"%PDF-1.7 not one")
    frame = reportgen.frame_of_findings(reportgen.check(reports=tmp_path / "report.pdf"))
    assert frame["rule"].tolist() == ["fault"]
