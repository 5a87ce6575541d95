"""Messages in a file: which they are, what fills them, and the words again in any language."""

import json

import pytest
from fakes.rows import rows_beside

from reportgen.app.evidence import EvidencePaths, gather_evidence
from reportgen.app.report_file import parse_report
from reportgen.languages import (
    Message,
    message,
    message_from_json,
    message_to_json,
    metric_later,
    retell,
    speaking,
    tell,
)
from reportgen.records.document import numbers
from reportgen.records.quantity import Missing
from reportgen.render import facts_metadata, report_json
from reportgen.report import compose_report

ROWS = rows_beside(__file__)
INSIDE = message("an interval needs three runs in each group")
MESSAGES = (
    message("{run} never logged {metric} on {split}", run="a/0", metric="wer", split="dev"),
    message("{run} never logged {metric} on {split}", run="a/0", metric=metric_later("accuracy"),
            split="dev"),
    message("no logs found for {group}, seed {seed}: {cause}", group="a", seed=1, cause=INSIDE),
    message("no evaluation logged: no best step exists"),
    message("no run has this {what}", what="x: y"),
)  # fmt: skip


@pytest.mark.parametrize("words", MESSAGES)
def test_a_message_comes_back_from_a_file_as_it_was(words):
    again = message_from_json(str(words), json.loads(json.dumps(message_to_json(words))))
    with speaking("fr"):
        assert (str(again), retell(again)) == (str(words), tell(words))
        assert retell(again) != str(words)


def test_what_a_lab_says_is_said_in_french_as_if_it_had_never_been_written(lab):
    facts = gather_evidence(EvidencePaths(study=lab / "study.toml"))[0].facts
    report = compose_report(facts, metadata=facts_metadata(facts))
    quantities = [number.quantity for number in numbers(report)]
    said = {q.reason if isinstance(q, Missing) else q.method for q in quantities}
    marked = {words for words in said if isinstance(words, Message)}
    content = parse_report(lab / "report.json", json.dumps(report_json(report)).encode()).content
    again = {n["method"] if n["value"] is not None else n["reason"] for n in content["numbers"]}
    assert said - marked <= {""}
    with speaking("fr"):
        assert {retell(words) for words in again} == {retell(words) for words in said}


@pytest.mark.parametrize("told", ROWS["what_is_not_the_message_of_the_words_changes_nothing"])
def test_what_is_not_the_message_of_the_words_changes_nothing(told):
    with speaking("fr"):
        assert retell(message_from_json("2 runs", told)) == "2 runs"


def test_messages_in_messages_without_end_are_words():
    deep = {"id": "x"}
    for _ in range(1000):
        deep = {"id": "{a}", "arguments": {"a": deep}}
    with speaking("fr"):
        assert retell(message_from_json("x", deep)) == "x"
