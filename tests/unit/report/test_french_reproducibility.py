"""The section on reproducibility in French: what is told, and what is quoted as it was said."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from reportgen.api.analysis import analyse
from reportgen.api.options import BuildOptions
from reportgen.languages import message, speaking
from reportgen.records.document import Code, Table, inlines, texts, walk
from reportgen.records.run import Problem
from reportgen.records.study import Decision
from reportgen.report import reproducibility

QUOTED = "Les messages du programme sont cités en anglais, tels qu’il les affiche."


def section_of(facts):
    with speaking("fr"):
        return reproducibility.build(facts)


def table(facts, name):
    return next(
        block
        for block in walk(section_of(facts).blocks)
        if isinstance(block, Table) and block.id == f"reproducibility.{name}"
    )


def words(text):
    return "".join(n if isinstance(n, str) else "·" for n in inlines(text))


def prose(facts):
    return [words(text) for block in walk(section_of(facts).blocks) for text in texts(block)]


def test_what_was_found_and_the_checklist(made):
    said = prose(made.facts(split_sizes={"train": 1800, "test": 2000}))

    assert (
        "Tous les résultats ont été calculés à partir de · exécutions dans · fichier sous ·. Les "
        "exécutions contiennent · valeurs scalaires journalisées. Aucune n’a été échantillonnée, "
        "moyennée ni lissée avant usage. Le · énumère les exécutions\u202f; aucun fichier n’était "
        "endommagé, et rien ne se contredit."
    ) in said
    assert any(
        text.endswith(
            "Le pas qui a la meilleure valeur de l’exactitude sur la validation\u202f; en cas "
            "d’égalité, le premier. Les résultats sont donnés sur le test ·."
        )
        for text in said
    )
    assert any(text.endswith("entraînement ·, test ·.") for text in said)


def test_a_single_run_takes_the_singular(made):
    facts = made.facts({("alpha", 0): ([60.0, 61.0], [59.0, 62.0])}, groups=())

    assert any("à partir de · exécution dans" in text for text in prose(facts))
    assert any("L’exécution contient · valeurs" in text for text in prose(facts))


def test_what_loaders_say_is_quoted_as_code(made):
    problem = Problem(path="a.log", message="holds a header and no point", offset=7)
    facts = replace(made.facts(), problems=(problem,))

    found = table(facts, "problems")

    _, what, remedy = found.rows[0].cells
    assert what == (Code("holds a header and no point (at byte 7)"),)
    assert remedy == ("rien à faire",)
    assert words(found.caption).endswith(QUOTED)


def test_what_counts_say_is_told_and_nothing_is_quoted(made):
    said = message("no model type is stated, so no formula can be chosen")
    facts = replace(made.facts(), problems=(Problem(path="a.json", message=said, offset=3),))

    found = table(facts, "problems")

    assert words(found.rows[0].cells[1]) == (
        "aucun type de modèle n’est indiqué\u202f: aucune formule ne peut donc être choisie "
        "(à l’octet 3)"
    )
    assert QUOTED not in words(found.caption)


def test_other_readings_of_a_decision(made):
    decisions = (
        Decision(key="a", value="", reason=message("stated"), alternatives=("x", "y")),
        Decision(key="b", value="1", reason="own words", alternatives=("x", "y"), asks=True),
    )

    rows = table(made.facts(decisions=decisions), "decisions").rows

    assert [words(row.cells[2]) for row in rows] == [
        "indiquée\u202f; aussi possible\u202f: x, y",
        "·\u202f; un fichier d’étude peut indiquer · ou · à la place",
    ]
    assert words(rows[0].cells[1]) == "non défini"


@pytest.mark.parametrize("sample", ["tiny-reviews-hf", "tiny-grid", "roberta-small-fr"])
def test_what_is_inferred_from_the_samples_is_told(project, sample):
    folder = project / "inputs" / sample / "logs"
    facts = analyse(BuildOptions(out=Path("report.json"), runs=folder, cache=None))
    assert facts.study.decisions

    for row in table(facts, "decisions").rows:
        reason = row.cells[2][0]
        assert isinstance(reason, str), reason
        assert not {"the", "of", "and", "its", "runs", "logged", "found"} & set(reason.split())
