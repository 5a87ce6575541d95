"""What a terminal shows: the headline, then what is contradicted, the loudest first."""

import re
from dataclasses import replace

from fakes.reviews import empty, every_outcome, reviewed, shown, unreadable, verdict

from reportgen.records.source import Problem

HEADLINE = "Traced 3 of 8 numbers; 4 contradicted; 1 stands nowhere in the evidence."


def lines(*reviews, **options) -> list[str]:
    return shown("text", *reviews, **options).splitlines()


def test_nothing_to_hold_against_anything_is_said():
    assert lines(empty()) == [
        "Traced 0 of 0 numbers; 0 contradicted; 0 stand nowhere in the evidence."
    ]


def test_somebody_elses_evidence_is_said_before_anything_else():
    review = replace(every_outcome(), remark="hardly anything of this report is in the logs")
    assert lines(review)[:2] == ["Note: hardly anything of this report is in the logs", HEADLINE]


def line_of(review, rule: str) -> str:
    return next(line for line in lines(review) if line.endswith(f"[{rule}]"))


def test_printed_and_expected_number_are_named_where_the_message_lacks_them():
    silent = reviewed([verdict(1, message="")])
    assert line_of(silent, "series").endswith("report.md:2:2: 81.5, expected 81.5 [series]")


def test_quiet_shows_errors_only():
    found = lines(every_outcome(), quiet=True)
    assert [line.split()[0] for line in found[1:] if line[2] != " "] == ["error", "error"]


def test_colours_only_when_asked_and_only_then():
    assert "\x1b" not in shown("text", every_outcome())
    coloured = shown("text", every_outcome(), colour=True)
    assert "\x1b[1;31merror\x1b[0m" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == shown("text", every_outcome())


def test_a_report_that_could_not_be_checked_says_why():
    assert lines(unreadable()) == ["Could not be checked: the file ends in the middle of a page"]


def test_like_problems_of_the_logs_are_one_line():
    logs = [Problem(path=f"run{i}", message="cut off", level="warning") for i in range(5)]
    other = Problem(path="run0", message="empty", remedy="copy it again", level="warning")
    assert lines(reviewed([], problems=(*logs, other)))[1:] == [
        "  problem  run0, run1, run2 and 2 more: cut off",
        "  problem  run0: empty; copy it again",
    ]


def test_a_class_has_the_name_of_each_report_and_ends_with_how_many_have_errors():
    found = lines(every_outcome("a.md"), unreadable(), reviewed([verdict(1, level="warning")]))
    assert [line for line in found if line.startswith("Report ")] == [
        *("Report a.md", "Report broken.pdf", "Report report.md")
    ]
    assert found[-1] == ("3 reports: 1 with errors, 1 with warnings, 1 could not be checked")
