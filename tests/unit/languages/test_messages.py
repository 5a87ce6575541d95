"""Every message is translated, with the same places, and no translation is left over."""

import ast
import re
import tomllib

import polib
import pytest

from reportgen.languages import LANGUAGES, language_of, places_of, speaking, tell
from reportgen.records.rows import parse_rows

SAYS = {"say", "tell", "message"}
COUNTS = {"say_count", "tell_count"}
FORMS = {
    "fr": {
        "",
        "le",
        "Le",
        "du",
        "au",
        "Au",
        "de",
        "que",
        "un",
        "sur",
        "Sur",
        "cap",
        "count",
        "decimal",
    },
    "en": {"", "a", "cap", "count"},
}


def literals(node):
    """Every text an expression may be: a literal, or one of two behind an `if`."""
    if isinstance(node, ast.IfExp):
        return literals(node.body) + literals(node.orelse)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    return []


def messages_of(tree):
    """Every message that a module says, and the lines that say something else."""
    found, other = set(), []
    # A module of the command line has a `say` of its own.
    ours = {
        name.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "reportgen.languages"
        for name in node.names
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        if node.func.id not in ours:
            continue
        count = {**dict.fromkeys(SAYS, 1), **dict.fromkeys(COUNTS, 2)}.get(node.func.id, 0)
        for argument in node.args[:count]:
            texts = literals(argument)
            found.update(texts)
            # A message out of a table was marked where it stands in the table.
            if not texts and not isinstance(argument, ast.Name | ast.Subscript | ast.Attribute):
                other.append(node.lineno)
    return found, other


@pytest.fixture(scope="module")
def said(project):
    """Message to the files that say it."""
    found = {}
    for path in sorted((project / "reportgen").rglob("*.py")):
        if "languages" in path.parts:
            continue
        source = path.read_text("utf-8")
        if "from reportgen.languages import" not in source:
            continue
        messages, other = messages_of(ast.parse(source))
        assert not other, f"{path.name}: lines {other} say a message that is no literal"
        for message in messages:
            found.setdefault(message, []).append(path.name)
    for path, message in words_of_tables(project):
        found.setdefault(message, []).append(path)
    return found


def words_of_tables(project):
    """Every message that stands in a table, with the file of the table."""
    path = project / "reportgen" / "parameters" / "adapters" / "kinds.toml"
    table = tomllib.loads(path.read_text("utf-8"))
    found = [row[1] for row in table["keys"].values()]
    for kind in table["kinds"].values():
        found += [row[1] for row in kind.get("own", {}).values()]
        found += [kind[name] for name in ("adds", "does") if name in kind]
    yield from ((path.name, text) for text in found)
    for path in sorted((project / "reportgen").rglob("messages.ini")):
        for code, text in parse_rows(path.read_text("utf-8"))[""].items():
            if not code.endswith(".level"):
                yield str(path.relative_to(project)), text
    path = project / "reportgen" / "report" / "words.ini"
    for section, rows in parse_rows(path.read_text("utf-8")).items():
        for name, text in rows.items():
            yield path.name, name if section == "settings" else text


def translations():
    return [code for code in LANGUAGES if code != "en"]


@pytest.mark.parametrize("code", translations())
def test_every_message_is_translated(said, code):
    missing = {m: files for m, files in said.items() if m not in language_of(code).messages}
    assert missing == {}


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
    for text in texts:
        assert {form for _, name, form in places_of(text) if name} <= FORMS[code], text


def test_the_catalogue_is_sorted_and_has_each_message_once(project):
    catalogue = polib.pofile(str(project / "reportgen" / "languages" / "fr.po"))
    for context in (None, "noun"):
        messages = [entry.msgid for entry in catalogue if entry.msgctxt == context]
        assert messages == sorted(set(messages))


def test_french_typography():
    for own in language_of("fr").messages.values():
        words = re.sub(r"\{[^}]*\}", "x", own)
        assert re.findall(r"[^\u202f][;!?»]|«[^\u202f]|[^\u202f\u00a0]:(?= |$)", words) == [], own
        assert re.findall(r"(?<=\d)[^\u202f]?%|'|\.\.\.", words) == [], own


def test_the_title_of_a_french_report_elides_before_a_name():
    with speaking("fr"):
        told = {
            name: tell("{metric:cap} of {group}", metric="exactitude", group=name)
            for name in ("augmentation", "dropout")
        }
        two = tell(
            "{metric:cap} of {first} and {second}", metric="perte", first="base", second="adam"
        )
    assert told["augmentation"] == "Exactitude d’augmentation"
    assert told["dropout"] == "Exactitude de dropout"
    assert two == "Perte de base et d’adam"
