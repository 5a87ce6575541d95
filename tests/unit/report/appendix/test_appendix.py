"""The appendix: true to the facts, without a column that says nothing, every float named."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from fakes.many_runs import write_runs
from fakes.odd_labs import LABS, write_lab
from fakes.row_facts import facts_of_row
from fakes.rows import rows_of

from reportgen.app.analysis import analyse
from reportgen.app.options import BuildOptions
from reportgen.records import document as doc
from reportgen.records.quantity import Missing, Quantity
from reportgen.records.run import Fate, Problem, Runs
from reportgen.records.study import MetricPlan
from reportgen.report import appendix

pytestmark = pytest.mark.slow
MOST_WORDS = 25
ODD = ("lost", "unequal_seeds", "rewards", "one_run", "far_units", "odd_names", "hugging_face")
BUILDERS = [getattr(appendix, name) for name in appendix.__all__]


def facts_of(logs, study=None):
    return analyse(BuildOptions(out=Path("-"), runs=logs, study=study, cache=None))


def sections_of(facts):
    return [section for build in BUILDERS if (section := build(facts)) is not None]


@pytest.fixture(scope="module")
def sample(project):
    home = project / "inputs" / "roberta-small-fr"
    return facts_of(home / "logs", home / "study.toml")


@pytest.fixture(scope="module")
def labs(tmp_path_factory, sample, made):
    """Facts by the name of their lab, read when first asked for."""
    home, read = tmp_path_factory.mktemp("labs"), {"sample": sample}

    def of(name):
        if name not in read and name in LABS:
            write_lab(name, home / name)
            read[name] = facts_of(home / name)
        elif name not in read and name.isdigit():
            write_runs(home / name, int(name), steps=20)
            read[name] = facts_of(home / name)
        elif name not in read:
            read[name] = facts_of_row(UNSELECTED[name])
        return read[name]

    return of


def is_unselected(row):
    """Say whether the runs of a row tell no split of which a best step could be chosen."""
    members = [run for several in row.get("groups", {}).values() for run in several]
    return "curves" in row or any(isinstance(run, dict) and "" in run for run in members)


HERE = Path(__file__).parents[1]
ROWS = [*rows_of(HERE / "findings/candidates.yaml"), *rows_of(HERE / "bodies.yaml")]
UNSELECTED = {row.get("why") or row["candidate"]: row for row in ROWS if is_unselected(row)}
EVERY = ("sample", *ODD, "1", "6", "60", "300", *UNSELECTED)


# --- promises of every lab ------------------------------------------------------------


@pytest.mark.parametrize("name", EVERY)
def test_every_table_and_figure_is_named_in_the_text_and_captions_are_short(made, labs, name):
    for section in sections_of(labs(name)):
        assert section.appendix
        blocks = list(doc.walk((section,)))
        named = {
            node.target
            for block in blocks
            for text in doc.texts(block)
            for node in doc.inlines(text)
            if isinstance(node, doc.Ref)
        }
        floats = [block for block in blocks if isinstance(block, doc.Table | doc.Figure)]
        assert {block.id for block in floats} <= named
        for block in floats:
            assert len(made.words(block.caption).split()) <= MOST_WORDS, made.words(block.caption)


@pytest.mark.parametrize("name", EVERY)
def test_no_column_is_constant_or_empty(made, labs, name):
    for section in sections_of(labs(name)):
        for table in made.tables(section).values():
            columns = zip(*made.grid(table), strict=True)
            for column, cells in list(zip(table.columns, columns, strict=True))[1:]:
                assert set(cells) - {"", "—"}, (table.id, column.title)
                # Values that are equal are still values.
                values = any(
                    isinstance(n, doc.Number) for r in table.rows for c in r.cells for n in c
                )
                alike = len(cells) > 2 and len(set(cells)) == 1
                assert not alike or (values and column.align == "decimal"), (table.id, column.title)


@pytest.mark.parametrize("name", EVERY)
def test_an_id_stands_for_one_number_and_no_value_is_printed_where_there_is_none(labs, name):
    found = {}
    for number in doc.numbers(doc.Report(title="", sections=tuple(sections_of(labs(name))))):
        assert found.setdefault(number.id, number) == number
        value = number.quantity
        assert isinstance(value, Quantity | Missing)
        assert isinstance(value, Missing) or value.value == value.value


# --- evaluations ----------------------------------------------------------------------


def test_one_run_has_a_column_for_each_split(made):
    facts = made.facts({("a", 0): ([50.5, 60.0], [51.5, 61.0])}, groups=())
    table = made.tables(appendix.build_evaluations(facts))["evaluations.table"]
    assert made.grid(table) == [["Test", "51.5", "61.0"], ["Validation", "50.5", "60.0"]]


def test_many_evaluations_have_a_row_each_and_pages_some_of_them(made):
    long = [50.0 + i / 10 for i in range(90)]
    facts = made.facts({("a", 0): (long, long), ("a", 1): (long, long)}, groups=())
    table = made.tables(appendix.build_evaluations(facts))["evaluations.table"]
    assert len(table.rows) == 90
    assert len(table.excerpt.rows) <= 20
    assert table.excerpt.rows[-1] == 89


def test_the_value_that_is_reported_is_always_printed(made):
    long = [50.0 + (i == 3) + i / 1000 for i in range(90)]
    facts = made.facts({("a", 0): (long, long), ("a", 1): (long, long)}, groups=())
    table = made.tables(appendix.build_evaluations(facts))["evaluations.table"]
    printed = [made.grid(table)[i] for i in table.excerpt.rows]
    assert ["4", "51.00", "51.00"] in [[cell.strip("*") for cell in row] for row in printed]
    many = {("a", seed): (long[:30], long[:30]) for seed in range(14)}
    table = made.tables(appendix.build_evaluations(made.facts(many, groups=())))[
        "evaluations.table"
    ]
    assert made.words(table.columns[-1].title) == "chosen"
    assert {made.words(row.cells[-1]) for row in table.rows} == {"51.00"}


def test_evaluations_that_nearly_coincide_share_a_column(made):
    runs = [
        made.run(name, 0, made.series("test", [50.0, 60.0, 70.0], steps=steps))
        for name, steps in (
            ("a", [460, 920, 1380]),
            ("b", [459, 918, 1377]),
            ("c", [460, 920, 1380]),
        )
    ]
    facts = made.unselected_facts(Runs(root="logs", runs=tuple(runs)), MetricPlan(name="accuracy"))
    table = made.tables(appendix.build_evaluations(facts))["evaluations.table"]
    assert [row[1:] for row in made.grid(table)] == [["50", "60", "70"]] * 3
    assert "step 460" in [made.words(column.title) for column in table.columns]
    assert made.words(table.notes[0]).startswith("Under a step stand values logged up to 0.5%")


def test_a_curve_without_a_value_at_the_only_evaluation_is_followed_by_step(made, tmp_path):
    history = [{"epoch": 0.3 * n, "loss": 1 / n, "step": 10 * n} for n in range(1, 10)]
    history.append({"epoch": 2.88, "step": 96, "train_loss": 0.3, "train_runtime": 9.0})
    state = {"log_history": history, "global_step": 96, "epoch": 2.88}
    (tmp_path / "trainer_state.json").write_text(json.dumps(state), encoding="utf-8")
    result = {"epoch": 2.88, "eval_loss": 0.25}
    (tmp_path / "eval_results.json").write_text(json.dumps(result), encoding="utf-8")
    section = appendix.build_evaluations(facts_of(tmp_path))
    assert len(made.tables(section)["evaluations.table"].rows) == 9


@pytest.mark.parametrize(("high", "figures"), [(0.9, 2), (0.25, 1)])
def test_losses_of_two_levels_share_no_band(made, high, figures):
    ends = [0.1 + i / 200 for i in range(12)] + [high + i / 200 for i in range(4)]
    runs = tuple(
        made.run(
            f"r{i:02}", None, made.series("test", [50.0, 60.0 + i]),
            made.series("train", [2 * end, end], metric="loss", unit=""),
        )
        for i, end in enumerate(ends)
    )  # fmt: skip
    section = appendix.build_evaluations(made.facts(runs=Runs(root="logs", runs=runs), groups=()))
    drawn = [b.id for b in doc.walk((section,)) if isinstance(b, doc.Figure) and "loss" in b.id]
    assert len(drawn) == figures


def test_a_metric_of_two_splits_has_an_id_for_each(made, sample):
    (loss,) = [metric for metric in sample.others.metrics if metric.name == "loss"]
    train = replace(loss, groups=tuple(replace(g, report_split="train") for g in loss.groups))
    facts = replace(sample, others=replace(sample.others, metrics=(loss, train)))
    table = made.tables(appendix.build_evaluations(facts))["evaluations.others"]
    cells = [one for row in table.rows for cell in row.cells for one in cell]
    ids = [one.id for one in cells if isinstance(one, doc.Number)]
    assert len(set(ids)) == len(ids)
    assert any(".train.loss." in one for one in ids)


# --- settings -------------------------------------------------------------------------


def test_settings_that_differ_stand_in_a_table_and_equal_ones_in_a_sentence(made, sample):
    section = appendix.build_settings(sample)
    rows = {row[0]: row[1:] for row in made.grid(made.tables(section)["settings.differences"])}
    assert rows["Start from"] == ["models/RoBERTa_small_fr/model.pt", "random_model", "—"]
    assert rows["Total updates"] == ["3125", "3125", "1125"]
    assert "Batch size" not in rows
    assert "Equal in all runs: epochs 5; batch size 8; updates made 1125." in made.prose(section)


def test_settings_that_never_repeat_or_that_some_lack_are_listed(made):
    configs = {
        n: {"c": 1, "d": 2, "name": n, "tau": t}
        for n, t in zip("abc", (0.1, 0.2, 0.3), strict=True)
    }
    configs["a"]["extra"] = "on"
    runs = tuple(
        replace(made.run(name, 0, made.series("test", [50.0, 60.0])), config=config)
        for name, config in configs.items()
    )
    section = appendix.build_settings(made.facts(runs=Runs(root="", runs=runs), groups=()))
    rows = {row[0]: row[1:] for row in made.grid(made.tables(section)["settings.differences"])}
    assert rows == {"tau": ["0.1", "0.2", "0.3"]}
    assert "Logged for a alone: extra on." in made.prose(section)


def test_what_runs_of_a_group_do_not_share_is_not_called_equal(made):
    runs = [
        replace(
            made.run("a", seed, made.series("test", [50.0])), config={"lr": lr, "batch_size": 8}
        )
        for seed, lr in enumerate((0.1, 0.2))
    ]
    facts = made.facts(runs=Runs(root="", runs=tuple(runs)), groups=())
    prose = made.prose(appendix.build_settings(facts))
    assert "Unequal within a group: peak learning rate 0.1; 0.2." in prose
    assert "Equal in all runs: batch size 8." in prose


def test_what_was_inferred_tells_nobody_what_to_do(made, sample):
    section = appendix.build_settings(sample)
    rows = made.grid(made.tables(section)["settings.inferred"])
    assert [row[0] for row in rows] == [decision.key for decision in sample.study.decisions]
    assert "study file may" not in made.show(section)
    assert "reportgen init" not in made.show(section)


# --- problems -------------------------------------------------------------------------


def problems_of(made, facts):
    section = appendix.build_problems(facts)
    return section, made.grid(made.tables(section)["problems.table"])


def test_problems_of_a_kind_name_three_places_and_count_the_rest(made):
    files = [f"logs/{i}/events.out.tfevents.1.host.{i}" for i in range(9)]
    problems = tuple(Problem(path=path, message="no point", level="note") for path in files)
    _, rows = problems_of(made, replace(made.facts(), problems=problems))
    assert rows == [["no point", "logs/: 0/, 1/, 2/ …", "9"]]


def test_missing_results_early_ends_and_lost_curves_are_problems(made):
    table = {("a", seed): ([60.0, 61.0, 62.0], [60.0, 61.0, 62.0]) for seed in range(4)}
    table["a", 3] = ([60.0, 61.0], [60.0, 61.0])
    runs = [*made.runs_of(table)]
    runs.append(made.run("a", 4, made.series("validation", [float("nan")] * 3)))
    loss = made.series("train", [1.0, float("nan")], metric="loss", unit="")
    runs[0] = replace(runs[0], scalars={**runs[0].scalars, "loss": loss})
    _, rows = problems_of(made, made.facts(runs=Runs(root="logs", runs=tuple(runs)), groups=()))
    told = {row[1]: row[2] if len(row) > 3 else row[-1] for row in [["", *row] for row in rows]}
    assert told["ends before the other runs of its group"] == "a/3 (step 450)"
    assert told["NaN or infinite to the end"] == "a/0 (step 450)"
    (why,) = [what for what in told if what.startswith("no result")]
    assert told[why] == "a/4"


def test_files_that_were_not_read_are_named(made):
    facts = made.facts()
    fates = (
        Fate(path="x/history.csv", kind="table", why="no step"),
        Fate(path="x/bad.log", kind="damaged"),
        Fate(path="x/notes.txt", kind="other"),
    )
    _, rows = problems_of(made, replace(facts, runs=replace(facts.runs, fates=fates)))
    assert rows == [
        ["looks like a log and was not read: no step", "x/history.csv"],
        ["damaged; what is sound was used", "x/bad.log"],
    ]


def test_what_was_not_there_is_one_line(made, sample, labs):
    assert "Not in the evidence" not in made.prose(appendix.build_files(sample))
    said = made.prose(appendix.build_files(labs("one_run")))
    assert said.count("Not in the evidence: a model configuration, ") == 1


def test_re_runs_say_who_made_them_and_what_is_without_them(made):
    runs = made.rerun(made.runs_of(made.SIX), ("pretrained", 1), notes=("the batch was halved",))
    section = appendix.build_problems(made.facts(runs=runs))
    table = made.tables(section)["problems.reruns"]
    assert made.grid(table) == [
        [
            *("pretrained", "1", "NVIDIA H200; stacked, 3 members", "2026-02-03"),
            *("torch 2.10.0, transformers 4.57.1, reportgen 0.2.0", "1,234"),
        ]
    ]
    assert [made.words(n) for n in table.notes] == ["pretrained, seed 1: the batch was halved."]
    text = made.prose(section)
    assert "1 of 6 runs was trained again by reportgen (<problems.reruns>)" in text
    assert "Without them pretrained has 81.4 and 80.1% (n = 2)." in text
    assert "as with another seed" in text


# --- runs and files -------------------------------------------------------------------


def test_runs_that_are_alike_share_a_row(made, sample):
    section = appendix.build_files(sample)
    rows = made.grid(made.tables(section)["files.runs"])
    assert [row[0] for row in rows] == ["pre-trained", "random start", "Hugging Face"]
    assert rows[2][1] == "huggingface/tiny_roberta/: 0, 1, 2"
    said = made.prose(section)
    assert "9 runs with 978 logged values. There are 42 files under" in said
    assert ": 33 read as logs, 3 of models, 6 known and skipped." in said


def test_every_digest_stands_in_the_table_and_few_on_pages(made, sample):
    table = made.tables(appendix.build_files(sample))["files.digests"]
    empty = {fate.path for fate in sample.runs.fates if fate.kind == "skipped"}
    found = {one.path: one.sha256 for run in sample.runs for one in run.sources}
    rows = dict(made.grid(table))
    assert {p: rows.get(p) for p in found} == {
        p: None if p in empty else d[:12] for p, d in found.items()
    }
    assert len(table.excerpt.rows) == 6
