"""Findings on random labs: what is said of two groups is what a reader of the raw values finds."""

from fractions import Fraction

from fakes import made_runs as made
from hypothesis import given
from hypothesis import strategies as st

from reportgen.records.document import inlines
from reportgen.report.findings import MOST, rank_findings


@st.composite
def tables(draw):
    """Two groups of three seeds; few different values, so that ties and equal means happen."""
    epochs = draw(st.integers(2, 6))
    low, width = draw(st.sampled_from((0, 400, 500))), draw(st.sampled_from((2, 6, 300)))
    tenths = st.integers(low, low + width).map(lambda i: i / 10)
    curve = st.lists(tenths, min_size=epochs, max_size=epochs)
    return {(g, s): (draw(curve), draw(curve)) for g in "ab" for s in range(3)}


def reported(table, group):
    """Test values of a group where validation is best, the first of equal ones."""
    found = []
    for seed in range(3):
        held, test = table[group, seed]
        found.append(Fraction(str(test[held.index(max(held))])))
    return found


@given(tables())
def test_what_is_said_of_two_groups_is_what_the_values_say(table):
    findings = rank_findings(
        made.facts(table, groups=(), compare=("a", "b"), split_sizes={"validation": 200})
    )
    texts = [text for f in findings for text in (f.head, *f.sentences)]
    numbers = [node for text in texts for node in inlines(text) if hasattr(node, "quantity")]
    assert len(findings) <= MOST
    assert len({number.id for number in numbers}) == len(numbers)
    assert all(1 <= len(f.sentences) <= 3 and 0 < f.score <= 10 for f in findings)
    a, b = reported(table, "a"), reported(table, "b")
    told = {
        f.id: made.words((*f.head, " ", *(n for s in f.sentences for n in s))) for f in findings
    }
    first, second, better, worse = ("a", "b", a, b) if sum(a) > sum(b) else ("b", "a", b, a)
    words = told.get("difference", "")
    assert bool(words) <= (sum(a) != sum(b))
    if "beats" in words:
        assert words.startswith(f"{first} beats {second} by ")
        assert ("Every run of" in words) == (min(better) > max(worse))
