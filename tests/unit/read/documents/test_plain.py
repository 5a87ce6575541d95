from pathlib import Path

import pytest
from fakes.manuscript_text import at, read, shown, table_of

from reportgen.read.documents import read_document


@pytest.fixture
def reports(project: Path) -> Path:
    folder = project.parent / "shared" / "reports"
    if not folder.is_dir():
        pytest.skip("no shared/reports beside the checkout")
    return folder


def test_form_feeds_begin_pages(tmp_path):
    found = read(tmp_path, "a.txt", "One 1.\n\n   7\n\fTwo 2.\n\f")

    assert [(b.text, b.lines[0].page, b.lines[0].number) for b in found.blocks] == [
        ("One 1.", 1, 1),
        ("Two 2.", 2, 4),
    ]
    assert found.pages == 2
    assert at(found, "2") == [("", 4, 6, 7)]


def test_a_text_without_form_feeds_has_no_pages(tmp_path):
    found = read(tmp_path, "a.txt", "One.\n\n7\n")

    assert found.pages == 0
    assert [b.lines[0].page for b in found.blocks] == [None, None]


def test_a_real_page_of_results_is_read(reports):
    found = read_document(reports / "report-f.txt")

    table = table_of(found)
    assert [[cell.text for cell in row] for row in table.rows][1:] == [
        ["Pretrained", "79.9%", "80%", "83.5%"],
        ["Random", "67.5%", "68.1%", "67.4%"],
    ]
    assert ("equation", 1) in [(b.type, len(b.lines)) for b in found.blocks]


def test_real_equations_are_read_line_by_line(reports):
    found = read_document(reports / "report-g.txt")

    equations = [[line.text for line in b.lines] for b in found.blocks if b.type == "equation"]
    assert any(line.startswith("= 2 × 512^2 ") for lines in equations for line in lines)
    assert [len(lines) for lines in equations] == [3, 3, 1, 3, 3, 4]
    assert not [
        text for kind, text in shown(found.blocks) if kind == "paragraph" and "(16)" in text
    ]


def test_a_sentence_at_the_margin_behind_an_item_that_has_ended_is_a_paragraph(tmp_path):
    path = tmp_path / "report.txt"
    path.write_text(
        "For the small model:\n"
        "• the best accuracy of seed 0 is 85.1 % at step 1248, which is\n"
        "a little more than that of seed 1.\n"
        "• the best accuracy of seed 1 is 85.0 %.\n"
        "For the large model:\n"
        "• the best accuracy of seed 0 is 69.7 %.\n",
        encoding="utf-8",
    )
    report = read_document(path)
    assert [(b.type, b.text.split("\n")[0][:20]) for b in report.blocks] == [
        ("paragraph", "For the small model:"),
        ("item", "the best accuracy of"),
        ("item", "the best accuracy of"),
        ("paragraph", "For the large model:"),
        ("item", "the best accuracy of"),
    ]
    assert report.blocks[1].text.endswith("that of seed 1.")
