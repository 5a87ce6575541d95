"""What a terminal shows: errors first, equal notes folded, the denominator always."""

from __future__ import annotations

import re
from dataclasses import replace

from fakes.judgements import empty, every_verdict, finding, judged, unreadable

from reportgen.checking.projections._rendering import Rendering
from reportgen.checking.projections.text import render


def shown(*judgements, **options) -> list[str]:
    return render(judgements, Rendering(**options)).splitlines()


def test_errors_come_first_then_warnings_then_notes_then_what_was_solved():
    lines = shown(every_verdict())
    assert lines[0] == "Report report.md: 2 errors, 2 warnings, 2 notes"
    margins = [line.split()[0] for line in lines[1:-2]]
    assert margins == [*["error"] * 2, *["warning"] * 2, *["note"] * 2, "assumed", "problem"]


def test_a_place_can_be_clicked():
    [line] = [line for line in shown(every_verdict()) if "[value]" in line]
    assert " report.md:12:12: the report says 80 " in line


def test_it_is_always_said_how_much_was_checked():
    lines = shown(every_verdict())
    assert lines[-2] == (
        "  Checked 7 of 24 numbers; 2 not checkable because no adapter was given (1); no "
        "definition is stated (1). The other 15 claim nothing: labels, years, terms of formulas."
    )
    assert lines[-1].startswith("  Checked 0 of 1 statement without a number; 1 not checkable")
    assert shown(empty())[-1] == "  Checked 0 of 0 numbers."
    assert shown(every_verdict(), quiet=True)[-2:] == lines[-2:]


def test_many_reasons_are_counted_not_listed():
    open_ones = [
        replace(finding(i, level="none", verdict="not checkable"), reason=f"reason {i}")
        for i in range(9)
    ]
    [line] = [line for line in shown(judged(open_ones)) if "Checked" in line]
    assert line.endswith("reason 5 (1); 3 more reasons (3).")


def lacking(**reasons: int) -> list[str]:
    told = {
        "logs": "no logs were given, and nothing else in the report speaks of it",
        "model": "no model was given, and nothing else in the report speaks of it",
        "adapter": "no adapter was given, and nothing else in the report speaks of it",
        "base": "it may be of an adapter or its base, and none was given",
        "names": "no runs in the logs are called “ours”",
        "words": "the words around it do not say what it measures",
    }
    rows = [told[name] for name, count in reasons.items() for _ in range(count)]
    return [
        replace(finding(i, level="none", verdict="not checkable"), reason=reason)
        for i, reason in enumerate(rows)
    ]


def test_options_that_would_give_missing_evidence_are_named_below():
    [*_, last] = shown(judged(lacking(model=8, adapter=4, base=3, names=12, words=40)))
    assert last == (
        "  More can be checked with --checkpoint PATH (8 need a model), --adapter PATH (7 need an "
        "adapter), --study FILE with the report's names as labels (12 name groups that are not "
        "in the logs)."
    )
    [*_, last] = shown(judged(lacking(logs=9)))
    assert last == "  More can be checked with --runs DIR (9 need logs)."


def test_no_option_is_named_where_hardly_anything_would_gain():
    assert "  Checked" in shown(judged(lacking(model=4, names=9, words=40)))[-1]
    assert "  Checked" in shown(judged(lacking(model=9)), quiet=True)[-1]


def test_quiet_shows_errors_only():
    lines = shown(every_verdict(), quiet=True)
    assert [line.split()[0] for line in lines[1:]] == ["error", "error", "Checked", "Checked"]


def test_verbose_adds_what_agrees_what_is_open_readings_and_evidence():
    text = "\n".join(shown(every_verdict(), verbose=True))
    assert text.count("\n  agrees ") == 3
    assert text.count("\n  open ") == 2
    assert "readings tried: test accuracy at the best validation step: 78.5; test" in text
    assert (
        "evidence: logs/pretrained-1/events.out.tfevents, test/accuracy at step 675: 78.5" in text
    )


def test_equal_notes_are_folded_and_others_are_not():
    notes = [
        replace(
            finding(i, level="note", verdict="borderline", rule=rule),
            message=f"the report says {i} (line {i}); {said}", likely_cause="",
        )
        for i, (rule, said) in enumerate(
            [("a", "no n"), ("a", "no n"), ("b", "no n"), ("a", "no std"), ("a", "no n")]
        )
    ]  # fmt: skip
    lines = shown(judged(notes))
    assert sum(line.startswith("  note ") for line in lines) == 3
    [more] = [line for line in lines if "more like it" in line]
    assert more.strip() == "and 2 more like it: lines 2, 5"


def test_errors_are_never_folded():
    errors = [replace(finding(i), message="the report says 1; no") for i in range(3)]
    assert sum(line.startswith("  error ") for line in shown(judged(errors))) == 3


def test_a_likely_cause_that_the_message_lacks_is_told_below():
    one = replace(finding(1), message="the report says 80", likely_cause="a copied cell")
    assert any(line.strip() == "likely cause: a copied cell" for line in shown(judged([one])))
    two = replace(one, message="the report says 80; a copied cell")
    assert not any("likely cause" in line for line in shown(judged([two])))


def test_colours_only_when_asked_and_only_then():
    assert "\x1b" not in render([every_verdict()], Rendering())
    coloured = render([every_verdict()], Rendering(colour=True))
    assert "\x1b[1;31merror\x1b[0m" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == render([every_verdict()], Rendering())


def test_a_report_that_could_not_be_checked_says_why():
    assert shown(unreadable()) == [
        "Report broken.pdf",
        "  Could not be checked: the file ends in the middle of a page",
    ]


def test_a_class_ends_in_a_sum():
    lines = shown(every_verdict("a.md"), unreadable(), empty("b.md"))
    assert lines[-1] == "3 reports: 1 with errors, 1 could not be checked"
    assert shown(empty("a.md"), empty("b.md"))[-1] == "2 reports: none with errors or warnings"
