"""What was found, missing, wrong and inferred; each said once, and nothing left out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reportgen.parameters import describe_model
from reportgen.read.weights import read_evidence
from reportgen.records.checkpoint import ModelConfig
from reportgen.records.document import Bullets
from reportgen.records.facts import Facts
from reportgen.records.quantity import Evidence, Missing
from reportgen.records.run import Problem, Runs, Source
from reportgen.records.study import Decision, MetricPlan, StatisticsPlan, Study
from reportgen.report import reproducibility

HEADER_ONLY = "holds a header and no point"


def source(number, points=2):
    return Source(
        path=f"logs/{number}.log",
        kind="tfevents",
        size=100 + number,
        sha256=f"{number:064x}",
        points=points,
    )


def with_runs(facts, change):
    """The same facts with every run changed, in the cells too."""
    changed = {run.id: change(position, run) for position, run in enumerate(facts.runs)}
    groups = tuple(
        replace(g, cells=tuple(replace(c, run=c.run and changed[c.run.id]) for c in g.cells))
        for g in facts.groups
    )
    runs = replace(facts.runs, runs=tuple(changed.values()))
    return replace(facts, runs=runs, groups=groups)


def table(made, facts, name):
    found = made.tables(reproducibility.build(facts)).get(f"reproducibility.{name}")
    return None if found is None else made.grid(found)


def number(made, facts, name):
    found = {n.id: n for n in made.numbers(reproducibility.build(facts))}
    return found[f"reproducibility.{name}"].quantity


# --- nothing is the matter ------------------------------------------------------------


def test_a_clean_study_has_nothing_missing_and_no_problems(made):
    section = reproducibility.build(made.facts())
    assert [b for b in section.blocks if isinstance(b, Bullets)] == []
    tables = made.tables(section)
    assert set(tables) == {"reproducibility.runs", "reproducibility.hashes"}
    assert "no file was damaged, and nothing contradicts itself" in made.prose(section)


def test_every_run_has_a_row(made):
    rows = table(made, made.facts(), "runs")
    assert rows[0] == ["pretrained/0", "pretrained", "0", "fairseq", "0", "10", "1,125"]
    assert len(rows) == 6


def test_an_unknown_seed_is_missing_not_zero(made):
    runs = Runs(root="", runs=(made.run("a", None, made.series("validation", [60.0])),))
    facts = made.facts(runs=runs, groups=())
    assert table(made, facts, "runs")[0][2] == "—"
    assert isinstance(number(made, facts, "run.a_None.seed"), Missing)


def test_no_evidence_at_all(made):
    facts = Facts(study=Study(), runs=Runs(root="logs", runs=()), groups=())
    section = reproducibility.build(facts)
    text = made.prose(section)
    assert "Every result of the runs was computed from 0 runs in 0 files under logs" in text
    assert "No run." in text
    assert table(made, facts, "runs") == []
    assert table(made, facts, "hashes") == []


@pytest.mark.parametrize(
    ("layout", "path", "title"),
    [
        ("fairseq", "a/0/valid/events", "Updates"),
        ("hf_trainer", "a/0/trainer_state.json", "Updates"),
        ("lightning", "a/version_0/metrics.csv", "Updates"),
        # Anyone may call a table so.
        ("lightning", "a/0/metrics.csv", "Steps"),
        ("plain", "a/0/monitor.csv", "Steps"),
        ("keras", "a/0/validation/events", "Steps"),
    ],
)
def test_steps_are_updates_only_where_what_wrote_the_logs_says_so(made, layout, path, title):
    source = Source(path=path, kind="any", size=1, sha256="0" * 64)
    run = replace(
        made.run("a", 0, made.series("validation", [60.0])), layout=layout, sources=(source,)
    )
    section = reproducibility.build(made.facts(runs=Runs(root="", runs=(run,)), groups=()))
    (shown,) = (b for b in section.blocks if getattr(b, "id", "") == "reproducibility.runs")
    assert made.words(shown.columns[-1].title) == title
    assert ("update" in made.words(shown.caption)) == (title == "Updates")


def test_a_run_without_points_has_no_updates(made):
    runs = Runs(root="", runs=(made.run("a", 0),))
    facts = made.facts(runs=runs, groups=())
    assert table(made, facts, "runs")[0][4:] == ["0", "0", "—"]
    assert number(made, facts, "run.a_0.updates").reason == "the run holds no scalar point"


# --- missing cells, problems, decisions -----------------------------------------------


def test_missing_cells_are_named_with_their_reason(made):
    facts = made.facts({k: v for k, v in made.SIX.items() if k != ("random", 1)})
    (bullets,) = (b for b in reproducibility.build(facts).blocks if isinstance(b, Bullets))
    assert [made.words(item) for item in bullets.items] == [
        "Missing: random, seed 1: no logs found for random, seed 1."
    ]


def test_a_run_without_seed_is_named_by_its_path(made):
    chosen = made.run("b", 0, made.series("validation", [60.0]))
    runs = Runs(root="", runs=(made.run("a", None, made.series("test", [60.0])), chosen))
    text = made.prose(reproducibility.build(made.facts(runs=runs, groups=())))
    assert "Missing: a, run a/None: a/None never logged accuracy on validation." in text


def test_problems_say_where_what_and_what_to_do(made):
    problems = (
        Problem(path="a.log", message="is cut off", remedy="copy it again", offset=96),
        Problem(path="", message="has no tags"),
    )
    facts = replace(made.facts(), problems=problems)
    assert table(made, facts, "problems") == [
        ["a.log", "is cut off (at byte 96)", "copy it again"],
        ["logs", "has no tags", "nothing to do"],
    ]
    assert "<reproducibility.problems> what is the matter" in made.prose(
        reproducibility.build(facts)
    )


def test_one_message_is_one_row_with_every_path(made):
    empty = [Problem(path=f"{i}.log", message=HEADER_ONLY, remedy="remove it") for i in range(6)]
    other = Problem(path="0.log", message=HEADER_ONLY, remedy="wait until it is written")
    facts = replace(made.facts(), problems=(*empty[:3], other, *empty[3:]))
    assert table(made, facts, "problems") == [
        ["0.log, 1.log, 2.log, 3.log, 4.log, 5.log", HEADER_ONLY, "remove it"],
        ["0.log", HEADER_ONLY, "wait until it is written"],
    ]


@pytest.mark.parametrize(
    ("paths", "listed"),
    [
        (["a/b/1/x", "a/b/2/x"], "a/b/: 1/x, 2/x"),
        (["a/bc/x", "a/bd/x"], "a/: bc/x, bd/x"),  # no part of a name is taken for a folder
        (["a/x", "a/b/x"], "a/: x, b/x"),
        (["a/x", "b/x"], "a/x, b/x"),
        (["a/x", ""], "a/x, logs"),
        (["a/x", "a/x"], "a/x"),
    ],
)
def test_a_folder_that_paths_share_is_written_once(made, paths, listed):
    problems = tuple(Problem(path=path, message=HEADER_ONLY) for path in paths)
    ((where, *_),) = table(made, replace(made.facts(), problems=problems), "problems")
    assert where == listed


def test_faults_at_different_bytes_stay_apart(made):
    faults = tuple(Problem(path="a.log", message="is damaged", offset=at) for at in (8, 16))
    rows = table(made, replace(made.facts(), problems=faults), "problems")
    assert [row[1] for row in rows] == ["is damaged (at byte 8)", "is damaged (at byte 16)"]


def test_decisions_come_with_their_alternatives(made):
    decisions = (
        Decision(key="metric.name", value="accuracy", reason="most runs log it"),
        Decision(key="runs.pattern", value="", reason="paths tell", alternatives=("a", "b")),
        Decision(
            key="metric.unit", value="percent", reason="open", alternatives=("x", "y"), asks=True
        ),
    )
    assert table(made, made.facts(decisions=decisions), "decisions") == [
        ["metric.name", "accuracy", "most runs log it"],
        ["runs.pattern", "not set", "paths tell; also possible: a, b"],
        ["metric.unit", "percent", "open; a study file may say x or y instead"],
    ]


# --- hyperparameters ------------------------------------------------------------------


def test_without_configurations_there_is_no_table_of_them(made):
    assert table(made, made.facts(), "hyperparameters") is None


def test_values_of_equal_seeds_are_given_once(made):
    facts = with_runs(made.facts(), lambda _, run: replace(run, config={"lr": 1e-05}))
    assert table(made, facts, "hyperparameters") == [["Peak learning rate", "1e-05", "1e-05"]]


def test_values_that_differ_between_seeds_are_all_given(made):
    facts = with_runs(made.facts(), lambda i, run: replace(run, config={"lr": 0.1 * (i + 1)}))
    ((_, first, second),) = table(made, facts, "hyperparameters")
    assert (first, second) == ("0.1; 0.2; 0.3", "0.4; 0.5; 0.6")


def test_what_one_group_never_logged_is_said(made):
    def change(position, run):
        return replace(run, config={"optimizer": "adam"} if position < 3 else {"note": "none"})

    rows = table(made, with_runs(made.facts(), change), "hyperparameters")
    assert rows == [["Optimizer", "adam", "not logged"]]


@pytest.mark.parametrize(
    ("key", "value", "label", "printed"),
    [
        ("--weight-decay", 0.01, "Weight decay", "0.01"),
        ("update_freq", [8], "Gradient accumulation", "8"),
        ("fp16", False, "Precision", "no"),
        ("bf16", True, "Precision", "yes"),
        ("num_train_epochs", 5, "Epochs", "5"),
        ("warmup_ratio", 0, "Warm-up ratio", "0"),
        ("max_seq_length", None, None, None),
        ("dropout", "", None, None),
    ],
)
def test_spellings_of_one_hyperparameter(made, key, value, label, printed):
    facts = with_runs(made.facts(), lambda _, run: replace(run, config={key: value}))
    expected = None if label is None else [[label, printed, printed]]
    assert table(made, facts, "hyperparameters") == expected


@pytest.mark.parametrize(
    ("layout", "label"), [("fairseq", "Total updates"), ("plain", "Total steps")]
)
def test_steps_to_come_are_updates_only_where_the_layout_counts_these(made, layout, label):
    def change(_, run):
        return replace(run, layout=layout, config={"max_steps": 500})

    rows = table(made, with_runs(made.facts(), change), "hyperparameters")
    assert rows == [[label, "500", "500"]]


# --- checklist and files --------------------------------------------------------------


@pytest.mark.parametrize(
    ("dated", "told"),
    [
        ("logs", "Date. The day (UTC) of the last point in the logs"),
        ("environment", "Date. The day that SOURCE_DATE_EPOCH sets."),
        ("", None),
    ],
)
def test_the_checklist_says_which_day_stands_under_the_title(made, dated, told):
    text = made.prose(reproducibility.build(replace(made.facts(), dated=dated)))
    assert (told in text) if told else ("Date." not in text)


def test_the_checklist_answers_from_the_evidence(made):
    facts = made.facts(
        split_sizes={"test": 2000},
        path="study.toml",
        stated={"splits.sizes.test": "study.toml"},
    )
    text = made.prose(reproducibility.build(facts))
    for words in (
        "pretrained: n = 3; random: n = 3.",
        "The sample standard deviation over seeds (ddof 1), and 95% intervals",
        "best validation accuracy; among equals the first one",
        "Split sizes. test 2,000.",
        "no model configuration was given",
    ):
        assert words in text
    assert number(made, facts, "checklist.test").sources == (
        Evidence(path="study.toml", tag="splits.sizes.test", value=2000),
    )


def test_other_statistics_are_named(made):
    plan = StatisticsPlan(ddof=0, confidence=0.9)
    text = made.prose(reproducibility.build(made.facts(statistics=plan)))
    assert "The population standard deviation over seeds (ddof 0), and 90% intervals" in text
    assert "Neither the logs nor a study file state them." in text


@pytest.mark.parametrize("count", [60, 61])
def test_more_than_sixty_files_are_cut_with_a_sentence(made, count):
    files = tuple(source(i) for i in range(count))
    facts = with_runs(
        made.facts(), lambda position, run: run if position else replace(run, sources=files)
    )
    assert len(table(made, facts, "hashes")) == 60
    text = made.prose(reproducibility.build(facts))
    assert ("The first 60 are listed; report.json has them all." in text) == (count > 60)
    assert f"in {count} files" in text
    assert len(number(made, facts, "files").sources) == count


def test_a_file_of_two_runs_is_one_file(made):
    facts = with_runs(made.facts(), lambda _, run: replace(run, sources=(source(7),)))
    assert table(made, facts, "hashes") == [["logs/7.log", "107", "000000000000"]]
    # The file holds all six runs: every run has its points, the file is one.
    assert number(made, facts, "files").value == 1
    assert number(made, facts, "points").value == 60
    assert sum(int(row[5]) for row in table(made, facts, "runs")) == 60


def test_the_folder_itself_as_run_has_the_name_of_the_folder(made):
    member = made.run("run", None, made.series("test", [float("nan")]), name=".")
    runs = Runs(root="logs/first", runs=(member,))
    facts = made.facts(runs=runs, groups=())
    assert table(made, facts, "runs")[0][0] == "first"
    text = made.prose(reproducibility.build(facts))
    assert "Missing: run, the only run: the run never logged accuracy on validation." in text


def test_a_model_of_unknown_family_is_not_called_counted(made):
    config = ModelConfig(
        source=source(1), model_type="mixformer", values={"model_type": "mixformer"}
    )
    facts = replace(made.facts(), model=describe_model("Mixformer", config))
    text = made.prose(reproducibility.build(facts))
    assert "Parameters. Not counted: model type 'mixformer': no formula is known" in text
    assert "Counted by formula" not in text


def test_tensors_without_a_formula_are_not_called_counted_by_formula(made, lab):
    stored = read_evidence(lab / "model" / "tensors.json", "model/tensors.json")
    config = ModelConfig(source=source(1), model_type="mixformer", values={})
    facts = replace(made.facts(), model=describe_model("Mixformer", config, stored))
    text = made.prose(reproducibility.build(facts))
    assert "Parameters. Added up by role as stored: model type 'mixformer': no formula" in text
    assert "ounted by formula" not in text


def test_a_warm_up_below_one_is_a_ratio(made):
    def change(position, run):
        return replace(run, config={"warmup_steps": 0.06 if position < 3 else 500})

    rows = table(made, with_runs(made.facts(), change), "hyperparameters")
    assert rows == [
        ["Warm-up steps", "not logged", "500"],
        ["Warm-up ratio", "0.06", "not logged"],
    ]


def test_counts_name_what_they_count(made):
    files = tuple(source(i, points=1) for i in range(101))
    facts = with_runs(
        made.facts(), lambda position, run: run if position else replace(run, sources=files)
    )
    count = number(made, facts, "files")
    assert (count.value, len(count.sources)) == (101, 100)
    assert count.method == "files read; the first 100 of 101 pieces of evidence are listed"
    assert number(made, facts, "file.logs_0_log.size").sources == (
        Evidence(path="logs/0.log", tag="size in bytes", value=100),
    )
    (last,) = number(made, facts, "run.pretrained_0.updates").sources
    assert (last.step, last.run) == (1125, "pretrained/0")


def test_runs_without_a_seed_of_their_own_are_not_said_to_differ_in_it(made):
    members = [made.run("a", 42, made.series("test", [60.0]), name=f"a/{i}") for i in range(2)]
    runs = Runs(root="", runs=tuple(members))
    text = made.prose(reproducibility.build(made.facts(runs=runs, groups=())))
    assert "Not every run has a known seed of its own" in text
    assert "differ in their seed alone" in made.prose(reproducibility.build(made.facts()))


def test_files_of_models_and_adapters_are_listed_too(made):
    config = ModelConfig(source=source(901), model_type="mixformer", values={})
    facts = replace(made.facts(), model=describe_model("Mixformer", config))
    facts = with_runs(facts, lambda _, run: replace(run, sources=(source(7),)))
    assert table(made, facts, "hashes") == [
        ["logs/901.log", "1,001", "000000000000"],
        ["logs/7.log", "107", "000000000000"],
    ]
    assert number(made, facts, "files").value == 1  # those of the runs alone


@pytest.mark.parametrize(
    ("select", "report", "cited"),
    [("validation", "test", True), ("test", "test", False), ("validation", "validation", False)],
)
def test_good_practice_is_cited_where_it_was_followed(made, select, report, cited):
    plan = MetricPlan(name="accuracy", direction="higher", select_on=select, report_on=report)
    text = made.prose(reproducibility.build(made.facts(metric=plan)))
    assert ("[dodge]" in text) == cited
    assert ("optimistic" in text) != cited
