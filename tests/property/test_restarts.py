"""A training that was interrupted any number of times is one run, its last word on every step."""

import tempfile
from itertools import pairwise
from pathlib import Path

from fakes.event_file import header, put, scalars, starts
from hypothesis import given, settings
from hypothesis import strategies as st

from reportgen.read.logs._tree import load_tree
from reportgen.records.study import Study
from reportgen.runs._assemble import assemble

HOUR = 3600.0


@st.composite
def trainings(draw):
    """Return attempts (first step, step after the last one), each from a step that was reached."""
    first, last = 0, draw(st.integers(2, 30))
    attempts = [(first, last)]
    for _ in range(draw(st.integers(0, 4))):
        first = draw(st.integers(1, last))
        last = first + draw(st.integers(2, 30))
        attempts.append((first, last))
    return attempts


def events_of(number, first, last, every):
    """Return what one attempt logs: a loss at every step, an evaluation at some."""
    start = 1e9 + HOUR * number
    return [
        *scalars("train/loss", [(s, float(number)) for s in range(first, last)], start),
        *scalars("eval/loss", [(s, -float(number)) for s in range(first, last, every)], start),
    ]


def last_word(attempts, every):
    """Return what the run says in the end: an attempt voids all that was later than its start."""
    loss, evaluated = {}, {}
    for number, (first, last) in enumerate(attempts):
        for found in (loss, evaluated):
            for step in [step for step in found if step >= first]:
                del found[step]
        loss |= dict.fromkeys(range(first, last), float(number))
        evaluated |= dict.fromkeys(range(first, last, every), -float(number))
    return sorted(loss.items()), sorted(evaluated.items())


def read(files):
    with tempfile.TemporaryDirectory() as folder:
        for name, events in files.items():
            put(Path(folder, "run", name), [header(), *events])
        tree = load_tree(Path(folder))
    return assemble(tree.logs, tree.files, Study(), "lab")[0]


def check(runs, attempts, every):
    (run,) = runs
    found = [list(run.scalars[tag].points()) for tag in ("train/loss", "eval/loss")]
    assert found == [*last_word(attempts, every)]
    again = sum(first < last for (_, last), (first, _) in pairwise(attempts))
    assert sum("began again" in p.message for p in runs.all_problems()) == again


@given(trainings(), st.integers(1, 7), st.booleans(), st.randoms())
@settings(max_examples=80)
def test_a_file_for_every_attempt(attempts, every, stated, random):
    numbers = random.sample(range(100), len(attempts))
    check(read({
        f"events.out.tfevents.{name}.host": [
            *([starts(first)] if stated and first else []), *events_of(n, first, last, every),
        ]
        for n, (name, (first, last)) in enumerate(zip(numbers, attempts, strict=True))
    }), attempts, every)  # fmt: skip


@given(trainings(), st.integers(1, 7))
@settings(max_examples=60)
def test_one_file_of_which_each_attempt_states_its_start(attempts, every):
    events = [event for n, (first, last) in enumerate(attempts)
              for event in (starts(first), *events_of(n, first, last, every))]  # fmt: skip
    (run,) = read({"events.out.tfevents.1.host": events})
    found = [list(run.scalars[tag].points()) for tag in ("train/loss", "eval/loss")]
    assert found == [*last_word(attempts, every)]


@given(trainings(), st.integers(1, 7), st.data())
@settings(max_examples=60)
def test_attempts_in_several_files_each(attempts, every, data):
    files = {}
    for n, (first, last) in enumerate(attempts):
        edge = data.draw(st.integers(first, last), label="a second file from here on")
        events = events_of(n, first, last, every)
        for part in (False, True):
            some = [event for event in events if (event.step >= edge) == part]
            if some:
                files[f"events.out.tfevents.{n}.host.{n}.{int(part)}"] = some
    (run,) = read(files)
    found = [list(run.scalars[tag].points()) for tag in ("train/loss", "eval/loss")]
    assert found == [*last_word(attempts, every)]
