"""Budgets of the sample lab's report: pages, words, and what has to stand in its body."""

import json
import re

import pytest
from fakes.command import reportgen
from fakes.readback import pdf_text

PAGES, APPENDIX_PAGES, WORDS, TIMES, CAPTION = 3, 6, 1500, 3, 25
COUNT = "22,807,552"
MEANS = ("80.63 ± 0.68", "73.63 ± 0.46")
HEADLINE = (COUNT, "23,388,418", *MEANS, "+7.00", "+5.76 to +8.24", "92.63 ± 1.80", "1,572,864")
BEST = {
    "0": ("5", "81.4", "5", "73.9"),
    "1": ("5", "80.4", "5", "73.9"),
    "2": ("4", "80.1", "5", "73.1"),
}
KEYS = ("r", "lora_alpha", "target_modules", "lora_dropout", "bias", "task_type")


@pytest.fixture(scope="module")
def pages(built):
    """Text of each page."""
    return pdf_text(built / "report.pdf").rstrip("\f").split("\f")


@pytest.fixture(scope="module")
def body_pages(pages):
    """Pages up to that on which the appendix begins, below the end of the body."""
    begin = next(i for i, page in enumerate(pages) if re.search(r"^A\s+[A-Z]", page, re.MULTILINE))
    return pages[: begin + 1]


@pytest.fixture(scope="module")
def body(built):
    """Markdown of the body, without references."""
    text = (built / "report.md").read_text("utf-8")
    return text.partition("<details>")[0].partition(" References <a ")[0]


def test_the_body_has_three_pages_and_the_appendix_six(pages, body_pages):
    assert len(body_pages) <= PAGES
    assert len(pages) - len(body_pages) <= APPENDIX_PAGES


def test_the_body_has_few_words(body):
    prose = re.sub(r"<[^>]*>|!\[[^\]]*\]|\([^()\s]*\)|[|*`\\]|:?-{2,}:?", " ", body)
    assert len(re.findall(r"\w[\w,.’'-]*", prose)) <= WORDS


@pytest.mark.parametrize("number", HEADLINE)
def test_a_headline_number_stands_up_to_three_times_in_the_body(body, number):
    said = re.sub(r"\{,\}", ",", body).replace("*", "")
    assert 1 <= len(re.findall(rf"(?<![\d.,]){re.escape(number)}(?![\d]|,\d)", said)) <= TIMES


def test_the_count_stands_with_its_formula_on_the_first_page(pages, body):
    assert COUNT in pages[0].replace(" ", "")
    assert "16,516,096+4×(1,048,576+524,288)" in re.sub(r"\s", "", pages[0])
    assert "22{,}807{,}552" in body


def test_best_epoch_and_test_of_each_seed_stand_in_the_body(body):
    rows = re.findall(r"^\|\s*(\d)\s*\|(.*)\|$", body, re.MULTILINE)
    cells = {seed: [cell.strip() for cell in row.split("|")] for seed, row in rows}
    assert {s: (c[0], c[2], c[3], c[5]) for s, c in cells.items()} == BEST


def test_keys_of_the_adapter_stand_in_the_body(body):
    assert [key for key in KEYS if not re.search(rf"^\| `{key}`", body, re.MULTILINE)] == []


def test_every_question_is_answered_in_the_body(built, report):
    text = (built / "report.md").read_text("utf-8")
    box = text.partition("Answers at a glance")[2].partition("## ")[0]
    for one in report["glance"]:
        assert f"| {one['question']} |" in box
        assert one["text"]
    assert len(report["glance"]) == 5


def test_every_float_is_named_in_the_text(built):
    text = (built / "report.md").read_text("utf-8")
    for block in re.findall(r'<a id="([^"]+)"></a>(?:\*\*Table|\n\n!\[)', text):
        assert f"(#{block})" in text, block


def test_captions_are_short(report):
    floats = [*report["tables"], *report["figures"]]
    long = {one["id"]: one["caption"] for one in floats if len(one["caption"].split()) > CAPTION}
    assert long == {}


def test_brief_is_one_page(lab, tmp_path):
    done = reportgen(
        *("build", lab / "study.toml", "--detail", "brief", "--out", "report.pdf"), cwd=tmp_path
    )
    assert done.code == 0, done.err
    (page,) = pdf_text(tmp_path / "report.pdf").rstrip("\f").split("\f")
    shown = json.loads((tmp_path / "report.json").read_bytes())
    assert [section["id"] for section in shown["sections"]][:1] == ["setup"]
    assert all(mean.split()[0] in page for mean in MEANS)
