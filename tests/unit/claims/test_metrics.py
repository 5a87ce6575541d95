"""Fragments of quite different course reports: every result bound, nothing else claimed."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reportgen.claims._binding import ddof_of
from reportgen.claims.metrics import find
from reportgen.manuscripts._read import read_manuscript
from reportgen.records.claim import Claim, Meaning
from reportgen.records.manuscript import Block, Cell, Line, Manuscript


def signature(claim: Claim) -> str:
    """Spell a claim in one line: what is said, in a fixed order, empty slots left out."""
    said = claim.content
    assert isinstance(said, Meaning)
    assert claim.printed is not None
    parts = [
        claim.printed.text,
        claim.kind.removeprefix("aggregate_").removesuffix("_value"),
        f"{said.split} {said.metric}".strip(),
        f"of {said.group}" if said.group else "",
        f"minus {said.against}" if said.against else "",
        f"seed {said.seed}" if said.seed is not None else "",
        f"step {said.step}" if said.step is not None else "",
        f"epoch {said.epoch:g}" if said.epoch is not None else "",
        said.selection,
    ]
    if claim.kind == "aggregate_other":
        parts[1] = said.aggregate
    return ", ".join(part for part in parts if part)


@pytest.fixture
def told(tmp_path):
    """What a report claims of metrics, a line each."""

    def tell(text: str, form: str = "md") -> list[str]:
        path = tmp_path / f"report.{form}"
        path.write_text(text, encoding="utf-8")
        return [signature(claim) for claim in find(read_manuscript(path))]

    return tell


def test_vision_table_leaves_sizes_and_times_alone(told):
    text = """\
## 3. Results

We trained both on CIFAR-10 for 30 epochs with SGD (learning rate 0.1, weight decay 5e-4).
ResNet-18 reaches a test accuracy of 93.02% after 30 epochs, whereas ResNet-50 obtains 94.1 %.
The validation loss of ResNet-50 bottoms out at 0.213 at epoch 24.

| Model | #Params (M) | Train acc. (%) | Test acc. (%) | Time/epoch (s) |
|---|---|---|---|---|
| ResNet-18 | 11.2 | 99.8 | 93.02 | 31 |
| ResNet-50 + Mixup | 23.5 | 97.3 | **95.21** | 68 |

Table 1: Accuracy on CIFAR-10.

With mixup, the test accuracy goes up by 1.11 points to 95.21%.
"""
    assert told(text) == [
        "93.02, metric, test accuracy, of ResNet-18, epoch 30",
        "94.1, metric, test accuracy, of ResNet-50",
        "0.213, metric, validation loss, of ResNet-50, epoch 24, best",
        "24, best_step, validation loss, of ResNet-50, epoch 24, best",
        "99.8, metric, train accuracy, of ResNet-18",
        "93.02, metric, test accuracy, of ResNet-18",
        "97.3, metric, train accuracy, of ResNet-50 + Mixup",
        "95.21, metric, test accuracy, of ResNet-50 + Mixup",
        "95.21, metric, test accuracy, of mixup",
    ]


def test_translation_table_with_runs_mean_and_std_as_columns(told):
    text = """\
Table 2 reports BLEU on newstest2014 (test) for three runs of each system.

| System | Run 1 | Run 2 | Avg. | Std |
|:--|--:|--:|--:|--:|
| Transformer base | 26.9 | 27.1 | 27.0 | 0.10 |
| + label smoothing | 27.5 | 27.6 | 27.55 | 0.05 |

Table 2: Test BLEU.
"""
    assert told(text) == [
        "26.9, metric, test bleu, of Transformer base, seed 1",
        "27.1, metric, test bleu, of Transformer base, seed 2",
        "27.0, mean, test bleu, of Transformer base",
        "0.10, std, test bleu, of Transformer base",
        "27.5, metric, test bleu, of + label smoothing, seed 1",
        "27.6, metric, test bleu, of + label smoothing, seed 2",
        "27.55, mean, test bleu, of + label smoothing",
        "0.05, std, test bleu, of + label smoothing",
    ]


def test_reinforcement_learning_has_no_split_and_means_over_episodes(told):
    text = """\
The final average return over five seeds is 4641.1 ± 124.5 for DDPG and 3980 ± 310 for SAC
(mean ± standard error). Seed 3 of DDPG reached an average return of 4702.3 at step 490000.

| Seed | DDPG | SAC |
|--|--|--|
| 1 | 4511 | 3790 |
| Mean | 4620.5 | 3995 |

Table 1: Evaluation return after 1M steps.
"""
    assert told(text) == [
        "4641.1, mean, return, of DDPG, last",
        "124.5, se, return, of DDPG, last",
        "3980, mean, return, of SAC, last",
        "310, se, return, of SAC, last",
        "4702.3, metric, return, of DDPG, seed 3, step 490000",
        "4511, metric, return, of DDPG, seed 1, step 1000000",
        "3790, metric, return, of SAC, seed 1, step 1000000",
        "4620.5, mean, return, of DDPG, step 1000000",
        "3995, mean, return, of SAC, step 1000000",
    ]


def test_regression_takes_the_split_from_the_sentence_above(told):
    text = """\
We report the RMSE and the MAE on the held-out test set.

| Model | RMSE | MAE | R² |
|---|---|---|---|
| Linear regression | 4.93 | 3.41 | 0.712 |

The linear regression has a test RMSE of 4.93, against 3.05 for XGBoost.
"""
    assert told(text) == [
        "4.93, metric, test rmse, of Linear regression",
        "3.41, metric, test mae, of Linear regression",
        "0.712, metric, test r2, of Linear regression",
        "4.93, metric, test rmse, of linear regression",
        "3.05, metric, test rmse, of XGBoost",
    ]


def test_folds_are_runs(told):
    text = """\
The 3-fold validation accuracies of the logistic regression are 0.81, 0.83 and 0.79, i.e.
0.810 ± 0.016 on average.

| Fold | Accuracy | F1 |
|---|---|---|
| 1 | 0.81 | 0.80 |
| mean | 0.810 | 0.800 |
| std | 0.016 | 0.018 |

Table 3: Validation scores of the logistic regression by fold.
"""
    of = "of logistic regression"
    assert told(text) == [
        f"0.81, metric, validation accuracy, {of}",
        f"0.83, metric, validation accuracy, {of}",
        f"0.79, metric, validation accuracy, {of}",
        f"0.810, mean, validation accuracy, {of}",
        f"0.016, std, validation accuracy, {of}",
        f"0.81, metric, validation accuracy, {of}, seed 1",
        f"0.80, metric, validation f1, {of}, seed 1",
        f"0.810, mean, validation accuracy, {of}",
        f"0.800, mean, validation f1, {of}",
        f"0.016, std, validation accuracy, {of}",
        f"0.018, std, validation f1, {of}",
    ]


def test_sweep_table_names_groups_by_their_settings(told):
    text = """\
| name | lr | batch_size | epoch | val/acc | val/loss | test/acc |
|---|---|---|---|---|---|---|
| swept-bird-3 | 1e-4 | 32 | 10 | 0.8921 | 0.3312 | 0.8874 |
"""
    of = "of swept-bird-3, lr=1e-4, batch_size=32, epoch 10"
    assert told(text) == [
        f"0.8921, metric, validation accuracy, {of}",
        f"0.3312, metric, validation loss, {of}",
        f"0.8874, metric, test accuracy, {of}",
    ]


def test_ablation_over_ranks(told):
    text = """\
Table 4: Validation perplexity and trainable parameters for different LoRA ranks.

| r | Trainable params | Perplexity |
|---|---|---|
| 4 | 393,216 | 12.83 |
| 8 | 786,432 | 12.41 |

With r = 8 the validation perplexity is 12.41, and full fine-tuning reaches 12.30.
"""
    assert told(text) == [
        "12.83, metric, validation perplexity, of r=4",
        "12.41, metric, validation perplexity, of r=8",
        "12.41, metric, validation perplexity, of r = 8",
        "12.30, metric, validation perplexity, of full fine-tuning",
    ]


def test_two_values_in_a_table_of_means_are_those_of_two_runs(told):
    text = """\
Tableau 3. Exactitude en pourcentage de BERT : moyenne ± écart type sur les n exécutions.

| Pas | BERT : Validation | BERT : Test |
|--:|--:|--:|
| 1 | 50,50 et 51,50 (n = 2) | 50,48 ± 0,12 (n = 3) |
| 2 | 60,48 ± 0,12 (n = 3) | 60,48 ± 0,12 (n = 3) |
"""
    assert told(text)[:4] == [
        "50,50, metric, validation accuracy, of BERT, step 1",
        "51,50, metric, validation accuracy, of BERT, step 1",
        "50,48, mean, test accuracy, of BERT, step 1",
        "0,12, std, test accuracy, of BERT, step 1",
    ]


def test_values_parted_by_semicolons_are_of_the_group_before_and_no_mean_of_another(told):
    text = """\
| Groupe | Exactitude sur le test (%) |
|--|--|
| A | 65,71 |
| B | 63,78 |

![Diagramme de points : exactitude sur le test (%). A : 65,85 ; 65,57, moyenne 65,71 ; \
B : 63,3 ; 64,27, moyenne 63,785.](f.png)
"""
    assert told(text)[2:] == [
        "65,85, metric, test accuracy, of A",
        "65,57, metric, test accuracy, of A",
        "65,71, mean, test accuracy, of A",
        "63,3, metric, test accuracy, of B",
        "64,27, metric, test accuracy, of B",
        "63,785, mean, test accuracy, of B",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "The largest setback of the mean reward on validation is −128.27 (PPO, seed 1, step 200).",
        "Le plus grand recul du mean reward sur la validation est de −128,27 (PPO, graine 1).",
    ],
)
def test_a_setback_is_a_change_and_no_value(told, text):
    [found] = told(f"The mean reward of PPO is plotted.\n\n{text}\n")
    assert "difference" in found


def test_french_text_and_table(told):
    text = """\
Pour le modèle pré-entraîné, l'exactitude moyenne sur le jeu de test est de 80,6 % avec un
écart-type de 0,7 %, contre 73,6 % (± 0,5 %) pour le modèle initialisé aléatoirement.

| Graine | Meilleure étape | Validation (%) | Test (%) |
|---|---|---|---|
| 0 | 1125 | 85,5 | 81,4 |
| 2 | 900 | 84,0 | 80,1 |
| Moyenne | | 84,75 | 80,75 |
| Écart-type | | 0,76 | 0,68 |

Tableau 1 : Exactitude du modèle pré-entraîné à la meilleure étape de validation.
"""
    of = "of modèle pré-entraîné"
    assert told(text) == [
        f"80,6, mean, test accuracy, {of}",
        f"0,7, std, test accuracy, {of}",
        "73,6, mean, test accuracy, of modèle initialisé aléatoirement",
        "0,5, std, test accuracy, of modèle initialisé aléatoirement",
        f"1125, best_step, validation accuracy, {of}, seed 0, step 1125, best",
        f"85,5, metric, validation accuracy, {of}, seed 0, step 1125, best",
        f"81,4, metric, test accuracy, {of}, seed 0, step 1125, best",
        f"900, best_step, validation accuracy, {of}, seed 2, step 900, best",
        f"84,0, metric, validation accuracy, {of}, seed 2, step 900, best",
        f"80,1, metric, test accuracy, {of}, seed 2, step 900, best",
        f"84,75, mean, validation accuracy, {of}, best",
        f"80,75, mean, test accuracy, {of}, best",
        f"0,76, std, validation accuracy, {of}, best",
        f"0,68, std, test accuracy, {of}, best",
    ]


def test_tables_on_their_side(told):
    text = """\
Table 1: Test accuracy (%) after each epoch (mean ± std over 3 seeds).

| Epoch | 1 | 2 |
|---|---|---|
| From scratch | 50.50 ± 0.87 | 58.50 ± 3.76 |

Table 2: Results of the pretrained model.

| | Seed 0 | Seed 1 |
|---|---|---|
| Best step | 1125 | 900 |
| Validation accuracy | 85.5 | 84.5 |
| Test accuracy | 81.4 | 80.4 |
"""
    of = "of pretrained model"
    assert told(text) == [
        "50.50, mean, test accuracy, of From scratch, epoch 1",
        "0.87, std, test accuracy, of From scratch, epoch 1",
        "58.50, mean, test accuracy, of From scratch, epoch 2",
        "3.76, std, test accuracy, of From scratch, epoch 2",
        f"1125, best_step, validation accuracy, {of}, seed 0, step 1125, best",
        f"900, best_step, validation accuracy, {of}, seed 1, step 900, best",
        f"85.5, metric, validation accuracy, {of}, seed 0, step 1125, best",
        f"84.5, metric, validation accuracy, {of}, seed 1, step 900, best",
        f"81.4, metric, test accuracy, {of}, seed 0, step 1125, best",
        f"80.4, metric, test accuracy, {of}, seed 1, step 900, best",
    ]


def test_card_of_the_trainer_is_about_validation(told):
    text = """\
### Training results

| Training Loss | Epoch | Step | Validation Loss | Accuracy |
|:-:|:-:|:-:|:-:|:-:|
| 0.5664 | 1.0 | 225 | 0.6912 | 0.5300 |

It achieves the following results on the evaluation set:
- Loss: 0.4252
- Accuracy: 0.8350
"""
    assert told(text) == [
        "0.5664, metric, train loss, step 225, epoch 1",
        "0.6912, metric, validation loss, step 225, epoch 1",
        "0.5300, metric, validation accuracy, step 225, epoch 1",
        "0.4252, metric, validation loss",
        "0.8350, metric, validation accuracy",
    ]


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
    first, second = find(read_manuscript(path))
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


MOMENTS = """\
## Fine-tuning

Starting from the pretrained weights, the validation accuracy of seed 1 peaks at 0.815 at step 1125.
Seed 2 peaks at 0.800 at step 675, with a test accuracy of 0.785.

We obtain a test accuracy of 79.5 ± 0.7 with the pretrained weights and 66.5 ± 0.8 from scratch.

In mean we get 79.9±0.37 for the pretrained model.

- pretrained, last epoch: 79.5 %
"""


def test_a_value_has_no_split_of_the_value_beside_it_and_weights_weigh_nothing(told):
    assert told(MOMENTS) == [
        "0.815, metric, validation accuracy, of pretrained weights, seed 1, step 1125, best",
        "1125, best_step, validation accuracy, of pretrained weights, seed 1, step 1125, best",
        "0.800, metric, accuracy, of pretrained weights, seed 2, step 675, best",
        "0.785, metric, test accuracy, of pretrained weights, seed 2, step 675, best",
        "675, best_step, accuracy, of pretrained weights, seed 2, step 675, best",
        "79.5, mean, test accuracy, of pretrained weights",
        "0.7, std, test accuracy, of pretrained weights",
        "66.5, mean, test accuracy, of from scratch",
        "0.8, std, test accuracy, of from scratch",
        "79.9, mean, accuracy, of pretrained model",
        "0.37, std, accuracy, of pretrained model",
    ]


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
    told = [(claim.printed.text, claim.content.aggregate) for claim in find(read_manuscript(path))]
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
    found = [claim.content for claim in find(read_manuscript(path))]
    assert [said.n for said in found if isinstance(said, Meaning)] == [None, None, 2]
