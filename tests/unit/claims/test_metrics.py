"""Fragments of quite different course reports: every result bound, nothing else claimed."""

from __future__ import annotations

import pytest


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


@pytest.mark.parametrize("space", [" ", "\n"])
def test_a_number_whose_noun_begins_the_next_line_is_no_value(told, space):
    text = (
        f"La moyenne de l’average return de A est sous celle de B à 58 des 100{space}évaluations."
    )
    assert told(f"{text}\n") == []


def test_a_value_may_end_a_line(told):
    assert told("Results on test:\naccuracy 79.9\nloss 0.43\nF1: 71.2\n") == [
        "79.9, metric, test accuracy",
        "0.43, metric, test loss",
        "71.2, metric, test f1",
    ]


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


def test_the_ends_of_what_a_metric_can_be_are_no_values_of_it(told):
    text = """\
# Settings

metric.unit of F1: hf_trainer logged fraction (1 run: values between 0
and 1) metric.name eval_f1 chosen on validation.
"""
    assert told(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "No run logged accuracy on test. The smaller one is taken: train/epoch is 0.177778 there.",
        "Aucune exécution n’a journalisé « exactitude » : train/epoch vaut 0.177778 au pas 1200.",
        "No run logged accuracy on test. The smaller one is taken: `val/epoch` = 0.177778 there.",
    ],
)
def test_the_tag_of_a_clock_is_no_metric_of_the_text_around_it(told, text):
    # By the report's other sentence, all of it is about accuracy.
    assert told(f"The final accuracy is 91.36 %.\n\n{text}\n") == ["91.36, metric, accuracy, last"]


def test_a_tag_that_names_its_metric_has_a_value(told):
    assert told("At the end eval/accuracy is 0.91.") == ["0.91, metric, validation accuracy, last"]
