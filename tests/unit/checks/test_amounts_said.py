"""By how much one group is said to lie above another: ranges, lists, averages, so many seeds."""
# ruff: noqa: E501 -- sentences stand on one line, as in a report

from __future__ import annotations

import pytest
from fakes import said

TABLE = {
    ("pretrained", seed): (curve, curve)
    for seed, curve in enumerate(([71.0, 79.9], [70.0, 78.5], [69.5, 80.1]))
} | {
    ("random", seed): (curve, curve)
    for seed, curve in enumerate(([60.0, 65.4], [61.0, 66.7], [59.0, 67.4]))
}
"""Seed by seed 14.5, 11.8 and 12.7 points apart at the last epoch, 13.0 on average."""
AT_THE_END = (
    "The pretrained model beats the random model {} points of test accuracy at the last epoch{}."
)
A_LA_FIN = (
    "À la dernière époque, le modèle préentraîné dépasse le modèle aléatoire {} points en test{}."
)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (AT_THE_END.format("on every seed, by 11.8 to 14.5", ""), ("11.8", "10.8")),
        (AT_THE_END.format("on every seed, by 11.8–14.5", ""), ("14.5", "15.5")),
        (A_LA_FIN.format("pour chaque graine de 11,8 à 14,5", ""), ("11,8", "9,8")),
        (AT_THE_END.format("on every seed, by between 11.8 and 14.5", ""), ("14.5", "16.5")),
        (AT_THE_END.format("on every seed, by at least 11.8", ""), ("11.8", "12.8")),
        ("On every seed the pretrained model beats the random model by 11.8 points or more of test accuracy at the last epoch.", ("11.8", "12.8")),
        (AT_THE_END.format("on every seed, by 13.0", " on average"), ("13.0", "12.7")),
        (A_LA_FIN.format("pour chaque graine, de 13,0", " en moyenne"), ("13,0", "14,5")),
        ("The pretrained model beats the random model on three of the three seeds in final test accuracy.", ("three of", "two of")),
        ("In final test accuracy the random model beats the pretrained one for none of the three seeds.", ("none", "one")),
    ],
)  # fmt: skip
def test_amounts_of_each_seed(text: str, wrong: tuple[str, str]) -> None:
    assert said.verdict(text, table=TABLE) == ("none", "agrees")
    level, verdict = said.verdict(text.replace(*wrong), table=TABLE)
    assert (level in {"error", "warning"}, verdict) == (True, "disagrees")


def test_an_amount_that_only_some_pair_of_runs_gives_at_a_named_moment_is_noted() -> None:
    text = "The final test accuracy of the pretrained model is {} points higher than that of the random model."
    assert said.verdict(text.format("13.0"), table=TABLE) == ("none", "agrees")
    # The worst run of the one and the worst of the other.
    assert said.verdict(text.format("13.1"), table=TABLE) == ("note", "borderline")


def test_of_a_list_of_amounts_the_order_alone_is_held() -> None:
    text = "The {} model beats the {} model for each seed at the last epoch (differences of 14.5, 11.8 and 12.7 points)."
    assert said.verdict(text.format("pretrained", "random"), table=TABLE) == ("none", "agrees")
    assert said.verdict(text.format("random", "pretrained"), table=TABLE)[1] == "disagrees"


def test_amounts_against_several_groups_are_values_of_none() -> None:
    text = "The pretrained model is 13.0, 20.1 and 5.5 points better than the random model, CNN and MLP in final test accuracy."
    found = said.verdicts(said.case(text, table=TABLE))
    assert [f.message for f in found if f.verdict == "disagrees"] == []


def test_what_is_said_of_every_metric_is_not_held_against_one() -> None:
    text = "The random model is better than the pretrained model on every metric."
    assert list(said.verdicts(said.case(text, table=TABLE))) == []
