"""What one process wrote into a file, told by its counters; what is a habit is no session."""

import json
import sys
from types import ModuleType

import pytest

from reportgen.read.logs import LOADERS, LogSource, load_tree, loader_of, sources
from reportgen.records import registry
from reportgen.records.errors import UsageError
from reportgen.records.registry import Entry
from reportgen.records.study import TablePlan


def read(folder, name, content):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return LOADERS.load(loader_of(name))(path, name)


def sheet(*columns, steps, head="step"):
    """Return a CSV whose cells are the numbers of their rows, empty where a column is None."""
    rows = [f"{head},{','.join(columns)}", *(f"{s},{n}" for n, s in enumerate(steps))]
    return "\n".join(rows) + "\n"


def sessions(logs, tag):
    return [[step for step, _ in log.series[tag].points()] for log in logs if tag in log.series]


@pytest.mark.parametrize(
    ("about", "steps", "expected"),
    [
        ("one training", [1, 2, 3], [[1, 2, 3]]),
        ("begins anew", [1, 2, 3, 1, 2], [[1, 2, 3], [1, 2]]),
        ("goes on from the middle", [1, 2, 3, 4, 3, 4, 5], [[1, 2, 3, 4], [3, 4, 5]]),
        ("repeats an epoch and goes on", [1, 2, 3, 3, 4], [[1, 2, 3], [3, 4]]),
        ("evaluates again at the end", [1, 2, 3, 3], [[1, 2, 3], [3]]),
        ("three processes", [0, 5, 10, 5, 10, 15, 10, 15], [[0, 5, 10], [5, 10, 15], [10, 15]]),
        ("stops after one row", [1, 2, 3, 4, 2], [[1, 2, 3, 4], [2]]),
        ("many restarts", [*range(1, 7)] * 6, [[*range(1, 7)]] * 6),
        ("others from the start", [9, 41, 80, 99, 20, 39, 60], [[9, 41, 80, 99], [20, 39, 60]]),
        ("out of order", [1, 3, 2, 5, 4, 6, 8, 7], [[1, 2, 3, 4, 5, 6, 7, 8]]),
        ("sorted the other way", [9, 7, 5, 3], [[3, 5, 7, 9]]),
        ("a habit of repeating", [1, 1, 1, 2, 2, 3, 3], [[1, 2, 3]]),
        ("one step alone", [4, 4], [[4]]),
    ],
)  # fmt: skip
def test_steps_in_the_order_of_the_file(tmp_path, about, steps, expected):
    logs = read(tmp_path, "log.csv", sheet("loss", steps=steps))
    assert sessions(logs, "loss") == expected, about
    assert [log.session for log in logs] == list(range(len(expected)))
    rows = "".join(json.dumps({"iter": s, "loss": n}) + "\n" for n, s in enumerate(steps))
    assert sessions(read(tmp_path, "log.jsonl", rows), "loss") == expected, about


STEPS = ("step", "global_step", "_step", "Iteration", "iter", "num_updates", "epoch")
LOSS = {"loss": [(1, 0.5), (2, 0.25)]}
CASES = [
    *(("x.csv", f"{step},loss\n1,0.5\n2,0.25\n", LOSS) for step in STEPS),
    *(("x.jsonl", f'{{"{step}": 1, "loss": 0.5}}\n{{"{step}": 2, "loss": 0.25}}', LOSS)
      for step in STEPS),
    ("x.tsv", "step\tloss\n1\t0.5\n2\t0.25\n", LOSS),
    ("x.csv", "step;loss\n1;0,5\n2;0,25\n", LOSS),
    ("x.csv", "step,loss,note\n1,0.5,warm\n2,0.25,cold\n", LOSS),
    ("x.csv", "epoch,step,loss,acc\n0,1,,0.9\n0,1,0.5,\n1,2,0.25,\n", LOSS | {"acc": [(1, 0.9)]}),
    ("x.csv", "epoch,split,acc\n1,train,0.5\n1,val,0.4\n",
     {"train/acc": [(1, 0.5)], "val/acc": [(1, 0.4)]}),
    ("x.jsonl", '{"epoch": 1, "mode": "train", "a": 1}\n{"epoch": 1, "mode": "val", "a": 2}\n',
     {"train/a": [(1, 1.0)], "val/a": [(1, 2.0)]}),
    ("x.csv", "step,tag,value\n1,loss,0.5\n1,acc,2\n2,loss,0.25\n", LOSS | {"acc": [(1, 2.0)]}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "content", "expected"), CASES)
def test_a_table_in_any_form(tmp_path, name, content, expected):
    (log,) = read(tmp_path, name, content)
    found = {tag: [*one.points()] for tag, one in log.series.items()}
    epochs = found.pop("epoch", None)
    assert (found, log.problems) == (expected, ())
    assert (epochs is None) == ("epoch" not in content)


DECLARED = [
    (
        TablePlan(step="it", epoch="ep", time="t", split="in", columns={"a": "acc"}, delimiter="|"),
        "it|ep|t|in|a|b\n10|1|2024-01-01T00:00:00|dev|1|1\n20|2|2024-01-01T00:00:10+00:00|dev|2|2",
        {"dev/acc": [(10, 1.0), (20, 2.0)], "epoch": [(10, 1.0), (20, 2.0)]},
        [1704067200.0, 1704067210.0],
    ),
    (
        TablePlan(step="n", tag="what", value="v", columns={"acc": "valid/acc"}, delimiter="|"),
        "n|what|v\n1|acc|0.5\n1|loss|2\n2|acc|0.75\n2||3\n2|acc|",
        {"valid/acc": [(1, 0.5), (2, 0.75)]},
        [],
    ),
]


@pytest.mark.parametrize(("plan", "table", "expected", "times"), DECLARED)
@pytest.mark.parametrize("kind", ["metrics_csv", "json_lines"])
def test_a_table_that_the_study_declares(tmp_path, kind, plan, table, expected, times):
    head, *rows = [line.split("|") for line in table.splitlines()]
    cells = [[float(v) if v.replace(".", "").isdigit() else v for v in row] for row in rows]
    told = [dict(zip(head, row, strict=True)) for row in cells]
    path = tmp_path / "x.txt"
    path.write_text(table if kind == "metrics_csv" else "\n".join(map(json.dumps, told)))
    (log,) = LOADERS.load(kind)(path, path.name, plan)
    assert {tag: [*one.points()] for tag, one in log.series.items()} == expected
    for tag in ["epoch"] if times else []:
        assert log.series[tag].wall_times.tolist() == times


@pytest.mark.parametrize(
    ("about", "content"),
    [
        ("rows that fill other columns", "step,train,val\n1,1,\n2,1,\n3,1,\n1,,1\n2,,1\n3,,1\n"),
        ("a column of splits", "epoch,split,acc\n1,train,1\n2,train,2\n1,val,1\n2,val,2\n"),
        ("the same value again", "step,acc\n1,0.5\n2,0.7\n2,0.7\n"),
        ("sparse rows of Lightning", "epoch,step,a,b\n0,9,1,\n0,9,,2\n1,19,3,\n1,19,,4\n"),
    ],
)
def test_one_process(tmp_path, about, content):
    (log,) = read(tmp_path, "log.csv", content)
    assert (log.session, log.problems) == (0, ()), about


def test_a_header_again_begins_a_session_even_where_steps_go_on(tmp_path):
    first, second = read(tmp_path, "log.csv", "step,acc\n1,1\n2,2\nstep,acc\n3,3\n")
    assert sessions((first, second), "acc") == [[1, 2], [3]]
    assert first.problems == second.problems == ()


def test_a_header_again_may_name_other_columns(tmp_path):
    first, second = read(tmp_path, "log.csv", "step,acc\n1,1\n2,2\nstep,loss,acc\n2,7,3\n")
    assert sessions((first, second), "acc") == [[1, 2], [2]]
    assert list(second.series["loss"].points()) == [(2, 7.0)]


def test_each_session_of_each_run(tmp_path):
    rows = [f"{m},{e},{n}" for n, (m, e) in enumerate([("a", 1), ("b", 1), ("a", 2), ("b", 2),
            ("a", 2), ("b", 3), ("a", 3), ("b", 4)])]  # fmt: skip
    logs = read(tmp_path, "r.csv", "run,epoch,acc\n" + "\n".join(rows) + "\n")
    assert [(log.run_key, log.session) for log in logs] == [("a", 0), ("a", 1), ("b", 0)]
    assert sessions(logs, "acc") == [[1, 2], [2, 3], [1, 2, 3, 4]]


def test_both_columns_of_a_session_begin_with_its_first_row(tmp_path):
    rows = "1,5,\n1,,6\n2,5,\n2,,6\n3,5,\n2,8,\n2,,7\n3,8,\n3,,9\n"
    first, second = read(tmp_path, "log.csv", "step,train,val\n" + rows)
    assert sessions((first, second), "val") == [[1, 2], [2, 3]]
    assert sessions((first, second), "train") == [[1, 2, 3], [2, 3]]


# --- clocks ---------------------------------------------------------------------------------


def test_rows_that_state_only_an_epoch_count_epochs(tmp_path):
    rows = [{"step": 10, "epoch": 1, "loss": 2}, {"epoch": 1, "acc": 0.5},
            {"step": 20, "epoch": 2, "loss": 1}, {"epoch": 2, "acc": 0.7}]  # fmt: skip
    (log,) = read(tmp_path, "log.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    assert (log.series["acc"].clock, log.series["loss"].clock) == ("epoch", "")
    assert list(log.series["acc"].points()) == [(1, 0.5), (2, 0.7)]
    assert list(log.series["loss"].points()) == [(10, 2.0), (20, 1.0)]


@pytest.mark.parametrize("head", ["Epoch", "epochs", "current epoch"])
def test_whatever_an_epoch_is_called_it_is_a_series(tmp_path, head):
    (log,) = read(tmp_path, "log.csv", f"{head},Step,acc\n1,9,0.5\n2,18,0.7\n")
    assert list(log.series["epoch"].points()) == [(9, 1.0), (18, 2.0)]
    assert set(log.series) == {"epoch", "acc"}


def test_a_resume_of_a_log_whose_iterations_restart_in_every_epoch(tmp_path):
    epochs = [1, 1, 2, 2, 3, 3, 2, 2, 3, 3]
    rows = [{"epoch": e, "iter": 50 * (1 + n % 2), "loss": n} for n, e in enumerate(epochs)]
    logs = read(tmp_path, "x.log.json", "".join(json.dumps(row) + "\n" for row in rows))
    assert sessions(logs, "loss") == [[1, 2, 3], [2, 3]]
    (problem,) = logs[0].problems
    assert problem.message.startswith("the step begins anew in every epoch: the epoch counts")


def test_iterations_restart_in_every_epoch_beside_rows_that_state_only_the_epoch(tmp_path):
    rows = []
    for epoch in (1, 2, 3):
        rows += [{"epoch": epoch, "iter": 50 * n, "loss": 1 / n / epoch} for n in (1, 2)]
        rows.append({"epoch": epoch, "val_acc": 0.5 + epoch / 10})
    (log,) = read(tmp_path, "x.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    assert list(log.series["val_acc"].points()) == [(1, 0.6), (2, 0.7), (3, 0.8)]
    assert log.series["loss"].steps.tolist() == [1, 2, 3]


# --- what is a log, and what is said of what is none ------------------------------------------


@pytest.mark.parametrize(
    ("about", "name", "content"),
    [
        ("a data set", "people.csv", "age,height\n3,1.1\n4,1.2\n"),
        ("a data set with a loss", "claims.csv", "age,loss\n3,1.1\n4,1.2\n"),
        ("results of models", "table.csv", "model,acc,f1\na,0.5,0.4\nb,0.6,0.5\n"),
        ("lines of texts", "train.jsonl", '{"text": "the last step", "label": 1}\n' * 9),
        ("settings", "eval_config.json", '{"batch": 8, "beams": 4}'),
        ("a database", "a.db", "no database"),
        ("another args.yml", "args.yml", "- a\n- b\n"),
        ("a run.json", "run.json", '{"cmd": "x"}'),
    ],
)
def test_what_is_no_log_is_none_and_nothing_is_said(tmp_path, about, name, content):
    assert [log for log in read(tmp_path, name, content) if log.series or log.problems] == [], about


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("h.csv", "model part,train loss,val loss\na,1,2\nb,1,2\n"),
        ("h.jsonl", '{"epoch": 0.5, "val loss": 1}\n{"epoch": 0.75, "val loss": 1}\n'),
    ],
)
def test_a_table_that_looks_like_a_log_says_what_makes_it_readable(tmp_path, name, content):
    (tmp_path / name).write_text(content)
    (problem,) = load_tree(tmp_path).problems
    assert "'val loss'" in problem.message
    assert f'[[logs.tables]] match = "*/{name}", step = ' in problem.remedy


def test_a_table_of_how_far_a_run_is_measures_nothing(tmp_path):
    (tmp_path / "progress.csv").write_text("Iteration,Progress\n1,0.001\n2,0.002\n")
    tree = load_tree(tmp_path)
    assert not any(log.series for log in tree.logs)
    messages = [problem.message for problem in tree.problems]
    assert any("beside 'Iteration' holds plain numbers of what was measured" in m for m in messages)


def test_lines_that_are_no_rows_are_counted_wherever_they_are(tmp_path):
    rows = "".join(f'{{"step": {n}, "acc": {n}}}\n' for n in range(3))
    noise = "warning: slow\n" * 60
    (log,) = read(tmp_path, "log.jsonl", noise + rows + "Traceback:\n  File x\n")
    assert len(log.series["acc"]) == 3
    messages = [p.message for p in log.problems]
    assert messages[0] == "line 1 is no JSON object; left out"
    assert messages[-1] == "42 more lines like these"


@pytest.mark.parametrize("name", ["log.csv", "log.jsonl", "log.json"])
def test_sides_that_were_not_merged_are_named_and_the_first_is_read(tmp_path, name):
    sides = {"log.csv": ["1,1", "2,2", "2,9", "3,3"]}.get(
        name, [f'{{"step": {s}, "acc": {v}}}' for s, v in ((1, 1), (2, 2), (2, 9), (3, 3))]
    )
    begin, end, comma = {"log.csv": ("step,acc\n", "", ""), "log.json": ("[\n", "]\n", ",")}.get(
        name, ("", "", "")
    )
    text = (
        f"{begin}{sides[0]}{comma}\n<<<<<<< HEAD\n{sides[1]}{comma}\n=======\n{sides[2]}{comma}\n"
        f">>>>>>> other\n{sides[3]}\n{end}"
    )
    (tmp_path / name).write_text(text)
    (log,) = load_tree(tmp_path).logs
    assert list(log.series["acc"].points()) == [(1, 1.0), (2, 2.0), (3, 3.0)]
    (problem,) = log.problems
    line = 2 + begin.count("\n")
    assert problem.message.startswith(f"an unresolved merge of git from line {line} on")


def test_a_key_that_stands_twice_is_named(tmp_path):
    (log,) = read(tmp_path, "log.jsonl", '{"step": 1, "acc": 1}\n{"step": 2, "acc": 1, "acc": 3}\n')
    assert list(log.series["acc"].points()) == [(1, 1.0), (2, 3.0)]
    assert [p.message for p in log.problems] == [
        "line 2 states 'acc' twice in one object: the last value is read"
    ]


def test_numbers_and_lists_of_any_length_do_no_harm(tmp_path):
    rows = ['{"step": 1, "acc": 1}', '{"step": 2, "acc": 1' + "0" * 5000 + "}",
            '{"step": 3, "acc": 3, "w": [' + "1," * 100_000 + "1]}"]  # fmt: skip
    (log,) = read(tmp_path, "log.jsonl", "\n".join(rows) + "\n")
    assert list(log.series["acc"].points()) == [(1, 1.0), (3, 3.0)]


@pytest.fixture
def bring(monkeypatch):
    """Have an installed package bring something by its entry point."""
    kept = (sources.all_sources, sources._named)

    def forget():
        for one in kept:
            one.cache_clear()

    def bring(brought):
        module = ModuleType("mine")
        vars(module).update({} if brought is None else {"SOURCES": brought})
        monkeypatch.setitem(sys.modules, "mine", module)
        found = {"mine": Entry("mine:SOURCES", "package lab-mine")}
        monkeypatch.setattr(registry, "entries_of_others", lambda _: found)
        forget()

    yield bring
    monkeypatch.undo()
    forget()


def test_a_source_of_another_package(tmp_path, bring):
    brought = LogSource(
        name="mine", about="mine", kind="metrics_csv", cut="rows", look=("tick", "goodness"),
        program="mine", step=("tick",), tags={"goodness": "val/goodness"},
    )  # fmt: skip
    bring(brought)
    (log,) = read(tmp_path, "mine.csv", "tick,goodness\n3,0.5\n6,0.7\n")
    assert (log.program, list(log.series["val/goodness"].points())) == (
        "mine",
        [(3, 0.5), (6, 0.7)],
    )


@pytest.mark.parametrize("rows", [[3, 6], [3]])
def test_a_source_has_a_step_settings_and_files_of_its_own(tmp_path, bring, rows):
    brought = LogSource(
        name="mine", about="mine", kind="json_lines", cut="rows", match=("*.ticks",),
        look=("tick",), program="mine", step=("tick",), settings=("conf",), dropped=("ev",),
        tags={"goodness": "val/goodness"},
    )  # fmt: skip
    bring((brought,))
    head = [{"ev": "begin", "conf": {"lr": 0.1}}] if rows[1:] else []
    ticks = [{"ev": "tick", "tick": step, "goodness": 0.5} for step in rows]
    content = "".join(json.dumps(one) + "\n" for one in (*head, *ticks))
    (log,) = read(tmp_path, "run.ticks", content)
    assert (log.program, set(log.series)) == ("mine", {"val/goodness"})
    assert list(log.series["val/goodness"].points()) == [(step, 0.5) for step in rows]
    assert log.config == ({"ev": "begin", "lr": 0.1} if head else {})
    (tmp_path / "other.jsonl").write_text(content)
    assert LOADERS.load("json_lines")(tmp_path / "other.jsonl", "other.jsonl") == ()


def test_the_step_of_a_source_is_a_tag_of_the_files_of_others(tmp_path, bring):
    brought = LogSource(
        name="a", about="", kind="json_lines", cut="rows", look=("tick", "mine"),
        step=("tick",), program="mine",
    )  # fmt: skip
    bring(brought)
    rows = [{"tick": n} for n in range(300)] + [{"step": n, "tick": 7, "loss": n} for n in (1, 2)]
    (log,) = read(tmp_path, "log.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    assert (log.program, list(log.series["loss"].points())) == ("", [(1, 1.0), (2, 2.0)])


def test_the_names_of_a_source_are_those_of_its_own_files_alone(bring):
    bring(LogSource(name="a", about="", kind="json_lines", cut="rows", match=("*.tick",)))
    assert [loader_of(name) for name in ("a/b.tick", "a/b.ticks", "b.csv")] == [
        "json_lines", "", "metrics_csv",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("brought", "said"),
    [
        (None, "fails: AttributeError"),
        ("mine", "is no LogSource"),
        (LogSource(name="a", about="", kind="rows", cut="rows"), "is of kind 'rows'"),
    ],
)
def test_a_package_that_brings_no_source_is_named(bring, brought, said):
    bring(brought)
    with pytest.raises(UsageError, match="source of logs 'mine' of the package lab-mine") as fault:
        sources.all_sources()
    assert said in str(fault.value)
