"""Pages that are made from the code: commands, plug-ins, keys of a study file, the Python names."""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import os
from collections.abc import Iterator
from pathlib import Path

import reportgen
from reportgen.cli import COMMANDS, main
from reportgen.registry import Registry

PROJECT = Path(__file__).resolve().parents[2]
GALLERY = PROJECT / "build" / "gallery"
_STUDY = """# The study file

Nothing in it is required: what is left out is inferred, and the inference is printed.
`reportgen init --runs logs/` writes one. Paths are relative to the file.
"""
TABLES = {
    "Loaders of logs": "reportgen.read.logs:LOADERS",
    "Layouts of runs": "reportgen.runs:LAYOUTS",
    "Checkpoint formats": "reportgen.read.weights:CHECKPOINTS",
    "Statistics": "reportgen.stats:STATISTICS",
    "Sections": "reportgen.report:SECTIONS",
    "Figures": "reportgen.render.figures:FIGURES",
    "Formats": "reportgen.render:FORMATS",
    "Readers of event files": "reportgen.read.logs:EVENT_READERS",
    "Layouts of written logs": "reportgen.train.engine:LOG_WRITERS",
    "Languages": "reportgen.languages:LANGUAGES",
    "Reports that can be checked": "reportgen.read.documents:READERS",
    "Formats of findings": "reportgen.checking.projections:FINDINGS",
    "Executors": "reportgen.train.executors:EXECUTORS",
}


def pages() -> Iterator[tuple[str, str]]:
    """Yield the address and the Markdown of each page."""
    yield "reference/commands.md", commands()
    yield "reference/plug-ins.md", plug_ins()
    yield "reference/study-file.md", study_file()
    yield "reference/python.md", python_names()
    yield "gallery.md", gallery()
    yield "tutorial.md", tutorial()


def gallery() -> str:
    """The samples that `gallery.py` made from the current code, as pictures."""
    listed = GALLERY / "gallery.json"
    parts = ["# Gallery\n\nMade from the current code, of the sample labs in `inputs/`.\n"]
    if not listed.is_file():
        return parts[0] + "\nThere are none yet: `python docs/_site/gallery.py` makes them.\n"
    made = json.loads(listed.read_text(encoding="utf-8"))
    for sample in made["samples"]:
        shown = "\n\n".join(
            f"[![{name}](gallery/{name})](gallery/{name})" for name in sample["pictures"]
        )
        parts.append(
            f"## {sample['about']}\n\n```sh\n{sample['command']}\n```\n\n"
            f'<div class="gallery" markdown>\n\n{shown}\n\n</div>\n\n'
            f"The whole report: [{sample['file']}](gallery/{sample['file']})\n"
        )
    if made["page"]:
        parts.append(
            "## The HTML page\n\nEvery number shows where it came from; curves zoom.\n\n"
            f"![the page]({'gallery/' + made['page']})\n\n[Open it](gallery/report.html)\n"
        )
    return "\n".join(parts)


def tutorial() -> str:
    """The notebook's cells as a page; what they print is for whoever runs it."""
    notebook = PROJECT / "docs" / "tutorial.ipynb"
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    parts = []
    for cell in cells:
        source = "".join(cell["source"])
        parts.append(source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```")
    return "\n\n".join([*parts, "The notebook: [tutorial.ipynb](tutorial.ipynb)"]) + "\n"


def commands() -> str:
    """What `--help` of each command prints, at the width of a page."""
    parts = ["# Commands\n\nWhat `reportgen COMMAND --help` prints.\n"]
    for name, entry in COMMANDS.items():
        parts.append(f"## {name}\n\n{entry.about[0].upper()}{entry.about[1:]}.\n")
        parts.append(f"```text\n{_help(name)}\n```\n")
    return "\n".join(parts)


def _help(command: str) -> str:
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
    return printed.getvalue().rstrip()


def plug_ins() -> str:
    """Each table of plug-ins, with the patterns or model types its rows answer to."""
    parts = ["# Plug-ins\n\nOne file a row; [CONTRIBUTING](../CONTRIBUTING.md) tells how.\n"]
    for title, target in TABLES.items():
        module, _, name = target.partition(":")
        table: Registry = getattr(importlib.import_module(module), name)
        answers = any(entry.match for entry in table.values())
        head = "| name | what it is | answers to |" if answers else "| name | what it is |"
        parts.append(f"## {title}\n\n{head}\n{'|---' * (3 if answers else 2)}|")
        for key, entry in table.items():
            cells = [f"`{key}`", entry.about.replace("|", "\\|")]
            if answers:
                cells.append(", ".join(f"`{pattern}`" for pattern in entry.match))
            parts.append(f"| {' | '.join(cells)} |")
        parts.append("")
    return "\n".join(parts)


def study_file() -> str:
    """The sample study files, whose comments explain every key."""
    parts = [_STUDY]
    for lab, title in (
        ("roberta-small-fr", "Runs, groups, metric, statistics, words of your own"),
        ("tiny-grid", "Training missing cells"),
    ):
        text = (PROJECT / "inputs" / lab / "study.toml").read_text(encoding="utf-8")
        parts.append(f"## {title}\n\n```toml\n{text.rstrip()}\n```\n")
    return "\n".join(parts)


def python_names() -> str:
    """The public names, by what they are for; mkdocstrings fills in their docstrings."""
    functions = [n for n in reportgen.__all__ if n[0].islower()]
    options = [n for n in reportgen.__all__ if n.endswith("Options")]
    records = [n for n in reportgen.__all__ if n not in functions and n not in options]
    parts = ["# Python\n\nEverything here is imported from `reportgen` itself, on first use.\n"]
    for title, names in (
        ("Use cases", functions),
        ("Their options", options),
        ("Records, for sections of your own", records),
    ):
        parts.append(f"## {title}\n")
        parts += [f"::: {_home(name)}\n    options:\n      heading_level: 3\n" for name in names]
    return "\n".join(parts)


def _home(name: str) -> str:
    """Return where a public name is defined, which is where its docstring can be read."""
    found = getattr(reportgen, name)
    return f"{found.__module__}.{found.__qualname__}"
