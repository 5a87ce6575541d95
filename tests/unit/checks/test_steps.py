"""Steps, epochs, batches and examples of one report: do they fit together?"""

from __future__ import annotations

from dataclasses import replace

import pytest
from fakes import made_claims
from fakes.stated import evidence, findings, levels
from hypothesis import given
from hypothesis import strategies as st

RULE = "steps"


@pytest.mark.parametrize(
    "text",
    [
        "1,800 training sentences, a batch size of 8, 5 epochs, so 1125 training steps.",
        "We make 225 updates per epoch and train for 5 epochs: number of updates = 1125.",
        # The last batch is dropped, or it is not.
        "1,805 training sentences, batch size = 8, number of epochs: 5, total steps = 1125.",
        "1,805 training sentences, batch size = 8, number of epochs: 5, total steps = 1130.",
        # Accumulated steps, several devices.
        "1,800 training sentences, batch size = 2, update_freq = 4, 5 epochs, total steps = 1125.",
        "1,800 training sentences, batch size = 4, number of epochs: 5, total steps = 1125.",
        "1,800 training sentences, effective batch size = 8, 225 steps per epoch.",
        "num_samples = 1800, MAX_SENTENCES = 8, max_epoch = 5, max_update = 1125.",
    ],
)
def test_numbers_that_fit_agree(text):
    found = levels(RULE, text)
    assert found
    assert {(level, verdict) for _, level, verdict in found} == {("none", "agrees")}


@pytest.mark.parametrize(
    ("text", "number"),
    [
        (
            "1,800 training sentences, batch size = 8, number of epochs: 5, total steps = 1500.",
            "1500",
        ),
        ("225 updates per epoch, number of epochs: 5, number of updates = 1200.", "1200"),
        ("1,800 training sentences, effective batch size = 8, 250 steps per epoch.", "250"),
        # Twice the batch is half the steps; only more devices make fewer.
        (
            "1,800 training sentences, batch size = 16, number of epochs: 5, total steps = 1125.",
            "1125",
        ),
    ],
)
def test_numbers_that_do_not_are_a_warning(text, number):
    assert levels(RULE, text) == [(number, "warning", "disagrees")]


def test_the_calculation_is_in_the_message():
    text = "1,800 training sentences, batch size = 8, number of epochs: 5, total steps = 1500."
    (finding,) = findings(RULE, text)
    assert "1800 examples in batches of 8 over 5 epochs make 1125 steps" in finding.message


@pytest.mark.parametrize(
    "text",
    [
        # Two schedules in one report, values of others, and too little said.
        "batch size = 8, batch size = 16, 1,800 training sentences, total steps = 9, 5 epochs",
        "The original paper uses 1,800 training sentences, batch size = 8, 3 steps per epoch.",
        "total steps = 1125 and 5 epochs",
        "1,800 training sentences and a batch size of 8",
    ],
)
def test_what_does_not_settle_it_is_left_alone(text):
    assert levels(RULE, text) == []


@given(
    examples=st.integers(min_value=50, max_value=10**6),
    batch=st.integers(min_value=1, max_value=512),
    epochs=st.integers(min_value=1, max_value=50),
    drop=st.booleans(),
)
def test_what_a_loader_does_always_agrees(examples, batch, epochs, drop):
    each = examples // batch if drop else -(-examples // batch)
    if not each:
        return
    text = (
        f"train_examples = {examples}, batch_size = {batch}, num_train_epochs = {epochs}, "
        f"max_steps = {each * epochs}."
    )
    assert {found[1:] for found in levels(RULE, text)} == {("none", "agrees")}


def best(*steps):
    claims = [made_claims.step(str(step), seed=seed) for seed, step in enumerate(steps)]
    return tuple(replace(claim, place=replace(claim.place, line=9)) for claim in claims)


def test_a_best_step_that_ends_no_epoch_is_noted_beside_others_that_do():
    text = "We make 225 updates per epoch."
    (finding,) = findings(RULE, text, more=best(1125, 675, 900, 460, 450))
    assert (finding.level, finding.claim.printed.text) == ("note", "460")
    assert findings(RULE, text, more=best(1125, 675, 900, 450)) == []
    # Nothing follows where several are between epochs, or few are given.
    assert findings(RULE, text, more=best(1125, 670, 900, 460, 450)) == []
    assert findings(RULE, text, more=best(1125, 460)) == []


def test_the_logs_know_better_where_they_are_given():
    facts = evidence(runs=[("a", 0, {})], steps_per_epoch=225)
    assert findings(RULE, "no text", facts, more=best(1125, 675, 900, 460, 450)) == []


def test_a_run_may_end_within_its_last_epoch_where_the_logs_do():
    facts = evidence(runs=[("a", 0, {})])
    text = "{each} updates per epoch, number of epochs: 2, number of updates = 450."
    assert levels(RULE, text.format(each=260), facts) == []
    # Within an epoch that is not the last, or on the report's word alone.
    assert levels(RULE, text.format(each=150), facts) == [("450", "warning", "disagrees")]
    assert levels(RULE, text.format(each=260)) == [("450", "warning", "disagrees")]
