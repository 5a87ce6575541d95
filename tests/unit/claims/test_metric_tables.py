"""Tables of quite different reports: every result bound, nothing else claimed."""

from __future__ import annotations

import pytest

from reportgen.claims._binding import ddof_of
from reportgen.claims._collect import collect
from reportgen.read.documents import read_document


def test_printed_logs(told):
    text = """\
The Trainer printed {'eval_loss': 0.3121, 'eval_accuracy': 0.915, 'epoch': 3.0} for RoBERTa-base.

Epoch 3/5 - loss: 0.2101 - accuracy: 0.9312 - val_loss: 0.3040 - val_accuracy: 0.9021
"""
    assert told(text) == [
        "0.3121, metric, validation loss, of RoBERTa-base",
        "0.915, metric, validation accuracy, of RoBERTa-base, epoch 3",
        "0.2101, metric, train loss, epoch 3",
        "0.9312, metric, train accuracy, epoch 3",
        "0.3040, metric, validation loss, epoch 3",
        "0.9021, metric, validation accuracy, epoch 3",
    ]


def test_latex_table_with_merged_heads_and_summary_rows(told):
    text = r"""
\documentclass{article}
\begin{document}
\begin{table}
\begin{tabular}{lcccc}
 & \multicolumn{2}{c}{Pretrained} & \multicolumn{2}{c}{Random} \\
Seed & Valid & Test & Valid & Test \\ \hline
1 & 81.5 & 79.9 & 62.0 & 65.4 \\ \hline
Mean & 81.67 & 79.5 & 63.33 & 66.5 \\
Std & 1.43 & 0.71 & 1.25 & 0.83 \\
\end{tabular}
\caption{Accuracy (in \%) of the best checkpoint (chosen on validation) of each seed.}
\end{table}
\end{document}
"""
    assert told(text, "tex") == [
        "81.5, metric, validation accuracy, of Pretrained, seed 1, best",
        "79.9, metric, test accuracy, of Pretrained, seed 1, best",
        "62.0, metric, validation accuracy, of Random, seed 1, best",
        "65.4, metric, test accuracy, of Random, seed 1, best",
        "81.67, mean, validation accuracy, of Pretrained, best",
        "79.5, mean, test accuracy, of Pretrained, best",
        "63.33, mean, validation accuracy, of Random, best",
        "66.5, mean, test accuracy, of Random, best",
        "1.43, std, validation accuracy, of Pretrained, best",
        "0.71, std, test accuracy, of Pretrained, best",
        "1.25, std, validation accuracy, of Random, best",
        "0.83, std, test accuracy, of Random, best",
    ]


def test_two_values_in_one_cell(told):
    text = """\
| Model | Validation (test) accuracy |
|---|---|
| Pretrained | 84.7 (80.6) |

| Model | Accuracy (std) |
|---|---|
| Random | 73.6 (0.5) |

Table 2: Mean test accuracy over three seeds, standard deviation in brackets.
"""
    assert told(text) == [
        "84.7, metric, validation accuracy, of Pretrained",
        "80.6, metric, test accuracy, of Pretrained",
        "73.6, mean, test accuracy, of Random",
        "0.5, std, test accuracy, of Random",
    ]


def test_classification_report(told):
    text = """\
| | precision | recall | f1-score | support |
|---|---|---|---|---|
| positive | 0.79 | 0.82 | 0.80 | 1000 |
| accuracy | | | 0.81 | 2000 |
| macro avg | 0.80 | 0.78 | 0.79 | 2000 |

Table 3: Classification report of the pretrained model on the test set.
"""
    assert told(text) == [
        "0.79, metric, test precision, of positive",
        "0.82, metric, test recall, of positive",
        "0.80, metric, test f1, of positive",
        "0.81, metric, test accuracy, of pretrained model",
        "0.80, metric, test precision_macro, of pretrained model",
        "0.78, metric, test recall_macro, of pretrained model",
        "0.79, metric, test f1_macro, of pretrained model",
    ]


def test_lists_that_run_along(told):
    text = """\
The validation and test accuracies of the pretrained model are 84.5% and 80.4% respectively.
Seeds 0, 1 and 2 of the random model give 73.9, 73.9 and 73.1 on the test set.
The precision and recall of the fine-tuned BERT on the test set are 0.91 and 0.87.
U-Net obtains an mIoU of 68.4 (val) and 66.9 (test).
"""
    assert told(text) == [
        "84.5, metric, validation accuracy, of pretrained model",
        "80.4, metric, test accuracy, of pretrained model",
        "73.9, metric, test accuracy, of random model, seed 0",
        "73.9, metric, test accuracy, of random model, seed 1",
        "73.1, metric, test accuracy, of random model, seed 2",
        "0.91, metric, test precision, of fine-tuned BERT",
        "0.87, metric, test recall, of fine-tuned BERT",
        "68.4, metric, validation mean_iou, of U-Net",
        "66.9, metric, test mean_iou, of U-Net",
    ]


def test_contrasts_and_differences_in_prose(told):
    text = """\
While the randomly initialised network stays at 66.5% test accuracy on average, fine-tuning the
pretrained one yields 79.5%. At epoch 5, the pretrained model has an average test accuracy of
79.9% with a standard deviation of 0.37. The difference in test accuracy between the pretrained
and the random model is 13.0 points (95% interval from +9.6 to +16.4).
The lowest test accuracy of the former is not told here.
"""
    assert told(text) == [
        "66.5, mean, test accuracy, of randomly initialised network",
        "79.5, mean, test accuracy, of pretrained one",
        "79.9, mean, test accuracy, of pretrained model, epoch 5",
        "0.37, std, test accuracy, of pretrained model, epoch 5",
        "13.0, difference, test accuracy, of pretrained, minus random model",
        "+9.6, interval, test accuracy, of pretrained, minus random model",
        "+16.4, interval, test accuracy, of pretrained, minus random model",
    ]


def test_an_interval_may_be_broken_by_the_end_of_a_line(told):
    text = (
        "The difference in test accuracy between the pretrained and the random model is +8.78 "
        "points (95% interval from +8.00 to\n+9.55, by Welch's method).\n"
    )
    assert told(text) == [
        "+8.78, difference, test accuracy, of pretrained, minus random model",
        "+8.00, interval, test accuracy, of pretrained, minus random model",
        "+9.55, interval, test accuracy, of pretrained, minus random model",
    ]


def test_the_interval_below_a_difference_is_its_own(told):
    text = """\
Table 2: Difference of the mean test accuracy in percent, pretrained minus random, by a paired
t test.

| Quantity | Value |
|---|---|
| pretrained | 80.63 ± 0.68 |
| random | 73.63 ± 0.46 |
| Difference, points | +7.00 |
| 95% interval, points | +5.76 to +8.24 |
"""
    assert told(text)[-3:] == [
        "+7.00, difference, test accuracy, of pretrained, minus random",
        "+5.76, interval, test accuracy, of pretrained, minus random",
        "+8.24, interval, test accuracy, of pretrained, minus random",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "6 of 6 runs logged accuracy on test.",
        "The test accuracy rises in 2 out of the three seeds.",
        "L'accuracy de test monte dans 2 sur 3 graines.",
    ],
)
def test_so_many_of_so_many_runs_are_no_accuracy(told, text):
    assert told(f"{text}\n") == []


def test_a_program_behind_one_of_several_groups_is_its_own(told):
    text = """\
The runs of fairseq and those of Hugging Face are told apart.

Choosing the step on the test split would give 80.97% (RoBERTa small, pretrained), 73.63%
(RoBERTa small, random start) and 93.15% (Tiny RoBERTa, made-up reviews (Hugging Face)):

Table 2: Test accuracy in percent of RoBERTa small, pretrained and RoBERTa small, random start.

| Epoch | RoBERTa small, pretrained | RoBERTa small, random start |
|---|---|---|
| 1 | 60.2 | 50.2 |
| 2 | 68.0 | 56.7 |
"""
    cells = [line for line in told(text) if "epoch" in line]
    assert len(cells) == 4
    assert not any("(Hugging Face)" in line for line in cells)


def test_former_and_latter(told):
    text = (
        "Every run of the pretrained model lies above every run of the random model: the lowest "
        "test accuracy of the former is 80.1%, the highest of the latter 73.9%."
    )
    assert told(text) == [
        "80.1, min, test accuracy, of pretrained model",
        "73.9, max, test accuracy, of random model",
    ]


def test_a_group_row_over_the_rows_of_its_epochs(told):
    text = """\
Results on the test set.

\tAverage Accuracy\tStandard Deviation
Pretrain Model\t\t
Epoch 1\t70.4\t1.92
Random Model\t\t
Epoch 1\t51.2\t1.67
"""
    assert told(text, "txt") == [
        "70.4, mean, test accuracy, of Pretrain Model, epoch 1",
        "1.92, std, test accuracy, of Pretrain Model, epoch 1",
        "51.2, mean, test accuracy, of Random Model, epoch 1",
        "1.67, std, test accuracy, of Random Model, epoch 1",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # A share, a factor, a step, a bound that nobody reached are no results.
        ("DistilBERT keeps 94.1% of BERT's F1 on the test set.", []),
        ("Pre-training divides the test WER by about 2.0.", []),
        ("Le test WER passe de A à B, soit une réduction relative de 48,7 %.", []),
        ("The validation BLEU of seed 1 improves by only 0.5.", []),
        ("LoRA has a test F1 1.0 F1 points better than the others.", []),
        ("No run reaches the maximum test return of 500.", []),
        ("The test accuracy of BERT gains much, i.e. 28% in relative terms.", []),
        # Of two epochs, the second is told by its rank alone.
        (
            "After the first epoch seed 0 has a test WER of 31.4 %, then 22.8 % after the second.",
            ["31.4, metric, test wer, seed 0, epoch 1", "22.8, metric, test wer, seed 0, epoch 2"],
        ),
        (
            "Le modèle n'atteint que 96,40 % d'exactitude de test avec la graine 1.",
            ["96,40, metric, test accuracy, seed 1"],
        ),
    ],
)
def test_what_is_a_result_and_of_which_moment(told, text, expected):
    assert told(text) == expected


def test_the_seed_of_the_sentence_before_a_table_is_that_of_its_values(told):
    text = """\
The table below gives the test accuracy with seed 7.

| Epoch | CNN | MLP |
|---|---|---|
| 1 | 96.1 % | 92.1 % |
"""
    assert told(text) == [
        "96.1, metric, test accuracy, of CNN, seed 7, epoch 1",
        "92.1, metric, test accuracy, of MLP, seed 7, epoch 1",
    ]


def test_a_loss_has_no_percent(told):
    assert told("The validation loss falls; the MLP only reaches 96.4 % with seed 0.") == []


def test_a_value_beside_another_split_is_of_the_same_step(told):
    text = (
        "Seed 1 of BERT has a validation accuracy of 81.5 at step 1125, "
        "with a test accuracy of 79.9."
    )
    assert told(text) == [
        "81.5, metric, validation accuracy, of BERT, seed 1, step 1125",
        "79.9, metric, test accuracy, of BERT, seed 1, step 1125",
    ]


@pytest.mark.parametrize(
    ("text", "ddof"),
    [
        ("moyenne et écart type d'échantillon", 1),
        ("écart-type (corrigé)", 1),
        ("les écarts types empiriques", 1),
        ("moyenne et écart-type\n(population)", 0),
        ("écart type de la population", 0),
        ("standard deviation (sample)", 1),
        ("un écart type de 0,4 pour cet échantillon", None),
    ],
)
def test_which_standard_deviation_a_text_states(text, ddof):
    assert ddof_of(text) == ddof


def test_a_comma_under_a_last_step_is_decimal_where_the_report_has_such(told):
    text = """\
# Résultats

Tableau 1. Perplexité sur la validation au meilleur pas et au dernier pas.

| Groupe | Validation, meilleur pas | Dernier pas |
|---|---|---|
| gpt2 | 26,251 | 27,104 |

La perte est de 1,42 à la fin de la course et le modèle est petit.
"""
    assert told(text)[:2] == [
        "26,251, metric, validation perplexity, of gpt2, best",
        "27,104, metric, validation perplexity, of gpt2, last",
    ]


def test_a_log_of_two_columns_sets_nothing_by_its_head(tmp_path):
    path = tmp_path / "r.md"
    path.write_text(
        "| Epoch | SAC (α=0.2): Validation |\n|---:|---:|\n| 1 | 187 |\n| 2 | 215 |\n",
        encoding="utf-8",
    )
    claims, _ = collect(read_document(path))
    assert [claim.printed.text for claim in claims if claim.kind == "hyperparameter"] == []


def test_a_metric_is_no_part_of_the_name_of_a_group_nor_of_an_unknown_one(told):
    text = """\
The last test IoU is in the table.

| Metric           | Group          |   n | Last value |
| :--------------- | :------------- | --: | ---------: |
| test IoU         | unet_adam_dice |   1 |     0.8107 |
| test l1 distance | unet_adam_ce   |   1 |     0.0724 |
|                  | unet_adam_dice |   1 |     0.0730 |
"""
    assert told(text) == ["0.8107, metric, test iou, of unet_adam_dice, last"]


def test_a_column_of_last_steps_has_no_best_ones(told):
    text = """\
The best value of a curve is chosen by that very curve, and is no result.

**Table 2.** Test IoU in percent of each run at its last step, and where it was largest.

| Group | Last step | Last value |        Largest value |
| :---- | --------: | ---------: | -------------------: |
| a-1   |     4,370 |      81.11 |  81.16 at step 4,140 |
| b-2   |     3,910 |      80.41 |  80.63 at step 3,680 |
"""
    assert not any("best_step" in line for line in told(text))


def test_a_group_may_be_called_a(told):
    text = """\
| Group |   n | Test accuracy |
| :---- | --: | ------------: |
| a     |   3 |         88.46 |
| b     |   3 |         90.65 |

Test accuracy (%). a: 88.89, 88.06, 88.43, mean 88.46; b: 90.99, 90.58, 90.37, mean 90.65.

In a run it rises.
"""
    assert [line for line in told(text) if line.startswith("88.")] == [
        "88.46, metric, test accuracy, of a",
        "88.89, metric, test accuracy, of a",
        "88.06, metric, test accuracy, of a",
        "88.43, metric, test accuracy, of a",
        "88.46, mean, test accuracy, of a",
    ]


def test_a_letter_before_a_colon_in_a_head_is_a_group(told):
    text = """\
| Epoch | a: Validation accuracy | b: Validation accuracy |
| ----: | ---------------------: | ---------------------: |
|     1 |                  61.25 |                  62.50 |
"""
    assert told(text) == [
        "61.25, metric, validation accuracy, of a, epoch 1",
        "62.50, metric, validation accuracy, of b, epoch 1",
    ]


def test_a_column_in_percent_holds_no_loss(told):
    text = """\
| Run   | Validation, % | Validation loss |
| :---- | ------------: | --------------: |
| unet  |         85.74 |          0.4482 |
"""
    assert told(text) == ["0.4482, metric, validation loss, of unet"]
