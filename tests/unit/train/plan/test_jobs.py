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
from reportgen.train.plan import choose_cells, make_jobs, plan_cells

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


def cell_of(name):
    group, _, seed = name.partition("/")
    return group, int(seed)


@pytest.mark.parametrize("row", ROWS["handed_in"], ids=lambda row: row["it"])
def test_what_is_handed_in(row):
    """Jobs with their members: a name of a cell, with its reference where it is only repeated."""
    lost = [cell_of(name) for name in row.get("without", ())]
    keys = {cell: key for cell, key in KEYS.items() if cell[0] not in row.get("keyless", ())}
    marker = {"device": "", "date": "", "versions": {}}
    published = {
        name: Rerun(key=key, group=cell_of(name)[0], seed=cell_of(name)[1], **marker)
        for name, key in row.get("published", {}).items()
    }
    jobs = jobs_of(
        without(*lost), row.get("device", "cpu"), only=row.get("only", ()), keys=keys,
        known={"published": published, "keys": keys}, restart=row.get("restart", False),
        repeated={KEYS[cell_of(name)] for name in row.get("repeated", ())},
    )  # fmt: skip
    found = [
        [f"{m.group}/{m.seed}" + ("" if m.publish else f" again: {m.reference}")
         for m in job.members] for job in jobs
    ]  # fmt: skip
    assert found == row["jobs"]


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
