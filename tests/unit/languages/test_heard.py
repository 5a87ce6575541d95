"""English words of a report.json, understood again as the messages they were."""

import pytest

from reportgen.app.evidence import EvidencePaths, read_facts
from reportgen.languages import (
    Ear,
    Message,
    language_of,
    message,
    retell,
    say_again,
    speaking,
    tell,
)
from reportgen.languages.french import LANGUAGE
from reportgen.records.document import numbers
from reportgen.records.quantity import Missing
from reportgen.report import compose_report


def marked_in(facts):
    """Every marked method and reason of a lab's report."""
    for number in numbers(compose_report(facts, metadata={})):
        quantity = number.quantity
        words = quantity.reason if isinstance(quantity, Missing) else quantity.method
        if isinstance(words, Message):
            yield words


def test_methods_of_a_lab_are_said_as_if_they_had_never_been_written(lab):
    facts = read_facts(EvidencePaths(study=lab / "study.toml"))
    words = set(marked_in(facts))
    ear = Ear(language_of("fr"), names={n for g in facts.groups for n in (g.name, g.label)})
    with speaking("fr"):
        assert len(words) > 100
        said = {text: (retell(text), retell(ear.hear("".join(text)))) for text in words}
    assert {text: pair for text, pair in said.items() if pair[0] != pair[1]} == {}


def test_a_name_stays_a_name():
    ear = Ear(language_of("fr"), names={"accuracy"})
    heard = ear.hear("no run of accuracy has a value")
    with speaking("fr"):
        assert retell(heard) == "aucune exécution d’accuracy n’a de valeur"


@pytest.mark.parametrize("words", ["", "my own words", "a ; b", "{what}", "3 − 4.5"])
def test_words_of_others_stay_as_they_are(words):
    heard = Ear(language_of("fr")).hear(words)
    with speaking("fr"):
        assert retell(heard) == words


@pytest.mark.parametrize(
    "words",
    [
        message("{run} never logged {metric} on {split}", run="a/0", metric="wer", split="dev"),
        message("no logs found for {group}, seed {seed}: {cause}", group="a", seed=1, cause="b"),
        message("no evaluation logged: no best step exists"),
        message("no run has this {what}", what="x: y"),
    ],
)
def test_words_that_lost_their_message_are_said_as_if_they_had_it(words):
    with speaking("fr"):
        assert say_again(str(words)) == tell(words) != str(words)


def test_what_is_inside_is_said_too():
    inside = message("an interval needs three runs in each group")
    words = str(message("no logs found for {group}, seed {seed}: {cause}", group="a", seed=1,
                        cause=inside))  # fmt: skip
    with speaking("fr"):
        assert say_again(words).endswith(LANGUAGE.messages[inside])


@pytest.mark.parametrize("words", ["", "pretrained", "the file is empty (0 bytes)", "a: b, seed"])
def test_words_of_somebody_stay(words):
    with speaking("fr"):
        assert say_again(words) == words


def test_english_stays_english():
    assert say_again("a/0 never logged wer on test") == "a/0 never logged wer on test"
