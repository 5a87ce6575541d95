"""Long names in narrow columns."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from reportgen.render._path_lines import INDENT, path_lines

PATH = "sentence_prediction/books/RoBERTa_small_fr_ms8_mu3125_lr1e-05_me5/0/train_inner/events.0"


def test_what_fits_stays_on_one_line():
    assert path_lines(PATH, len(PATH)) == (PATH,)


def test_a_path_is_broken_between_its_folders():
    assert path_lines(PATH, 60) == (
        "sentence_prediction/books/",
        "RoBERTa_small_fr_ms8_mu3125_lr1e-05_me5/0/train_inner/",
        "events.0",
    )


def test_a_folder_that_fits_no_line_is_broken_inside():
    lines = path_lines(PATH, 24)
    assert "".join(lines) == PATH
    assert max(map(len, lines)) <= 24


@given(st.text(st.sampled_from("ab_/-. ,Z9"), max_size=120), st.integers(6, 40))
def test_no_line_is_longer_than_the_room_and_nothing_is_lost(text, room):
    lines = path_lines(text, room)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert all(len(line) <= room - (INDENT if i else 0) for i, line in enumerate(lines))
