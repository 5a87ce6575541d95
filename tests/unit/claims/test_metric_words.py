"""What is a result in sentences and tables of one line, and what is none; any text at all."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reportgen.claims.metrics import find
from reportgen.read.documents import read_document
from reportgen.records.claim import Meaning
from reportgen.records.manuscript import Block, Cell, Line, Manuscript


def test_best_steps_in_sentences(told):
    text = """\
For the random model:

- the best validation accuracy of seed 1 is 62 at step 900 which corresponds to 65.4 in test
  accuracy.
- Whisper-small reaches its lowest WER of 0.7432 on the validation set at step 3000.

For each seed the best validation accuracy is reached at epoch 5.
"""
    of = "of random model"
    assert told(text) == [
        f"62, metric, validation accuracy, {of}, seed 1, step 900, best",
        f"65.4, metric, test accuracy, {of}, seed 1, step 900, best",
        f"900, best_step, validation accuracy, {of}, seed 1, step 900, best",
        "0.7432, metric, validation wer, of Whisper-small, step 3000, best",
        "3000, best_step, validation wer, of Whisper-small, step 3000, best",
        "5, best_step, validation accuracy, epoch 5, best",
    ]


def test_a_difference_column_and_a_row_of_means(told):
    text = """\
Table 1. Test accuracy in percent, seed by seed; difference: Model A minus Model B.

| Seed | Model A | Model B | Difference, points |
|--|--|--|--|
| 0 | 81.4 | 73.9 | +7.5 |
| Mean | 80.63 | 73.63 | +7.00 |
"""
    assert told(text) == [
        "81.4, metric, test accuracy, of Model A, seed 0",
        "73.9, metric, test accuracy, of Model B, seed 0",
        "+7.5, difference, test accuracy, of Model A, minus Model B, seed 0",
        "80.63, mean, test accuracy, of Model A",
        "73.63, mean, test accuracy, of Model B",
        "+7.00, difference, test accuracy, of Model A, minus Model B",
    ]


def test_splits_in_brackets_of_the_rows(told):
    text = """\
| | Seed 0 | Seed 1 | Mean ± Std |
|---|---|---|---|
| **Pretrained** (val) | 85.5% | 84.5% | 85.00 ± 0.71 |
| **Random** (test) | 73.9% | 73.1% | 73.50 ± 0.57 |
| p-value | | | 0.002 |

*Table 1: Accuracies at the best validation epoch.*

- Final training loss: 0.41 (pretrained), 0.62 (random)
"""
    assert told(text) == [
        "85.5, metric, validation accuracy, of Pretrained, seed 0, best",
        "84.5, metric, validation accuracy, of Pretrained, seed 1, best",
        "85.00, mean, validation accuracy, of Pretrained, best",
        "0.71, std, validation accuracy, of Pretrained, best",
        "73.9, metric, test accuracy, of Random, seed 0, best",
        "73.1, metric, test accuracy, of Random, seed 1, best",
        "73.50, mean, test accuracy, of Random, best",
        "0.57, std, test accuracy, of Random, best",
        "0.41, metric, train loss, of pretrained, last",
        "0.62, metric, train loss, of random, last",
    ]


def test_values_as_equations_with_letters_for_mean_and_spread(told):
    text = r"""
We obtain a mean accuracy of $\mu = 80.63$ and a standard deviation of $\sigma = 0.68$ on the
test set for the pretrained model.

$$\text{Mean test accuracy} = \frac{81.4 + 80.4 + 80.1}{3} = 80.63\%$$

We get acc = 80.63 ± 0.68 (%) on test for the pretrained model vs acc = 73.63 ± 0.46 (%) from
scratch.
"""
    assert told(text) == [
        "80.63, mean, test accuracy, of pretrained model",
        "0.68, std, test accuracy, of pretrained model",
        "80.63, mean, test accuracy",
        "80.63, mean, test accuracy, of pretrained model",
        "0.68, std, test accuracy, of pretrained model",
        "73.63, mean, test accuracy, of from scratch",
        "0.46, std, test accuracy, of from scratch",
    ]


def test_epochs_that_differ_by_seed_are_given_to_none(told):
    text = """\
For the pretrained model, the best validation checkpoint (epoch 5 for seeds 0 and 1, epoch 4 for
seed 2) gives test accuracies of 81.4, 80.4 and 80.1, hence 80.63 ± 0.68.
"""
    of = "of pretrained model"
    assert told(text) == [
        f"81.4, metric, test accuracy, {of}, seed 0, best",
        f"80.4, metric, test accuracy, {of}, seed 1, best",
        f"80.1, metric, test accuracy, {of}, seed 2, best",
        f"80.63, mean, test accuracy, {of}, best",
        f"0.68, std, test accuracy, {of}, best",
    ]


def test_a_value_that_moves_between_two_epochs(told):
    text = (
        "For seed 1 of the pretrained model the test accuracy drops from 81.1% at epoch 4 to "
        "80.4% at epoch 5."
    )
    of = "of pretrained model, seed 1"
    assert told(text) == [
        f"81.1, metric, test accuracy, {of}, epoch 4",
        f"80.4, metric, test accuracy, {of}, epoch 5",
    ]


def test_a_sentence_about_spreads_goes_on_about_them(told):
    text = (
        "The standard deviation of the test accuracy of the random model is largest at epoch 2 "
        "(3.76 points); it is 0.87 at epoch 1 and 0.46 at epoch 5."
    )
    of = "of random model"
    assert told(text) == [
        f"3.76, std, test accuracy, {of}, epoch 2",
        f"0.87, std, test accuracy, {of}, epoch 1",
        f"0.46, std, test accuracy, {of}, epoch 5",
    ]


def test_the_best_run_is_one_of_several_unless_it_is_named(told):
    text = """\
The best seed of the random model reaches a test accuracy of 80.1%, the worst one 78.5%.
The best run (seed 0) of the random model has a test accuracy of 80.1%.
"""
    assert told(text) == [
        "80.1, max, test accuracy, of random model",
        "78.5, min, test accuracy, of random model",
        "80.1, metric, test accuracy, of random model, seed 0",
    ]


@pytest.mark.parametrize(
    "sentence",
    [
        "The dataset has 2,000 reviews (50% positive), of which we keep 10% for validation.",
        "Training takes 12.5 minutes per epoch with a batch size of 8 and a learning rate of 1e-5.",
        "We use dropout 0.1, Adam with betas (0.9, 0.98) and weight decay 0.01.",
        "The accuracy is computed on 200 examples, so that one example is worth 0.5 points.",
        "LoRA trains 0.28% of the parameters (1,572,864 of 560,787,456).",
        "As Table 2 of [3] and Section 4.1 show, the accuracy rises for 3 epochs.",
        "A Tesla T4 with 16 GB took 2 hours for the test accuracy; the memory peaked at 9.8 GB.",
        "The accuracy increases by 3 points, and the loss drops by 12%.",
        "Random guessing would have an accuracy of 50%.",
        "Its accuracy is 3 % better than that of the baseline, for 0.62-0.65 was expected.",
        "The paired t test of the accuracies gives t = 24.25 and p = 0.0017.",
        "ensemble à 95 % (Bonferroni [2]), ceux dont l'exactitude exclut zéro sont lr1 et lr7.",
    ],
)
def test_numbers_that_are_no_results(told, sentence):
    assert told(sentence) == []


def confidence_of(text: str) -> float:
    line = Line(text=text, number=1)
    block = Block(type="paragraph", lines=(line,))
    report = Manuscript(path="r.md", format="markdown", sha256="", blocks=(block,))
    (claim,) = find(report)
    return claim.confidence


def test_what_is_left_unsaid_lowers_the_confidence():
    full = confidence_of("The test accuracy of the random model with seed 1 is 65.4%.")
    assert full >= 0.9
    assert confidence_of("The accuracy of the random model with seed 1 is 65.4%.") == 0.7
    assert confidence_of("The test accuracy with seed 1 is 65.4%.") == 0.7
    assert confidence_of("The test accuracy of the random model is 65.4%.") == 0.7
    assert confidence_of("The score of the random model on test with seed 1 is 65.4%.") == 0.5
    supposed = "According to the paper, the test accuracy of the random model with seed 1 is 65%."
    assert confidence_of(supposed) == 0.4


def test_the_hints_say_where_and_what_is_missing(tmp_path):
    path = tmp_path / "report.md"
    path.write_text(
        "Table 4: Test accuracy.\n\n| Model | Seed 0 |\n|--|--|\n| A1 | 81.0 |\n| B2 | 62.50 |\n"
    )
    first, second = find(read_document(path))
    assert second.hints["where"] == "Table 4, row 2"
    assert (second.hints["row"], second.hints["column"]) == ("B2", "Seed 0")
    assert "without" not in second.hints
    assert (second.row, second.column, second.table) == (2, 1, second.block)
    assert second.printed is not None
    assert second.printed.decimals == 2
    assert first.place.line == 5


WORDS = st.sampled_from(
    [
        *[
            "the",
            "best",
            "validation",
            "test",
            "accuracy",
            "of",
            "seed",
            "is",
            "at",
            "step",
            "epoch",
            "and",
            ",",
            ";",
            ".",
            "(",
            ")",
            "%",
            "±",
            "with",
            "for",
        ],
        *("pretrained", "random model", "81.5", "0.7", "62", "1125", "respectively", "\n", "from"),
        *("to", "between", "loss", "mean", "std", "$", "\\", "=", ":", "which corresponds to"),
    ]
)


@settings(max_examples=200, deadline=None)
@given(st.lists(WORDS, max_size=60))
def test_any_text_is_read_and_every_claim_stands_where_it_says(words):
    text = " ".join(words)
    lines = tuple(Line(text=t, number=n) for n, t in enumerate(text.split("\n"), 1))
    block = Block(type="paragraph", lines=lines)
    report = Manuscript(path="r.md", format="markdown", sha256="", blocks=(block,))
    for claim in find(report):
        assert claim.printed is not None
        assert block.text[claim.start : claim.end] == claim.printed.text
        assert 0 <= claim.confidence <= 1
        assert isinstance(claim.content, Meaning)
        assert claim.content.metric


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.lists(
            st.sampled_from(
                ["", "Seed 0", "Test", "Accuracy (%)", "81.5", "0.7 ± 0.1", "5", "Mean", "Epoch"]
            ),
            min_size=3,
            max_size=3,
        ),
        min_size=1,
        max_size=6,
    ),
    st.integers(0, 2),
    st.sampled_from(["", "Table 1: Test accuracy at the best validation step, mean ± std."]),
)
def test_any_table_is_read_and_every_claim_stands_where_it_says(rows, head, caption):
    lines, cells = [], []
    for number, row in enumerate(rows, 1):
        line = Line(text=" | ".join(row), number=number)
        starts = [sum(len(c) + 3 for c in row[:i]) for i in range(len(row))]
        cells.append(
            tuple(Cell(text=c, line=line, start=s) for c, s in zip(row, starts, strict=True))
        )
        lines.append(line)
    block = Block(type="table", lines=tuple(lines), rows=tuple(cells), head=head, caption=caption)
    report = Manuscript(path="r.md", format="markdown", sha256="", blocks=(block,))
    for claim in find(report):
        assert claim.printed is not None
        assert block.text[claim.start : claim.end] == claim.printed.text
        assert claim.table == 0


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The test accuracy of BERT varies by 0.61 (seed 5) to 0.92 (seed 3).", []),
        ("La perte de BERT sur le test varie, du pas 50 au pas 99, de 0,61 à 0,92.", []),
        (
            "The test accuracy of BERT with seed 5 is 0.61.",
            ["0.61, metric, test accuracy, of BERT"],
        ),
    ],
)
def test_how_far_values_vary_is_none_of_them(told, text, found):
    assert [line.partition(", seed")[0] for line in told(text)] == found


def test_the_mean_of_one_group_in_a_list_is_not_said_of_the_next(tmp_path):
    path = tmp_path / "r.md"
    path.write_text(
        "Dot plot of test accuracy (%). large: 70.8, 69.31, mean 70.055; small: 65.21, 65.84, "
        "mean 65.525.\n\nThe mean test accuracy of large is 70.055%; that of small 65.525%.\n",
        encoding="utf-8",
    )
    told = [(claim.printed.text, claim.content.aggregate) for claim in find(read_document(path))]
    assert told == [
        *[("70.8", ""), ("69.31", ""), ("70.055", "mean")],
        *[("65.21", ""), ("65.84", ""), ("65.525", "mean")],
        *[("70.055", "mean"), ("65.525", "mean")],
    ]


PLAIN_TABLE = """\
| model | seed 0 | seed 1 | mean |
|---|---|---|---|
| small | 81.4 | 80.4 | 80.9 |
"""
TITLE = "Test accuracy in percent at the best validation step."


@pytest.mark.parametrize("text", [f"{TITLE}\n\n{PLAIN_TABLE}", f"{PLAIN_TABLE}\n{TITLE}\n"])
def test_a_sentence_beside_a_table_may_be_its_title(told, text):
    assert told(text) == [
        "81.4, metric, test accuracy, of small, seed 0, best",
        "80.4, metric, test accuracy, of small, seed 1, best",
        "80.9, mean, test accuracy, of small, best",
    ]


@pytest.mark.parametrize(
    "text",
    [
        f"{PLAIN_TABLE}\n{TITLE}\n\n{PLAIN_TABLE.replace('8', '1')}",
        f"The test accuracy is not what we looked at.\n\n{PLAIN_TABLE}",
        f"{TITLE} We left it out.\n\n{PLAIN_TABLE}",
        f"{PLAIN_TABLE}\nOf 3 runs the test accuracy in percent.\n",
    ],
    ids=["between two tables", "a statement", "two sentences", "numbers"],
)
def test_other_sentences_beside_a_table_are_no_title(told, text):
    assert not [line for line in told(text) if "test accuracy" in line and "8" in line[:3]]


def test_a_mean_beside_the_values_of_seeds_is_over_these(tmp_path):
    path = tmp_path / "report.md"
    path.write_text("Test accuracy in percent.\n\n" + PLAIN_TABLE, encoding="utf-8")
    found = [claim.content for claim in find(read_document(path))]
    assert [said.n for said in found if isinstance(said, Meaning)] == [None, None, 2]
