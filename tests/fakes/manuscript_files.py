"""One little report in every format that is read."""

import io
import json
from pathlib import Path

from fakes.pdf import pdf, row_at, text_at
from fakes.rows import rows_beside

TABLES = rows_beside(__file__)
SENTENCE = "The best accuracy of seed 1 is 81.5 at step 1125 of all five epochs that were run."
CAPTION = "Table 1: Test accuracy of the runs"
ROWS = [["Seed", "Valid", "Test"], ["0", "80.5", "79.25"], ["1", "81.5", "78.75"]]
MARKDOWN = TABLES["markdown"]
LATEX = TABLES["latex"]
PLAIN = TABLES["plain"]
HTML = TABLES["html"]


def _docx() -> bytes:
    from docx import Document

    document = Document()
    document.add_heading("1 Results", 1)
    document.add_paragraph(SENTENCE)
    table = document.add_table(rows=3, cols=3)
    for row, texts in zip(table.rows, ROWS, strict=True):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text
    document.add_paragraph(CAPTION, style="Caption")
    document.add_paragraph("lora_alpha = 32", style="List Bullet")
    document.add_heading("References", 1)
    document.add_paragraph("[1] A. Author, 2019.")
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def _notebook() -> str:
    cells = [
        {"cell_type": "markdown", "source": MARKDOWN.splitlines(keepends=True)[4:]},
        {"cell_type": "code", "source": "print(3)", "outputs": []},
    ]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells})


def _pdf() -> bytes:
    rows = [
        row_at(700 - 14 * i, [(90.0 + 60 * j, cell) for j, cell in enumerate(row)])
        for i, row in enumerate(ROWS)
    ]
    page = [
        text_at(72, 780, "1 Results", size=15),
        text_at(72, 740, SENTENCE),
        *rows,
        text_at(72, 640, CAPTION),
        text_at(84, 610, "• lora_alpha = 32"),
        text_at(72, 570, "References", size=15),
        text_at(72, 550, "[1] A. Author, 2019."),
    ]
    return pdf(b"\n".join(page))


FILES = {
    "markdown": ("report.md", MARKDOWN.encode()),
    "latex": ("report.tex", LATEX.encode()),
    "pdf": ("report.pdf", _pdf()),
    "notebook": ("report.ipynb", _notebook().encode()),
    "html": ("report.html", HTML.encode()),
    "docx": ("report.docx", _docx()),
    "plain": ("report.txt", PLAIN.encode()),
}
"""Name of the format to a file's name and content."""


def write(folder: Path, kind: str, content: bytes | None = None) -> Path:
    """Write the report of a format, or other content under its name, into a folder."""
    name, sound = FILES[kind]
    path = folder / name
    path.write_bytes(sound if content is None else content)
    return path
