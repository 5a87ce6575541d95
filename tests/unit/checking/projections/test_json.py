"""findings.json: the keys that scripts rely on."""

from __future__ import annotations

import json
from decimal import Decimal

import jsonschema
import pytest
from fakes.judgements import every_verdict, finding, judged, unreadable

from reportgen.checking.projections._rendering import Rendering
from reportgen.checking.projections.json import render
from reportgen.records.claim import Claim, Counted, Meaning, Printed, Setting, Statement
from reportgen.records.finding import Finding
from reportgen.records.manuscript import Place


@pytest.fixture(scope="module")
def content():
    return json.loads(render([every_verdict()], Rendering()))


def test_a_report_has_the_keys_of_the_specification(content):
    assert content["schema"] == "reportgen-findings/1"
    assert content["report"]["path"] == "report.md"
    assert content["evidence"][0] == {
        "id": "e1", "path": "logs/pretrained-1/events.out.tfevents", "sha256": "b" * 64,
        "tag": "test/accuracy",
    }  # fmt: skip
    assert sum(one["count"] for one in content["not_checkable"]) == 3
    assert content["totals"]["not_checkable"] == 3


def test_a_finding_says_what_where_and_how_far(content):
    found = next(one for one in content["findings"] if one["id"] == "f5")
    assert found["location"] == {
        "file": "report.md", "part": "", "line": 12, "col": 12, "endCol": 14, "page": None,
    }  # fmt: skip
    assert {key: found["claim"][key] for key in ("metric", "split", "seed", "printed")} == {
        "metric": "accuracy", "split": "test", "seed": 1, "printed": "80",
    }  # fmt: skip
    assert found["claim"]["decimals"] == 0
    assert found["expected"]["value"] == 78.5
    assert found["expected"]["evidence"][0]["step"] == 675
    assert (found["delta"], found["level"], found["verdict"]) == (1.5, "error", "disagrees")
    assert found["likely_cause"].startswith("80.0 is the validation value")
    assert len(found["readings_tried"]) == 2


def test_every_claim_is_there_also_those_that_agree_or_cannot_be_checked(content):
    decisive = [one for one in content["findings"] if one["decisive"]]
    assert {one["claim"]["id"] for one in decisive} == {f"c{i}" for i in range(1, 11)}
    assert {one["verdict"] for one in decisive} == {
        *("agrees", "agrees within rounding", "borderline", "disagrees", "not checkable")
    }


def test_trailing_zeros_are_kept(content):
    assert "78.50" in {one["claim"]["printed"] for one in content["findings"]}


CONTENTS = {
    "meaning": (Meaning(metric="f1", epoch=2.5, ddof=1), {"epoch": 2.5, "ddof": 1}),
    "setting": (
        Setting(name="target", key="target_modules", value=("q", "v")),
        {"stated": ["q", "v"], "key": "target_modules"},
    ),
    "counted": (Counted(what="seeds", scope=("all",)), {"what": "seeds", "scope": ["all"]}),
    "statement": (
        Statement(
            predicate="between", subjects=(Meaning(metric="loss", seed=2),),
            amounts=(Printed(text="0.62", value=Decimal("0.62")),), window=(1.0, None),
        ),
        {"subjects": [{"metric": "loss", "seed": 2}], "amounts": ["0.62"], "window": [1, None]},
    ),
    "number": (None, {"metric": "", "seed": None}),
}  # fmt: skip


@pytest.mark.parametrize("name", CONTENTS)
def test_every_content_keeps_its_own_fields(project, name):
    made, fields = CONTENTS[name]
    claim = Claim(id="c1", kind="number", quote="x", place=Place(line=1), content=made)
    found = Finding(rule="r", level="none", verdict="agrees", claim=claim, message="m")
    content = json.loads(render([judged([found])], Rendering()))
    shown = content["findings"][0]["claim"]
    assert shown["type"] == name
    assert {key: shown[key] for key in fields} == fields
    schema = json.loads((project / "docs/reference/findings.schema.json").read_bytes())
    jsonschema.Draft202012Validator(schema).validate(content)


def test_numbers_that_json_cannot_hold_are_named():
    content = json.loads(render([judged([finding(1)])], Rendering()))
    expected = content["findings"][0]["expected"]
    assert (expected["value"], expected["lo"], expected["hi"]) == ("NaN", "-Infinity", "Infinity")
    assert content["findings"][0]["delta"] == "1E+5000"


def test_several_reports_are_one_list():
    content = json.loads(render([every_verdict("a.md"), unreadable()], Rendering()))
    assert content["schema"] == "reportgen-class-findings/1"
    assert [one["report"]["path"] for one in content["submissions"]] == ["a.md", "broken.pdf"]
    assert content["submissions"][1]["fault"].endswith("the file ends in the middle of a page")
