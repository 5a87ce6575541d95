"""Sentences of reports on groups of one run, and on runs that lack what others have."""

import json
import math

import pytest
from fakes.command import reportgen
from fakes.event_file import START, write_scalars

LABS = ("alone", "uneven", "short", "trainer")


def points(values, each=10):
    return [(each * (i + 1), value) for i, value in enumerate(values)]


def write_alone(folder):
    """Three groups of one run; one whose loss becomes NaN, one without an evaluation."""
    rising = {"val/acc": points([0.5, 0.6, 0.7]), "test/acc": points([0.5, 0.6, 0.7])}
    write_scalars(folder / "cnn-1", {**rising, "val/loss": points([1.0, 0.8, 0.7])})
    turning = {"val/acc": points([0.5, 0.7, 0.6]), "test/acc": points([0.5, 0.6, 0.5])}
    write_scalars(folder / "cnn-2", {**turning, "val/loss": points([1.0, math.nan, math.nan])})
    write_scalars(folder / "probe", {"train/loss": points([1.0, 0.8, 0.7])})


def write_uneven(folder):
    """Two groups of two seeds, of one of which one run ends early and logged no training loss."""
    whole, short = [0.5, 0.6, 0.7, 0.8], [0.5, 0.6]
    for group, seed, values in (
        *(("mlp", seed, whole) for seed in (1, 2)),
        *(("gru", seed, values) for seed, values in ((1, whole), (2, short))),
    ):
        tags = {"val/acc": points(values), "test/acc": points(values)}
        losses = {"val/loss": points([1 - v for v in values])}
        if (group, seed) != ("gru", 2):
            losses["train/loss"] = points([1 - v for v in values])
        # Equal values at equal times would be a copy.
        start = START + 1000 * seed
        write_scalars(folder / group / f"seed_{seed}", {**tags, **losses}, start=start)


def write_short(folder):
    """Runs without a split that could choose, two with too few points for a mean at the end."""
    for name, times in (("unet", 1), ("fcn", 1), ("deeplab", 10)):
        write_scalars(folder / name, {"iou/test": points([0.5, 0.6, 0.7] * times)})


def write_trainer(folder):
    """A run of the Hugging Face Trainer that was never evaluated."""
    log = [{"loss": 2.0 / (i + 1), "step": 10 * (i + 1), "epoch": i + 1.0} for i in range(4)]
    state = {"log_history": log, "global_step": 40, "epoch": 4.0, "max_steps": 40}
    place = folder / "bert" / "checkpoint-40"
    place.mkdir(parents=True)
    (place / "trainer_state.json").write_text(json.dumps(state), encoding="utf-8")


@pytest.fixture(scope="module")
def texts(tmp_path_factory):
    """The reports of the labs, by lab."""
    home = tmp_path_factory.mktemp("single")
    writers = (write_alone, write_uneven, write_short, write_trainer)
    for lab, write in zip(LABS, writers, strict=True):
        write(home / lab)
    found = {}
    for lab in LABS:
        out = f"{lab}.md"
        done = reportgen("build", "--runs", lab, "--out", out, cwd=home)
        assert done.code == 0, done.err
        found[lab] = (home / out).read_text(encoding="utf-8").replace("*", "").replace("\\", "")
    return found


@pytest.mark.parametrize(
    ("lab", "said"),
    [
        ("alone", "The validation loss is NaN or infinite in cnn-2 from step 20 on."),
        ("alone", "It logged training values alone."),
    ],
)
def test_a_sentence_says_what_there_is_once(texts, lab, said):
    assert said in texts[lab]


@pytest.mark.parametrize(
    ("lab", "said"),
    [
        ("alone", "repeat one another"),
        ("uneven", "None of the one"),
        ("trainer", "stand here as the validation split"),
    ],
)
def test_what_is_not_so_is_not_said(texts, lab, said):
    assert said not in texts[lab]
