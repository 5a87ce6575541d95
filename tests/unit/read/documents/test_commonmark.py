"""The Markdown reader beside markdown-it-py, which passes the suite of CommonMark."""

import re
from pathlib import Path

import pytest
from fakes.manuscript_text import read
from fakes.rows import rows_beside
from markdown_it import MarkdownIt

ROWS = rows_beside(__file__)
SAMPLES = re.split(r"\n%%\n", (Path(__file__).parent / "rows" / "commonmark.txt").read_text())
MARKDOWN = MarkdownIt("commonmark").enable("table")
SHOWN = {"softbreak": " ", "hardbreak": " ", "image": ""}


def squeezed(text: str) -> str:
    return " ".join(text.split())


def inline(token) -> str:
    def shown(child) -> str:
        if child.type == "html_inline":
            return " " if child.content.startswith("<br") else ""
        return SHOWN.get(child.type, child.content)

    return squeezed("".join(map(shown, token.children)))


def theirs(text: str) -> list[str]:
    """Return the texts of blocks and the cells of tables that markdown-it finds."""
    found: list[str] = []
    for token in MARKDOWN.parse(text):
        if token.type == "inline":
            found.append(inline(token))
        elif token.type in {"fence", "code_block"}:
            found.append(squeezed(token.content))
        elif token.type == "html_block":
            bare = re.sub(r"<!--.*?-->", "", token.content, flags=re.DOTALL)
            found.append(squeezed(re.sub(r"<[^>]+>", " ", bare)))
    return [one for one in found if one]


def ours(folder: Path, text: str) -> list[str]:
    found: list[str] = []
    for block in read(folder, "report.md", text).blocks:
        cells = [cell.text for row in block.rows for cell in row]
        found += cells or [squeezed(block.text)]
    return [one for one in found if one]


@pytest.mark.parametrize("text", SAMPLES)
def test_blocks_and_cells_say_what_commonmark_says(text, tmp_path):
    assert ours(tmp_path, text) == theirs(text)


@pytest.mark.parametrize(("text", "seen"), ROWS["where_it_says_otherwise_it_is_meant"])
def test_where_it_says_otherwise_it_is_meant(text, seen, tmp_path):
    assert ours(tmp_path, text) == seen
