"""Marked messages: English texts that are said again, with their places, in any language."""

from copy import deepcopy
from dataclasses import replace

from reportgen.languages import Message, fill, language_of, message, say, tell

WORDS = {"{side}: {what}": "{side} : {what}", "keys": "clés", "{what:cap}": "{what:cap}"}


def in_words(text):
    """Fill a marked message with the words of this test."""
    return "".join(map(str, fill(replace(language_of("fr"), messages=WORDS), text, {})))


def test_it_is_its_english_text():
    text = message("{n} layers of {width}", n=2, width=8)
    assert text == "2 layers of 8"
    assert f"{text}!" == "2 layers of 8!"
    assert tell(text) == text
    assert say(text) == (text,)


def test_its_places_are_said_in_the_language():
    text = message("{side}: {what}", side="E", what=message("keys"))
    assert text == "E: keys"
    assert in_words(text) == "E : clés"


def test_a_name_in_a_place_is_not_said():
    assert in_words(message("{side}: {what}", side="keys", what="keys")) == "keys : keys"


def test_forms_hold_for_messages_in_places():
    text = message("{what:cap}", what=message("keys"))
    assert text == "Keys"
    assert in_words(text) == "Clés"


def test_a_copy_remembers_as_much():
    text = deepcopy(message("{n} layers", n=2))
    assert isinstance(text, Message)
    assert (text, text.pattern, dict(text.places)) == ("2 layers", "{n} layers", {"n": 2})
