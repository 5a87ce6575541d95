"""report.json and metrics.csv: strict, whole, described by the schema, exact to the byte."""

import csv
import io
import json
import math
from dataclasses import replace

import pytest
from fakes.made_runs import SIX, facts
from fakes.sample_report import HOSTILE
from jsonschema import Draft202012Validator

from reportgen import __version__
from reportgen.records import document as doc
from reportgen.records.facts import Facts
from reportgen.records.quantity import Missing, Quantity
from reportgen.records.run import Result, Runs, Source
from reportgen.render import CSV_COLUMNS, facts_metadata, metrics_csv, render, report_json


@pytest.fixture(scope="session")
def schema(project):
    text = (project / "docs" / "reference" / "report.schema.json").read_text(encoding="utf-8")
    described = json.loads(text)
    Draft202012Validator.check_schema(described)
    return Draft202012Validator(described)


def refuse(constant):
    raise AssertionError(f"{constant} is not strict JSON")


def read(files):
    return json.loads(files["report.json"], parse_constant=refuse)


def five_of_six() -> Facts:
    """Six runs of which one has no logs."""
    return facts({key: SIX[key] for key in SIX if key != ("random", 2)})


def report_of(*blocks, metadata=None):
    section = doc.Section(id="s", title="S", blocks=blocks)
    return doc.Report(title="T", sections=(section,), metadata=metadata or {})


# --- the schema -----------------------------------------------------------------------


def test_the_sample_report_is_as_the_schema_says(written, schema):
    content = read(written("json"))
    assert list(schema.iter_errors(content)) == []
    assert (content["schema"], content["generated_by"]) == (
        "reportgen-report/1",
        f"reportgen {__version__}",
    )


def test_a_report_of_a_lab_has_every_property_of_the_schema(schema, project):
    content = json.loads((project / "tests/golden/tiny-reviews-hf/report.json").read_bytes())
    assert list(schema.iter_errors(content)) == []
    # `as_logged` stands only where no run has a best step: tests/e2e/test_as_logged.py.
    assert set(schema.schema["properties"]) - {"as_logged"} == set(content)


def test_a_number_measured_after_training_is_as_the_schema_says(written, schema):
    measured = Result(
        tag="accuracy", value=79.9, metric="accuracy", split="test", unit="percent", weights="best"
    )
    measured_runs = tuple(replace(run, results=(measured,)) for run in five_of_six().runs)
    found = facts(runs=Runs(root="", runs=measured_runs))
    content = read(written("json", of=report_of(metadata=facts_metadata(found))))
    assert list(schema.iter_errors(content)) == []
    runs = [run for group in content["groups"] for run in group["runs"] if run["run"]]
    assert {run["result_value"] for run in runs} == {0.799}
    assert {(run["report_from"], run["result_weights"]) for run in runs} == {("series", "best")}


# --- numbers --------------------------------------------------------------------------


def test_every_printed_number_is_listed_in_reading_order(written, report):
    listed = read(written("json"))["numbers"]
    assert [n["id"] for n in listed] == [n.id for n in doc.numbers(report)]
    by_id = {n["id"]: n for n in listed}
    assert by_id["best.n"]["where"] == "best-step"
    assert by_id["high"]["where"] == "summary"
    assert by_id["abstract.gap"]["where"] == "abstract"
    assert (by_id["high"]["printed"], by_id["high"]["value"]) == ("79.5", 0.795)


def test_a_missing_number_is_null_with_its_reason(written, schema):
    number = doc.Number(id="a", quantity=Missing(reason="no log", details={"b": "2", "a": "1"}))
    content = read(written("json", of=report_of(doc.Paragraph(text=(number,)))))
    assert content["numbers"] == [
        {
            "id": "a",
            "printed": "—",
            "value": None,
            "unit": "",
            "evidence": [],
            "formula": "",
            "reason": "no log",
            "details": {"a": "1", "b": "2"},
            "where": "s",
        }
    ]
    assert list(schema.iter_errors(content)) == []


# --- strict ---------------------------------------------------------------------------


def test_names_are_exact(written):
    rows = tuple(doc.TableRow(cells=((name,), (doc.Code(name),))) for name in HOSTILE)
    columns = (doc.TableColumn(title=("a",)), doc.TableColumn(title=("b",)))
    table = doc.Table(id="t", caption=(HOSTILE[0],), columns=columns, rows=rows)
    (listed,) = read(written("json", of=report_of(table)))["tables"]
    assert listed["rows"] == [[name, name] for name in HOSTILE]


def test_what_json_cannot_hold_is_named_and_not_lost(written):
    config = {"lr": math.nan, "clip": math.inf, "low": -math.inf, 3: {"b", "a"}, "x": (1, None)}
    content = read(written("json", of=report_of(metadata={"config": config})))
    assert content["config"] == {
        "lr": "NaN",
        "clip": "Infinity",
        "low": "-Infinity",
        "3": ["a", "b"],
        "x": [1, None],
    }


def test_metadata_cannot_replace_the_numbers(written):
    content = read(written("json", of=report_of(metadata={"numbers": "none", "title": "x"})))
    assert (content["numbers"], content["title"]) == ([], "T")


def test_a_lone_surrogate_is_written_as_an_escape(written):
    files = written(
        "json", of=report_of(doc.Paragraph(id="p\udc80", text=()), metadata={"p": "\udc80"})
    )
    assert b"\\udc80" in files["report.json"]
    assert read(files)["p"] == "\udc80"


@pytest.mark.parametrize(
    ("value", "expected"), [(3.0, 3), (0.25, 0.25), (-2.0, -2), (1e20, 10**20), (7, 7)]
)
def test_whole_numbers_have_no_point(written, value, expected):
    number = doc.Number(id="a", quantity=Quantity(value=value))
    files = written("json", of=report_of(doc.Paragraph(text=(number,))))
    assert repr(read(files)["numbers"][0]["value"]) == repr(expected)


# --- facts ----------------------------------------------------------------------------


def test_a_cell_without_logs_says_why_and_two_values_have_no_standard_deviation():
    group = facts_metadata(five_of_six())["groups"][1]
    (cell,) = [r for r in group["runs"] if r["seed"] == 2]
    assert cell["report_value"] is None
    assert cell["run"] is None
    assert cell["missing"] == cell["report_value_missing"] != ""
    assert group["std"] is None
    assert group["std_missing"]


# --- metrics.csv ----------------------------------------------------------------------


def rows_of(table):
    return list(csv.DictReader(io.StringIO(table.decode(), newline="")))


def test_one_row_a_cell_of_the_grid():
    rows = rows_of(metrics_csv(five_of_six()))
    assert len(rows) == 6
    assert tuple(rows[0]) == CSV_COLUMNS
    first, last = rows[0], rows[-1]
    assert (first["group"], first["seed"], first["best_step"]) == ("pretrained", "0", "1125")
    assert float(first["report_value"]) == pytest.approx(0.814)
    assert first["missing"] == ""
    assert (last["group"], last["seed"], last["report_value"]) == ("random", "2", "")
    assert last["missing"]


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@x", "\tx", "\rx"])
def test_a_spreadsheet_runs_no_name_as_a_formula(name):
    table = {(name, 0): SIX["pretrained", 0]}
    (row,) = rows_of(metrics_csv(facts(table, groups=())))
    assert row["group"] == row["label"] == f"'{name}"
    assert not row["run"].startswith(tuple("=+-@\t\r"))


def test_other_names_are_exact():
    for name in HOSTILE:
        (row,) = rows_of(metrics_csv(facts({(name, 0): SIX["pretrained", 0]}, groups=())))
        assert row["group"] in {name, f"'{name}"}


def test_each_entry_stands_on_one_line_of_the_file():
    numbers_of_it = (
        doc.Number(id="a", quantity=Quantity(value=1.5, method="first\nsecond")),
        doc.Number(id="b", quantity=Missing(reason="none", details={})),
    )
    for text in ((), numbers_of_it):
        section = doc.Section(id="s", title="S", blocks=(doc.Paragraph(text=text),))
        metadata = {"empty": [], "list": [1, [2, {"k": "a\nb"}]], "object": {"deep": {"er": [3]}}}
        report = doc.Report(title="T", sections=(section,), metadata=metadata)
        (written,) = render(report, "json").values()
        assert json.loads(written) == report_json(report)
        lines = written.decode().splitlines()
        assert '  [2, {"k": "a\\nb"}]' in lines
        assert sum(line.startswith('  {"id": ') for line in lines) == len(text) + 1


def test_runs_of_one_file_have_the_same_order_in_every_process():
    # Sets of texts have another order in each: of eight, hardly ever that of the runs.
    found = facts()
    sources = [Source(path="a.csv", kind="csv", size=9, sha256="0", points=n) for n in range(8)]
    run = replace(found.runs.runs[0], sources=tuple(sources))
    told = facts_metadata(replace(found, runs=Runs(root="logs", runs=(run,))))["files"]
    assert [file["points"] for file in told] == [*range(8)]
