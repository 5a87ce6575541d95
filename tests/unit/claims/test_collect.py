"""All claims of a report together: one owner a number, the rest with a reason."""

from __future__ import annotations

import pytest

from reportgen.claims._collect import FORMULAS, collect
from reportgen.read.documents import read_document
from reportgen.records.manuscript import Block, Line, Manuscript


def paragraph(*texts, kind="paragraph"):
    blocks = tuple(
        Block(type=kind, lines=(Line(text=text, number=n),)) for n, text in enumerate(texts, 1)
    )
    return Manuscript(path="r.md", format="markdown", sha256="", blocks=blocks)


def kinds(manuscript):
    return [(c.kind, c.printed.text) for c in collect(manuscript)[0] if c.printed]


def test_claims_have_ids_in_reading_order():
    report = paragraph(
        "The learning rate is 1e-5.", "The test accuracy is 79.9% with seed 1.", "It has 4 layers."
    )
    claims, _ = collect(report)
    assert [c.id for c in claims] == [f"c{n}" for n in range(1, len(claims) + 1)]
    assert [c.block for c in claims] == sorted(c.block for c in claims)


def test_a_number_has_one_owner():
    report = paragraph("We train 5 epochs with lr = 1e-5 and reach a test accuracy of 79.9%.")
    texts = [text for _, text in kinds(report)]
    assert len(texts) == len(set(texts))


def test_the_result_of_an_equation_may_also_be_a_count():
    report = paragraph("Number of parameters = 4 × 512 × 512 = 1048576")
    assert {("equation", "1048576"), ("param_count", "1048576")} <= set(kinds(report))


def test_terms_of_an_equation_are_no_numbers_without_an_owner():
    report = paragraph("4 × (3 × 512 × 512) = 3145728")
    assert "number" not in {kind for kind, _ in kinds(report)}


def test_what_nothing_binds_is_kept_with_its_reason():
    claims, count = collect(paragraph("The shop sold 12 apples for 3.40 francs."))
    assert [(c.kind, c.printed.text) for c in claims] == [("number", "12"), ("number", "3.40")]
    assert all(c.reason and c.confidence == 0 for c in claims)
    assert count == 2


def test_numbers_that_claim_nothing_are_counted_only():
    claims, count = collect(
        paragraph("As Table 2 and Section 4.1 of [3] show for seed 1 at epoch 3 (95% interval).")
    )
    assert [c for c in claims if c.kind == "number"] == []
    assert count >= 5


def test_labels_of_a_table_are_no_numbers_without_an_owner(tmp_path):
    path = tmp_path / "report.md"
    path.write_text(
        "| Seed | Step | Test accuracy | Apples |\n|--|--|--|--|\n| 0 | 225 | 79.9 | 3 |\n"
        "| 0 | 450 | 80.9 | 4 |\n"
    )
    claims, count = collect(read_document(path))
    assert [(c.kind, c.printed.text) for c in claims] == [
        ("metric_value", "79.9"),
        ("number", "3"),
        ("metric_value", "80.9"),
        ("number", "4"),
    ]
    assert count == 8


def test_references_and_code_do_not_claim():
    claims, _ = collect(paragraph("J. Doe. Accuracy of 99.9%. 2019, pp. 12-14.", kind="reference"))
    assert claims == ()
    claims, _ = collect(paragraph("accuracy = 0.81", kind="code"))
    assert not [c for c in claims if c.kind == "metric_value"]


@pytest.mark.parametrize("name", ["report-a.md", "report-c.md", "report-d.md", "report-f.txt"])
def test_no_number_of_a_written_report_is_claimed_twice(realdata, name):
    manuscript = read_document(realdata.parent / "reports" / name)
    claims, count = collect(manuscript)
    spans = []
    for claim in claims:
        if claim.printed and claim.kind != "param_count":
            number = claim.printed if claim.kind in FORMULAS else claim
            text = manuscript.blocks[claim.block].text
            assert text[number.start : number.end] == claim.printed.text
            spans.append((claim.block, number.start, number.end))
    assert len(spans) == len(set(spans))
    assert len(spans) <= count


def test_a_count_of_parameters_beside_its_calculation(realdata):
    manuscript = read_document(realdata.parent / "reports" / "report-a.md")
    found = [(c.kind, c.printed.text) for c in collect(manuscript)[0] if c.printed]
    assert ("equation", "20,578,304") in found
    assert ("param_count", "20,578,304") in found


def test_the_word_one_is_an_article_where_nothing_binds_it(tmp_path):
    path = tmp_path / "report.md"
    path.write_text("One value was lost, and 12 were kept. Each is one reading.", encoding="utf-8")
    claims, _ = collect(read_document(path))
    assert [claim.printed.text for claim in claims] == ["12"]
