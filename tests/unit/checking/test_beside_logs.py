"""What a check says of reports beside logs that lie in files."""

from fakes.rows import rows_beside

import reportgen

ROWS = rows_beside(__file__)
LOSSES = ROWS["losses"]
REPORT = """
| Epoch | val error | train loss |
|---|---|---|
| 4 | 0.1713 | 0.3713 |
| 5 | 0.1618 | 0.3618 |
"""


def outcomes(folder, report):
    (folder / "report.md").write_text(report)
    (checked,) = reportgen.check(folder / "report.md", runs=folder / "logs")
    return [one.outcome for one in checked.review.verdicts if one.number]


def test_a_row_is_of_the_run_that_the_rest_of_it_is_of(tmp_path):
    for run, losses in LOSSES.items():
        log = tmp_path / "logs" / run / "metrics.csv"
        log.parent.mkdir(parents=True)
        rows = [f"{n},{loss},{1.2 - float(loss):.4f}" for n, loss in enumerate(losses.split(), 1)]
        log.write_text("\n".join(["epoch,train_loss,val_acc", *rows, ""]))
    assert outcomes(tmp_path, REPORT) == ["traced"] * 6


BATCHES = ROWS["batches"]


def test_of_rows_that_reading_left_out_nobody_knows_better(tmp_path):
    log = tmp_path / "logs" / "log.csv"
    log.parent.mkdir()
    log.write_text(BATCHES)
    report = "At epoch 1, batch 200, the training loss was 1.8000.\n"
    assert "contradicted" not in outcomes(tmp_path, report)
