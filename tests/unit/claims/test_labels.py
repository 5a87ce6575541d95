"""Names of groups in texts, and spellings that meet."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.claims._labels import group_key, group_mentions, residual
from reportgen.claims._unlisted import unlisted_group


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("For the fine tuned roberta:", ["fine tuned roberta"]),
        (
            "pretrained model and randomly initialised one",
            ["pretrained model", "randomly initialised one"],
        ),
        ('the "from sratch" curve', ["from sratch"]),
        ("le modèle pré-entraîné", ["modèle pré-entraîné"]),
        ("ResNet-50, ViT-B/16 and BERT-base-cased", ["ResNet-50", "ViT-B/16", "BERT-base-cased"]),
        ("BERT 92.1 and LSTM 80", ["BERT", "LSTM"]),
        ("LoRA r=8 against full fine-tuning", ["LoRA r=8", "full fine-tuning"]),
        ("random seed 3, by random guessing", []),
        ("the advantages of fine-tuning", []),
        ("a random forest", ["random forest"]),
        ("lr=1e-4 gives", ["lr=1e-4"]),
    ],
)
def test_names_of_groups(text, names):
    assert [m.value for m in group_mentions(text)] == names


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Pretrain Model", "the pre-trained models"),
        ("Pré-entraîné", "pre_entraine"),
        ("Random Model", "randomly initialized network"),
        ("from scratch", "Random initialisation"),
        ("RoBERTa-large", "roberta large"),
        ("HuggingFace", "Hugging Face"),
        ("sans pré-entraînement", "not pretrained"),
    ],
)
def test_two_spellings_of_one_group(one, other):
    assert group_key(one) == group_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("pretrained", "not pretrained"),
        ("ResNet-18", "ResNet-50"),
        ("LoRA r=8", "LoRA r=16"),
        ("Model A", "Model B"),
        ("with dropout", "without dropout"),
    ],
)
def test_two_groups_stay_two(one, other):
    assert group_key(one) != group_key(other)


@given(st.text(max_size=60))
def test_a_key_is_its_own_key(text):
    assert group_key(" ".join(sorted(group_key(text)))) <= group_key(text) | {
        "pretrained",
        "random",
    }


def test_what_nobody_listed_names_a_group_by_its_place():
    text = "CosineNet reaches 81.2% with mixup"
    assert unlisted_group(text, (0, 18), (23, 34), ()) == "CosineNet"
    assert unlisted_group("it reaches 81.2%", (0, 11), (16, 16), ()) == ""
    opening = "With cutout, the accuracy is 81.2%"
    assert unlisted_group(opening, (0, 29), (34, 34), ()) == "cutout"


def test_a_residual_of_filler_is_nothing():
    assert residual("Results on the", []) == ""
    assert residual("Seed 1 of Model B", [(0, 6)]) == "of Model B"


def test_a_name_that_is_broken_over_two_lines_is_the_same():
    (found,) = group_mentions("every run of tb_\nlogs/mnist_v0 is best", ["tb_logs/mnist_v0"])
    assert group_key(found.value) == group_key("tb_logs/mnist_v0")


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("the BiLSTM-CRF is slow", "BiLSTM-CRF"),
        ("the gpt2-nodropout run", "gpt2-nodropout"),
        ("a BERT-based classifier", "BERT"),
    ],
)
def test_a_name_does_not_end_at_its_hyphen(text, label):
    assert [m.value for m in group_mentions(text)] == [label]


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("one of the three runs of a improves at every evaluation", [25]),
        ("l'exactitude de a, la plus haute", [16]),
        ("below that of a.", [14]),
        ("the mean of a group is a mean of a run; a better one", []),
        ("runs of a.b are not those", []),
    ],
)
def test_a_letter_is_a_name_where_no_article_can_stand(text: str, starts: list[int]) -> None:
    assert [m.start for m in group_mentions(text, ["a", "b"])] == starts


def test_a_word_that_stands_for_a_name_is_one_wherever_it_stands() -> None:
    (found,) = group_mentions("every run of ა improves", ["ა", "ბ"])
    assert found.value == "ა"
