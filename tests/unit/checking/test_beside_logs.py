"""What a check says of reports beside logs that lie in files."""

import reportgen

LOSSES = {
    "ours/seed0": "0.4243 0.3940 0.3793 0.3834 0.3683 0.3571 0.3692 0.3524 0.3613 0.3518",
    "ours/seed1": "0.4219 0.3969 0.3932 0.3713 0.3618 0.3593 0.3619 0.3502 0.3516 0.3561",
    "ours/seed2": "0.4300 0.4043 0.3933 0.3846 0.3726 0.3673 0.3658 0.3475 0.3511 0.3453",
    "base/seed0": "0.4703 0.4548 0.4333 0.4164 0.4146 0.4136 0.4018 0.4164 0.3961 0.4033",
    "base/seed1": "0.4781 0.4457 0.4366 0.4293 0.4104 0.4174 0.4026 0.4004 0.4094 0.4075",
    "base/seed2": "0.4678 0.4513 0.4421 0.4269 0.4190 0.4070 0.4032 0.4028 0.3998 0.3975",
}
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


BATCHES = """epoch,batch,loss,val_loss
1,100,2.3000,
1,200,1.8000,
1,300,1.7000,1.8000
2,100,0.9000,
2,200,0.8500,
2,300,0.8100,0.9000
3,100,0.7000,
3,200,0.6500,
3,300,0.6100,0.7000
"""


def test_of_rows_that_reading_left_out_nobody_knows_better(tmp_path):
    log = tmp_path / "logs" / "log.csv"
    log.parent.mkdir()
    log.write_text(BATCHES)
    report = "At epoch 1, batch 200, the training loss was 1.8000.\n"
    assert "contradicted" not in outcomes(tmp_path, report)
