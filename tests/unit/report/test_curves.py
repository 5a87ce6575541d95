"""The curves section: what is drawn, what is said about it, and that both are true."""

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.languages import speaking
from reportgen.records.document import Figure, Number, Paragraph, Section, inlines
from reportgen.records.facts import Facts
from reportgen.records.run import Run, Runs, Series
from reportgen.records.study import GroupPlan, MetricPlan, StatisticsPlan, Study
from reportgen.report.curves import MOST_RUNS, build
from reportgen.stats import smooth_values, summarise_groups

# Published lab logs: accuracy in percent after epochs 1 to 5, (validation, test).
SIX = {
    ("pretrained", 0): ([57, 65, 81, 77, 85.5], [60.5, 70.2, 80, 79.3, 81.4]),
    ("pretrained", 1): ([62, 69, 80.5, 81, 84.5], [68.8, 75.6, 79.4, 81.1, 80.4]),
    ("pretrained", 2): ([61.5, 70, 81.5, 84, 77.5], [63.1, 74.5, 79.4, 80.1, 80.4]),
    ("random", 0): ([50, 54, 62.5, 62, 67], [50, 55.8, 67.1, 65.5, 73.9]),
    ("random", 1): ([50.5, 60.5, 67.5, 65.5, 70], [51.5, 62.8, 69.2, 71.5, 73.9]),
    ("random", 2): ([50, 55.5, 62.5, 69.5, 71], [50, 56.9, 64.1, 71.2, 73.1]),
}


def series(metric, split, values, *, unit="percent", every=225):
    return Series(
        tag=metric,
        metric=metric,
        split=split,
        unit=unit,
        steps=np.arange(1, len(values) + 1) * every,
        values=np.asarray(values, dtype=np.float32),
        wall_times=np.arange(len(values), dtype=float),
    )


def run_of(group, seed, validation, test=None, *, layout="fairseq", unit="percent", loss=()):
    scalars = {"valid/accuracy": series("accuracy", "validation", validation, unit=unit)}
    if test is not None:
        scalars["test/accuracy"] = series("accuracy", "test", test, unit=unit)
    if len(loss):
        scalars["train/loss"] = series("loss", "train", loss, unit="", every=1)
    name = f"{layout}/{group}/{seed}"
    return Run(id=name, group=group, seed=seed, layout=layout, scalars=scalars)


def facts_of(runs, **study):
    metric = MetricPlan(name="accuracy", direction="higher")
    stated = {"epochs.steps_per_epoch": "study.toml"}
    plan = replace(Study(steps_per_epoch=225, metric=metric, stated=stated), **study)
    found = Runs(root="logs", runs=tuple(runs))
    return Facts(study=plan, runs=found, groups=summarise_groups(plan, found))


def lab(**study):
    return facts_of((run_of(*key, *values) for key, values in SIX.items()), **study)


def figures(facts):
    section = build(facts)
    return {b.id: b for b in section.blocks if isinstance(b, Figure)}


def caption(figure):
    return "".join(
        f"{node.quantity.value:g}" if isinstance(node, Number) else str(node)
        for node in inlines(figure.caption)
    )


def test_the_lab_gets_four_figures():
    assert list(figures(lab())) == [
        "curves.raw",
        "curves.smoothed",
        "curves.bands",
        "curves.best_step",
    ]


def test_raw_panels_hold_every_logged_value_by_epoch():
    chart = figures(lab())["curves.raw"].chart
    assert [panel.title for panel in chart.panels] == ["Validation", "Test"]
    assert {panel.y_label for panel in chart.panels} == {"accuracy (%)"}
    for i, panel in enumerate(chart.panels):
        drawn = {(line.group, line.member): (line.x, line.y) for line in panel.lines}
        assert drawn == {
            key: ((1, 2, 3, 4, 5), tuple(float(v) for v in values[i]))
            for key, values in SIX.items()
        }
        assert panel.x_ticks == (1, 2, 3, 4, 5)


def test_points_by_epoch_keep_their_steps():
    raw = figures(lab())["curves.raw"]
    steps = {line.steps for panel in raw.chart.panels for line in panel.lines}
    assert steps == {(225, 450, 675, 900, 1125)}


def test_smoothed_figure_keeps_the_raw_values_and_the_weight_of_the_study():
    shown = figures(lab(statistics=StatisticsPlan(smoothing=0.8)))["curves.smoothed"]
    for panel in shown.chart.panels:
        for line in panel.lines:
            assert line.smoothed == smooth_values(line.y, 0.8)
            assert line.smoothed != line.y
    assert "weight 0.8" in caption(shown)
    assert "never on smoothed" in caption(shown)


def test_without_smoothing_there_is_no_smoothed_figure():
    shown = figures(lab(statistics=StatisticsPlan(smoothing=0.0)))
    assert "curves.smoothed" not in shown
    assert "curves.raw" in shown


@pytest.mark.parametrize("ddof", [0, 1])
def test_bands_have_the_ddof_of_the_study(ddof):
    shown = figures(lab(statistics=StatisticsPlan(ddof=ddof)))["curves.bands"]
    band = shown.chart.panels[1].bands[0]
    columns = np.array([SIX["pretrained", seed][1] for seed in range(3)])
    np.testing.assert_allclose(band.mean, columns.mean(axis=0))
    np.testing.assert_allclose(np.subtract(band.high, band.mean), columns.std(axis=0, ddof=ddof))
    np.testing.assert_allclose(np.subtract(band.mean, band.low), columns.std(axis=0, ddof=ddof))
    words = ("population", "n)") if ddof == 0 else ("sample", "n − 1)")
    assert f"one {words[0]} standard deviation (denominator {words[1]}" in caption(shown)
    assert "pretrained: n = 3; random: n = 3" in caption(shown)


def test_dots_are_the_best_step_values_with_mean_and_t_interval():
    shown = figures(lab())["curves.best_step"]
    first, second = shown.chart.panels[0].dots
    assert first.values == (81.4, 80.4, 80.1)
    assert second.values == (73.9, 73.9, 73.1)
    assert first.mean == pytest.approx(80.6333, abs=1e-4)
    half = 4.302653 * np.std(first.values, ddof=1) / np.sqrt(3)
    assert (first.high - first.mean, first.mean - first.low) == pytest.approx((half, half))
    assert "95% t interval" in caption(shown)


def test_alt_text_says_first_last_and_best_of_each_run():
    alt = figures(lab())["curves.raw"].alt
    assert "seed 2 from 61.5 at epoch 1 to 77.5 at 5, highest 84 at epoch 4." in alt
    assert "random: seed 0 from 50 at epoch 1 to 73.9 at 5, highest there;" in alt


def test_alt_text_of_bands_orders_the_groups():
    alt = figures(lab())["curves.bands"].alt
    assert "From highest to lowest at epoch 5: pretrained 82.5, random 69.3333." in alt
    assert "From highest to lowest at epoch 5: pretrained 80.7333, random 73.6333." in alt


@given(st.lists(st.lists(st.integers(0, 1000), min_size=3, max_size=3), min_size=2, max_size=4))
def test_every_sentence_of_the_alt_text_holds_for_any_values(rows):
    runs = [run_of(f"g{i}", 0, [v / 10 for v in row]) for i, row in enumerate(rows)]
    shown = figures(facts_of(runs))
    best = r"(there|\S+ (?:first )?at epoch \d)"
    pattern = rf"g(\d): seed 0 from (\S+) at epoch 1 to (\S+) at 3, highest {best}"
    found = re.findall(pattern, shown["curves.raw"].alt)
    assert len(found) == len(rows)
    for group, first, last, best in found:
        values = [v / 10 for v in rows[int(group)]]
        epoch = values.index(max(values)) + 1
        assert (float(first), float(last)) == (values[0], values[-1])
        at = "first at" if values.count(max(values)) > 1 else "at"
        assert best == ("there" if epoch == 3 else f"{max(values):g} {at} epoch {epoch}")


def test_for_a_loss_the_best_is_the_lowest():
    metric = MetricPlan(name="accuracy", direction="lower")
    assert "lowest 57 at epoch 1" in figures(lab(metric=metric))["curves.raw"].alt


def test_fractions_are_drawn_in_percent():
    runs = [run_of("g", 0, [0.25, 0.5], unit="fraction", layout="hf_trainer")]
    panel = figures(facts_of(runs))["curves.raw"].chart.panels[0]
    assert panel.lines[0].y == (25.0, 50.0)
    assert panel.y_label == "accuracy (%)"


def test_a_metric_without_unit_is_drawn_as_logged():
    runs = [run_of("g", 0, [1.5, 2.5], unit="")]
    panel = figures(facts_of(runs))["curves.raw"].chart.panels[0]
    assert (panel.lines[0].y, panel.y_label) == ((1.5, 2.5), "accuracy")


def test_layouts_get_figures_of_their_own():
    runs = [run_of(*key, *values) for key, values in SIX.items()]
    runs.append(run_of("hf", 0, [0.5, 0.6], layout="hf_trainer", unit="fraction"))
    shown = figures(facts_of(runs))
    for name in ("curves.raw.1", "curves.smoothed.1", "curves.bands.1", "curves.best_step.1"):
        assert name in shown
    assert [line.group for line in shown["curves.raw.2"].chart.panels[0].lines] == ["hf"]
    assert [panel.title for panel in shown["curves.raw.2"].chart.panels] == ["Validation"]
    assert shown["curves.best_step.2"].chart.panels[0].x_label == "validation accuracy (%)"
    assert "curves.bands.2" not in shown


def test_colour_and_marker_of_a_run_are_the_same_in_every_figure():
    shown = figures(lab())
    keys = [
        {(line.group, line.label): (line.group_index, line.member) for line in panel.lines}
        for name in ("curves.raw", "curves.smoothed")
        for panel in shown[name].chart.panels
    ]
    assert all(found == keys[0] for found in keys)
    assert len(set(keys[0].values())) == 6


def test_unknown_epochs_are_drawn_by_step():
    panel = figures(lab(steps_per_epoch=0))["curves.raw"].chart.panels[0]
    assert panel.lines[0].x == (225, 450, 675, 900, 1125)
    assert panel.x_label == "step (optimizer updates)"


def test_steps_of_logs_that_may_count_anything_are_not_called_updates():
    runs = [run_of("g", s, [50, 60], [50, 61], layout="plain") for s in range(2)]
    shown = figures(facts_of(runs, steps_per_epoch=0))
    raw = shown["curves.raw"]
    assert {panel.x_label for panel in raw.chart.panels} == {"step"}
    assert raw.alt.startswith("Validation accuracy (%) by step. ")
    for figure in shown.values():
        assert "update" not in figure.alt


def test_training_loss_is_drawn_over_steps_where_it_was_logged():
    runs = [run_of("g", s, [50, 60], [50, 61], loss=[3.0, 2.5, 2.0]) for s in range(2)]
    shown = figures(facts_of(runs))["curves.loss"]
    assert [panel.title for panel in shown.chart.panels] == ["Training"]
    line = shown.chart.panels[0].lines[0]
    assert (line.x, line.y) == ((1, 2, 3), (3.0, 2.5, 2.0))
    assert shown.chart.panels[0].y_label == "loss"
    assert line.smoothed == smooth_values(line.y, 0.6)
    assert f"to {line.smoothed[-1]:.6g} at 3, lowest there" in shown.alt
    assert "of 2 runs" in caption(shown)


def test_logs_that_count_epochs_alone_have_no_axis_of_steps():
    runs = [run_of("g", s, [50, 60], [50, 61], layout="plain", loss=[3.0, 2.5]) for s in range(2)]
    for run in runs:
        for one in run.scalars.values():
            one.steps[:] = (1, 2)
    shown = figures(facts_of(runs, steps_per_epoch=1))
    axes = {panel.x_label for f in shown.values() for panel in f.chart.panels if panel.lines}
    assert axes == {"epoch"}
    assert shown["curves.loss"].alt.startswith("Training loss by epoch, smoothed. ")


def test_two_runs_have_a_mean_and_no_band():
    shown = figures(facts_of(run_of("g", s, [50 + s, 60]) for s in range(2)))["curves.bands"]
    band = shown.chart.panels[0].bands[0]
    assert band.mean == (50.5, 60.0)
    assert (band.low, band.high) == ((), ())
    assert "No group has the three runs" in caption(shown)


def test_what_is_cut_off_in_a_figure_is_whole_in_its_words():
    rows = ([60, 99.9], [60, 99.8], [60, 80.0])
    found = figures(facts_of(run_of("g", seed, values) for seed, values in enumerate(rows)))
    band, dots = found["curves.bands"], found["curves.best_step"]
    assert band.chart.panels[0].bands[0].high[-1] == 100
    assert f"largest standard deviation {np.std([99.9, 99.8, 80], ddof=1):.6g}" in band.alt
    [dot] = dots.chart.panels[0].dots
    assert dot.high == 100
    assert "A whisker is cut off where no accuracy can lie." in caption(dots)
    half = 4.302653 * np.std([99.9, 99.8, 80], ddof=1) / 3**0.5  # t of 2 degrees of freedom
    assert f"to {93.2333 + half:.2f}" in dots.alt


def test_a_single_run_has_neither_mean_nor_interval():
    shown = figures(facts_of([run_of("g", 0, [50, 60], [51, 61])]))
    assert "curves.bands" not in shown
    dot = shown["curves.best_step"].chart.panels[0].dots[0]
    assert (dot.values, dot.mean, dot.low, dot.high) == ((61.0,), None, None, None)


def test_many_runs_are_drawn_as_groups_and_the_caption_says_so():
    runs = [run_of("g", s, [50 + s, 60 + s], [50, 60]) for s in range(MOST_RUNS + 1)]
    shown = figures(facts_of(runs))
    assert "curves.raw" not in shown
    assert f"The {MOST_RUNS + 1} runs are too many" in caption(shown["curves.bands"])
    runs.pop()
    assert "curves.raw" in figures(facts_of(runs))


def test_nan_is_a_gap_and_is_counted():
    shown = figures(facts_of([run_of("g", 0, [50, float("nan"), 70])]))["curves.raw"]
    y = shown.chart.panels[0].lines[0].y
    assert (y[0], y[2]) == (50, 70)
    assert np.isnan(y[1])
    assert "from 50 at epoch 1 to 70 at 3" in shown.alt
    assert "1 value not finite" in shown.alt


def test_values_of_the_selecting_split_are_called_optimistic():
    runs = [run_of("g", s, [50 + s, 60]) for s in range(3)]
    assert "optimistic" in caption(figures(facts_of(runs))["curves.best_step"])
    assert "optimistic" not in caption(figures(lab())["curves.best_step"])


def test_a_run_without_a_value_is_named_with_the_reason():
    runs = [run_of("g", 0, [50, 60], [51, 61]), run_of("g", 1, [50, 60])]
    said = caption(figures(facts_of(runs))["curves.best_step"])
    assert re.search(r"No value: g, seed 1 \(.+\)\.", said)
    assert "No value" not in caption(figures(lab())["curves.best_step"])


def test_a_group_alone_is_named_by_the_caption():
    runs = [run_of("g", s, [50 + s, 60]) for s in range(3)]
    assert "validation of 3 runs of g, as logged; markers" in caption(
        figures(facts_of(runs))["curves.raw"]
    )
    assert "of 6 runs, as logged; colour" in caption(figures(lab())["curves.raw"])


def test_a_group_without_curves_is_named():
    plans = (GroupPlan(name="pretrained"), GroupPlan(name="ghost", label="Ghost", seeds=(0, 1)))
    section = build(lab(groups=plans))
    said = [str(b.text[0]) for b in section.blocks if isinstance(b, Paragraph)]
    assert any("Not drawn" in text and "Ghost" in text for text in said)
    assert not any("Not drawn" in str(b) for b in build(lab()).blocks)


def test_without_groups_there_is_no_section():
    assert build(facts_of([])) is None


def test_ids_are_unique_and_numbers_carry_ids_of_their_figure():
    runs = [run_of(*key, *values, loss=[2.0, 1.0]) for key, values in SIX.items()]
    runs.append(run_of("hf", 0, [0.5, 0.6], layout="hf_trainer", unit="fraction"))
    section = build(facts_of(runs))
    assert isinstance(section, Section)
    shown = [b for b in section.blocks if isinstance(b, Figure)]
    assert len({f.id for f in shown}) == len(shown)
    numbers = [n for f in shown for n in inlines(f.caption) if isinstance(n, Number)]
    assert len({n.id for n in numbers}) == len(numbers) > 0


def test_counts_of_many_groups_are_given_as_a_range():
    runs = [run_of(f"g{g}", s, [50 + s, 60]) for g in range(7) for s in range(2 + (g == 0))]
    assert "7 groups, n = 2 to 3 in each." in caption(figures(facts_of(runs))["curves.bands"])


def test_in_french_axes_captions_and_alt_texts_are_french():
    with speaking("fr"):
        runs = [run_of(*key, *values, loss=[2.0, 1.5]) for key, values in SIX.items()]
        shown = figures(facts_of(runs))
    raw = shown["curves.raw"]
    assert caption(raw) == (
        "Exactitude de 6 exécutions sur la validation et sur le test, valeurs journalisées\u202f; "
        "la couleur et les tirets distinguent les groupes, les symboles les exécutions."
    )
    first = raw.chart.panels[0]
    assert (first.title, first.x_label, first.y_label) == ("Validation", "époque", "exactitude (%)")
    assert [line.label.split() for line in first.lines[:2]] == [["graine", "0"], ["graine", "1"]]
    said = " ".join(raw.alt.split())  # without the spaces that hold words together
    assert "graine 2, de 61,5 à l’époque 1 à 77,5 à l’époque 5, " in said
    assert " 84 à l’époque 4." in said
    loss = shown["curves.loss"]
    assert (loss.chart.panels[0].title, loss.chart.panels[0].x_label) == (
        "Entraînement",
        "pas (d’optimisation)",
    )
    assert loss.alt.startswith("Perte à l’entraînement, par pas (d’optimisation), après lissage.")
    assert "de 2 au pas 1 à " in " ".join(loss.alt.split())
    dots = shown["curves.best_step"]
    assert dots.chart.panels[0].x_label == "exactitude sur le test (%)"
    assert "pretrained\u202f: 81,4\u202f; 80,4\u202f; 80,1, moyenne 80,6333" in dots.alt
    assert "intervalle de Student à 95\u202f% de la moyenne" in caption(dots)


def test_in_french_one_split_and_a_single_run_read_well():
    with speaking("fr"):
        shown = figures(facts_of([run_of("g", 0, [50, 60])]))
    assert caption(shown["curves.raw"]) == (
        "Exactitude de 1 exécution de g sur la validation, valeurs journalisées."
    )
