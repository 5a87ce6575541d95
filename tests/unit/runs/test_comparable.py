"""Which groups are of one task: what names, settings, values and curves tell.

Names of runs and folders are those of real logs, of course homework and of public repositories.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.records.facts import Task
from reportgen.records.run import Run, Series
from reportgen.records.study import MetricPlan
from reportgen.runs.comparable import tasks_of


def curve(values, metric="loss", *, split="validation", start=1, clock=None, unit=""):
    steps = np.arange(start, start + len(values), dtype=np.int64)
    times = np.full(len(values), np.nan) if clock is None else clock + steps.astype(float)
    return Series(
        tag=f"{split}/{metric}",
        metric=metric,
        split=split,
        unit=unit,
        steps=steps,
        values=np.array(values, dtype=float),
        wall_times=times,
    )


def made(name, *curves, settings=None, seed=0):
    scalars = {one.tag: one for one in curves}
    return Run(
        id=name, group=name, seed=seed, layout="plain", scalars=scalars, config=settings or {}
    )


def tasks(*runs, metric="loss"):
    return tasks_of({run.id: [run] for run in runs}, MetricPlan(name=metric))


def rewarded(name, settings=None):
    return made(name, curve([1.0], "average_return"), settings=settings)


RUN_LOGS = "hw2/run_logs/q2_pg_"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        # Data of a site each, and the same data with fewer labels.
        ("air_temperature/site_1_winter", "air_temperature/site_2_winter", False),
        ("air_temperature/site_1_winter", "air_temperature/site_1_fall", True),
        ("logs_graph", "logs_graph_binary", False),
        ("logs_graph", "binary_connect", True),
        # Environments, by their versioned names.
        (
            "q2_pg_cartpole_CartPole-v0_27-05-2024_11-53-19",
            "q2_pg_cheetah_HalfCheetah-v4_27-05-2024_14-27-13",
            False,
        ),
        (
            "q2_pg_cheetah_HalfCheetah-v4_27-05-2024_14-27-13",
            "q2_pg_cheetah_baseline_lowlr_HalfCheetah-v4_27-05-2024_14-36-10",
            True,
        ),
        (
            f"{RUN_LOGS}pendulum_default_s2_InvertedPendulum-v4",
            f"{RUN_LOGS}pendulum_discount0.99_smallbatch_gae0.98_s2_InvertedPendulum-v4",
            True,
        ),
        (
            "q1_bc-Ant_train-step_0_n-iter_1_Ant-v2",
            "q1_bc-Ant_train-step_4500_n-iter_1_Ant-v2",
            True,
        ),
        (
            "q1_bc-Ant_train-step_1000_n-iter_1_Ant-v2",
            "q1_bc-Hopper_train-step_1000_n-iter_1_Hopper-v2",
            False,
        ),
        (
            "mb_q5_reacher_horizon5_reacher-cs285-v0_02-11-2019",
            "mb_q5_reacher_horizon15_reacher-cs285-v0_02-11-2019",
            True,
        ),
        ("mb_reacher_reacher-cs285-v0_02-11-2019", "mb_cheetah_cheetah-cs285-v0_02-11-2019", False),
        ("a2c/Pendulum-v1_1", "ars/Pendulum-v1_1", True),
        ("a2c/Pendulum-v1_1", "a2c/Acrobot-v1_1", False),
        ("ppo-LunarLander-v2", "dqn-LunarLander-v2", True),
        ("ppo-LunarLander-v2", "ppo-CartPole-v1", False),
        ("first-try-LunarLander-v2", "LunarLander-v2", True),
        ("CartPole-v1__ppo__1__1680000000", "CartPole-v1__dqn__1__1680000001", True),
        # By plain names.
        ("logs/half_cheetah/sac", "logs/hopper/sac", False),
        ("logs/HalfCheetah/sac", "logs/half_cheetah/td3", True),
        ("q2_pg_lunar_lander_lambda_0.95", "q2_pg_lunar_lander_lambda_1", True),
        ("archive_doorkey/PPO_1", "archive_multiroom_n2_s4/PPO_1", False),
        ("door_key_8x8/dqn", "doorkey/ppo", True),
    ],
)  # fmt: skip
def test_environments_of_runs_that_log_rewards(one, other, same):
    found = tasks(rewarded(one), rewarded(other), metric="average_return")
    assert (found[one] == found[other]) is same


def test_the_mean_of_folds_is_compared_with_no_run_of_one_split():
    folded = {
        name: [made(f"{name}/fold{n}", curve([0.5 + n / 10], "accuracy")) for n in (1, 2, 3)]
        for name in ("cv", "big")
    }
    final = {"final": [made("final", curve([0.75], "accuracy"))]}
    found = tasks_of(folded | final, MetricPlan(name="accuracy"))
    assert found["cv"] == found["big"] != found["final"]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        # Data sets.
        ("results/mnist/mlp", "results/cifar10_resnet", False),
        ("results/mnist/mlp", "results/mnist/lenet5", True),
        ("results/rte_test", "results/cola_test", False),
        ("outputs/sst2", "outputs/SST-2", True),
        ("full_cola", "lora_cola", True),
        ("full_cola", "lora_rte", False),
        ("mnist_80", "mnist_100", True),
        ("logs/fashion_mnist/cnn", "logs/mnist/cnn", False),
        ("PubMed/gat", "Cora/gcn", False),
        ("cora-gat", "cora-gcn", True),
        # Assignments.
        ("Homework07/logs/run1", "Homework08/logs/run-1", False),
        ("Homework06/logs/L2", "Homework06/logs/Normalisation", True),
        ("hw1/run_logs/a", "hw3/run_logs/a", False),
        ("task1/bert", "task_2/bert", False),
        # Ordinary comparisons: of models, optimizers, starts, settings and folders.
        ("RoBERTa_small_fr_ms8_mu3125", "RoBERTa_small_fr_random_ms8_mu3125", True),
        ("pretrained", "random", True),
        ("UNet_Adam_CE", "UNet_RSMprop_dice", True),
        ("UNet_dr01_bs32_lr3e_4", "UNet_lr2e_3", True),
        ("mobilenet-v2", "inception-v3", True),
        ("SUB_1/SGD_Momentum-0.9", "SUB_1/Adagrad", True),
        ("lightning_logs/version_3", "tb_logs/mnist_model_v0/version_4", True),
        ("learning_rate_1e-5_and_default_hyperparam", "default (learning rate 5e-5)", True),
        ("lora--llama-3.2-3B-rank32", "ln_tuning--llama-3.2-3B-default", True),
        ("tests/runs/strict/run_1", "tests/runs/lax/run_1", True),
        ("CartPole-v1", "Hopper-v4", True),  # nothing here logs a reward
    ],
)
def test_data_sets_and_what_is_none(one, other, same):
    found = tasks(made(one), made(other))
    assert (found[one] == found[other]) is same


def test_what_stands_in_the_place_of_a_data_set_is_one():
    names = [f"{model}-{data}" for model in ("gcn", "gat") for data in ("cora", "ours")]
    found = tasks(*map(made, names), made("gcn-dropout"))
    assert [found[name].name for name in names] == ["cora", "ours"] * 2
    assert found["gcn-dropout"].name == ""


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ({"env": "CartPole-v1", "algo": "a2c"}, {"env": "Pendulum-v1", "algo": "a2c"}, False),
        ({"env": "CartPole-v1", "algo": "a2c"}, {"env": "CartPole-v1", "algo": "ppo"}, True),
        ({"env_id": "ALE/Pong-v5"}, {"env_id": "ALE/Breakout-v5"}, False),
        ({"env": {"name": "walker-walk"}}, {"env": {"name": "cheetah-run"}}, False),
        ({"dataset_name": "cifar100"}, {"dataset_name": "CIFAR-100"}, True),
        ({"dataset_name": "cifar100"}, {"dataset_name": "cifar10"}, False),
        ({"data.dataset": "fashion_mnist"}, {"data.dataset": "mnist"}, False),
        (
            {"dataset_name": "glue", "task_name": "cola"},
            {"dataset_name": "glue", "task_name": "rte"},
            False,
        ),
        ({"data": "datasets/coco128.yaml"}, {"data": "../b/coco128.yaml"}, True),
        ({"data": "coco128.yaml"}, {"data": "VOC.yaml"}, False),
        ({"task_name": "train"}, {"task_name": "train_long"}, True),
        ({"num_labels": 2}, {"num_labels": 3}, False),
        ({"horizon": 16, "pred_len": 16}, {"pred_len": 8}, True),
        ({"dataset": "mnist"}, {}, True),
        (
            {"lr": 1e-3, "batch_size": 8, "model": "bert"},
            {"lr": 1e-5, "batch_size": 16, "model": "gpt2"},
            True,
        ),
        ({"env": None, "dataset": 3, "num_labels": True}, {"env": {}, "dataset": ""}, True),
    ],
)  # fmt: skip
def test_settings(one, other, same):
    found = tasks(rewarded("a", one), rewarded("b", other), metric="average_return")
    assert (found["a"] == found["b"]) is same


@pytest.mark.parametrize(
    ("one", "other", "metric", "same"),
    [
        ({"data": {"pred_len": 96}}, {"data": {"pred_len": 720}}, "mse", False),
        ({"pred_len": 96, "lr": 0.1}, {"pred_len": 96, "lr": 0.2}, "mse", True),
        ({"loss_type": "nt_xent"}, {"loss_type": "barlow_twins"}, "loss", False),
        ({"loss_type": "nt_xent"}, {"loss_type": "barlow_twins"}, "accuracy", True),
        ({"criterion": "mse", "lr": 1}, {"criterion": "mse", "lr": 2}, "loss", True),
    ],
)
def test_settings_of_what_is_measured(one, other, metric, same):
    runs = [made(n, curve([0.5], metric), settings=own) for n, own in (("a", one), ("b", other))]
    found = tasks(*runs, metric=metric)
    assert (found["a"] == found["b"]) is same


def test_an_environment_of_a_machine_is_no_task():
    runs = [made(name, curve([0.5], "accuracy"), settings={"env": name}) for name in ("dev", "ci")]
    assert set(tasks(*runs).values()) == {Task()}


def test_what_differs_inside_a_group_is_no_task():
    folds = {
        group: [made(f"{group}/{n}", settings={"data": f"fold{n}.csv"}) for n in (1, 2)]
        for group in ("a", "b")
    }
    folds["c"] = [made("c/1", settings={"data": "fold1.csv"})]
    assert set(tasks_of(folds, MetricPlan()).values()) == {Task()}


def test_one_that_tells_nothing_stands_apart_from_several_tasks_and_from_no_single_one():
    found = tasks(made("bert_cola"), made("bert_rte"), made("bert_base"))
    assert [task.name for task in found.values()] == ["cola", "rte", ""]
    assert len(set(tasks(made("bert_cola"), made("bert_base")).values())) == 1


@pytest.mark.parametrize(
    ("values", "names", "unit", "apart"),
    [
        (([210.0, 300.0, 217.0], [0.35, 0.5, 0.4]), ("version_0", "version_2"), "", True),
        (([210.0, 300.0, 217.0], [0.35, 2.2, 1.4]), ("version_0", "version_2"), "", True),
        (([210.0, 300.0, 217.0], [0.35, 5.0, 0.4]), ("version_0", "version_2"), "", False),
        (([210.0, 300.0, 217.0], [0.35, 0.5, 0.4]), ("lr1e-1", "lr1e-3"), "", False),
        (([210.0, 300.0], [0.35, 0.5]), ("version_0", "version_2"), "", False),
        (([-210.0, -300.0, 217.0], [0.35, 0.5, 0.4]), ("version_0", "version_2"), "", False),
        (([0.9, 0.95, 0.99], [0.001, 0.002, 0.001]), ("ours", "chance"), "fraction", False),
        (([2.3, 2.2, 2.1], [0.09, 0.05, 0.04]), ("SGD", "Adam"), "", False),
    ],
)
def test_values_apart_by_orders_of_magnitude(values, names, unit, apart):
    runs = [made(n, curve(v, unit=unit)) for n, v in zip(names, values, strict=True)]
    assert (len(set(tasks(*runs).values())) == 2) is apart


RISING = [0.5, 0.6, 0.75, 0.8]


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        # What lies there twice, whole or up to a moment.
        (curve(RISING, clock=9.0), curve(RISING, clock=9.0), "copy"),
        (curve(RISING[:3], clock=9.0), curve(RISING, clock=9.0), "copy"),
        (curve(RISING), curve(RISING), "copy"),
        # The same result at another time; what stands still; too little to tell.
        (curve(RISING, clock=9.0), curve(RISING, clock=7.0), ""),
        (curve([0.5] * 4), curve([0.5] * 4), ""),
        (curve(RISING[:2], clock=9.0), curve(RISING, clock=9.0), ""),
        (curve([0.5, 0.6, 0.7], clock=9.0), curve(RISING, clock=9.0), ""),
        # What begins where the other ends, later.
        (curve(RISING, clock=0.0), curve([0.9, 0.91], start=5, clock=99.0), "resumed"),
        (curve(RISING, clock=99.0), curve([0.9, 0.91], start=5, clock=0.0), ""),
    ],
)
def test_copies_and_beginnings(one, other, kind):
    third = made("elsewhere/c", curve([0.3, 0.2, 0.1], clock=1.0))
    found = tasks(made("lab/b", other), made("lab/a", one), third)
    kinds = {name: task for name, task in found.items() if task.kind}
    if not kind:
        assert not kinds
        return
    ((name, task),) = kinds.items()
    assert (task.kind, {name, task.name}) == (kind, {"lab/a", "lab/b"})
    assert len(one) == len(other) or name == "lab/a"


@pytest.mark.parametrize("shared", ["epoch", "learning_rate", "accuracy"])
def test_runs_of_one_schedule_are_no_copies(shared):
    both = curve([1.0, 2.0, 3.0, 4.0], shared)
    runs = [
        made(name, both, curve(values, split="test"))
        for name, values in (("a", [0.3, 0.2]), ("b", [0.4, 0.1]))
    ]
    assert not any(task.kind for task in tasks(*runs, metric="f1").values())


names = st.lists(
    st.sampled_from(["mnist", "cola", "hw1", "hw2", "Hopper-v4", "ppo", "lr1", "a", "CartPole-v1"]),
    min_size=1,
    max_size=3,
).map("/".join)
settings = st.dictionaries(
    st.sampled_from(["env", "dataset", "data", "task_name", "num_labels", "lr"]),
    st.one_of(st.sampled_from(["x", "y", ""]), st.integers(0, 2), st.none()),
    max_size=3,
)
curves = st.builds(
    curve,
    st.lists(st.sampled_from([0.1, 0.2, 300.0, float("nan"), -1.0]), max_size=5),
    st.sampled_from(["loss", "reward"]),
    start=st.integers(1, 6),
    clock=st.sampled_from([None, 0.0, 9.0]),
)
labs = st.dictionaries(names, st.tuples(settings, curves), min_size=1, max_size=6)


@given(labs, st.randoms(use_true_random=False))
def test_the_order_of_groups_changes_nothing_and_each_may_be_compared_with_itself(lab, random):
    groups = {name: [made(name, one, settings=said)] for name, (said, one) in lab.items()}
    found = tasks_of(groups, MetricPlan(name="loss"))
    again = list(groups)
    random.shuffle(again)
    assert found == tasks_of({name: groups[name] for name in again}, MetricPlan(name="loss"))
    assert found.keys() == groups.keys()
    for name, runs in groups.items():
        seeds = [*runs, made(f"{name}/again", *runs[0].scalars.values(), settings=runs[0].config)]
        assert tasks_of({name: seeds}, MetricPlan(name="loss")) == {name: Task()}


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        ({"n_layers": 2, "lr": 1}, {"num_perm": 100}, True),
        ({"n_layers": 2, "lr": 1}, {"lr": 2}, False),
        ({"n_layers": 2}, {}, False),
    ],
)
def test_programs_that_share_no_setting_have_tasks_of_their_own(one, other, apart):
    groups = {
        name: [Run(id=name, group=name, seed=0, layout="", scalars={}, config=config)]
        for name, config in (("version_3", one), ("version_7", other))
    }
    assert (len(set(tasks_of(groups, MetricPlan()).values())) == 2) is apart


@pytest.mark.parametrize(
    ("parts", "metric", "same"),
    [
        # The loss of a preference beside that of a text.
        (["rewards_chosen", "rewards_margins"], "loss", False),
        (["rewards_chosen"], "accuracy", True),
        (["kl_loss"], "loss", False),
        (["kl_loss"], "kl_loss", True),
        # What is measured besides is no part.
        (["mae_loss", "kl"], "loss", True),
    ],
)
def test_losses_of_unlike_parts_are_not_compared(parts, metric, same):
    plain = made("plain", curve([0.5, 0.25, 0.2], metric))
    other = made("other", curve([0.6, 0.5, 0.4], metric), *(curve([1.0], one) for one in parts))
    found = tasks(plain, other, metric=metric)
    assert (found["plain"] == found["other"]) is same


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (("Alg0_CQL0.001", "Alg1_CQL0.001", "Alg0_CQL0.1"), ["cql 0.001", "cql 0.001", "cql 0.1"]),
        # The number is of something that is no part of the loss.
        (("Alg0_lr0.001", "Alg1_lr0.001", "Alg0_lr0.1"), ["", "", ""]),
    ],
)
def test_losses_of_which_a_part_weighs_otherwise_are_not_compared(names, told):
    runs = [made(n, *(curve([0.5, 0.4], one) for one in ("total_loss", "cql_loss"))) for n in names]
    assert [tasks(*runs, metric="total_loss")[name].name for name in names] == told
