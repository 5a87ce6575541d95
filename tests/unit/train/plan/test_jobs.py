"""Jobs: stable names, canaries first, and on a GPU whole shapes whatever is missing."""

from dataclasses import replace

import pytest
from fakes.made_runs import SIX, runs_of, study
from fakes.rows import rows_beside
from fakes.sample_lab import NOTHING, PRETRAINED, RANDOM
from hypothesis import given
from hypothesis import strategies as st

from reportgen.records.errors import StudyError, UsageError
from reportgen.records.job import GridPlan
from reportgen.records.run import Rerun, Runs
from reportgen.records.study import DataPlan, GroupPlan, MetricPlan, TrainPlan
from reportgen.stats import summarise_groups
from reportgen.train.plan import choose_cells, make_jobs, plan_cells
from reportgen.train.plan.jobs import tolerance

ROWS = rows_beside(__file__)

TRAIN = TrainPlan(
    data=DataPlan(files={"train": "data/train.csv"}, labels={"train": "data/train.label"}),
    tokenizer="base/sp.model",
    config="base/config.json",
)
STUDY = study(
    groups=(
        GroupPlan(name="pretrained", seeds=(0, 1, 2), start="base/model"),
        GroupPlan(name="random", seeds=(0, 1, 2), start="random"),
        GroupPlan(name="lora", seeds=(0, 1), start="/abs/base", adapter="lora/adapter_config.json"),
    ),
    train=TRAIN,
    split_sizes={"test": 2000},
)
KEYS = {(g.name, s): f"{g.name}:{s}" for g in STUDY.groups for s in g.seeds}
SHAPES = {"pretrained": "4x512", "random": "4x512"}


def jobs_of(table, device="cpu", plan=STUDY, runs=None, known=None, only=(), **options):
    runs = runs_of(table) if runs is None else runs
    cells = plan_cells(plan, runs, **{**NOTHING, "keys": KEYS, **(known or {})})
    grid = GridPlan(cells=choose_cells(cells, only), device=device, workers=1)
    given_ = {"keys": KEYS, "home": "/lab", "device": device, "shapes": SHAPES, **options}
    return make_jobs(grid, plan, runs, **given_)


def without(*cells):
    return {cell: values for cell, values in SIX.items() if cell not in cells}


def shown(jobs):
    return [[(m.group, m.seed, m.publish) for m in job.members] for job in jobs]


def test_on_a_cpu_canaries_come_first_and_each_cell_is_a_job():
    jobs = jobs_of(without(("random", 1), ("pretrained", 0)))
    assert shown(jobs) == [
        [("pretrained", 1, False)],
        [("random", 0, False)],
        [("pretrained", 0, True)],
        [("random", 1, True)],
        [("lora", 0, True)],
        [("lora", 1, True)],
    ]
    # Best validation accuracy of pretrained 1 is after epoch 5, of random 0 as well.
    assert [job.members[0].reference for job in jobs] == [0.804, 0.739, None, None, None, None]


def test_a_group_that_lacks_nothing_or_was_repeated_has_no_canary():
    jobs = jobs_of(without(("random", 1)))
    assert shown(jobs)[0] == [("random", 0, False)]
    repeated = jobs_of(without(("random", 1)), repeated={KEYS["random", 2]})
    assert shown(repeated)[0] == [("random", 1, True)]


def test_what_only_names_is_trained_and_nothing_else():
    table = without(("random", 1), ("pretrained", 0))
    assert shown(jobs_of(table, only=["random/1"])) == [
        [("random", 0, False)],
        [("random", 1, True)],
    ]


def test_paths_are_absolute():
    (job,) = jobs_of(without(), only=["lora/1"])
    (member,) = job.members
    assert (member.start, member.adapter) == ("/abs/base", "/lab/lora/adapter_config.json")
    assert (job.train.tokenizer, job.train.config) == (
        "/lab/base/sp.model",
        "/lab/base/config.json",
    )
    assert job.train.data.files == {"train": "/lab/data/train.csv"}
    assert job.train.data.labels == {"train": "/lab/data/train.label"}
    assert (job.train.dictionary, job.train.reruns) == ("", "/lab/reruns")
    (other,) = jobs_of(without(("random", 0)), only=["random/0"])[1].members
    assert (other.start, other.adapter, other.place) == ("random", "", "random/0")


def test_on_a_gpu_a_job_is_a_shape():
    jobs = jobs_of(without(("random", 1)), "cuda")
    whole = [(g, s, (g, s) == ("random", 1)) for g in ("pretrained", "random") for s in range(3)]
    assert shown(jobs) == [whole, [("lora", 0, True), ("lora", 1, True)]]
    references = [m.reference for m in jobs[0].members]
    assert references == [0.814, 0.804, 0.801, 0.739, None, 0.731]

    # A shape that lacks nothing is not trained, and what was not asked for is not published.
    assert shown(jobs_of(SIX, "cuda")) == [[("lora", 0, True), ("lora", 1, True)]]
    (job,) = jobs_of(without(("random", 1), ("random", 2)), "cuda", only=["random/1"])
    assert [m.seed for m in job.members if m.publish] == [1]
    assert len(job.members) == 6


holes = st.sets(st.sampled_from(sorted(SIX)), min_size=1)


@given(first=holes, second=holes)
def test_on_a_gpu_the_members_do_not_depend_on_what_is_missing(first, second):
    one, other = (jobs_of(without(*lost), "cuda") for lost in (first, second))
    assert one[0].id == other[0].id
    keys = [[m.key for m in jobs[0].members] for jobs in (one, other)]
    assert keys[0] == keys[1]


@given(lost=holes, more=st.sampled_from(sorted(SIX)))
def test_on_a_cpu_a_further_missing_run_changes_no_other_job(lost, more):
    def published(jobs):
        return {(m.group, m.seed): (job.id, m) for job in jobs for m in job.members if m.publish}

    before, after = (published(jobs_of(without(*cells))) for cells in (lost, {*lost, more}))
    assert {cell: after[cell] for cell in before} == before
    assert set(after) - set(before) <= {more}


@given(order=st.permutations(range(6)), lost=holes)
def test_the_order_of_runs_changes_nothing(order, lost):
    found = runs_of(without(*lost)).runs
    mixed = tuple(found[i] for i in order if i < len(found))
    known = {**NOTHING, "keys": KEYS}
    assert plan_cells(STUDY, Runs(root="", runs=mixed), **known) == plan_cells(
        STUDY, Runs(root="", runs=found), **known
    )
    for device in ("cpu", "cuda"):
        assert jobs_of(None, device, runs=Runs(root="", runs=mixed)) == jobs_of(
            None, device, runs=Runs(root="", runs=found)
        )


def test_ids_are_names_and_differ():
    ids = [job.id for job in jobs_of({})]
    assert len(set(ids)) == len(ids) == 8
    assert all(len(i) == 20 and set(i) <= set("0123456789abcdef") for i in ids)
    assert ids == [job.id for job in jobs_of({})]


def test_what_all_jobs_share():
    jobs = jobs_of(without(("random", 1)))
    expected = tolerance(summarise_groups(STUDY, runs_of(without(("random", 1)))), 2000)
    for job in jobs:
        told = (job.metric, job.direction, job.ties, job.device)
        assert told == ("accuracy", "higher", "first", "cpu")
        assert job.tolerance == expected
        assert not job.fresh
    accepted = jobs_of(without(("random", 1)), accept_drift=True, restart=True)
    assert {(job.tolerance, job.fresh) for job in accepted} == {(None, True)}


def test_runs_that_stop_halfway_are_no_measure_of_drift():
    table = {**SIX, ("random", 2): ([50.0], [10.0])}
    whole = jobs_of(without(("random", 2)))[0].tolerance
    assert jobs_of(table)[0].tolerance == whole


def test_stale_cells_are_trained_only_when_asked():
    marker = Rerun(key="old", group="random", seed=1, device="", date="", versions={})
    known = {"published": {"random/1": marker}}
    table = without(("random", 1))
    assert not any(m.group == "random" for job in jobs_of(table, known=known) for m in job.members)
    again = jobs_of(table, known=known, restart=True)
    assert ("random", 1, True) in [each for job in shown(again) for each in job]


def test_cells_without_a_key_are_not_trained():
    keys = {cell: key for cell, key in KEYS.items() if cell[0] != "lora"}
    assert jobs_of(SIX, known={"keys": keys}, keys=keys) == ()


def test_logs_are_written_as_those_beside(copy):
    copy.remove(f"{RANDOM}/1")
    copy.declared = replace(
        copy.declared,
        train=TRAIN,
        groups=tuple(replace(g, start="base") for g in copy.declared.groups),
    )
    plan, runs = copy.load()
    (canary, job) = jobs_of(None, plan=plan, runs=runs)
    for each in (canary, job):
        assert each.layout == "fairseq"
        assert each.folders == {"train": "train", "validation": "valid", "test": "test"}
    assert canary.members[0].place == f"{RANDOM}/0"
    assert job.members[0].place == f"{RANDOM}/1"
    assert PRETRAINED not in job.members[0].place
    stated = replace(plan, train=replace(TRAIN, layout="hf_trainer"))
    _, other = jobs_of(None, plan=stated, runs=runs)
    assert (other.layout, other.folders["validation"]) == ("hf_trainer", "eval")


def test_without_logs_beside_the_trainers_layout_is_written():
    assert {(job.layout, job.folders["validation"]) for job in jobs_of({})} == {
        ("hf_trainer", "eval")
    }


def test_a_study_that_cannot_be_trained():
    with pytest.raises(StudyError, match="does not say how"):
        jobs_of(SIX, plan=replace(STUDY, train=None))
    with pytest.raises(StudyError, match="'bleu'") as caught:
        jobs_of(SIX, plan=replace(STUDY, metric=MetricPlan(name="bleu")))
    assert '"matthews_correlation"' in caught.value.remedy
    loss = replace(STUDY, metric=MetricPlan(name="loss"))
    assert {(job.metric, job.direction) for job in jobs_of({}, plan=loss)} == {("loss", "lower")}


# ---- --only

CELLS = plan_cells(STUDY, Runs(root="", runs=()), **NOTHING)


@pytest.mark.parametrize(("only", "count"), ROWS["cells_are_chosen_by_name_or_pattern"])
def test_cells_are_chosen_by_name_or_pattern(only, count):
    assert len(choose_cells(CELLS, only)) == count


@pytest.mark.parametrize("word", ["randm", "random/7", "", "lora/", "RANDOM"])
def test_a_word_that_names_nothing_is_told_what_there_is(word):
    with pytest.raises(UsageError) as caught:
        choose_cells(CELLS, ["lora", word])
    assert caught.value.remedy == (
        "groups: pretrained, random, lora; seeds: 0, 1, 2; write GROUP or GROUP/SEED"
    )
