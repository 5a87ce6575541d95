"""Rows of a PDF's tables beside those that pdfplumber finds."""

import re
from pathlib import Path

import pdfplumber

from reportgen.read.documents import read_document

NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def lines_of(path: Path) -> dict[int, list[list[str]]]:
    """Return the numbers of each line of each page."""
    with pdfplumber.open(path) as document:
        return {
            page.page_number: [NUMBER.findall(line) for line in page.extract_text().split("\n")]
            for page in document.pages
        }


def follow(numbers: list[str], line: list[str]) -> bool:
    """Say whether numbers stand in a line one behind the other."""
    ends = range(len(line) - len(numbers) + 1)
    return any(line[at : at + len(numbers)] == numbers for at in ends)


def test_the_numbers_of_a_row_stand_in_one_line(project: Path):
    path = project / "tests" / "golden" / "tiny-reviews-hf" / "report.pdf"
    lines, found = lines_of(path), []
    for block in read_document(path).blocks:
        for row in block.rows:
            numbers = NUMBER.findall(" ".join(cell.text for cell in row if cell.span))
            if len(numbers) > 1:
                page = row[0].line.page or 0
                found.append(any(follow(numbers, line) for line in lines[page]))

    assert len(found) > 20
    # A label that runs over two lines is one cell; its second number stands in the next line.
    assert sum(found) > 0.95 * len(found)
