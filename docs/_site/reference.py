"""The pages of docs/reference that are made from the code, and the schema of study files.

python docs/_site/reference.py      write them anew; `make manual` does, tests hold them
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
import io
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import reportgen
from reportgen.cli import COMMANDS, main
from reportgen.read.logs import LOADERS
from reportgen.read.logs.sources import own_sources
from reportgen.read.study import LISTED, schema_text
from reportgen.read.study import TABLES as STUDY_KEYS
from reportgen.records.registry import Registry
from reportgen.records.verdict import RULES

DOCS = Path(__file__).resolve().parents[1]
MADE = "<!-- Made from the code by `make manual`; change it there. -->\n"
TABLES = {
    "Layouts of runs": "reportgen.runs:LAYOUTS",
    "Checkpoint formats": "reportgen.read.weights:CHECKPOINTS",
    "Sections": "reportgen.report:SECTIONS",
    "Figures": "reportgen.render.figures:FIGURES",
    "Formats": "reportgen.render:FORMATS",
    "Readers of event files": "reportgen.read.logs:EVENT_READERS",
    "Layouts of written logs": "reportgen.train.engine:LOG_WRITERS",
    "Languages": "reportgen.languages:LANGUAGES",
    "Executors": "reportgen.train.executors:EXECUTORS",
}
_OUTCOMES = """\
Every number of a report has one outcome:

| outcome | means | level |
|---|---|---|
| traced | it stands in the evidence, under a reading that its words allow | none |
| contradicted | it fails under every legal reading | error with two bindings, warning with one |
| untraced | it stands nowhere in the evidence; listed, costs no points | none |
| no claim | it claims nothing: a date, a page, a version | none |
"""


_STUDY = """\
Every key is optional: what is left out is inferred, and the inference is printed. Paths are
relative to the file. `reportgen init --runs logs/` writes one, with [the schema](study.schema.json)
that lets editors complete it. [One with every key](../../inputs/roberta-small-fr/study.toml), and
[one for training](../../inputs/tiny-grid/study.toml).
"""


def pages() -> Iterator[tuple[str, str]]:
    """Yield the path below docs/ and the text of each page."""
    yield "reference/commands.md", commands()
    yield "reference/study-file.md", study_file()
    yield "reference/python.md", python_names()
    yield "reference/sources.md", sources()
    yield "reference/checks.md", checks()
    yield "reference/plug-ins.md", plug_ins()
    yield "reference/study.schema.json", schema_text()


def commands() -> str:
    """Return what `--help` of each command prints, at the width of a page."""
    parts = [f"# Commands\n\n{MADE}\nWhat `reportgen COMMAND --help` prints.\n"]
    for name, entry in COMMANDS.items():
        parts.append(f"## {name}\n\n{entry.about[0].upper()}{entry.about[1:]}.\n")
        parts.append(f"```\n{_help(name)}\n```\n")
    return "\n".join(parts)


def _help(command: str) -> str:
    """Return the help of a command; exit codes and `--help`, alike for all, are said once."""
    printed = io.StringIO()
    width = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = "96"
    try:
        with contextlib.redirect_stdout(printed), contextlib.suppress(SystemExit):
            main([command, "--help"])
    finally:
        if width is None:
            del os.environ["COLUMNS"]
        else:
            os.environ["COLUMNS"] = width
    text, _, _ = printed.getvalue().partition("\nexit codes:")
    return text.rstrip()


def study_file() -> str:
    """Return every key of a study file by table."""
    parts = [f"# The study file\n\n{MADE}\n{_STUDY}"]
    for table, keys in STUDY_KEYS.items():
        parts.append(f"## {_head(table)}\n\n| key | type | what it does |\n|---|---|---|")
        for name, key in keys.items():
            choices = ", ".join(f"`{json.dumps(one)}`" for one in key.choices)
            about = f"{key.about}{f'; one of {choices}' if choices else ''}"
            parts.append(f"| `{name}` | {key.kind} | {_cell(about)} |")
        parts.append("")
    return "\n".join(parts)


def _head(table: str) -> str:
    named = {"groups": "groups.NAME"}.get(table, table)
    return f"[[{table}]]" if table in LISTED else f"[{named}]"


def python_names() -> str:
    """Return the public names with their signatures and the first paragraph on each."""
    functions = [n for n in reportgen.__all__ if n[0].islower()]
    options = [n for n in reportgen.__all__ if n.endswith("Options")]
    records = [n for n in reportgen.__all__ if n not in functions and n not in options]
    parts = [
        f"# Python\n\n{MADE}\n`import reportgen` gives these; `help(reportgen.build)` says more.\n"
    ]
    for title, names in (("Use cases", functions), ("Their options", options)):
        parts.append(f"## {title}\n")
        for name in names:
            found = getattr(reportgen, name)
            parts.append(f"### {name}\n\n```\n{_signature(name, found)}\n```\n")
            parts.append(f"{_paragraph(found)}\n")
    parts.append("## Records, for sections of your own\n\n| name | what it is |\n|---|---|")
    parts += [f"| `{n}` | {_cell(_paragraph(getattr(reportgen, n)))} |" for n in records]
    return "\n".join([*parts, ""])


def _signature(name: str, found: Callable[..., object]) -> str:
    """Return a call with one argument a line."""
    told = [_argument(one) for one in inspect.signature(found).parameters.values()]
    return f"{name}(\n" + "".join(f"    {one},\n" for one in told) + ")"


def _argument(one: inspect.Parameter) -> str:
    stars = {one.VAR_POSITIONAL: "*", one.VAR_KEYWORD: "**"}.get(one.kind, "")
    typed = f": {one.annotation}" if isinstance(one.annotation, str) else ""
    if one.default is one.empty:
        return f"{stars}{one.name}{typed}"
    default = repr(one.default)
    if isinstance(one.default, Path):
        default = f"Path({str(one.default) if one.default != Path() else ''})"
    elif callable(one.default):
        default = one.default.__name__
    elif default.startswith("<"):  # made anew by each call
        default = "..."
    return f"{stars}{one.name}{typed} = {default}"


def _paragraph(found: object) -> str:
    text = inspect.getdoc(found) or ""
    return " ".join(text.split("\n\n")[0].split())


def sources() -> str:
    """Return what logs are read, with the files each source is known by."""
    head = (
        f"# Sources of logs\n\n{MADE}\nA file is read by the first source that knows its name or "
        "its content. [Read logs](../how-to/logs.md) says how to declare tables of your own.\n"
    )
    rows = "\n".join(f"| `{one.name}` | {_cell(one.about)} |" for one in own_sources())
    return (
        f"{head}\n{_rows(LOADERS)}\n\n## What is told apart inside\n\nRows of "
        "`reportgen/read/logs/sources.toml`; [another package]"
        f"(../how-to/packages.md) brings its own.\n\n"
        f"| name | what it is |\n|---|---|\n{rows}\n"
    )


def checks() -> str:
    """Return the outcomes and the names of the checks."""
    rules = "\n".join(f"| `{name}` | {_cell(about)} |" for name, about in RULES.items())
    table: Registry = importlib.import_module("reportgen.checking.projections").FINDINGS
    documents: Registry = importlib.import_module("reportgen.read.documents").READERS
    return (
        f"# Checks\n\n{MADE}\n{_OUTCOMES}\n## Rules\n\nA rubric and `findings.json` name them.\n\n"
        f"| rule | holds where |\n|---|---|\n{rules}\n\n"
        f"## Reports that can be checked\n\n{_rows(documents)}\n\n## Formats of findings\n\n"
        f"{_rows(table)}\n"
    )


def plug_ins() -> str:
    """Return the other tables, with the patterns or model types their rows answer to."""
    parts = [
        f"# Tables\n\n{MADE}\n[CONTRIBUTING](../../CONTRIBUTING.md) says how a row is added.\n"
    ]
    for title, target in TABLES.items():
        module, _, name = target.partition(":")
        parts.append(f"## {title}\n\n{_rows(getattr(importlib.import_module(module), name))}\n")
    return "\n".join(parts)


def _rows(table: Registry) -> str:
    answers = any(entry.match for entry in table.values())
    lines = ["| name | what it is | answers to |" if answers else "| name | what it is |"]
    lines.append("|---" * (3 if answers else 2) + "|")
    for key, entry in table.items():
        cells = [f"`{key}`", _cell(entry.about)]
        if answers:
            cells.append(", ".join(f"`{pattern}`" for pattern in entry.match))
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    for place, text in pages():
        if not (DOCS / place).is_file() or (DOCS / place).read_text(encoding="utf-8") != text:
            (DOCS / place).write_text(text, encoding="utf-8", newline="\n")
            print(f"wrote docs/{place}")
