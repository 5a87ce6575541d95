"""Numbers of a table with marks: commas, points between thousands, signs of percent."""

from reportgen.read.logs import load_tree


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


def test_a_mark_that_may_be_either_is_no_number(tmp_path):
    content = 'epoch,val_acc\n1,"1,406"\n2,"1,306"\n'
    curves, [(message, remedy)] = load(tmp_path, content)
    assert curves == {}
    assert "no column beside 'epoch' holds plain numbers" in message
    assert "plain number" in remedy


def test_a_table_without_names_is_told_so(tmp_path):
    _, [(message, remedy)] = load(tmp_path, "0,1.4,0.5\n1,1.2,0.6\n")
    assert "its first line names no columns" in message
    assert "step =" not in remedy


def test_what_numbers_runs_is_no_step(tmp_path):
    _, [(_, remedy)] = load(tmp_path, "trial,test_acc\n1,0.80\n2,0.81\n3,0.79\n")
    assert 'step = "trial"' not in remedy
    assert "call a column `run`" in remedy
