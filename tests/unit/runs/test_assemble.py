"""From logs to runs and a filled study: the legal cases first, then the odd ones."""

from dataclasses import replace

import numpy as np
import pytest
from fakes.event_file import put, scalar

from reportgen.read.logs import load_tree
from reportgen.records.errors import StudyError, UnknownNameError
from reportgen.records.run import Problem
from reportgen.records.study import GroupPlan

TAIL = "_ms8_mu3125_lr1e-05_me5"


def decisions(study):
    """Decisions by their key."""
    return {d.key: d for d in study.decisions}


def messages(runs):
    """Every problem that is told, in words."""
    return [p.message for p in runs.all_problems()]


@pytest.fixture
def lab(fairseq):
    """Six runs: two models, three seeds, three epochs."""
    asked = {"sys.argv": "['train.py', '--max-epoch', '3']"}
    return [
        replace(one, texts=asked)
        for model in (f"books/small{TAIL}", f"books/small_random{TAIL}")
        for seed in (0, 1, 2)
        for one in fairseq(f"{model}/{seed}", [57, 65, 85.5], [60.5, 70.2, 81.4])
    ]


def test_a_declared_group_without_any_run_is_named(put_together, lab):
    runs, _ = put_together(*lab, groups=(GroupPlan(name="small"), GroupPlan(name="smal_random")))
    (problem,) = runs.problems
    assert problem.message == "[groups.smal_random] matches no run"
    assert "small, small_random" in problem.remedy


def test_a_damaged_run_belongs_where_its_siblings_do(put_together, fairseq, log):
    logs = [one for seed in (0, 1) for one in fairseq(f"m/{seed}", [50, 60], [51, 61])]
    fault = Problem(path="m/2/valid/x.tfevents", message="not an event file: no sound record")
    junk = log("m/2/valid/x.tfevents", problems=(fault,))
    test = log("m/2/test/x.tfevents", {"accuracy": {225: 50.0, 450: 60.0}})
    runs, _ = put_together(*logs, junk, test)
    assert [(r.group, r.seed, r.layout) for r in runs] == [("m", s, "fairseq") for s in (0, 1, 2)]
    assert "nothing logged on validation: no best step exists" in messages(runs)


def test_control_characters_of_names_never_reach_a_message(put_together, log):
    runs, _ = put_together(log("m/0/a.tfevents", {"eval/x\x1b[31mloss": {1: np.nan, 2: 1.0}}))
    told = [text for p in runs.all_problems() for text in (p.path, p.message, p.remedy)]
    assert any("\\x1b[31mloss" in text for text in told)
    assert all(text.isprintable() for text in told)


def test_declared_groups_keep_name_order_label_and_seeds(put_together, lab):
    plans = (
        GroupPlan(
            name="random", label="Random start", match="*/small_random_*", seeds=(0, 1, 2, 3)
        ),
        GroupPlan(name="pretrained", match="books/small_ms8*"),
    )
    runs, study = put_together(*lab, groups=plans)
    assert list(runs.groups()) == ["random", "pretrained"]
    assert [(g.name, g.label, g.seeds) for g in study.groups] == [
        ("random", "Random start", (0, 1, 2, 3)), ("pretrained", "", (0, 1, 2)),
    ]  # fmt: skip
    assert "groups.random.seeds" not in decisions(study)


def test_a_pattern_for_the_group_alone_leaves_the_seed_to_names_and_settings(put_together, lab):
    runs, _ = put_together(*lab, pattern=r"(?P<group>small(?:_random)?)_ms8")
    assert [r.seed for r in runs] == [0, 1, 2, 0, 1, 2]


@pytest.mark.parametrize("pattern", ["(", "(?P<split>x)", "plain"])
def test_a_pattern_that_cannot_be_used(put_together, pattern):
    with pytest.raises(StudyError, match=r"runs\.pattern"):
        put_together(pattern=pattern)


def test_a_layout_by_name(put_together, log):
    logs = [log("m/0/valid/a.tfevents", {"accuracy": {1: 50.0}})]
    assert put_together(*logs, layout="plain")[0].runs[0].layout == "plain"
    with pytest.raises(UnknownNameError, match="fairseq"):
        put_together(*logs, layout="fairsec")


# --- what is missing, or does not belong to it ------------------------------------------


@pytest.mark.parametrize(
    ("path", "message", "of_run"),
    [
        # A file of no run; a header beside a run's points; a file that cannot be read.
        ("m/1/valid/x.tfevents", "the file is empty (0 bytes)", []),
        ("m/0/train_inner/x.tfevents", "only the file's header was written", ["note"]),
        ("m/0/valid/y.tfevents", "cannot be read: Permission denied", ["warning"]),
    ],
)
def test_a_file_without_points_makes_no_run_and_is_named(
    put_together, fairseq, log, path, message, of_run
):
    problem = Problem(path=path, message=message)
    one = log(path, problems=(problem,))
    if message.startswith("cannot"):
        one = replace(one, source=replace(one.source, size=0, sha256=""))
    runs, _ = put_together(*fairseq("m/0", [50, 60]), one)
    (run,) = runs
    assert [(p.message, p.level) for p in run.problems] == [(message, level) for level in of_run]
    assert runs.problems == (() if of_run else (problem,))


def test_checkpoints_of_a_run(put_together, log):
    files = ["m/0/a.tfevents", "m/0/checkpoint-5/model.safetensors", "m/1/model.pt"]
    runs, _ = put_together(log("m/0/a.tfevents", {"val_loss": {1: 0.5}}), files=files)
    assert runs.runs[0].checkpoints == ("m/0/checkpoint-5/model.safetensors",)
    assert runs.files == tuple(files)


# --- several event files of one run ---------------------------------------------------------

FIRST, SECOND = "run/events.out.tfevents.1.host.1.0", "run/events.out.tfevents.2.host.2.0"


@pytest.fixture
def read(tmp_path, put_together):
    """Put files together that hold these events; returns the runs and every problem."""

    def from_files(files):
        for name, events in files.items():
            put(tmp_path / name, events)
        tree = load_tree(tmp_path)
        runs, _ = put_together(*tree.logs, files=tree.files)
        return runs, (*runs.all_problems(), *tree.problems)

    return from_files


@pytest.mark.parametrize("name", [f"{FIRST}.bak", "run/a copy of events.out.tfevents.1"])
@pytest.mark.parametrize("part", [slice(0, 7), slice(0, 10), slice(2, 9)])
def test_a_copy_of_a_part_is_read_once_and_named(read, name, part):
    events = [scalar("loss", s, s / 3, 1e9 + s * 1.0625) for s in range(10)]
    (run,), problems = read({FIRST: events, name: events[part]})
    assert run.scalars["loss"].steps.tolist() == list(range(10))
    assert [p.level for p in problems if "read once" in p.message] == ["warning"]
