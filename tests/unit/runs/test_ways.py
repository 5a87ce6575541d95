"""Where paths allow several groupings, one is taken with a reason; an answer gives another."""

import pytest

from reportgen.languages import retell, speaking
from reportgen.read.study.settings import setting_line

VALUES = {"val/accuracy": {1: 0.5, 2: 0.6}, "test/accuracy": {1: 0.4, 2: 0.5}}
CLOCK = "20221125-1401{:02}"


@pytest.fixture
def grouped(put_together, log):
    """Read runs in these folders: how they are grouped, and what is said of it."""

    def read(*folders, configs=None, **fields):
        configs = configs or [{}] * len(folders)
        logs = [
            log(f"{folder}/events.out.tfevents.{n}.h.{n}.0", VALUES, config=config)
            for n, (folder, config) in enumerate(zip(folders, configs, strict=True))
        ]
        runs, study = put_together(*logs, **fields)
        decision = next((d for d in study.decisions if d.key == "runs.pattern"), None)
        return {run.id: (run.group, run.seed) for run in runs}, decision, runs

    return read


def parted(found):
    """Return the runs of each group, without the groups' names."""
    groups = {}
    for run, (group, _) in found.items():
        groups.setdefault(group, set()).add(run)
    return sorted(map(sorted, groups.values()))


# What the paths are; how they are grouped; what is asked; how each answer groups them.
OPEN = {
    "only the clock differs": (
        [f"Adam/{CLOCK.format(n)}" for n in range(3)],
        3,
        ["by name without its clock reading (1 group)"],
        [1],
    ),
    "only a date differs": (
        [f"Adam/2022-11-2{n}" for n in range(3)],
        3,
        ["by name without its clock reading"],
        [1],
    ),
    "only the seconds since 1970 differ": (
        [f"Adam/166938488{n}" for n in range(3)],
        3,
        ["by name without its clock reading"],
        [1],
    ),
    "dates of six digits are no seeds": (
        [f"Adam/2411{n}" for n in (12, 13, 14)],
        3,
        ["by name without its clock reading"],
        [1],
    ),
    "a bare number": (
        [f"dqn_{n}_Lander_{CLOCK.format(n)}" for n in (1, 2, 3)] + ["dqn_10_Pong"],
        4,
        ["by name without its number, as the seed (2 groups)"],
        [2],
    ),
    "a running number": (
        ["lab/version_0", "lab/version_1", "other/version_0"],
        2,
        ["each run by itself (3 groups)"],
        [3],
    ),
    "folds": (
        [f"bert/fold_{n}" for n in range(5)],
        1,
        ["each run by itself (5 groups)"],
        [5],
    ),
    "folders whose numbers look like settings": (
        ["resnet/16", "resnet/32", "resnet/64"],
        1,
        ["each run by itself, the number being a setting (3 groups)"],
        [3],
    ),
    "an s that no other run has": (
        ["vit_s16", "vit_b16"],
        2,
        ["each run by itself, the s being part of the name"],
        [2],
    ),
    "a seed in the name and a number below it": (
        [f"m/seed{a}/{b}" for a in (1, 2) for b in (0, 1)],
        2,
        ["by the other number of their paths as the seed (2 groups)"],
        [2],
    ),
    "two numbers": (
        [f"m/{a}/{b}" for a in (0, 1, 2) for b in (0, 1)],
        3,
        ["by the other number of their paths as the seed (2 groups)"],
        [2],
    ),
    "a seed of the data and one of the run": (
        [f"data_seed{a}_seed{b}" for a in (1, 2) for b in (0, 1, 2)],
        2,
        ["by the other number of their paths as the seed (3 groups)"],
        [3],
    ),
    "folds of several seeds": (
        [f"bert/fold_{a}/seed_{b}" for a in range(3) for b in (1, 2)],
        3,
        [],
        [],
    ),
}


@pytest.mark.parametrize(("folders", "groups", "ways", "after"), OPEN.values(), ids=OPEN)
def test_an_open_grouping_is_a_question_whose_answers_work(grouped, folders, groups, ways, after):
    found, decision, _ = grouped(*folders)

    assert len(parted(found)) == groups
    assert decision.asks == bool(ways)
    assert all(way in decision.reason for way in ways)
    assert ways == [] or "took the first, because" in decision.reason
    with speaking("fr"):
        reason = retell(decision.reason)
    assert not ways or "façons de grouper les" in reason
    assert not any(word in reason.split() for word in ("the", "by", "run", "because", "of"))
    assert len(decision.alternatives) == len(after)
    for pattern, count in zip(decision.alternatives, after, strict=True):
        otherwise, said, _ = grouped(*folders, pattern=pattern)
        assert len(parted(otherwise)) == count
        assert count == groups or parted(otherwise) != parted(found)
        assert said is None  # what is stated is not asked


CLEAR = {
    "seeds in names": [f"{g}_seed{s}" for g in ("a", "b") for s in (1, 2, 3)],
    "folders": [f"lab/{g}_lr1e-05/{s}" for g in ("a", "a_random") for s in (0, 1, 2)],
    "an s that many have": [f"pg_{g}_s{s}_Pole-v4" for g in ("x", "y") for s in (1, 2)],
    "a setting before the seed": [f"lr{n}_s{s}" for n in (3, 4) for s in (1, 2)],
    "the seed first": [f"seed_{s}/{g}" for g in ("a", "b") for s in (0, 1)],
    "nothing but seeds": ["0", "1", "2"],
    "a usual seed": ["bert/42", "bert/1337"],
    "values of a setting": ["sweep/batch_size/16", "sweep/batch_size/32"],
    "steps in names": [f"bc_train-step_{n}_Ant-v2" for n in (0, 500, 1000)],
    "names": ["adam", "sgd"],
    "names that end in decimals": ["momentum-0.0", "momentum-0.1"],
}


@pytest.mark.parametrize("folders", CLEAR.values(), ids=CLEAR)
def test_a_clear_grouping_asks_nothing_and_its_pattern_gives_the_same(grouped, folders):
    found, decision, _ = grouped(*folders)

    assert not decision.asks
    assert decision.value
    again, _, _ = grouped(*folders, pattern=decision.value)
    assert again == found
    assert setting_line("runs.pattern", decision.value).startswith("runs.pattern = ")


def test_a_number_in_the_folder_of_a_setting_is_no_seed(grouped):
    found, _, _ = grouped("sweep/batch_size/16", "sweep/batch_size/32")
    assert found == {
        "sweep/batch_size/16": ("16", None),
        "sweep/batch_size/32": ("32", None),
    }


def test_name_and_configuration_disagree(grouped):
    folders = ["bert_seed1", "bert_seed2"]

    found, decision, runs = grouped(*folders, configs=[{"seed": 2}, {"seed": 1}])

    assert found == {"bert_seed1": ("bert", 2), "bert_seed2": ("bert", 1)}
    assert any("its name says seed 1, its configuration seed 2" in p.message for p in runs.problems)
    assert decision.asks
    assert "with the seeds of the names" in decision.reason
    assert "its configuration is what a run was trained with" in decision.reason
    (pattern,) = decision.alternatives
    otherwise, _, _ = grouped(*folders, configs=[{"seed": 2}, {"seed": 1}], pattern=pattern)
    assert otherwise == {"bert_seed1": ("bert", 1), "bert_seed2": ("bert", 2)}


def test_equal_names_and_other_settings(grouped):
    configs = [{"learning_rate": 1e-3}, {"learning_rate": 1e-3}, {"learning_rate": 3e-4}]
    folders = ["bert/0", "bert/1", "bert/2"]

    found, decision, runs = grouped(*folders, configs=configs)

    assert {group for group, _ in found.values()} == {"bert"}
    assert any("differ in learning_rate" in p.message for p in runs.problems)
    assert decision.asks
    (pattern,) = decision.alternatives
    otherwise, _, _ = grouped(*folders, configs=configs, pattern=pattern)
    assert len(parted(otherwise)) == 3


def test_a_declared_group_settles_the_question(grouped):
    from reportgen.records.study import GroupPlan

    groups = (GroupPlan(name="all", match="Adam/*"),)
    folders = [f"Adam/{CLOCK.format(n)}" for n in range(3)]
    found, decision, _ = grouped(*folders, groups=groups)
    assert {group for group, _ in found.values()} == {"all"}
    assert not decision.asks


def test_a_pattern_that_names_the_seed_alone_groups_by_the_rest(grouped):
    found, _, _ = grouped("bert-r1-large", "bert-r2-large", pattern=r"-r(?P<seed>\d+)")
    assert found == {"bert-r1-large": ("bert/large", 1), "bert-r2-large": ("bert/large", 2)}


def test_a_name_in_two_parts_is_joined_as_it_was_parted(grouped):
    pattern = r"(?P<group>\w+)-r(?P<seed>\d+)-(?P<group2>\w+)"
    found, _, _ = grouped("bert-r1-large", pattern=pattern)
    assert found == {"bert-r1-large": ("bert-large", 1)}


def test_folds_are_said_to_be_no_seeds(grouped):
    _, _, runs = grouped(*(f"bert/fold_{n}" for n in range(5)))
    (problem,) = [p for p in runs.problems if p.path == "bert"]
    assert "5 folds (bert/fold_0 to bert/fold_4) are taken as repetitions" in problem.message
    assert "not over seeds" in problem.message


def test_a_path_of_many_numbers_is_read_in_time(grouped):
    folders = ["_".join(map(str, range(n, n + 1000))) for n in range(8)]
    folders += [f"{'s1_' * 1000}{n}" for n in range(8)]
    found, _, _ = grouped(*folders)
    assert len(found) == 16
