"""Tables whose rows no word names: of which run they are, the rest of the row says."""

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


def test_a_row_is_of_the_run_that_the_rest_of_it_is_of(tmp_path):
    for run, losses in LOSSES.items():
        log = tmp_path / "logs" / run / "metrics.csv"
        log.parent.mkdir(parents=True)
        rows = [f"{n},{loss},{1.2 - float(loss):.4f}" for n, loss in enumerate(losses.split(), 1)]
        log.write_text("\n".join(["epoch,train_loss,val_acc", *rows, ""]))
    (tmp_path / "report.md").write_text(REPORT)
    (checked,) = reportgen.check(tmp_path / "report.md", runs=tmp_path / "logs")
    assert [one.outcome for one in checked.review.verdicts if one.number] == ["traced"] * 6
