"""Tables of a model's parts: each row against the part that it names."""

from __future__ import annotations

import pytest
from fakes.stated import evidence, findings, lab_model

RULE = "parameter_count"
LAB = evidence(model=lab_model())
LEDGER = """\
The parameters of the model, part by part.

| Term | Formula | Count | Stored | Difference |
|---|---|---|---|---|
| word embeddings | Vd | 16,384,000 | 16,384,000 | 0 |
| position embeddings | Pd | 132,096 | 132,096 | 0 |
| query projections | Ld^2 | 1,048,576 | 1,048,576 | 0 |
| key projections | Ld^2 | 1,048,576 | 1,048,576 | 0 |
| biases of the feed-forward network | L(f+d) | 4,096 | 4,096 | 0 |

Table 1: Number of parameters of each part.
"""
MODULES = """\
| Module | Parameters |
|---|---|
| Embeddings | 16,517,632 |
| Position embeddings | 132,096 |
| Layer norm | 1,024 |
| One layer | 1,577,984 |
| Self-attention | 1,050,624 |
| Feed-forward network | 525,312 |
| Language-model head | 295,680 |
| Classification head | 263,682 |
"""


FRENCH = """\
Le nombre de paramètres de chaque partie.

| Terme | Formule | Nombre | Stockés | Différence |
|---|---|---|---|---|
| plongements de mots | Vd | 16 384 000 | 16 384 000 | 0 |
| plongements de positions | Pd | 132 096 | 132 096 | 0 |
| projections des requêtes | Ld^2 | 1 048 576 | 1 048 576 | 0 |
| tête de modèle de langue, projection vers le vocabulaire (liée) | | 0 | 0 | 0 |
| tête de modèle de langue, biais | V | 32 000 | 32 000 | 0 |

Tableau 1 : Décompte des paramètres.
"""


def test_parts_are_known_by_their_names_in_every_language():
    found = findings(RULE, FRENCH, LAB)
    assert len(found) == 15
    assert {f.verdict for f in found} == {"agrees"}
    wrong = findings(RULE, FRENCH.replace("| 32 000 | 32 000", "| 32 001 | 32 000"), LAB)
    assert [f.verdict for f in wrong].count("disagrees") == 1


def test_every_column_of_a_ledger_is_checked():
    found = findings(RULE, LEDGER, LAB)
    assert len(found) == 15
    assert {f.verdict for f in found} == {"agrees"}


def test_modules_count_their_biases_and_norms():
    found = findings(RULE, MODULES, LAB)
    assert len(found) == 8
    assert {f.level for f in found} == {"none"}


@pytest.mark.parametrize(
    ("row", "changed"),
    [
        ("| 132,096 | 132,096 | 0 |", "| 131,072 | 132,096 | 0 |"),
        ("| 132,096 | 132,096 | 0 |", "| 132,096 | 131,072 | 0 |"),
        ("| 132,096 | 132,096 | 0 |", "| 132,096 | 132,096 | 1,024 |"),
        ("| query projections | Ld^2 | 1,048,576", "| query projections | Ld^2 | 4,096"),
    ],
)
def test_a_changed_cell_of_a_ledger_is_an_error(row, changed):
    assert row in LEDGER
    loud = [f for f in findings(RULE, LEDGER.replace(row, changed, 1), LAB) if f.level == "error"]
    assert len(loud) == 1
    assert loud[0].claim.printed.text in changed


def test_another_part_s_count_is_named():
    text = MODULES.replace("| Self-attention | 1,050,624 |", "| Self-attention | 525,312 |")
    (loud,) = [f for f in findings(RULE, text, LAB) if f.level == "error"]
    assert "feed-forward weights and biases" in loud.likely_cause


def test_a_table_of_another_model_accuses_nobody():
    text = MODULES
    for number in ("16,517,632", "132,096", "1,024", "1,577,984", "1,050,624", "525,312"):
        text = text.replace(f"| {number} |", f"| {int(number.replace(',', '')) * 3 + 7:,} |")
    assert {f.level for f in findings(RULE, text, LAB)} <= {"none", "note", "warning"}
