"""Lightning's test after training, one step behind the last validation: of whose weights?"""

import pandas as pd
import pytest

from reportgen.app.analysis import analyse
from reportgen.app.options import BuildOptions

HEADER = "epoch,step,test_accuracy,test_loss,val_accuracy,val_loss\n"
FIT = "0,781,,,0.75,0.7\n1,1563,,,0.8,0.6\n2,2345,,,0.85,0.5\n"


@pytest.fixture
def selected(tmp_path):
    """Return the only run's result, chosen by accuracy."""

    def of(content):
        folder = tmp_path / "lightning_logs" / "version_0"
        folder.mkdir(parents=True)
        (folder / "metrics.csv").write_text(content)
        settings = {"metric": "accuracy"}
        options = BuildOptions(out=tmp_path, runs=tmp_path, cache=None, settings=settings)
        (group,) = analyse(options).groups
        (cell,) = group.cells
        return cell

    return of


def is_after_training(quantity, value):
    """Tell whether a value is said to be measured once, of weights that nobody logged."""
    (evidence,) = quantity.sources
    told = "measured once, after training" in quantity.method
    return quantity.value == value and told and evidence.step is None


def test_a_test_value_of_the_same_weights_is_given_with_its_step(selected):
    cell = selected(HEADER + FIT + "3,2346,,,0.85,0.5\n3,2346,0.84,0.55,,\n")
    assert (cell.best_step.value, cell.tied_steps) == (2345, (2345, 2346))
    assert cell.report_value.value == 0.84
    (evidence,) = cell.report_value.sources
    assert (evidence.tag, evidence.step) == ("test_accuracy", 2346)
    assert "logged at step 2346, where every value on validation" in cell.report_value.method


@pytest.mark.parametrize(
    "after",
    [
        "3,2346,,,0.85,0.51\n3,2346,0.84,0.55,,\n",  # accuracy is the same by chance
        "3,2346,0.84,0.55,,\n",  # nothing says whose weights
    ],
)
def test_where_nothing_tells_the_weights_the_value_is_one_after_training(selected, after):
    cell = selected(HEADER + FIT + after)
    assert cell.best_step.value == 2345
    assert is_after_training(cell.report_value, 0.84)


def test_one_metric_alone_tells_no_weights(selected):
    cell = selected(
        "epoch,step,test_accuracy,val_accuracy\n0,9,,0.5\n1,19,,0.8\n2,20,,0.8\n2,20,0.7,\n"
    )
    assert cell.best_step.value == 19
    assert is_after_training(cell.report_value, 0.7)


@pytest.mark.parametrize("version", [4, 6])
def test_a_published_lab_has_its_test_value(selected, realdata, version):
    path = realdata / f"lightning-versions/lightning_logs/version_{version}/metrics.csv"
    frame = pd.read_csv(path)
    expected = frame["test_accuracy"].dropna().iloc[-1]
    after = frame[frame["step"] == 2346]["val_loss"].dropna().iloc[0]
    assert after == frame[frame["step"] == 2345]["val_loss"].dropna().iloc[0]
    cell = selected(path.read_text())
    assert cell.best_step.value == frame.loc[frame["val_accuracy"].idxmax(), "step"]
    assert cell.report_value.value == pytest.approx(expected, rel=1e-12)
