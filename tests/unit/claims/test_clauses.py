"""Sentences and clauses: where they are cut, and where they are not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.claims._clauses import LONGEST, clauses, sentences
from reportgen.claims._run_names import among


def cut(text):
    return [text[a:b] for a, b in sentences(text)]


def parts(text):
    return [clause.text for clause in clauses(text)]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("It rises. It falls.", 2),
        ("It rises from 0.5 to 0.8 with e.g. BERT. Then?", 2),
        ("See Fig. 2 and Sec. 3, cf. Table 1.", 1),
        ("Smith et al. show it.", 1),
        ("It is 79.5. The other is 66.5.", 2),
        ("(It rises.) It falls!", 2),
        ("“It rises.” It falls…", 2),
        ("no capital. follows here", 1),
        ("The curve is smoothed. nDCG and mAP rise. mAP is best.", 3),
        ("", 0),
    ],
)
def test_sentences(text, count):
    assert len(cut(text)) == count


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("A is higher, but B is stable", 2),
        ("A is higher whereas for B it falls", 2),
        ("A rises; B falls", 2),
        ("It rises, as the loss falls", 2),
        ("A, which is better, rises", 2),
        ("A est meilleur, alors que B baisse", 2),
        ("it rises and it falls", 2),
        ("A and the B perform alike", 1),
        ("A and B are higher than C", 1),
        ("Training loss: falls", 1),
        ("The loss is low: the model converges", 2),
        ("it has 3 seeds: 0, 1 and 2", 1),
    ],
)
def test_clauses(text, count):
    assert len(parts(text)) == count


def test_what_is_longer_than_any_clause_is_none():
    assert parts("a" * (LONGEST + 1)) == []
    assert parts(f"it falls; {'a' * (LONGEST + 1)}; it rises") == ["it falls", "it rises"]


@given(st.text(max_size=300))
def test_places_are_those_of_the_text(text):
    for start, end in sentences(text):
        assert text[start:end].strip() == text[start:end] != ""
        for clause in clauses(text, start, end):
            assert text[clause.start : clause.end] == clause.text
            assert start <= clause.start < clause.end <= end


WORDS = ["it", "rises", "falls,", ";", ".", "but", "and", "A", "0.5", "e.g.", ":", "which"]


@given(st.lists(st.sampled_from(WORDS), max_size=30))
def test_no_word_is_lost_between_sentences(words):
    text = " ".join(words)
    kept = "".join("".join(cut(text)).split())
    assert kept == "".join(text.split())


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("It reaches 0.38. unet is behind.", 2),
        ("It diverged at epoch 6.\nwav2vec2-base did not.", 2),
        ("It is at 12,9 %. wav2vec2-base est loin.", 2),
        ("A longer one. lstm is worse.", 2),
        ("It is worse than e.g. unet.", 1),
        ("It is better w.r.t. unet, vs. lstm, and incl. wav2vec2-base.", 1),
        ("They are: 1. unet 2. lstm 3. wav2vec2-base.", 1),
        ("It goes on. unets do not.", 1),
    ],
)
def test_a_name_of_a_group_begins_a_sentence(text, count):
    with among(frozenset({"UNet", "wav2vec2-base", "model=lstm"})):
        assert len(cut(text)) == count
