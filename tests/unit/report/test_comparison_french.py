"""The comparison in French: its tables, and sentences that change with what was logged."""

from __future__ import annotations

import dataclasses

import pytest

from reportgen.languages import speaking
from reportgen.records.document import Bullets, walk
from reportgen.report import comparison


@pytest.fixture(autouse=True)
def french():
    with speaking("fr"):
        yield


def said(made, facts):
    """Subject to sentence of the commentary, its no-break spaces as blanks."""
    section = comparison.build(facts)
    items = [t for b in walk((section,)) if isinstance(b, Bullets) for t in b.items]
    found = dict(made.words(item).split(". ", 1) for item in items)
    return {subject: " ".join(text.split()) for subject, text in found.items()}


def flat(a, b, seeds=3):
    """Groups a and b with the same curve in each seed, test equal to validation."""
    return {(name, s): (curve, curve) for name, curve in (("a", a), ("b", b)) for s in range(seeds)}


def two(made, table, **changes):
    return made.facts(table, groups=(), compare=("a", "b"), **changes)


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


def test_sentences_of_the_published_logs(made):
    sentences = said(made, made.facts())
    assert sentences["Ordre"] == (
        "Sur le test et sur la validation, la moyenne de l’exactitude de pretrained est supérieure "
        "à celle de random à chacune des cinq époques."
    )
    assert sentences["Séparation"] == (
        "Au meilleur pas, chaque exécution de pretrained est au-dessus de chaque exécution de "
        "random : le minimum de l’exactitude sur le test vaut 80,1 % pour le premier groupe, le "
        "maximum 73,9 % pour le second."
    )
    assert "est le plus grand à l’époque 2 (+14,93 points)" in sentences["Écart"]
    assert "Il est plus petit à la fin qu’au début : +13,63 à l’époque 1" in sentences["Écart"]
    assert "graine 2, de l’époque 4 à l’époque 5" in sentences["Stabilité"]
    assert sentences["Meilleur et dernier pas"].startswith(
        "Le meilleur pas est le dernier dans cinq des six exécutions (mais non dans pretrained, "
        "graine 2). Retenir plutôt le dernier pas ferait passer la moyenne"
    )


@pytest.mark.parametrize(
    ("a", "b", "sentence"),
    [
        ([70, 80], [60, 65], "est supérieure à celle de b à chacune des deux époques."),
        ([60, 65], [70, 80], "est inférieure à celle de b à chacune des deux époques."),
        ([70, 80], [70, 80], "est égale à celle de b à chacune des deux époques."),
        ([70, 80], [60, 85], ("est supérieure à celle de b à l’époque 1 et lui est inférieure à "
         "l’époque 2.")),
        ([70, 80, 90], [60, 85, 80],
         "est supérieure à celle de b aux époques 1 et 3 et lui est inférieure à l’époque 2."),
        ([70], [60], "est supérieure à celle de b à l’époque 1."),
    ],
)  # fmt: skip
def test_the_ordering_follows_the_logs(made, a, b, sentence):
    curves = [float(v) for v in a], [float(v) for v in b]
    said_so = said(made, two(made, flat(*curves)))["Ordre"]
    start = "Sur le test et sur la validation, la moyenne de l’exactitude de a "
    assert said_so == start + sentence


@pytest.mark.parametrize(
    ("curve", "sentence"),
    [
        ([60.0, 70.0, 80.0], ("toutes les exécutions de a progressent à chaque époque (trois sur "
         "trois).")),
        ([60.0, 80.0, 70.0], ("aucune des trois exécutions de a ne progresse à chaque époque : "
         "graine 0 ne progresse pas à l’époque 3 ; graine 1 ne progresse pas à l’époque 3 ; "
         "graine 2 ne progresse pas à l’époque 3.")),
    ],
)  # fmt: skip
def test_the_trend_follows_the_logs(made, curve, sentence):
    trend = said(made, two(made, flat(curve, [50.0, 55.0, 60.0])))["Tendance"]
    assert trend.startswith(f"Sur le test, {sentence}")


def test_one_run_that_keeps_improving_is_counted_in_the_singular(made):
    table = flat([60.0, 70.0, 80.0], [50.0, 55.0, 60.0])
    for seed in (1, 2):
        table["a", seed] = ([60.0, 80.0, 70.0], [60.0, 80.0, 70.0])
    trend = said(made, two(made, table))["Tendance"]
    assert "une des trois exécutions de a progresse à chaque époque (graine 0) ; graine 1" in trend


def test_groups_that_overlap(made):
    table = flat([70.0, 80.0], [60.0, 75.0])
    table["b", 0] = ([60.0, 85.0], [60.0, 85.0])
    assert said(made, two(made, table))["Séparation"] == (
        "Au meilleur pas, les étendues de a et de b se recouvrent : aucun des deux groupes n’a "
        "toutes ses exécutions au-dessus de celles de l’autre."
    )


def test_ties_name_the_rule(made):
    table = flat([70.0, 80.0, 80.0], [50.0, 60.0, 65.0])
    ties = said(made, two(made, table))["Ex æquo"]
    assert ties.startswith("Trois des six exécutions atteignent leur meilleure valeur d’exactitude")
    assert "; le premier a été retenu. Retenir le dernier ne changerait aucune" in ties


def test_a_metric_takes_its_own_article(made):
    facts = made.facts()
    metric = dataclasses.replace(facts.study.metric, name="macro_f1")
    facts = dataclasses.replace(facts, study=dataclasses.replace(facts.study, metric=metric))
    caption = made.words(made.tables(comparison.build(facts))["comparison.test"].caption)
    assert "moyennes du F1 macro" in caption
