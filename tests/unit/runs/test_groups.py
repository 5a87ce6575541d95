"""Which runs repeat one another: a table of evidence, and what is asked where there is none."""

from dataclasses import replace

import pytest
from fakes.rows import rows_beside

from reportgen.languages import retell, speaking
from reportgen.records.study import GridPlan, GroupPlan
from reportgen.stats.groups import summarise_groups

ROWS = rows_beside(__file__)
VALUES = {"val/accuracy": {10: 0.5, 20: 0.6}, "test/accuracy": {10: 0.4, 20: 0.5}}


@pytest.fixture
def grouped(put_together, log):
    """Read runs in these folders: group to its runs with their seeds; what is asked; all runs."""

    def read(folders, configs=None, values=None, **fields):
        configs = configs or [{}] * len(folders)
        logs = [
            log(f"{folder}/events.out.tfevents.{n}.h.{n}.0", tags, config=config)
            for n, (folder, config, tags) in enumerate(
                zip(folders, configs, values or [VALUES] * len(folders), strict=True)
            )
        ]
        runs, study = put_together(*logs, layout=fields.pop("layout", "plain"), **fields)
        asked = [d for d in study.decisions if d.key == "runs.repeats" and d.asks]
        return (
            {name: [run.seed for run in members] for name, members in runs.groups().items()},
            asked[0].alternatives if asked else (),
            (runs, study),
        )

    return read


SAID = ROWS["said"]


def test_what_lies_above_folds_or_seeds_repeats_none_of_them(grouped):
    for part in ("fold_{}", "seed{}"):
        found, *_ = grouped(["m", *(f"m/{part.format(n)}" for n in (0, 1))])
        assert {name: len(seeds) for name, seeds in found.items()} == {"m": 2, "m (alone)": 1}


@pytest.mark.parametrize(("folders", "groups"), SAID.values(), ids=SAID)
def test_what_a_path_says_is_believed_and_asks_nothing(grouped, folders, groups):
    found, asked, _ = grouped(folders)
    assert found == groups
    assert not asked


ALONE = ROWS["alone"]


@pytest.mark.parametrize(("folders", "names", "numbered"), ALONE.values(), ids=ALONE)
def test_runs_without_evidence_stand_alone_and_one_question_is_asked(
    grouped, folders, names, numbered
):
    found, asked, (_, study) = grouped(folders)
    assert sorted(found) == sorted(names)
    assert asked == ("numbers",)
    (decision,) = [d for d in study.decisions if d.asks and d.key == "runs.repeats"]
    with speaking("fr"):
        assert "distingue les noms" in retell(decision.reason)
    otherwise, left, _ = grouped(folders, repeats="numbers")
    assert sorted(otherwise) == numbered
    assert not left


STATED = ROWS["stated"]


@pytest.mark.parametrize(("folders", "configs", "groups"), STATED.values(), ids=STATED)
def test_what_settings_state_is_believed(grouped, folders, configs, groups):
    assert grouped(folders, configs)[0] == groups


@pytest.mark.parametrize(
    ("other", "config", "groups"),
    ROWS["empty_settings_are_not_equal_and_what_is_unlike_speaks_against_them"],
    ids=["alike", "longer", "larger", "larger, of the same settings"],
)
def test_empty_settings_are_not_equal_and_what_is_unlike_speaks_against_them(
    grouped, other, config, groups
):
    found, _, _ = grouped(
        ["m/version_0", "m/version_1"],
        [{"seed": s, **config} for s in (1, 2)],
        [{"val/loss": {10: 0.5, 20: 0.6}}, {"val/loss": other}],
    )
    assert len(found) == groups


def test_a_name_and_a_configuration_that_disagree_are_told(grouped):
    found, _, (runs, _) = grouped(["bert_seed1", "bert_seed2"], [{"seed": 2}, {"seed": 1}])
    assert found == {"bert": [1, 2]}
    assert any("its name says seed 1, its configuration seed 2" in p.message for p in runs.problems)


def test_an_s_that_counts_alone_is_a_question(grouped):
    folders = ["gpt2_s1", "gpt2_s2"]
    found, asked, _ = grouped(folders)
    assert (found, asked) == ({"gpt2": [1, 2]}, ("none",))
    assert len(grouped(folders, repeats="none")[0]) == 2


def test_number_folders_that_look_like_settings_are_a_question(grouped):
    folders = [f"{net}/{size}" for net in ("resnet", "vgg") for size in (16, 32, 64)]
    found, asked, _ = grouped(folders)
    assert (found, asked) == ({"resnet": [16, 32, 64], "vgg": [16, 32, 64]}, ("none",))
    assert len(grouped(folders, repeats="none")[0]) == 6


@pytest.mark.parametrize(
    ("folders", "pattern", "groups"),
    [
        (["bert-r1-large", "bert-r2-large"], r"-r(?P<seed>\d+)", {"bert/large": [1, 2]}),
        (["bert-r1-large"], r"(?P<group>\w+)-r(?P<seed>\d+)-(?P<group2>\w+)", {"bert-large": [1]}),
    ],
)
def test_a_pattern_states_groups_and_seeds(grouped, folders, pattern, groups):
    assert grouped(folders, pattern=pattern)[0] == groups


NAMES = ROWS["names"]


@pytest.mark.parametrize(("folders", "names"), NAMES.values(), ids=NAMES)
def test_a_group_keeps_the_name_that_tells_it_apart(grouped, folders, names):
    assert sorted(grouped(folders)[0]) == sorted(names)


def test_a_path_of_many_numbers_is_read_in_time(grouped):
    folders = ["_".join(map(str, range(n, n + 1000))) for n in range(8)]
    folders += [f"{'s1_' * 1000}{n}" for n in range(8)]
    assert sum(map(len, grouped(folders)[0].values())) == 16


# --- which seeds should exist -----------------------------------------------------------

LABS = {
    "nothing declared": (GridPlan(), (), {"a": (0, 1, 2), "b": (0, 2)}),
    "seeds of a group": (GridPlan(), (GroupPlan(name="b", seeds=(0, 1)),),
                         {"a": (0, 1, 2), "b": (0, 1)}),
    "a grid": (GridPlan(seeds=(0, 1, 2, 3)), (), {"a": (0, 1, 2, 3), "b": (0, 1, 2, 3)}),
    "a grid of some groups": (GridPlan(groups=("b", "c"), seeds=(0, 1)), (),
                              {"a": (0, 1, 2), "b": (0, 1), "c": (0, 1)}),
    "a grid of what is there": (GridPlan(groups=("a", "b")), (),
                                {"a": (0, 1, 2), "b": (0, 1, 2)}),
}  # fmt: skip


@pytest.mark.parametrize(("grid", "plans", "expected"), LABS.values(), ids=LABS)
def test_a_cell_is_missing_only_where_it_is_declared(grouped, grid, plans, expected):
    folders = ["a/0", "a/1", "a/2", "b/0", "b/2"]
    _, _, (runs, study) = grouped(folders, grid=grid, groups=plans)
    assert {plan.name: plan.seeds for plan in study.groups} == expected
    missing = {
        (group.name, cell.seed)
        for group in summarise_groups(study, runs)
        for cell in group.cells
        if cell.run is None
    }
    there = {tuple(folder.split("/")) for folder in folders}
    assert missing == {
        (name, seed)
        for name, seeds in expected.items()
        for seed in seeds
        if (name, str(seed)) not in there
    }
    told = [p for p in runs.problems if "unequal numbers of seeds (a 3, b 2)" in p.message]
    assert len(told) == (grid == GridPlan() and not plans)
    assert all(p.level == "note" for p in told)


# --- copies -----------------------------------------------------------------------------


def original_and_copy(log, place):
    """Return the logs of two seeds, and a copy of the first that lies elsewhere."""
    tags = {"val/accuracy": {10 * n: 0.5 + n / 100 for n in range(1, 6)},
            "val/loss": {10 * n: 1 / n for n in range(1, 6)}}  # fmt: skip
    first = log("a/seed1/metrics.csv", tags, kind="metrics_csv")
    copy = log(f"{place}/metrics.csv", tags, kind="metrics_csv")
    copy = replace(copy, source=replace(copy.source, sha256=first.source.sha256))
    return copy, log("a/seed2/metrics.csv", tags, kind="metrics_csv", start=5000.0), first


@pytest.mark.parametrize("place", ["a/seed1_2024-05-01_10-00-00", "a/seed1/old"])
def test_a_copy_inside_a_group_or_a_run_is_named_and_counted_once(put_together, log, place):
    copy, *others = original_and_copy(log, place)
    runs, _ = put_together(copy, *others)
    assert [(run.id, run.group, run.seed) for run in runs] == [
        ("a/seed1", "a", 1), ("a/seed2", "a", 2),
    ]  # fmt: skip
    (told,) = [p for p in runs.all_problems() if "counted once" in p.message]
    assert (told.path, told.level) == (place, "warning")
    assert copy.source in runs.runs[0].sources


def test_a_copy_in_another_group_stays_in_both_and_both_are_named(put_together, log):
    runs, _ = put_together(*original_and_copy(log, "b/seed1"))
    assert [(run.id, run.group) for run in runs] == [
        ("a/seed1", "a"), ("a/seed2", "a"), ("b/seed1", "b"),
    ]  # fmt: skip
    (told,) = [p for p in runs.all_problems() if "holds the same as" in p.message]
    assert (told.path, told.level) == ("b/seed1", "warning")
    assert "counts in b and in a" in told.message
