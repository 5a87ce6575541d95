"""Re-runs among the runs that were found: whose cell it is, who counts, and what is said."""

import json
import shutil

import pytest
from fakes.event_file import write_scalars
from fakes.rerun_lab import HOSTILE, SOLID, copy_lab, move_run, publish, record, write_record

from reportgen.app.analysis import analyse, load, load_originals, read_plan
from reportgen.app.options import BuildOptions, silent
from reportgen.report.marks import store_of

pytestmark = pytest.mark.slow

FAIRSEQ = f"reruns/{SOLID}/1"


@pytest.fixture
def home(lab, tmp_path):
    folder = tmp_path / "lab"
    copy_lab(lab, folder)
    return folder


def facts_of(home, current=None, **options):
    found = BuildOptions(out=home / "o", study=home / "study.toml", **options)
    return analyse(found, current=current)


def cell(facts, group, seed):
    (found,) = [c for c in facts.group(group).cells if c.seed == seed]
    return found


def messages(facts):
    return {p.path: p for p in facts.problems if "train_inner" not in p.path}


def test_a_re_run_fills_its_cell(home):
    before = facts_of(home)
    move_run(home, f"{SOLID}/1", record("pretrained", 1))
    facts = facts_of(home)
    found = cell(facts, "pretrained", 1)
    assert found.run.id == FAIRSEQ
    assert found.run.rerun.device == "NVIDIA H200"
    assert cell(before, "pretrained", 1).report_value.value == found.report_value.value
    evidence = found.report_value.sources[0]
    assert evidence.path.startswith(f"{FAIRSEQ}/test/")
    assert (home / evidence.path).is_file()
    assert evidence.run == FAIRSEQ
    group = facts.group("pretrained")
    assert (group.report.n, group.without_reruns.n) == (3, 2)
    assert facts.group("random").without_reruns is None
    assert [g.name for g in facts.groups] == [g.name for g in before.groups]
    assert [r.seed for r in facts.runs][:3] == [0, 1, 2]
    assert f"{FAIRSEQ}/run.json" in {source.path for source in found.run.sources}
    assert all(p.level == "note" for p in facts.problems)


def test_group_and_seed_are_those_of_the_record(home):
    move_run(home, f"{SOLID}/1", record("random", 7))
    facts = facts_of(home)
    assert cell(facts, "random", 7).run.rerun is not None
    assert cell(facts, "pretrained", 1).run is None


def test_a_complete_run_counts_before_a_re_run(home):
    publish(home, home / "logs" / SOLID / "1", f"{SOLID}/1", record("pretrained", 1))
    facts = facts_of(home)
    assert cell(facts, "pretrained", 1).run.id == f"{SOLID}/1"
    assert not any(run.rerun for run in facts.runs)
    problem = messages(facts)[FAIRSEQ]
    assert problem.level == "note"
    assert f"{SOLID}/1 is a complete run that was found" in problem.message


def shorten(home, steps):
    """Leave of seed 1 only what was logged up to some step."""
    run = home / "logs" / SOLID / "1"
    shutil.rmtree(run)
    for folder, tag in (("valid", "accuracy"), ("test", "accuracy")):
        write_scalars(run / folder, {tag: [(step, 50.0 + step / 100) for step in steps]})


@pytest.mark.parametrize(
    ("steps", "why"),
    [((225, 450), "it ended at step 450 of 1125"), ((), "matches no"), ((1350,), "")],
)
def test_a_run_that_ended_early_makes_place(home, steps, why):
    publish(home, home / "logs" / SOLID / "1", f"{SOLID}/1", record("pretrained", 1))
    shorten(home, steps)
    facts = facts_of(home)
    found = cell(facts, "pretrained", 1).run
    if not why:
        assert found.rerun is None
        return
    assert found.id == FAIRSEQ
    assert sum(run.seed == 1 and run.group == "pretrained" for run in facts.runs) == 1
    if steps:
        problem = messages(facts)[f"{SOLID}/1"]
        assert problem.level == "warning"
        assert why in problem.message
        assert FAIRSEQ in problem.message


def test_a_run_without_a_value_makes_place(home):
    publish(home, home / "logs" / SOLID / "1", f"{SOLID}/1", record("pretrained", 1))
    shutil.rmtree(home / "logs" / SOLID / "1" / "test")
    facts = facts_of(home)
    assert cell(facts, "pretrained", 1).run.id == FAIRSEQ
    assert "takes its place" in messages(facts)[f"{SOLID}/1"].message


def damage(folder):
    (folder / "run.json").write_text("{", encoding="utf-8")


def lose(folder):
    for name in ("valid", "test", "train", "train_inner"):
        shutil.rmtree(folder / name)


def empty(folder):
    for log in folder.rglob("events*"):
        log.write_bytes(b"")


@pytest.mark.parametrize(
    ("harm", "place", "told"),
    [
        (damage, f"{FAIRSEQ}/run.json", "is no JSON"),
        (lose, f"{FAIRSEQ}/run.json", "is not there any more"),
        (empty, FAIRSEQ, "without a log that can be read"),
    ],
)
def test_a_harmed_re_run_is_a_problem_and_no_run(home, harm, place, told):
    move_run(home, f"{SOLID}/1", record("pretrained", 1))
    harm(home / "reruns" / SOLID / "1")
    facts = facts_of(home)
    assert cell(facts, "pretrained", 1).run is None
    problem = messages(facts)[place]
    assert problem.level == "warning"
    assert told in problem.message


def test_a_log_that_was_changed_later_is_named(home):
    move_run(home, f"{SOLID}/1", record("pretrained", 1))
    write_scalars(home / FAIRSEQ / "valid", {"accuracy": [(1350, 90.0)]}, start=1.8e9)
    (log,) = (home / FAIRSEQ / "test").iterdir()
    log.write_bytes(log.read_bytes()[:-1])
    said = [p for p in facts_of(home).problems if "since the re-run was published" in p.message]
    assert sorted(p.message.partition(" ")[0] for p in said) == ["added", "changed"]


def test_a_re_run_of_other_settings_is_shown_and_named(home):
    move_run(home, f"{SOLID}/1", record("pretrained", 1))
    same, other = {"batch_size": "8.0"}, {"batch_size": "16.0", "epochs": "5.0"}
    quiet = facts_of(home, {("pretrained", 1): same, ("random", 1): other})
    assert not [p for p in quiet.problems if "other settings" in p.message]
    facts = facts_of(home, {("pretrained", 1): other})
    assert cell(facts, "pretrained", 1).run.id == FAIRSEQ
    problem = next(p for p in facts.problems if "other settings" in p.message)
    assert problem.path == FAIRSEQ
    assert "batch_size was 8.0, is 16.0; epochs was not set, is 5.0" in problem.message


def test_a_group_the_study_does_not_have_is_shown_and_named(home):
    publish(home, home / "logs" / SOLID / "1", "old/1", record("old", 1))
    facts = facts_of(home)
    assert cell(facts, "old", 1).run.rerun
    assert "that the study does not have" in messages(facts)["reruns/old/1"].message


def test_only_re_runs(home):
    for seed in range(3):
        move_run(home, f"{SOLID}/{seed}", record("pretrained", seed))
    shutil.rmtree(home / "logs")
    facts = facts_of(home)
    assert [c.seed for c in facts.group("pretrained").cells] == [0, 1, 2]
    assert facts.group("pretrained").without_reruns.n == 0
    assert facts.group("random").report.n == 0
    assert facts.study.metric.name == "accuracy"
    assert not [p for p in facts.problems if p.message.startswith("[groups.pretrained]")]
    assert [p for p in facts.problems if p.message.startswith("[groups.")] == []


def test_a_store_elsewhere_is_named_without_its_place(home, tmp_path):
    move_run(home, f"{SOLID}/1", record("pretrained", 1))
    shutil.move(home / "reruns", tmp_path / "kept")
    study = home / "study.toml"
    text = study.read_text() + f'\n[train]\nreruns = "{tmp_path / "kept"}"\n'
    study.write_text(text, encoding="utf-8")
    facts = facts_of(home)
    assert cell(facts, "pretrained", 1).run.id == f"kept/{SOLID}/1"
    assert store_of(facts) == "kept"


@pytest.mark.parametrize("below", [".", "reruns"])
def test_re_runs_below_the_logs_are_never_taken_for_found_ones(home, below):
    move_run(home, f"{SOLID}/1", record("pretrained", 1))
    runs = load(home / below)
    (again,) = [run for run in runs if run.rerun]
    assert again.id == (FAIRSEQ if below == "." else f"{SOLID}/1")
    assert (again.group, again.seed) == ("pretrained", 1)
    plan = read_plan(home / "study.toml")
    assert not [r for r in load_originals(home, plan, silent)[0] if r.rerun or "reruns" in r.id]
    with_study = facts_of(home, runs=home)
    assert [run.id for run in with_study.runs if run.rerun] == [FAIRSEQ]
    assert len(with_study.runs) == 9


def test_a_single_re_run_is_one(home):
    move_run(home, f"{SOLID}/1", record("pretrained", 1))
    (run,) = load(home / FAIRSEQ)
    assert run.rerun


def test_a_folder_of_this_name_may_be_anybodys(home):
    shutil.move(home / "logs" / SOLID / "1", home / "reruns")
    (home / "reruns" / "valid" / "run.json").write_text('{"wandb": true}', encoding="utf-8")
    found = load(home)
    assert len(found) == 9
    assert not any(run.rerun for run in found)
    problems = facts_of(home, runs=home).problems
    assert not [p for p in problems if "run.json" in p.path]


def test_what_is_in_progress_is_neither_shown_nor_named(home):
    move_run(home, f"{SOLID}/1", record("pretrained", 1))
    work = home / "reruns" / ".reportgen" / "work" / "job"
    write_scalars(work / "valid", {"accuracy": [(225, 50.0)]})
    for facts in (facts_of(home), facts_of(home, runs=home)):
        assert not [p for p in facts.problems if ".reportgen" in p.path]
        assert len(facts.runs) == 9


def test_hostile_words_in_a_record_can_be_printed(home):
    move_run(home, f"{SOLID}/1", record("pretrained", 1))
    path = home / FAIRSEQ / "run.json"
    told = json.loads(path.read_text()) | {"device": HOSTILE, "notes": [HOSTILE]}
    write_record(home, f"{SOLID}/1", told)
    rerun = cell(facts_of(home), "pretrained", 1).run.rerun
    assert rerun.device.isprintable()
    rerun.device.encode("utf-8")
    assert "<script>" in rerun.device
