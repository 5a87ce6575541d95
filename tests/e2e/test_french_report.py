"""The sample lab's report in French: its words, its commas, and how each number was computed."""

import html
import json
import re

import pytest
from fakes.command import reportgen
from fakes.readback import pdf_text

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def french(lab, tmp_path_factory):
    """The folder of its reports."""
    home = tmp_path_factory.mktemp("french")
    asked = ("--lang", "fr", "--out", "report.pdf")
    done = reportgen("build", lab / "study.toml", *asked, cwd=home)
    assert done.code == 0, done.err
    return home


def test_the_pages_are_in_french(french):
    text = " ".join(pdf_text(french / "report.pdf").split())
    assert re.search(r"Tableau 1\b", text)
    assert "Table 1" not in text
    assert "80,63 ± 0,68" in text
    assert "80.63" not in text
    assert "Réponses en bref" in text


def test_the_page_says_in_french_how_each_number_was_computed(french):
    page = (french / "report.html").read_text("utf-8")
    table = page.partition('id="rg:numbers"')[2].partition("</table>")[0]
    methods = [
        html.unescape(re.sub(r"<[^>]+>", "", cell))
        for cell in re.findall(r"</th><td>[^<]*</td><td>(.*?)</td>", table)
    ]
    assert len(methods) > 400
    english = re.compile(r"\b(?:the|of|on|at|and|with|over|runs|mean|step|loss|value)\b")
    assert [
        m for m in methods if english.search(m.replace("RoBERTa small, random start", ""))
    ] == []
    numbers = json.loads((french / "report.json").read_bytes())["numbers"]
    said = {number.get("method") for number in numbers}
    assert "mean of best-step accuracy on test over 3 runs" in said
