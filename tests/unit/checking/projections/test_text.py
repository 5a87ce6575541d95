"""What a terminal shows: the headline, then what is contradicted, the loudest first."""

import re
from dataclasses import replace

from fakes.reviews import empty, every_outcome, reviewed, shown, unreadable, verdict

HEADLINE = "Traced 3 of 8 numbers; 4 contradicted; 1 stands nowhere in the evidence."


def lines(*reviews, **options) -> list[str]:
    return shown("text", *reviews, **options).splitlines()


def test_it_opens_with_how_much_is_traced_and_numbers_that_claim_nothing_do_not_count():
    assert lines(every_outcome())[0] == HEADLINE
    assert lines(every_outcome(), quiet=True)[0] == HEADLINE
    assert lines(empty()) == [
        "Traced 0 of 0 numbers; 0 contradicted; 0 stand nowhere in the evidence."
    ]


def test_somebody_elses_evidence_is_said_before_anything_else():
    review = replace(every_outcome(), remark="hardly anything of this report is in the logs")
    assert lines(review)[:2] == ["Note: hardly anything of this report is in the logs", HEADLINE]


def test_errors_come_first_then_warnings_then_notes_then_what_was_inferred():
    margins = [line.split()[0] for line in lines(every_outcome())[1:] if line[2] != " "]
    assert margins == [*["error"] * 2, *["warning"] * 2, "note", "assumed", "problem"]


def line_of(review, rule: str) -> str:
    return next(line for line in lines(review) if line.endswith(f"[{rule}]"))


def test_a_finding_has_a_place_to_click_and_the_cause_below():
    found = lines(every_outcome())
    line = line_of(every_outcome(), "series")
    assert line == (
        "  error    report.md:12:12: the report says 80 (Table 1); the logs have 78.5 at step 675 "
        "[series]"
    )
    below = found[found.index(line) + 1]
    assert below.strip() == "likely cause: 80.0 is the validation value of seed 2"


def test_printed_and_expected_number_are_named_where_the_message_lacks_them():
    assert ": 22.8, expected 23.4: the report says 22.8M; " in line_of(every_outcome(), "count")
    assert ": “The loss falls in every epoch" in line_of(every_outcome(), "statement")
    silent = reviewed([verdict(1, message="")])
    assert line_of(silent, "series").endswith("report.md:2:2: 81.5, expected 81.5 [series]")


def test_a_cause_that_the_message_names_is_not_told_again():
    assert sum("likely cause" in line for line in lines(every_outcome())) == 1


def test_quiet_shows_errors_only():
    found = lines(every_outcome(), quiet=True)
    assert [line.split()[0] for line in found[1:] if line[2] != " "] == ["error", "error"]


def test_verbose_adds_what_is_untraced_and_traced_and_the_evidence():
    text = shown("text", every_outcome(), verbose=True)
    assert text.count("\n  untraced ") == 2
    assert text.count("\n  traced ") == 3
    assert text.index("\n  untraced ") < text.index("\n  traced ")
    assert "evidence: test accuracy at step 675: 78.5 (logs/pretrained-1/events" in text
    assert "untraced report.md:15:54: 0.61: it stands nowhere in the evidence" in text


def test_colours_only_when_asked_and_only_then():
    assert "\x1b" not in shown("text", every_outcome())
    coloured = shown("text", every_outcome(), colour=True)
    assert "\x1b[1;31merror\x1b[0m" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == shown("text", every_outcome())


def test_a_report_that_could_not_be_checked_says_why():
    assert lines(unreadable()) == ["Could not be checked: the file ends in the middle of a page"]


def test_a_class_has_the_name_of_each_report_and_ends_with_how_many_have_errors():
    found = lines(every_outcome("a.md"), unreadable(), reviewed([verdict(1, level="warning")]))
    assert [line for line in found if line.startswith("Report ")] == [
        *("Report a.md", "Report broken.pdf", "Report report.md")
    ]
    assert found[-1] == ("3 reports: 1 with errors, 1 with warnings, 1 could not be checked")
