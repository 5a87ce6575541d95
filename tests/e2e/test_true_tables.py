"""True tables about made-up logs, whose columns say what they hold in passing; and wrong twins."""

from __future__ import annotations

from itertools import chain

import pytest
from fakes.judged import RISING, accusing, findings_of
from fakes.right._right import write_tags

from reportgen.api.evidence import EvidencePaths

_ACCURACY = dict(zip(("vgg11", "densenet40"), RISING, strict=True))
APART = (
    # A split beside a metric is of the caption's other metric.
    (
        """
| Model | Valid | Test | F1 |
|---|---|---|---|
| vgg11 | 68.7 ± 2.4 | 67.7 ± 2.4 | 65.7 ± 2.4 |
| densenet40 | 61.3 ± 0.6 | 60.3 ± 0.6 | 58.3 ± 0.6 |

Table 1: Accuracy and F1 at the last epoch.
""",
        ("| 67.7 ±", "| 65.7 ±"),
    ),
    (
        """
| Modèle | Validation | Test | F1 |
|---|---|---|---|
| vgg11 | 68,7 ± 2,4 | 67,7 ± 2,4 | 65,7 ± 2,4 |
| densenet40 | 61,3 ± 0,6 | 60,3 ± 0,6 | 58,3 ± 0,6 |

Tableau 1 : Exactitude et F1 à la dernière époque.
""",
        ("| 67,7 ±", "| 65,7 ±"),
    ),
    (
        """
| Model | Test | F1 |
|---|---|---|
| vgg11 | 67.7 ± 2.4 | 65.7 ± 2.4 |

Results at the last epoch.
""",
        None,
    ),
)
COUNTED = (
    # How many runs a row is of is no seed.
    (
        """
| Model | Runs | Test acc. |
|---|---|---|
| vgg11 | 4 | 67.7 |
| densenet40 | 3 | 60.3 |

Test accuracy at the last epoch.
""",
        ("67.7", "66.1"),
    ),
    (
        """
| Model | # seeds | Test acc. |
|---|---|---|
| vgg11 | 4 | 67.7 |
| densenet40 | 3 | 60.3 |

Test accuracy at the last epoch.
""",
        ("67.7", "66.1"),
    ),
    (
        """
| Modèle | Graines | Exactitude de test |
|---|---|---|
| vgg11 | 4 | 67,7 |
| densenet40 | 3 | 60,3 |

Exactitude de test à la dernière époque.
""",
        ("67,7", "66,1"),
    ),
    # Which it is still is one.
    (
        """
| Model | Seeds | Test acc. |
|---|---|---|
| vgg11 | 2 | 67.3 |
| vgg11 | 3 | 71.2 |

Test accuracy at the last epoch.
""",
        ("67.3", "65.3"),
    ),
)
MOMENTS = (
    # What stands under the best epoch of several runs is the mean of theirs.
    (
        """
| Model | Best epoch |
|---|---|
| vgg11 | 4.8 |
| densenet40 | 4.7 |

Average best epoch (by validation accuracy).
""",
        ("4.8", "3.8"),
    ),
    (
        """
| Model | Best epoch | Best valid acc. | Test acc. at that epoch |
|---|---|---|---|
| vgg11 | 4.75 ± 0.50 | 68.8 ± 2.4 | 67.8 ± 2.4 |
| densenet40 | 4.67 ± 0.58 | 61.4 ± 0.4 | 60.4 ± 0.4 |
""",
        ("4.67", "3.67"),
    ),
    (
        (
            "On average, the best epoch (by validation accuracy) is 4.8 for vgg11 and 4.7 for"
            " densenet40."
        ),
        ("4.7", "3.7"),
    ),
    (
        "The validation accuracy of the best epoch of vgg11 is on average 68.8.",
        ("68.8", "64.8"),
    ),
    (
        (
            "En moyenne, la meilleure époque (selon l'exactitude de validation) est 4,8 pour vgg11"
            " et 4,7 pour densenet40."
        ),
        None,
    ),
)
DEVIATIONS = (
    # What is called by the letter is the deviation, and the value before it is the value.
    ("The final test accuracy of vgg11 is 67.7 % (σ = 2.4).", ("2.4", "3.4")),
    ("The final test accuracy of vgg11 is 67.7 % (σ = 2.4).", ("67.7", "66.7")),
    ("The final test accuracy of vgg11 is 67.7 % with σ = 2.4.", ("2.4", "3.4")),
    ("L'exactitude de test finale de vgg11 est de 67,7 % (σ = 2,4).", ("2,4", "3,4")),
    ("vgg11 has a final test accuracy of 67.7 ± 4.8 % (2σ).", ("67.7", "66.7")),
    ("vgg11 has a final test accuracy of 67.7 +3.5/−1.8 % (max and min over seeds).", None),
    (
        """
| Model | Test acc. |
|---|---|
| vgg11 | 67.7 ± 4.8 |

Final test accuracy, mean ± 2σ.
""",
        ("67.7", "64.7"),
    ),
    (
        """
| Model | Test acc. |
|---|---|
| vgg11 | 67.7 +3.5/−1.8 |

Final test accuracy, mean with maximum and minimum over seeds.
""",
        ("67.7", "64.7"),
    ),
)
BRACKETS = (
    # What stands in brackets is as the caption says, or nobody knows.
    (
        """
| Model | Test accuracy |
|---|---|
| densenet40 | 60.3 |
| vgg11 | 67.7 (+7.4) |

Table 1: Test accuracy at the last epoch with gains over densenet40 in parentheses.
""",
        ("67.7", "64.7"),
    ),
    (
        """
| Modèle | Exactitude de test |
|---|---|
| densenet40 | 60,3 |
| vgg11 | 67,7 (7,4) |

Tableau 1 : Exactitude de test à la dernière époque, gain sur densenet40 entre parenthèses.
""",
        ("67,7", "64,7"),
    ),
    (
        """
| Model | Test accuracy |
|---|---|
| densenet40 | 60.3 |
| vgg11 | 67.7 (12 %) |

Last epoch, relative improvement over densenet40 in parentheses.
""",
        ("67.7", "64.7"),
    ),
    (
        """
| Model | Test accuracy |
|---|---|
| vgg11 | 67.7 (68.7) |
| densenet40 | 60.3 (61.3) |

Last epoch, validation accuracy in parentheses.
""",
        ("61.3", "59.1"),
    ),
    (
        """
| Model | Test accuracy |
|---|---|
| vgg11 | 67.7 (71.2) |
| densenet40 | 60.3 (60.9) |

Final test accuracy: mean over seeds (best seed).
""",
        ("71.2", "73.2"),
    ),
    (
        """
| Model | Test accuracy |
|---|---|
| vgg11 | 67.7(24) |
| densenet40 | 60.3(6) |

Final results. Numbers in parentheses are standard deviations in units of the last digit.
""",
        ("67.7", "64.7"),
    ),
    (
        """
| Model | Test accuracy |
|---|---|
| vgg11 | 67.7 (2.4) |
| densenet40 | 60.3 (0.6) |

Final test accuracy, standard deviations in parentheses.
""",
        ("(2.4)", "(3.4)"),
    ),
)
ROWS = (
    # A row's own arithmetic holds, though the logs have the twin's mean at the last step.
    (
        """
| test accuracy (%) | seed 0 | seed 1 | seed 5 | mean | std |
|---|---|---|---|---|---|
| densenet40 | 60.30 | 60.10 | 60.90 | 60.43 | 0.42 |
""",
        ("60.43", "60.33"),
    ),
    (
        """
We report test accuracy at the epoch with the best validation accuracy.

| Model | Seed 0 | Seed 1 | Seed 5 | Mean ± std |
|---|---|---|---|---|
| densenet40 | 60.30 | 60.10 | 60.90 | 60.43 ± 0.42 |
""",
        ("60.43", "60.13"),
    ),
    (
        """
Nous rapportons l'exactitude de test à l'époque de la meilleure exactitude de validation.

| Modèle | Graine 0 | Graine 1 | Graine 5 | Moyenne ± écart-type |
|---|---|---|---|---|
| densenet40 | 60,3 | 60,1 | 60,9 | 60,43 ± 0,42 |
""",
        ("60,43", "60,13"),
    ),
    # It needs no metric either.
    (
        """
| Model | Seed 0 | Seed 1 | Seed 5 | Mean ± std |
|---|---|---|---|---|
| densenet40 | 60.30 | 60.10 | 60.90 | 60.43 ± 0.42 |
""",
        ("60.43", "60.13"),
    ),
    (
        """
| Model | Seed 0 | Seed 1 | Seed 5 | Mean | Std |
|---|---|---|---|---|---|
| densenet40 | 60.30 | 60.10 | 60.90 | 60.43 | 0.42 |
""",
        ("0.42", "0.22"),
    ),
)
DIFFERENCES = (
    # A column of differences beside two of values is of these, row by row.
    (
        """
| Model | reported | ours | Δ |
|---|---|---|---|
| vgg11 | 68.9 | 67.7 | −1.2 |
| densenet40 | 62.5 | 60.3 | −2.2 |

Final test accuracy.
""",
        ("−1.2", "−3.2"),
    ),
    (
        """
| Modèle | publié | nous | Δ |
|---|---|---|---|
| vgg11 | 68,9 | 67,7 | −1,2 |
| densenet40 | 62,5 | 60,3 | −2,2 |

Exactitude de test finale.
""",
        ("67,7", "63,7"),
    ),
    (
        """
| Model | Valid | Test | Gap |
|---|---|---|---|
| vgg11 | 68.7 | 67.7 | −1.0 |
| densenet40 | 61.3 | 60.3 | −1.0 |

Accuracy at the last epoch.
""",
        ("68.7", "66.1"),
    ),
    # Unless it is one to another row.
    (
        """
| Model | Test acc. | Valid acc. | Gain over the weakest |
|---|---|---|---|
| vgg11 | 67.7 | 68.7 | 7.4 |
| densenet40 | 60.3 | 61.3 | 0.0 |

Accuracy at the last epoch.
""",
        None,
    ),
)
TABLES = tuple(chain(APART, COUNTED, MOMENTS, DEVIATIONS, BRACKETS, ROWS, DIFFERENCES))


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lab")

    def less(by):
        return {
            g: {s: [round(v - by, 4) for v in c] for s, c in runs.items()}
            for g, runs in _ACCURACY.items()
        }

    epochs = {g: {s: [1, 2, 3, 4, 5] for s in runs} for g, runs in _ACCURACY.items()}
    tags = {"val/acc": _ACCURACY, "test/acc": less(0.01), "test/f1": less(0.03), "epoch": epochs}
    write_tags(folder / "logs", tags, 50)
    return folder


def found(lab, table):
    return findings_of(table, lab / "report.md", EvidencePaths(runs=lab / "logs"))


@pytest.mark.parametrize("table", [table for table, _ in TABLES])
def test_a_true_table_is_accused_of_nothing(table, lab):
    assert accusing(found(lab, table)) == []


@pytest.mark.parametrize(("table", "change"), [(t, change) for t, change in TABLES if change])
def test_its_twin_with_another_number_is_seen(table, change, lab):
    assert table.count(change[0]) == 1
    assert accusing(found(lab, table.replace(*change))) != []


@pytest.mark.parametrize(("table", "change"), ROWS)
def test_a_row_is_held_against_itself_without_logs(table, change, lab):
    def said(text):
        return accusing(findings_of(text, lab / "alone.md", EvidencePaths()))

    assert said(table) == []
    assert said(table.replace(*change)) != []


def test_a_wrong_value_of_a_curve_is_told_by_the_run_of_the_others(lab):
    # It is nearer to the mean of the other group, which the table is not of.
    rows = zip((40.7, 51.6, 62.7, 66.2, 67.4), (39.7, 53.6, 61.7, 65.2, 66.4), strict=True)
    body = "\n".join(f"| {n} | {valid} | {test} |" for n, (valid, test) in enumerate(rows, 1))
    head = "| Epoch | Valid acc. | Test acc. |\n|---|---|---|"
    told = found(lab, f"Learning curve of one run:\n\n{head}\n{body}\n")
    (finding,) = [f for f in told if f.verdict == "disagrees"]
    assert (finding.level, finding.claim.printed.text) == ("note", "51.6")
    assert "vgg11/seed 1, validation accuracy" in finding.message
