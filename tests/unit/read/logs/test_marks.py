"""Numbers of a table with marks: commas, points between thousands, signs of percent."""

import pytest

from reportgen.read.logs import load_tree

TABLES = {
    "quoted decimal commas": (
        'epoch,val_acc\n1,"0,5129"\n2,"1,603"\n',
        {"val_acc": [(1, 0.5129), (2, 1.603)]},
    ),
    "thousands beside decimal points": (
        'step,val_acc\n500,0.5129\n"1,500",0.603\n"1,250,000",0.7\n',
        {"val_acc": [(500, 0.5129), (1500, 0.603), (1250000, 0.7)]},
    ),
    "thousands beside numbers below": (
        'step,val_acc\n"500",1\n"1,500",2\n',
        {"val_acc": [(500, 1), (1500, 2)]},
    ),
    "points between thousands": (
        "epoch;images;val_loss\n1;900;1,25\n2;1.800;1.234,5\n",
        {"images": [(1, 900), (2, 1800)], "val_loss": [(1, 1.25), (2, 1234.5)]},
    ),
    "percent": (
        "Epoch,Valid Acc (%)\n1,51.29%\n2,60.30 %\n",
        {"Valid Acc (%)": [(1, 51.29), (2, 60.3)]},
    ),
    "percent with decimal commas": (
        "epoch\tval_acc\n1\t51,3 %\n2\t61,4 %\n",
        {"val_acc": [(1, 51.3), (2, 61.4)]},
    ),
}


def load(tmp_path, content):
    (tmp_path / "log.csv").write_text(content, encoding="utf-8")
    tree = load_tree(tmp_path)
    curves = {
        tag: list(series.points())
        for log in tree.logs
        for tag, series in log.series.items()
        if tag != "epoch"
    }
    told = [(p.message, p.remedy) for log in tree.logs for p in log.problems]
    return curves, told + [(p.message, p.remedy) for p in tree.problems]


@pytest.mark.parametrize("name", TABLES)
def test_marks_that_the_whole_table_explains(tmp_path, name):
    content, wanted = TABLES[name]
    assert load(tmp_path, content) == (wanted, [])


def test_a_mark_that_may_be_either_is_no_number(tmp_path):
    content = 'epoch,val_acc\n1,"1,406"\n2,"1,306"\n'
    curves, [(message, remedy)] = load(tmp_path, content)
    assert curves == {}
    assert "no column beside 'epoch' holds plain numbers" in message
    assert "plain number" in remedy


def test_a_column_of_which_some_are_percent_is_named(tmp_path):
    curves, [(message, _)] = load(tmp_path, "epoch,loss,acc\n1,1.5,51%\n2,1.2,0.61\n3,1.1,71%\n")
    assert curves["acc"] == [(2, 0.61)]
    assert "acc: 2 of 3 values are no numbers" in message


def test_a_table_without_names_is_told_so(tmp_path):
    _, [(message, remedy)] = load(tmp_path, "0,1.4,0.5\n1,1.2,0.6\n")
    assert "its first line names no columns" in message
    assert "step =" not in remedy


def test_what_numbers_runs_is_no_step(tmp_path):
    _, [(_, remedy)] = load(tmp_path, "trial,test_acc\n1,0.80\n2,0.81\n3,0.79\n")
    assert 'step = "trial"' not in remedy
    assert "call a column `run`" in remedy
