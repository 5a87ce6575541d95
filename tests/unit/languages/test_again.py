"""English words of a record, said again in the language of its reader."""

import pytest

from reportgen.languages import message, speaking, tell
from reportgen.languages._again import say_again
from reportgen.languages.french import LANGUAGE


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
