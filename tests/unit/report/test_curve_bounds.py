"""Bands end where the values of a metric end, and are cut off nowhere else."""

import math

import pytest

from reportgen.records.document import Band, Dot, Panel
from reportgen.report._curve_bounds import (
    bounds_of,
    cut_off,
    cut_whiskers,
    cut_words,
    whisker_words,
)

INF = math.inf


@pytest.mark.parametrize(
    ("metric", "values", "percent", "ends"),
    [
        ("wer", [0.9, 0.02], False, (0, INF)),
        ("wer", [90.0, 2.0], True, (0, INF)),
        ("mean_iou", [31.0, 70.0], True, (0, 100)),
        ("accuracy", [0.4], True, (0, 100)),
        ("ndcg@10", [0.4, 0.5], False, (0, 1)),
        ("ndcg@10", [40.0, 50.0], False, (0, 100)),
        ("perplexity", [30.0], False, (1, INF)),
        ("ssim", [0.9], False, (-1, 1)),
        ("psnr", [30.0], False, (-INF, INF)),
        ("loss", [0.3], False, (0, INF)),
        ("loss", [0.3, -2.0], False, (-INF, INF)),
        ("d_loss", [0.3], False, (-INF, INF)),
        ("dice_loss", [0.3], False, (0, INF)),
        ("reward", [1.0], False, (-INF, INF)),
        # A value beyond the end: the name means something else here.
        ("wer", [-0.1], False, (-INF, INF)),
        ("ndcg", [400.0], False, (-INF, INF)),
        ("wer", [math.nan, 0.2], False, (0, INF)),
    ],
)
def test_ends_of_values(metric, values, percent, ends):
    bounds = bounds_of(metric, values, percent=percent)
    assert (bounds.least, bounds.most) == ends


def band(low, high):
    x = tuple(map(float, range(len(low))))
    return Band(group="a", group_index=0, label="a", x=x, mean=x, low=low, high=high)


def test_a_band_is_cut_off_at_the_end_and_keeps_its_gaps():
    gap = math.nan
    bands = (band((-0.5, gap, 0.2), (1.0, gap, 0.4)),)
    panel = Panel(title="", x_label="", y_label="", bands=bands)
    cut, went = cut_off(panel, bounds_of("wer", [0.1]))
    low = cut.bands[0].low
    assert went
    assert (low[0], low[2]) == (0.0, 0.2)
    assert math.isnan(low[1])
    assert cut.bands[0].high[::2] == (1.0, 0.4)


def test_a_band_that_is_inside_is_as_it_was():
    panel = Panel(title="", x_label="", y_label="", bands=(band((0.1, 0.2), (0.5, 0.6)),))
    assert cut_off(panel, bounds_of("wer", [0.1])) == (panel, False)
    assert cut_off(panel, bounds_of("reward", [0.1])) == (panel, False)


def test_the_caption_says_why():
    assert cut_words("wer", bounds_of("wer", [0.1])) == ("It is cut off where no WER can lie.",)
    told = ("It is cut off at zero: no loss below it was logged.",)
    assert cut_words("loss", bounds_of("loss", [0.1])) == told


def test_a_whisker_ends_where_the_values_end():
    single = Dot(label="a", group_index=0, values=(0.1,))
    long = Dot(label="b", group_index=1, values=(0.1, 0.2), mean=0.1, low=-0.3, high=0.5)
    cut, went = cut_whiskers((single, long), bounds_of("wer", [0.1]))
    assert went
    assert [(dot.low, dot.high) for dot in cut] == [(None, None), (0.0, 0.5)]
    assert cut_whiskers(cut, bounds_of("wer", [0.1])) == (cut, False)
    assert cut_whiskers((long,), bounds_of("reward", [0.1])) == ((long,), False)


def test_the_caption_of_dots_says_why():
    told = ("A whisker is cut off where no WER can lie.",)
    assert whisker_words("wer", bounds_of("wer", [0.1])) == told
    told = ("A whisker is cut off at zero: no loss below it was logged.",)
    assert whisker_words("loss", bounds_of("loss", [0.1])) == told
