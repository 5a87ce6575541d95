"""Single evaluations of one run."""

from __future__ import annotations

from reportgen.records.quantity import Missing
from reportgen.records.study import MetricPlan
from reportgen.stats import epoch_of, evaluation_steps, reading_of


def test_steps_of_metric_and_loss_together(made):
    run = made.run(
        "g",
        0,
        made.series("validation", [1.0, 2.0], steps=[10, 30]),
        made.series("validation", [1.0, 2.0], steps=[10, 20], metric="loss", unit=""),
    )
    assert evaluation_steps(run, MetricPlan(name="accuracy")) == (10, 20, 30)


def test_a_reading_is_at_exactly_its_step(made):
    run = made.run("g", 0, made.series("validation", [79.9]))
    assert reading_of(run, "accuracy", "validation", 225).value == 0.799
    assert reading_of(run, "accuracy", "validation", 225).method == "accuracy on validation"
    assert "nearest logged step is 225" in reading_of(run, "accuracy", "validation", 226).reason
    assert "never logged accuracy on test" in reading_of(run, "accuracy", "test", 225).reason


def test_the_epoch_of_a_step(made):
    run = made.run("g", 0, made.series("validation", [79.9]))
    assert epoch_of(run, made.study(), 225).value == 1.0
    assert isinstance(epoch_of(run, made.study(steps_per_epoch=0), 225), Missing)
    no_evaluation = made.run("g", 0)
    assert isinstance(epoch_of(no_evaluation, made.study(), 225), Missing)
