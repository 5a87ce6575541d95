"""What tables and sentences count of their evidence, and what they do not."""

from __future__ import annotations

import pytest

from reportgen.claims.inventory import find
from reportgen.read.documents import read_document

RUNS = """\
| Run | Group | Seed | Files | Points | Updates |
|---|---|---:|---:|---:|---:|
| `a/0` | pretrained | 0 | 4 | 124 | 1,125 |
| `a/1` | pretrained | 1 | 5 | 78 | 1,125 |
"""


@pytest.fixture
def counted(tmp_path):
    """What a report counts: what, of which row or key, and the number."""

    def read(text):
        path = tmp_path / "report.md"
        path.write_text(text, encoding="utf-8")
        claims = find(read_document(path))
        return [
            (c.content.what, c.hints.get("row") or c.content.key, c.printed.text) for c in claims
        ]

    return read


def test_columns_count_what_their_heads_alone_say(counted):
    assert counted(RUNS) == [
        ("files", "a/0", "4"), ("points", "a/0", "124"), ("updates", "a/0", "1,125"),
        ("files", "a/1", "5"), ("points", "a/1", "78"), ("updates", "a/1", "1,125"),
    ]  # fmt: skip


def test_a_french_report_counts_the_same_things(counted):
    text = (
        "| Exécution | Graine | Fichiers | Points | Mises à jour |\n|---|---:|---:|---:|---:|\n"
        "| `a/0` | 0 | 4 | 124 | 1\u202f125 |\n\n"
        "Les résultats viennent de 39 fichiers, de 978 valeurs scalaires journalisées.\n\n"
        "Exemples par partition : entraînement 1\u202f800, validation 200 et test 2\u202f000.\n\n"
        "- Tailles des partitions. entraînement 1\u202f800, test 2\u202f000.\n\n"
        "La validation 200 et le test 2\u202f000 ont été lus.\n"
    )
    sizes = [("examples", f"{split}_examples") for split in ("train", "validation", "test")]
    assert [(what, name) for what, name, _ in counted(text)] == [
        ("files", "a/0"), ("points", "a/0"), ("updates", "a/0"), ("files", ""),
        ("points", ""), *sizes, sizes[0], sizes[2],
    ]  # fmt: skip


@pytest.mark.parametrize(
    "title", ["Last step", "Steps", "Values", "Seeds", "Runs 1 to 3", "Points of the best step"]
)
def test_other_heads_count_nothing_for_sure(counted, title):
    assert counted(f"| Run | {title} |\n|---|---:|\n| a | 1125 |\n") == []


def test_runs_behind_a_row_are_whole_numbers(counted):
    text = "| Group | n | Accuracy |\n|---|---|---|\n| A | 3 | 80.6 |\n| B | 3 of 5 | 73 |\n"
    assert counted(text) == [("runs of a row", "A", "3")]


def test_a_name_that_runs_over_lines_is_one(tmp_path):
    path = tmp_path / "report.txt"
    path.write_text("x", encoding="utf-8")
    text = "| File | Bytes |\n|---|---|\n| run/0/events.out. | 88 |\n| tfevents.17 | |\n"
    path = tmp_path / "report.md"
    path.write_text(text, encoding="utf-8")
    (claim,) = find(read_document(path))
    assert claim.hints["row"] == "run/0/events.out. tfevents.17"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "Examples a split: train 1,800, validation 200 and test 2,000.",
            [
                ("examples", "train_examples", "1,800"),
                ("examples", "validation_examples", "200"),
                ("examples", "test_examples", "2,000"),
            ],
        ),
        ("A mean. RoBERTa, A: n = 3; RoBERTa, B: n = 4.",
         [("runs of a row", "RoBERTa, A", "3"), ("runs of a row", "RoBERTa, B", "4")]),
        ("The 9 runs in 39 files hold 978 logged scalar values.",
         [("files", "", "39"), ("points", "", "978")]),
        ("The accuracy on train is 91, on validation 84 and on test 82.", []),
        ("On train 91 and on test 82 examples of the first page were read.", []),
        ("We train 3 models and test 2 of them on samples.", []),
        ("The best values are 9 and 12 points.", []),
    ],
)  # fmt: skip
def test_sentences(counted, text, found):
    assert counted(f"{text}\n") == found
