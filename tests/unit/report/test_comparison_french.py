"""The comparison in French: its tables."""

from __future__ import annotations

import dataclasses

import pytest

from reportgen.languages import speaking
from reportgen.report import comparison


@pytest.fixture(autouse=True)
def french():
    with speaking("fr"):
        yield


def test_tables_of_the_published_logs(made):
    section = comparison.build(made.facts())
    assert section.title == "pretrained contre random"
    tables = made.tables(section)
    assert made.grid(tables["comparison.pairs"])[-1] == ["Moyenne", "80,63", "73,63", "+7,00"]
    assert made.grid(tables["comparison.test"])[2:] == [
        ["Différence, points", "+7,00"],
        ["Intervalle à 95\u202f%, points", "+5,76 à +8,24"],
        ["t", "24,25"],
        ["Degrés de liberté", "2"],
        ["p, bilatéral", "0,0017"],
        ["Plus petit p d’un test exact par inversion de signes", "0,25"],
    ]
    caption = made.words(tables["comparison.test"].caption)
    assert "moyennes de l’exactitude en pourcentage sur le test au meilleur pas" in caption
    assert caption.endswith("d’après le test t apparié, n = 3 exécutions par groupe.")


def test_a_metric_takes_its_own_article(made):
    facts = made.facts()
    metric = dataclasses.replace(facts.study.metric, name="macro_f1")
    facts = dataclasses.replace(facts, study=dataclasses.replace(facts.study, metric=metric))
    caption = made.words(made.tables(comparison.build(facts))["comparison.test"].caption)
    assert "moyennes du F1 macro" in caption
