import pytest

from reportgen.read.logs import delimiter_of
from reportgen.read.logs.rows import load_metrics_csv
from reportgen.records.study import TablePlan


def load(tmp_path, text, name="metrics.csv", plan=None):
    path = tmp_path / name
    path.write_text(text)
    return load_metrics_csv(path, f"version_0/{name}", plan)


def test_a_table_without_steps_is_no_log(tmp_path):
    assert load(tmp_path, "name,size\na,1\n", "table.csv") == ()
    (log,) = load(tmp_path, "name,size\na,1\n")
    assert log.problems[0].message == "no step or epoch column: not a log"


def test_rows_that_cannot_be_used_are_named(tmp_path):
    (log,) = load(tmp_path, "step,loss\n1,0.5\nx,0.4\n3,0.3,9\n4,0.2\n")
    assert list(log.series["loss"].points()) == [(1, 0.5), (4, 0.2)]
    assert [(p.message[:6], p.offset) for p in log.problems] == [("line 3", 16), ("line 4", 22)]


def test_only_a_header(tmp_path):
    (log,) = load(tmp_path, "step,loss\n")
    assert log.problems[0].message == "only a header: no point was logged"


def test_a_cell_over_two_lines(tmp_path):
    (log,) = load(tmp_path, 'step,note,loss\n1,"a\nb",0.5\nx,c,0.4\n3,d,0.25\n', "log.csv")
    assert list(log.series["loss"].points()) == [(1, 0.5), (3, 0.25)]
    assert [(p.message, p.offset) for p in log.problems] == [
        ("line 4 has no 'step' that is a whole number; left out", 27)
    ]


def test_a_declared_column_that_is_not_there(tmp_path):
    (log,) = load(tmp_path, "step,loss\n1,0.5\n", "x.csv", TablePlan(step="iter"))
    assert log.problems[0].message == "no column 'iter', which [[logs.tables]] names: not read"
    assert log.problems[0].remedy == "its columns are step, loss"


def test_what_ends_a_file_early_is_named(tmp_path):
    (log,) = load(tmp_path, "step,loss\n1,0.5\n2," + "x" * 200_000 + "\n3,0.4\n")
    assert list(log.series["loss"].points()) == [(1, 0.5)]
    assert "line 3 is no CSV: field larger" in log.problems[0].message


def test_several_runs_in_one_file(tmp_path):
    text = "model,seed,epoch,val_acc\nsmall,0,1,0.5\nsmall,1,1,0.6\ntiny,0,1,0.4\nsmall,0,2,0.7\n"
    logs = load(tmp_path, text, "results.csv")
    assert [(log.run_key, list(log.series["val_acc"].points())) for log in logs] == [
        ("seed0", [(1, 0.4), (2, 0.7)]), ("seed1", [(1, 0.6)]),
    ]  # fmt: skip
    assert "1 of 3 values have the step of a later one" in logs[0].problems[0].message
    plan = TablePlan(epoch="epoch", runs=("model", "seed"))
    logs = load(tmp_path, text, "results.csv", plan)
    assert [(log.run_key, list(log.series["val_acc"].points())) for log in logs] == [
        ("small/seed0", [(1, 0.5), (2, 0.7)]), ("small/seed1", [(1, 0.6)]),
        ("tiny/seed0", [(1, 0.4)]),
    ]  # fmt: skip
    assert [log.problems for log in logs] == [(), (), ()]
    assert {log.source.path for log in logs} == {"version_0/results.csv"}


def test_a_file_of_one_seed_is_one_run(tmp_path):
    (log,) = load(tmp_path, "seed,step,loss\n3,1,0.5\n3,2,0.25\n", "log.csv")
    assert (log.run_key, log.config) == ("", {"seed": 3})
    assert list(log.series["loss"].points()) == [(1, 0.5), (2, 0.25)]


@pytest.mark.parametrize("last", ["3,0.", "3,1.5e", "3,2e-", "3,-", "3"])
def test_a_last_line_that_is_cut_off_is_left_out(tmp_path, last):
    (log,) = load(tmp_path, f"step,acc\n1,0.1\n2,0.25\n{last}")
    assert list(log.series["acc"].points()) == [(1, 0.1), (2, 0.25)]
    (problem,) = log.problems
    assert (problem.message, problem.offset) == ("the last line, 4, is cut off", 22)
    assert problem.level == "note"


def test_a_last_number_that_may_go_on_is_kept_and_said(tmp_path):
    (log,) = load(tmp_path, "step,acc\n1,0.1\n2,0.2")
    assert list(log.series["acc"].points()) == [(1, 0.1), (2, 0.2)]
    (problem,) = log.problems
    assert problem.message == "the last line, 3, has no line end: '0.2' may be half a number"
    assert problem.level == "note"


@pytest.mark.parametrize("last", ["2,0.2,\n", "2,0.2,\r", "2,0.2,", "2,0.2,done"])
def test_a_last_line_that_cannot_go_on_is_no_problem(tmp_path, last):
    (log,) = load(tmp_path, f"step,acc,note\n1,0.1,\n{last}")
    assert list(log.series["acc"].points()) == [(1, 0.1), (2, 0.2)]
    assert log.problems == ()


@pytest.mark.parametrize(
    ("text", "count", "first"),
    [
        ("step,acc\n1,0.8\n2,0.9O\n3,0.7\n", "1 of 3", "line 3: '0.9O'"),
        ("step,acc\n1,80%\n2,85.5%\n3,0.9\n", "2 of 3", "line 2: '80%'"),
        ("step;acc\n1;12.34,5\n2;1,2\n", "1 of 2", "line 2: '12.34,5 (?)'"),
    ],
)
def test_cells_that_are_no_numbers_are_said_once_a_column(tmp_path, text, count, first):
    (log,) = load(tmp_path, text)
    (problem,) = log.problems
    assert problem.level == "warning"
    assert problem.message == (
        f"acc: {count} values are no numbers and are left out, the first in {first}"
    )


def test_cells_that_say_that_they_are_empty_and_columns_of_words_are_no_problem(tmp_path):
    text = "epoch,acc,val_acc,note\n1,0.5,NA,warm\n2,0.6,-,3f2a\n3,0.7,0.5,\n"
    (log,) = load(tmp_path, text)
    assert list(log.series["val_acc"].points()) == [(3, 0.5)]
    assert log.problems == ()


def test_a_quote_that_nothing_closes_is_said(tmp_path):
    (log,) = load(tmp_path, 'step,acc,note\n0,0.05,"a\nb"\n1,0.1,"oops\n2,0.2,x\n3,0.3,y\n')
    assert list(log.series["acc"].points()) == [(0, 0.05), (1, 0.1)]
    (problem,) = log.problems
    assert (problem.message, problem.level, problem.offset) == (
        "line 4 opens a quote that nothing closes: the 2 lines after it are not read",
        "warning", 27,
    )  # fmt: skip


def test_a_quote_that_is_still_open_in_the_last_line_is_its_end(tmp_path):
    (log,) = load(tmp_path, 'step,acc,note\n1,0.1,x\n2,0.2,"wa')
    assert list(log.series["acc"].points()) == [(1, 0.1)]
    assert [p.message for p in log.problems] == ["the last line, 3, is cut off"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('step,acc,"note\n1,0.1,x\n', "line 1 opens a quote that nothing closes: the line after "),
        ('step,acc,note\n1,0.1,"x\n', "line 2 opens a quote that nothing closes"),
    ],
)
def test_a_quote_in_the_first_or_last_line(tmp_path, text, said):
    (log,) = load(tmp_path, text)
    assert log.problems[0].message.startswith(said)


def test_columns_of_one_name_are_said(tmp_path):
    (log,) = load(tmp_path, "step,acc,acc,,,loss\n1,0.1,0.9,,,1\n2,0.2,0.8,,,2\n")
    assert list(log.series["acc"].points()) == [(1, 0.9), (2, 0.8)]
    (problem,) = log.problems
    assert (problem.message, problem.level) == (
        "2 columns are called 'acc': the last of them is read", "warning",
    )  # fmt: skip
    assert problem.remedy == "give each column a name of its own"


@pytest.mark.parametrize("mark", ["\ufeff", ""])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be"])
def test_what_windows_writes_is_read(tmp_path, encoding, mark):
    path = tmp_path / "log.csv"
    path.write_bytes(f"{mark}step,pr\u00e9cision\n1,0.1\nx,0.2\n3,0.3\n".encode(encoding))
    (log,) = load_metrics_csv(path, path.name)
    assert list(log.series["pr\u00e9cision"].points()) == [(1, 0.1), (3, 0.3)]
    (problem,) = log.problems
    assert problem.message == "line 3 has no 'step' that is a whole number; left out"
    assert path.read_bytes()[problem.offset :].decode(encoding).startswith("x,")
    assert log.source.size == path.stat().st_size


def test_a_file_that_says_utf_16_and_is_cut_inside_a_letter(tmp_path):
    path = tmp_path / "log.csv"
    path.write_bytes("step,acc\n1,0.1\n2,0.25".encode("utf-16")[:-1])
    (log,) = load_metrics_csv(path, path.name)
    assert list(log.series["acc"].points()) == [(1, 0.1), (2, 0.2)]
    (problem,) = log.problems
    assert problem.message == "the last line, 3, has no line end: '0.2' may be half a number"


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
