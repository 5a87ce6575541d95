"""What one process wrote into a file, told by its counters; what is a habit is no session."""

import json
import sys
from types import ModuleType

import pytest
from fakes.rows import rows_beside

from reportgen.read.logs import LOADERS, LogSource, delimiter_of, load_tree, loader_of, sources
from reportgen.records import registry
from reportgen.records.errors import UsageError
from reportgen.records.registry import Entry

ROWS = rows_beside(__file__)


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


@pytest.mark.parametrize(("about", "steps", "expected"), ROWS["steps_in_the_order_of_the_file"])
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


@pytest.mark.parametrize(
    ("about", "name", "content"), ROWS["what_is_no_log_is_none_and_nothing_is_said"]
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


def test_a_line_or_a_cell_without_end_takes_no_memory(tmp_path, monkeypatch):
    monkeypatch.setattr("reportgen.read.logs.cut.LINE_LIMIT", 1000)
    long = "y" * 5000
    content = f'{{"step": 1, "loss": 1}}\n{{"step": 2, "x": "{long}"}}\n{{"step": 3, "loss": 3}}\n'
    (log,) = read(tmp_path, "log.jsonl", content)
    assert list(log.series["loss"].points()) == [(1, 1.0), (3, 3.0)]
    assert log.problems[0].offset == 23
    (log,) = read(tmp_path, "log.csv", "step,loss\n1,0.5\n2," + "x" * 200_000 + "\n3,0.4\n")
    assert list(log.series["loss"].points()) == [(1, 0.5)]
    assert "line 3 is no CSV: field larger" in log.problems[0].message


@pytest.mark.parametrize("mark", ["\ufeff", ""])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be"])
def test_what_windows_writes_is_read(tmp_path, encoding, mark):
    content = f"{mark}step,pr\u00e9cision\n1,0.1\nx,0.2\n3,0.3\n".encode(encoding)
    (log,) = read(tmp_path, "log.csv", content)
    assert list(log.series["pr\u00e9cision"].points()) == [(1, 0.1), (3, 0.3)]
    (problem,) = log.problems
    assert problem.message == "line 3 has no 'step' that is a whole number; left out"
    assert content[problem.offset :].decode(encoding).startswith("x,")
    assert log.source.size == len(content)


@pytest.mark.parametrize("count", ["9" * 5000, ",,,"])
def test_a_count_of_too_many_digits_is_none(tmp_path, count):
    lines = (
        f"| INFO | fairseq_cli.train | num. shared model params: {count} (num. trained: {count})\n"
        "| INFO | valid | epoch 001 | valid on 'valid' subset | accuracy 57 | num_updates 225\n"
    )
    path = tmp_path / "a.log"
    path.write_text(lines)
    (log,) = LOADERS.load("fairseq_log")(path, "a.log")
    assert log.config == {}
    assert list(log.series["valid/accuracy"].points()) == [(225, 57.0)]


def test_a_program_that_ended_before_its_first_epoch_is_named(tmp_path):
    crash = 'Traceback (most recent call last):\n  File "t.py", line 10\nRuntimeError: no memory'
    (tmp_path / "seed3.log").write_text(f"Using cuda\n{crash}")
    tree = load_tree(tmp_path)
    told = "the program ended with an error in line 4: RuntimeError: no memory"
    assert [(one.path, one.message) for one in tree.problems] == [("seed3.log", told)]
    assert tree.logs == ()
    went_on = "\n".join([crash, *["other things happen"] * 20])
    assert read(tmp_path, "train.log", went_on) == ()


@pytest.mark.parametrize(
    ("table", "mark"),
    [
        (b"step,;;\n1,0.5\n", ","),
        (b"step;loss\n1;0,5\n", ";"),
        (b'step,"a;b;c"\n1,0.5\n', ","),
        (b"step\tloss\n1\t2\n", "\t"),
        (b'step,"a\n1,0.5\n', ","),
    ],
)
def test_what_parts_two_lines_alike_parts_the_columns(table, mark):
    assert delimiter_of(table) == mark


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
