import pytest

from reportgen.runs._seeds import FOLDER, INDEX, NOTHING, TOKEN, name_groups, read_path


@pytest.mark.parametrize(
    ("path", "seed", "group", "origin"),
    [
        ("books/roberta_ms8/0", 0, "books/roberta_ms8", FOLDER),
        ("run_seed3", 3, "run", TOKEN),
        ("model-s1", 1, "model", TOKEN),
        ("seed_2/model", 2, "model", TOKEN),
        ("model/seed_2", 2, "model", TOKEN),
        ("model/seed=2", 2, "model", TOKEN),
        ("model/seed/2", 2, "model", FOLDER),
        ("tiny-roberta-lr1e-3-seed1", 1, "tiny-roberta-lr1e-3", TOKEN),
        ("bert-seed42-lr3e-5", 42, "bert-lr3e-5", TOKEN),
        ("q2_default_s2_Pendulum-v4_27-05-2024_22-37-22", 2, "q2_default_Pendulum-v4", TOKEN),
        ("Hopper-v4__ppo__3__1700000000", 3, "Hopper-v4__ppo", TOKEN),
        ("a/CartPole-v1__dqn__12__1700000000", 12, "a/CartPole-v1__dqn", TOKEN),
        ("grid__3__7", None, "grid__3__7", NOTHING),
        ("tb_logs/mnist/version_4", None, "tb_logs/mnist", INDEX),
        ("strict/run_2", None, "strict", INDEX),
        ("Adam/20221125-140126", None, "Adam", NOTHING),
        ("resnet50", None, "resnet50", NOTHING),
        ("vgg16/bs32", None, "vgg16/bs32", NOTHING),
        ("models2", None, "models2", NOTHING),
        ("a/1234567", None, "a/1234567", NOTHING),
        (".", None, ".", NOTHING),
    ],
)
def test_what_a_path_says(path, seed, group, origin):
    reading = read_path(path)
    assert (reading.seed, reading.bare, reading.origin) == (seed, group, origin)


def names(*paths, fallback="lab"):
    return list(name_groups(paths, fallback).values())


def test_shared_folders_and_shared_hyperparameters_are_dropped():
    tail = "_ms8_mu3125_lr1e-05_me5"
    assert names(f"t/books/RoBERTa_small_fr{tail}", f"t/books/RoBERTa_small_fr_random{tail}") == [
        "RoBERTa_small_fr", "RoBERTa_small_fr_random",
    ]  # fmt: skip


def test_a_name_does_not_depend_on_its_neighbour():
    tail = "_ms8_mu3125_lr1e-05_me5"
    assert names(f"t/books/RoBERTa_small_fr{tail}") == ["RoBERTa_small_fr"]


def test_hyperparameters_that_tell_groups_apart_stay():
    assert names("bert_lr1e-05", "bert_lr2e-05") == ["bert_lr1e-05", "bert_lr2e-05"]
    assert names("bert_bs8_lr1e-05", "bert_bs16_lr1e-05") == ["bert_bs8", "bert_bs16"]


def test_a_name_is_never_emptied():
    assert names("lr1e-05") == ["lr1e-05"]
    assert names(".") == ["lab"]
    assert names("a", "a/b") == ["a", "a/b"]
