"""The logarithm behind a loss, said where the program that logged it is known."""

from dataclasses import replace

import pytest

from reportgen.languages import speaking
from reportgen.records.document import Figure, walk
from reportgen.records.run import Runs
from reportgen.report import curves, huggingface

BITS = "Losses are in bits: fairseq divides them by the logarithm of 2."
NATS = "Losses are as the Hugging Face Trainer logs them: cross-entropies are in nats."


def facts_of(made, layout):
    """The six runs with a loss on training and validation, as one layout logs them."""
    runs = []
    for run in made.runs_of(made.SIX):
        extra = [made.series(s, [2.0, 1.5, 1.2, 1.1, 1.0], metric="loss", unit="")
                 for s in ("train", "validation")]  # fmt: skip
        scalars = dict(run.scalars) | {s.tag: s for s in extra}
        runs.append(replace(run, layout=layout, scalars=scalars))
    return made.facts(runs=Runs(root="logs", runs=tuple(runs)))


def caption(made, facts):
    blocks = walk((curves.build(facts),))
    (loss,) = [b for b in blocks if isinstance(b, Figure) and b.id == "curves.loss"]
    return made.words(loss.caption)


@pytest.mark.parametrize(("layout", "said"), [("fairseq", BITS), ("hf_trainer", NATS)])
def test_the_figure_of_the_loss_says_its_unit(made, layout, said):
    assert caption(made, facts_of(made, layout)).endswith(f". {said}")


@pytest.mark.parametrize("layout", ["plain", "keras", "lightning", "wandb"])
def test_nothing_is_said_of_a_program_that_is_not_known(made, layout):
    said = caption(made, facts_of(made, layout))
    assert "nats" not in said
    assert "bits" not in said


def test_the_table_of_the_trainer_says_it_too(made):
    with_loss = made.tables(huggingface.build(facts_of(made, "hf_trainer")))
    assert [made.words(note) for note in with_loss["huggingface.table"].notes] == [NATS]
    runs = [replace(run, layout="hf_trainer") for run in made.runs_of(made.SIX)]
    without = huggingface.build(made.facts(runs=Runs(root="logs", runs=tuple(runs))))
    assert made.tables(without)["huggingface.table"].notes == ()


def test_in_french(made):
    with speaking("fr"):
        assert "sont en nats." in caption(made, facts_of(made, "hf_trainer"))
        assert "sont en bits" in caption(made, facts_of(made, "fairseq"))
