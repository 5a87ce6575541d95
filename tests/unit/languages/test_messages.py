"""Every message is translated, with the same places, and no translation is left over."""

import importlib.util
import re

import polib
import pytest

from reportgen.languages import LANGUAGES, language_of, places_of


@pytest.fixture(scope="module")
def tool(project):
    spec = importlib.util.spec_from_file_location("messages", project / "tools" / "messages.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def said(project, tool):
    """Message to the files that say it."""
    return tool.said_in(project)


def translations():
    return [code for code in LANGUAGES if code != "en"]


@pytest.mark.parametrize("code", translations())
def test_every_message_is_translated(said, code):
    missing = {m: files for m, files in said.items() if m not in language_of(code).messages}
    assert missing == {}, f"`make messages` writes their entries into {code}.po: translate these"


def test_a_catalogue_gets_what_is_new_in_its_place_and_loses_what_is_not_said(tool):
    text, _ = tool.brought_up_to_date(tool._begun("es"), {"a run", "a seed"}, {"loss"})
    text = text.replace('msgid "a run"\nmsgstr ""', 'msgid "a run"\nmsgstr "una ejecución"')
    text, gone = tool.brought_up_to_date(text, {"a run", "a cell"}, {"loss"})
    entries = [(one.msgctxt, one.msgid, one.msgstr) for one in polib.pofile(text)]
    assert entries == [
        (None, "a cell", ""), (None, "a run", "una ejecución"), ("noun", "loss", ""),
    ]  # fmt: skip
    assert gone == ["'a seed': ''"]


@pytest.mark.parametrize("code", translations())
def test_no_translation_is_left_over(said, code):
    assert sorted(set(language_of(code).messages) - set(said)) == []


@pytest.mark.parametrize("code", translations())
def test_a_translation_has_the_places_of_its_message(code):
    for message, own in language_of(code).messages.items():
        names = [{name for _, name, _ in places_of(text) if name} for text in (message, own)]
        assert names[0] == names[1], message


@pytest.mark.parametrize("code", list(LANGUAGES))
def test_forms_are_those_of_the_language(said, code):
    texts = language_of(code).messages.values() if code != "en" else said
    forms = language_of(code).forms | {""}
    for text in texts:
        assert {form for _, name, form in places_of(text) if name} <= forms, text


@pytest.mark.parametrize("code", translations())
def test_the_catalogue_is_sorted_and_has_each_message_once(project, code):
    catalogue = polib.pofile(str(project / "reportgen" / "languages" / f"{code}.po"))
    for context in (None, "noun"):
        messages = [entry.msgid for entry in catalogue if entry.msgctxt == context]
        assert messages == sorted(set(messages))


def test_french_typography():
    for own in language_of("fr").messages.values():
        words = re.sub(r"\{[^}]*\}", "x", own)
        assert re.findall(r"[^\u202f][;!?»]|«[^\u202f]|[^\u202f\u00a0]:(?= |$)", words) == [], own
        assert re.findall(r"(?<=\d)[^\u202f]?%|'|\.\.\.", words) == [], own
