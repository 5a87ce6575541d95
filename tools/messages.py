"""Bring the catalogues of all languages up to date with what the program says.

python -m tools.messages        entries without a translation for what is new; what is not said
any more is taken out, and printed
python -m tools.messages es     begins a catalogue as well
"""

from __future__ import annotations

import ast
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import polib

from reportgen.records.rows import parse_rows

PROJECT = Path(__file__).resolve().parents[1]
CATALOGUES = PROJECT / "reportgen" / "languages"
WIDTH = 88
# Sections of the words of parameters that are said.
SAID = {*("symbols", "labels", "biases", "norms", "sides"), *("scopes", "stored", "uncounted"),
        *("groups", "parts")}  # fmt: skip
_TAKEN = {**dict.fromkeys(("say", "tell", "message"), 1), "say_count": 2, "tell_count": 2}
"""Function to how many messages it is given, which stand first."""


def said_in(project: Path) -> dict[str, list[str]]:
    """Return every message that is said, with the files that say it.

    Raises:
        ValueError: A message is no literal, so that nobody would find it to translate it.
    """
    found: dict[str, list[str]] = {}
    for path in sorted((project / "reportgen").rglob("*.py")):
        source = path.read_text("utf-8")
        if "languages" in path.parts or "from reportgen.languages import" not in source:
            continue
        messages, other = messages_of(ast.parse(source))
        if other:
            raise ValueError(f"{path.name}: lines {other} say a message that is no literal")
        for message in messages:
            found.setdefault(message, []).append(path.name)
    for name, message in _words_of_tables(project):
        found.setdefault(message, []).append(name)
    return found


def messages_of(tree: ast.AST) -> tuple[set[str], list[int]]:
    """Return every message that a module says, and the lines that say something else."""
    found: set[str] = set()
    other: list[int] = []
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
        for argument in node.args[: _TAKEN.get(node.func.id, 0)]:
            texts = _literals(argument)
            found.update(texts)
            # A message out of a table was marked where it stands in the table.
            if not texts and not isinstance(argument, ast.Name | ast.Subscript | ast.Attribute):
                other.append(node.lineno)
    return found, other


def _literals(node: ast.expr) -> list[str]:
    """Return every text an expression may be: a literal, or one of two behind an `if`."""
    if isinstance(node, ast.IfExp):
        return _literals(node.body) + _literals(node.orelse)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    return []


def _words_of_tables(project: Path) -> Iterator[tuple[str, str]]:
    """Yield every message that stands in a table, with the file of the table."""
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
    path = project / "reportgen" / "parameters" / "words.ini"
    for section, rows in parse_rows(path.read_text("utf-8")).items():
        yield from ((path.name, text) for text in rows.values() if section in SAID)
    path = project / "reportgen" / "report" / "words.ini"
    for section, rows in parse_rows(path.read_text("utf-8")).items():
        for name, text in rows.items():
            yield path.name, name if section == "settings" else text


def brought_up_to_date(text: str, said: set[str], nouns: set[str]) -> tuple[str, list[str]]:
    """Return a catalogue with an entry for all that is said, and what was taken out of it."""
    catalogue = polib.pofile(text, wrapwidth=WIDTH)
    kinds: dict[str | None, dict[str, polib.POEntry]] = {None: {}, "noun": {}}
    for entry in catalogue:
        kinds[entry.msgctxt][entry.msgid] = entry
    for context, wanted in ((None, said), ("noun", nouns)):
        for one in wanted - kinds[context].keys():
            kinds[context][one] = polib.POEntry(msgid=one, msgctxt=context)
    gone = [entry for message, entry in kinds[None].items() if message not in said]
    catalogue[:] = [
        kinds[context][one]
        for context, wanted in ((None, said), ("noun", set(kinds["noun"])))
        for one in sorted(wanted)
    ]
    return f"{str(catalogue).rstrip()}\n", [f"{one.msgid!r}: {one.msgstr!r}" for one in gone]


def _begun(code: str) -> str:
    lines = ("MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8",
             "Content-Transfer-Encoding: 8bit")  # fmt: skip
    head = "".join(f'"{line}\\n"\n' for line in (f"Language: {code}", *lines))
    return f'msgid ""\nmsgstr ""\n{head}'


def main(codes: list[str]) -> int:
    """Write the catalogues anew."""
    said = set(said_in(PROJECT))
    french = polib.pofile(str(CATALOGUES / "fr.po"))
    nouns = {entry.msgid for entry in french if entry.msgctxt == "noun"}
    for code in sorted({*codes, *(path.stem for path in CATALOGUES.glob("*.po"))}):
        path = CATALOGUES / f"{code}.po"
        before = path.read_text("utf-8") if path.is_file() else ""
        text, gone = brought_up_to_date(before or _begun(code), said, nouns)
        left = len(polib.pofile(text).untranslated_entries())
        print(f"{path.name}: {left} to translate, {len(gone)} taken out")
        print(*(f"  {one}" for one in gone), sep="\n", end="\n" if gone else "")
        if text != before:
            path.write_text(text, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
