"""What was read once is read once a report, and let go with it."""

from __future__ import annotations

from reportgen.checking.numbers import _numbers
from reportgen.checking.numbers._kept import forget, kept
from reportgen.claims._collect import collect
from reportgen.records.manuscript import Block, Line, Manuscript

reads: list[str] = []


@kept
def _length(text: str) -> int:
    reads.append(text)
    return len(text)


def test_a_text_is_read_once_until_it_is_let_go():
    reads.clear()
    assert [_length("abc"), _length("abc"), _length("ab")] == [3, 3, 2]
    assert reads == ["abc", "ab"]
    forget()
    assert _length("abc") == 3
    assert reads == ["abc", "ab", "abc"]


def test_a_report_is_read_anew(monkeypatch):
    line = Line(text="We train for 5 epochs and reach a test accuracy of 80.2 %.", number=1)
    block = Block(type="paragraph", lines=(line,))
    report = Manuscript(path="r.md", format="markdown", sha256="", blocks=(block,))
    masked = _numbers.without_names
    texts: list[str] = []
    monkeypatch.setattr(_numbers, "without_names", lambda text: texts.append(text) or masked(text))
    first = collect(report)
    assert texts.count(block.text) == 1
    assert collect(report) == first
    assert texts.count(block.text) == 2
