"""Where one process ends and the next begins in a file: what its records say, and habits."""

import itertools
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.read.logs.sessions import Track, cut, find_sessions

ALL = ("loss", "acc")


def tracks_of(rows):
    """Make tracks of rows of (step, tags), of which each is written a moment after the other."""
    found = {}
    for order, (step, tags) in enumerate(rows):
        for tag in tags:
            found.setdefault(tag, []).append((order, step))
    return {tag: Track(*map(np.array, zip(*some, strict=True))) for tag, some in found.items()}


def rows(*steps, tags=ALL):
    return [(step, tags) for step in steps]


def every(first, last, by, tags=ALL):
    return rows(*range(first, last + 1, by), tags=tags)


LOSS, ACC = ("loss",), ("acc",)
EPOCH = [(10, LOSS), (20, LOSS), (20, ACC)]

ONE = {
    "nothing": [],
    "a single point": rows(1),
    "steps that rise": every(1, 100, 1),
    "a step that is left out": rows(1, 2, 9, 10),
    "tags that count in units of their own": [*every(10, 90, 10, LOSS), *every(1, 9, 1, ACC)],
    "the only step twice": rows(5, 5),
    "every step twice": rows(*sorted([*range(30)] * 2)),
    "one tag twice at each evaluation": [
        (step + more, tags)
        for step in range(0, 300, 30)
        for more, tags in ((10, LOSS), (20, LOSS), (30, (*LOSS, "epoch")), (30, (*ACC, "epoch")))
    ],
    "two threads": rows(1, 3, 2, 5, 4, 7, 6, 9, 8, 10),
    "one point behind": rows(1, 2, 3, 5, 4, 6, 7, 8),
    "windows in no order": rows(
        *itertools.chain.from_iterable(
            random.Random(w).sample(range(40 * w, 40 * w + 40), 40) for w in range(9)
        )
    ),
    "in no order at all": rows(*random.Random(3).sample(range(300), 300)),
    "one tag that counts from 0 in every epoch": [
        row
        for epoch in range(9)
        for row in ((epoch, ("loss", "acc", "lr")), *rows(*range(20), tags=("batch",)))
    ],
    "batches that begin anew in every epoch, and epochs that go on": [
        row for epoch in range(3) for row in (*rows(*range(9), tags=("batch",)), (epoch, ACC))
    ],
    "the same, evaluated in every other epoch by all batches so far, and cut short": [
        *rows(*range(9), *range(9), tags=("batch",)), (18, ACC),
        *rows(*range(9), *range(9), tags=("batch",)), (36, ACC), *rows(0, 1, tags=("batch",)),
    ],
    "an evaluation twice, and training goes on": [
        *every(10, 50, 10, LOSS), (50, ACC), (50, ACC), *every(60, 90, 10, LOSS), (90, ACC)
    ],
}  # fmt: skip
"""Rows of (step, tags) that one process wrote."""

SEVERAL = {
    "starts over": (rows(*range(5), *range(5)), [5]),
    "starts over, and over": (rows(*range(4), *range(4), *range(9)), [4, 8]),
    "is shorter": (rows(*range(9), 0, 1), [9]),
    "is resumed": (rows(*range(10), *range(7, 20)), [10]),
    "is resumed, evaluated more rarely": (
        [*every(10, 50, 10, LOSS), (50, ACC), (60, LOSS), (70, LOSS), (60, LOSS), (70, LOSS),
         (80, LOSS), (90, LOSS), (100, (*LOSS, *ACC))], [8]
    ),
    "starts over at other steps": (rows(*range(0, 100, 10), *range(7, 60, 7)), [10]),
    "repeats its last step, and goes on": (rows(1, 2, 3, 3, 4, 5), [3]),
    "repeats its last step, and is killed later": (
        [*rows(1, 2), (3, LOSS), (3, (*LOSS, *ACC))], [3]
    ),
    "an evaluation after training": ([*rows(1, 2, 3), (3, ACC)], [3]),
    "two evaluations after training": ([*rows(1, 2, 3), (3, ACC), (3, ACC)], [3, 4]),
    "a sum of training, then an evaluation": ([*rows(1, 2, 3), (3, ("runtime",)), (3, ACC)], [4]),
    "an evaluation after one that was resumed": ([*rows(1, 2, 3, 2, 3), (3, ACC)], [3, 5]),
    "an evaluation of an earlier step": ([*every(10, 90, 10), (40, ACC)], [9]),
    "several short ones": (EPOCH * 4, [3, 6, 9]),
    "more tags begin anew than go on, as folds do beside their number": (
        [row for fold in range(3) for row in (*rows(*range(9)), (fold, ("fold",)))],
        [10, 20],
    ),
    "of unlike lengths, and the last tag goes on": (
        [*every(0, 9, 1, LOSS), (5, ACC), *every(0, 19, 1, LOSS), (10, ACC)], [11]
    ),
}  # fmt: skip
"""Rows of several processes, and which of them are the first of one."""


@pytest.mark.parametrize("name", ONE)
def test_a_file_of_one_session(name):
    assert find_sessions(tracks_of(ONE[name])) == ()


@pytest.mark.parametrize("name", SEVERAL)
def test_a_file_of_several(name):
    written, expected = SEVERAL[name]
    assert find_sessions(tracks_of(written)) == tuple(expected)


STEPS = st.lists(st.integers(-(2**62), 2**62), max_size=30)


@given(st.dictionaries(st.sampled_from("abc"), STEPS, max_size=3))
def test_any_steps_at_all(steps):
    tracks = {
        tag: Track(np.arange(len(some)), np.array(some, dtype=np.int64))
        for tag, some in steps.items()
    }
    begins = find_sessions(tracks)
    assert list(begins) == sorted(set(begins))
    for track in tracks.values():
        cuts = [cut(track, begin) for begin in begins]
        assert cuts == sorted(cuts)
        assert all(0 <= place <= len(track.steps) for place in cuts)


RISING = st.lists(st.integers(0, 10**9), unique=True, max_size=40).map(sorted)


@given(st.dictionaries(st.text(max_size=3), RISING, max_size=6))
def test_what_rises_is_one_session_whatever_its_order(steps):
    rng = random.Random(len(steps))
    tracks = {
        tag: Track(np.array(sorted(rng.random() for _ in some)), np.array(some))
        for tag, some in steps.items()
    }
    assert find_sessions(tracks) == ()


@given(st.data())
def test_a_training_that_is_killed_and_resumed_at_any_moment(data):
    """Each session logs the same tags at the same intervals, from a checkpoint on."""
    intervals = data.draw(st.tuples(st.integers(1, 3), st.integers(4, 9)), label="intervals")
    written, begins, step = [], [], 0
    for number in range(data.draw(st.integers(1, 5), label="sessions")):
        # It goes back over three points of the tag that is logged most often.
        ahead = step + 8 * intervals[0]
        last = data.draw(st.integers(ahead, ahead + 60), label="killed at")
        if number:
            begins.append(len(written))
        written += [
            (at, tuple(tag for tag, by in zip(ALL, intervals, strict=True) if at % by == 0))
            for at in range(step + 1, last + 1)
            if any(at % by == 0 for by in intervals)
        ]
        step = data.draw(st.integers(0, last - 4 * intervals[0]), label="checkpoint")
        step -= step % intervals[0]
    found = find_sessions(tracks_of(written))
    # Where the first record of a session repeats nothing, it is known by the next that does.
    assert len(found) == len(begins)
    assert all(0 <= at - begin < 3 for at, begin in zip(found, begins, strict=True))


@given(st.integers(2, 12), st.integers(0, 10**6))
def test_a_file_in_no_order_is_one_session_however_many_write_it(width, seed):
    rng = random.Random(seed)
    steps = [
        step
        for begin in range(0, 40 * width, width)
        for step in rng.sample(range(begin, begin + width), width)
    ]
    assert find_sessions(tracks_of(rows(*steps))) == ()
