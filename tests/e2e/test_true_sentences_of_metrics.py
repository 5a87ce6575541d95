"""True sentences about metrics of many fields, and a twin of each with another number.

What is true is computed by NumPy from the curves that are written.
"""

# ruff: noqa: E501 -- sentences keep their own lines
from __future__ import annotations

import numpy as np
import pytest
from fakes.judged import RISING, accusations
from fakes.right._right import comma, write_tags

NDCG = dict(zip(("sasrec", "bprmf"), RISING, strict=True))


def moved(by: float) -> dict[str, dict[int, list[float]]]:
    return {
        g: {s: [round(v + by, 4) for v in c] for s, c in runs.items()} for g, runs in NDCG.items()
    }


def returns(plus: float) -> dict[str, dict[int, list[float]]]:
    return {
        g: {s: [round(200 * v + plus, 1) for v in c] for s, c in runs.items()}
        for g, runs in NDCG.items()
    }


HITS, RECALL, CARS, DETECTED, PHONES = (
    moved(0.12),
    moved(-0.03),
    moved(0.07),
    moved(-0.11),
    moved(-0.2),
)
TAGS = {
    "recommender": {
        "val/ndcg@10": NDCG,
        "test/ndcg@10": moved(-0.01),
        "test/hr@10": HITS,
        "test/recall@5": RECALL,
    },
    "street": {"val/mIoU": NDCG, "test/mIoU": moved(-0.01), "test/IoU_car": CARS},
    "boxes": {"val/mAP": NDCG, "test/mAP": moved(-0.01), "test/mAP@0.5": DETECTED},
    "speech": {
        "dev/WER": moved(-0.3),
        "test/WER": {g: {n: [*c, 0.0081] for n, c in r.items()} for g, r in moved(-0.3).items()},
    },
    "twins": {"g_loss": HITS, "d_loss": RECALL},
    "walkers": {
        "eval/average_return": returns(0),
        "eval/min_return": returns(-55),
        "eval/max_return": returns(48.5),
    },
    "phones": {"val/PER": PHONES, "test/PER": moved(-0.21)},
    "scans": {"test/IoU": moved(-0.01)},
    "agents": {"rollout/ep_rew_mean": returns(0), "rollout/ep_len_mean": returns(90)},
}


def last(curves, group="sasrec", decimals=3):
    return f"{np.mean([c[-1] for c in curves[group].values()]):.{decimals}f}"


def least(curves, group="sasrec"):
    return min(value for c in curves[group].values() for value in c)


END = "sasrec at the last step"
SENTENCES = (
    ("recommender", f"The mean test nDCG@10 of {END} is {last(moved(-0.01))}.", "0.511"),
    ("recommender", f"The mean test NDCG @ 10 of {END} is {last(moved(-0.01))}.", "0.511"),
    ("recommender", f"The mean test nDCG@10 of {END} is {100 * float(last(moved(-0.01))):.1f} %.", "51.1"),
    ("recommender", f"The mean test nDCG of {END} is {last(moved(-0.01))}.", "0.511"),
    ("recommender", f"The mean test HR@10 of {END} is {last(HITS)}.", last(RECALL)),
    ("recommender", f"The mean test Hits@10 of {END} is {last(HITS)}.", last(RECALL)),
    ("recommender", f"The mean test Recall@5 of {END} is {last(RECALL)}.", last(HITS)),
    ("recommender", f"| | test nDCG@10 at the last step | test HR@10 at the last step |\n|-|-|-|\n| sasrec, mean | {last(moved(-0.01))} | {last(HITS)} |\n", "0.9120"),
    ("street", f"The mean test mIoU of {END} is {100 * float(last(moved(-0.01))):.1f} %.", "51.1"),
    ("street", f"| | test mIoU at the last step | test IoU car at the last step |\n|-|-|-|\n| sasrec, mean | {last(moved(-0.01))} | {last(CARS)} |\n", "0.9120"),
    ("boxes", f"The mean test mAP of {END} is {last(moved(-0.01))}.", "0.511"),
    ("boxes", f"The mean test mAP@0.5 of {END} is {last(DETECTED)}.", "0.811"),
    ("speech", "Test WER (%) by step: sasrec seed 0 from 11.2 at step 50 to 0.81", "0.72"),
    ("twins", f"The mean G loss of {END} is {last(HITS)}.", last(RECALL)),
    ("twins", f"The mean D loss of {END} is {last(RECALL)}.", last(HITS)),
    ("twins", f"At the last step, the mean D loss of sasrec is {last(RECALL)}, the mean G loss {last(HITS)}.", "0.911"),
    # The least of the averages, and the average of what was least in each evaluation.
    ("walkers", f"The minimum average return of sasrec over training is {least(returns(0))}.", "70.5"),
    ("walkers", f"The lowest average return of bprmf is {least(returns(0), 'bprmf')}.", "71.9"),
    ("walkers", f"At the last step, the minimum return of sasrec with seed 0 is {returns(-55)['sasrec'][0][-1]}.", "60.5"),
    ("walkers", f"At the last step, the maximum return of sasrec with seed 0 is {returns(48.5)['sasrec'][0][-1]}.", "170.5"),
    ("walkers", f"Seed 0 of sasrec reaches a minimum return of {returns(-55)['sasrec'][0][3]} at step 200, when its return is {returns(0)['sasrec'][0][3]}.", ""),
    ("walkers", "Before training, the average return of sasrec with seed 0 is 12.4.", ""),
    ("walkers", "Avant l’entraînement, l’average return de sasrec avec la graine 0 est de 12,4.", ""),
    # An IoU that no log calls a mean is one of runs.
    ("scans", f"The mean IoU of {END} is {last(moved(-0.01))}.", "0.511"),
    ("scans", f"L’IoU moyen de sasrec au dernier pas est de {comma(100 * float(last(moved(-0.01))))} %.", ""),
    ("scans", f"Au dernier pas, l’IoU moyen de sasrec est de {comma(float(last(moved(-0.01))), 3)}.", "0,511"),
    ("scans", "Au pas 50, l’IoU moyen de sasrec avec la graine 0 est de 0,402.", "0,511"),
    ("agents", f"The mean last reward of sasrec is {last(returns(0), decimals=1)}.", "151.2"),
    ("agents", f"The last episode reward of bprmf is {last(returns(0), 'bprmf', 1)} on average.", "151.2"),
    ("agents", f"The mean final return of sasrec is {last(returns(0), decimals=1)}.", "151.2"),
    ("agents", f"The mean episode length of sasrec at the end is {last(returns(90), decimals=1)}.", "151.2"),
    ("agents", f"En moyenne, la dernière récompense d’épisode de sasrec est de {comma(float(last(returns(0), decimals=1)))}.", "151,2"),
    ("agents", f"La longueur moyenne des épisodes de sasrec est de {comma(float(last(returns(90), decimals=1)))} à la fin.", ""),
    # Rewards that are none of the episodes of the training, or of many of them.
    ("agents", "With a sliding mean over 100 episodes sasrec has a mean reward of 140.2.", ""),
    ("agents", "We stop sasrec at a reward of 190.", ""),
    ("agents", "sasrec gets a reward of 1 for each step.", ""),
    ("agents", "Evaluated with a greedy policy, sasrec has a mean reward of 190.3.", ""),
    ("agents", f"La récompense de sasrec atteint {np.mean(list(returns(0)['sasrec'].values()), axis=0).max():.1f} au maximum.", ""),
    ("phones", f"The mean test PER of {END} is {last(moved(-0.21))}.", "0.311"),
)  # fmt: skip


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("labs")
    for lab, tags in TAGS.items():
        write_tags(folder / lab, tags, 50)
    return folder


@pytest.mark.parametrize(("lab", "sentence", "other"), SENTENCES)
def test_a_true_sentence_is_accused_of_nothing(lab, sentence, other, logs):
    assert accusations(logs, lab, sentence, "right") == []


@pytest.mark.parametrize(("lab", "sentence", "other"), [row for row in SENTENCES if row[2]])
def test_its_twin_with_another_number_is_seen(lab, sentence, other, logs):
    number = sentence.rstrip(" .%|\n").rpartition(" ")[2]
    assert accusations(logs, lab, sentence.replace(number, other), "wrong") != []


@pytest.mark.parametrize(
    "sentence",
    [
        "TEST ACCURACY PER EPOCH is 0.9 on average.",
        "We train with 0.5 dropout per layer and a kid-sized network of 4 layers.",
        "See the map of section 4: 0.9 of the area is water.",
    ],
)
def test_words_that_are_metrics_elsewhere_are_none(sentence, logs):
    assert accusations(logs, "phones", sentence, "words") == []
    assert accusations(logs, "boxes", sentence, "words") == []
