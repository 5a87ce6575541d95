"""Numbers that carry an id, against what the id stands for."""

from __future__ import annotations

import pytest

from reportgen.checks._run import run_checks
from reportgen.claims._collect import collect
from reportgen.claims._named import with_names
from reportgen.records.finding import Case, Stated
from reportgen.records.manuscript import Block, Line, Manuscript, Named


def judged(shown, *, printed, value, settled=True, known="a"):
    line = Line(text=f"it is {shown} here", number=7)
    named = Named(id="a", text=shown, place=line.place(6, 6 + len(shown)))
    manuscript = Manuscript(
        path="r.tex",
        format="latex",
        sha256="",
        blocks=(Block(type="paragraph", lines=(line,)),),
        named=(named,),
    )
    stated = Stated(id=known, printed=printed, value=value, source="report.json", settled=settled)
    case = Case(manuscript=manuscript, claims=with_names(manuscript, ()), stated={known: stated})
    [finding], problems = run_checks(case)
    assert problems == ()
    return finding


@pytest.mark.parametrize(
    ("shown", "printed", "value", "verdict"),
    [
        ("80.63", "80.63", 0.8063333, "agrees within rounding"),
        ("80.6", "80.63", 0.8063333, "agrees within rounding"),
        ("80.633", "80.63", 0.8063333, "agrees within rounding"),
        ("80.64", "80.63", 0.8063333, "borderline"),
        ("80.65", "80.63", 0.8063333, "disagrees"),
        ("79.9", "79.9", 0.799, "agrees"),
        ("4", "3", 3, "disagrees"),
        ("22,829,056", "22,829,056", 22829056, "agrees"),
        ("22,829,065", "22,829,056", 22829056, "disagrees"),
        ("26,237", "26.237", 26.237, "agrees"),
        ("26,237", "26,237", 26.237, "agrees"),
        ("+5,172", "+5,172", 0.05172, "agrees"),
        ("26{,}237", "26,237", 26.237, "agrees"),
        ("26,237", "26,237", 26237, "agrees"),
        ("26.237", "26,237", 26237, "agrees"),
        ("26,273", "26,237", 26.237, "disagrees"),
        ("26,273", "26,237", 26237, "disagrees"),
        ("2,6237", "26,237", 26.237, "disagrees"),
        ("1.51 GiB", "1.50 GiB", 1610612736, "borderline"),
        ("1.60 GiB", "1.50 GiB", 1610612736, "disagrees"),
        ("−7.00", "+7.00", 0.07, "disagrees"),
        ("+7.00", "+7.00", 0.07, "agrees"),
        ("—", "—", None, "agrees"),
        ("80.6", "—", None, "disagrees"),
        ("n/a", "80.63", 0.8063333, "not checkable"),
    ],
)
def test_a_number_is_judged_at_its_own_precision(shown, printed, value, verdict):
    assert judged(shown, printed=printed, value=value).verdict == verdict


def test_the_message_says_line_id_printed_and_expected():
    finding = judged("81.63", printed="80.63", value=0.8063)

    assert finding.level == "error"
    assert finding.message == ("the report says 81.63 (line 7); report.json prints 80.63 as a")


def test_what_todays_settings_give_is_no_more_than_a_warning():
    assert judged("81.63", printed="80.63", value=0.8063, settled=False).level == "warning"


def test_an_unknown_id_is_told_with_the_nearest():
    finding = judged("81.63", printed="80.63", value=0.8063, known="ab")

    assert (finding.verdict, finding.level) == ("not checkable", "warning")
    assert "called a; the nearest is ab" in finding.message


def test_a_number_of_a_french_report_keeps_its_own_claim():
    text = "La perplexité est de 26,237, soit 0,5 de moins."
    line = Line(text=text, number=7)
    manuscript = Manuscript(
        path="r.tex",
        format="latex",
        sha256="",
        blocks=(Block(type="paragraph", lines=(line,)),),
        named=(Named(id="a", text="26,237", place=line.place(21, 27)),),
    )
    claims = with_names(manuscript, collect(manuscript)[0])

    assert [(c.printed.text, str(c.printed.value), c.named) for c in claims if c.printed][:2] == [
        ("26,237", "26.237", "a"),
        ("0,5", "0.5", ""),
    ]
