"""The words of checks are rows of `lexicon.csv`: a new one is read as those that were there."""

from collections import defaultdict

import pytest
from fakes.checked_reports import evidence_of, reviewed

from reportgen.checking.words import lexicon_rows, reading_by

SLOTS = {
    *("metric", "split", "moment", "aggregate", "clock"),
    *("definition", "thing", "unit", "guard", "head", "ordinal", "order", "window"),
}
AMBIGUOUS = {("guard", "drops"), ("guard", "baisse"), ("metric", "taux de réussite")}
LOGS = {
    "logs": {
        "run": {
            "val/accuracy": [0.3123, 0.7045, 0.7568, 0.8012, 0.7931, 0.7894],
            "val/smatch": [0.1917, 0.5733, 0.6241, 0.6658, 0.6872, 0.6829],
            "val/loss": [0.9412, 0.7731, 0.6608, 0.5927, 0.6113, 0.6349],
        }
    }
}
NEW = {
    "a metric": (
        {"slot": "metric", "value": "smatch", "language": "en", "forms": "graph overlap"},
        "The final graph overlap is 0.68.",
    ),
    "another word for a metric": (
        {"slot": "metric", "value": "accuracy", "language": "en", "forms": "hit share"},
        "The final hit share is 0.79.",
    ),
    "a language": (
        {"slot": "metric", "value": "accuracy", "language": "it", "forms": "accuratezza"},
        "L'accuratezza finale è 0,79.",
    ),
}


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
