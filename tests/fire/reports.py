"""The formats of written reports and drawings, under fire."""

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from fakes.manuscript_files import FILES

from fire import harm, within
from fire.formats import Format, Sample
from reportgen.app import CheckOptions, check
from reportgen.read.documents import read_document
from reportgen.records.document import Chart, Figure
from reportgen.records.manuscript import BLOCK_TYPES
from reportgen.render.figures import draw_figures

PROGRAMS = (
    "subprocess.Popen",
    "os.posix_spawn",
    "os.fork",
    "os.kill",
    "_posixsubprocess.fork_exec",
)
"""A PDF is read by a process of our own."""


def read(path: Path) -> object:
    return read_document(path)


def judge(path: Path) -> object:
    """Check a report as the command does, in this process."""
    return check(CheckOptions(reports=(path,)))


def words(found: Any) -> set[Any]:
    """Return the numbers of a report's text, with what stands before them."""
    return {block.text for block in found.blocks}


def told(found: Any) -> bool:
    return bool(found.problems)


def hold_together(found: Any, _: bytes) -> None:
    for block in found.blocks:
        assert block.type in BLOCK_TYPES
        assert block.lines
        assert len({len(row) for row in block.rows}) <= 1
        assert block.text.encode()
        for line in block.lines:
            assert len(line.columns) in {0, len(line.text)}


def _notebook() -> bytes:
    html = (
        "<script>alert(1)</script><table><tr><th>Seed<th>Test</tr><tr><td>0<td>79.25</tr></table>"
    )
    outputs = [
        {"output_type": "stream", "name": "stdout", "text": ["accuracy 81.5\n", "step 1125\n"]},
        {
            "output_type": "display_data",
            "data": {
                "text/html": html,
                "application/javascript": "alert(1)",
                "image/svg+xml": "<svg/>",
            },
        },
        {"output_type": "error", "ename": "E", "evalue": "v", "traceback": ["\x1b[31mx"]},
    ]
    cells = [
        {"cell_type": "markdown", "source": FILES["markdown"][1].decode().splitlines(True)[4:]},
        {
            "cell_type": "code",
            "source": "import os; os.system('x')",
            "outputs": outputs,
            "execution_count": 1,
            "metadata": {},
        },
    ]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}).encode()


SVG = b"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 200"><style>*{fill:#123}</style>
<defs><g id="p"><circle cx="5" cy="5" r="2"/></g></defs><use href="#p" x="10"/>
<path d="M0 0 L10 10 Z" style="stroke: #000; stroke-width: 2"/>
<text x="3" y="9">a <tspan>b</tspan></text>
</svg>"""


def draw_file(path: Path) -> bytes:
    """Draw an SVG of the user's as the report does."""
    chart = Chart(kind="svg", svg=path.read_bytes().decode("utf-8", "replace"))
    return draw_figures([Figure(id="f", caption=(), chart=chart, alt="A drawing.")])["f"]


DRAWN = frozenset(
    {
        *("svg", "g", "defs", "use", "path", "circle", "ellipse", "rect", "line", "polygon"),
        *("polyline", "text", "tspan", "title", "desc", "clipPath", "linearGradient", "stop"),
        *("radialGradient", "symbol"),
    }
)


def draws_nothing_else(drawn: bytes, _: bytes) -> None:
    for node in ET.fromstring(drawn).iter():  # noqa: S314 - nothing else made it
        assert node.tag.rpartition("}")[2] in DRAWN, node.tag
        for name, value in node.attrib.items():
            assert not name.lower().startswith("on"), name
            assert not re.search(r"javascript:|//|url\((?!#)", value), value


def _svg_acts(content: bytes, rng: Any) -> bytes:
    """Have something that acts put in front of a bracket."""
    acts = (
        *(b"<script>alert(1)</script>", b'<image href="http://evil/x"/>', b"<a onload='x'/>"),
        *(b'<use href="#p"/>' * 50, b"<!DOCTYPE svg [<!ENTITY a 'b'>]>", b"<g>" * 400),
        *(b'<g id="q"><use href="#q"/></g>', b'<path style="fill:url(http://evil)"/>', b"&a;"),
    )
    at = rng.choice([i for i, byte in enumerate(content) if byte == 60] or [0])
    return content[:at] + rng.choice(acts) + content[at:]


def _report(kind: str, *harms: Any, content: bytes = b"", **more: Any) -> Format:
    name, sound = FILES[kind]
    given: dict[str, Any] = {
        "samples": (Sample(name=name, content=content or sound),),
        "read": read,
        "deep": judge,
        "facts": words,
        "told": told,
        "holds": hold_together,
        "harms": harms or (harm.word, harm.lines, harm.swap),
    }
    return Format(**{**given, **more})


REPORT_FORMATS: dict[str, Format] = {
    "markdown": _report("markdown"),
    "latex": _report("latex"),
    "plain": _report("plain"),
    "html": _report("html"),
    "docx": _report("docx", runs=PROGRAMS, writes=False),
    "notebook": _report("notebook", harm.json_value, harm.word, content=_notebook()),
    "pdf": _report("pdf", deep_every=400, runs=PROGRAMS, writes=False),
    "svg": Format(
        samples=(Sample(name="own.svg", content=SVG),),
        read=draw_file,
        holds=draws_nothing_else,
        harms=(*[within.xml_tree] * 4, _svg_acts, harm.word),
        blunt=0.08,
    ),
}
