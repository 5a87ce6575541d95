"""The words of checks are rows of `lexicon.csv`: a new one is read as those that were there."""

from collections import defaultdict

import pytest
from fakes.checked_reports import evidence_of, reviewed
from fakes.rows import rows_beside

from reportgen.checking.words import lexicon_rows, reading_by

ROWS = rows_beside(__file__)

SLOTS = {
    *("metric", "split", "moment", "aggregate", "clock"),
    *("definition", "thing", "unit", "guard", "head", "ordinal", "order", "window"),
}
AMBIGUOUS = {("guard", "drops"), ("guard", "baisse"), ("metric", "taux de réussite")}
LOGS = ROWS["logs"]
NEW = ROWS["new"]


def outcomes(text, folder):
    return [one.outcome for one in reviewed(folder, text, evidence_of(LOGS)).verdicts]


@pytest.mark.parametrize("what", NEW)
def test_a_new_word_is_a_row(what, tmp_path):
    row, text = NEW[what]
    assert outcomes(text, tmp_path) == ["untraced"]
    with reading_by((*lexicon_rows(), row)):
        assert outcomes(text, tmp_path) == ["traced"]
    assert outcomes(text, tmp_path) == ["untraced"]


def test_rows_are_sorted_and_each_meaning_has_one_row_a_language():
    keys = [(row["slot"], row["value"], row["language"]) for row in lexicon_rows()]
    assert keys == sorted(set(keys))
    assert {slot for slot, _, _ in keys} == SLOTS


def test_forms_are_small_letters_and_stand_once_in_their_row():
    for row in lexicon_rows():
        forms = row["forms"].split("|")
        assert forms == [form.strip().lower() for form in forms]
        assert len(forms) == len(set(forms))
        assert all(forms)


def test_a_form_has_two_meanings_only_where_that_is_meant():
    meanings = defaultdict(set)
    for row in lexicon_rows():
        for form in row["forms"].split("|"):
            meanings[row["slot"], form].add(row["value"])
    assert {key for key, values in meanings.items() if len(values) > 1} == AMBIGUOUS
