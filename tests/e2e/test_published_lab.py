"""A lab built from the published figures: every number a right report states is in ours.

Five students wrote up the same six runs. What each of them states and a person found right must
be found in the report that is generated from those runs; what is wrong need not be.
"""

import json
import re
import shutil
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal

import pytest
from fakes.rows import rows_beside
from fakes.written import read_labels, write_published_logs

from reportgen.app.building import build
from reportgen.app.options import BuildOptions

ROWS = rows_beside(__file__)

RIGHT = {"supported", "arithmetic_true", "feasible", "borderline"}
# Right as a label, and no part of a right report: (report, line, value), with the reason.
OTHER = {
    ("report-a.md", 32, "20578304"): "added up rightly, and one of the four matrices is forgotten",
    ("report-f.txt", 31, "81.1"): "the mean of a column that was copied over another",
    ("report-d.md", 58, "0.85"): "the end of a range read off a curve, which holds the values",
    ("report-c.md", 67, "2.61"): "one unit in the last place off: 2.62 is the nearest there is",
}
# What the six runs and the model come to, worked out by hand and in PyTorch.
TRUTHS = ROWS["truths"]


def numbers_of(text):
    """Every number of a Markdown report, formulas included."""
    plain = text.replace("{,}", "").replace("−", "-")
    plain = re.sub(r"(?<=\d),(?=\d{3}\b)", "", plain)
    return [Decimal(found) for found in re.findall(r"\d+(?:\.\d+)?", plain)]


def states(numbers, value):
    """Say whether a value is printed, or is what a printed number rounds to."""
    digits = Decimal(1).scaleb(value.as_tuple().exponent)
    return any(
        number.quantize(digits, rounding=mode) == value
        for number in numbers
        if number.as_tuple().exponent <= value.as_tuple().exponent
        for mode in (ROUND_HALF_UP, ROUND_HALF_EVEN)
    )


@pytest.fixture(scope="module")
def report(project, tmp_path_factory):
    """The report of the published runs under both definitions of the spread."""
    folder = tmp_path_factory.mktemp("lab")
    write_published_logs(folder / "logs")
    sample = project / "inputs" / "roberta-small-fr"
    for part in ("model", "lora"):
        shutil.copytree(sample / part, folder / part)
    study = (sample / "study.toml").read_text("utf-8")
    study = re.sub(r"\[groups\.huggingface\]\n(?:.+\n)+", "", study)
    texts = []
    for ddof in (1, 0):
        (folder / "study.toml").write_text(study.replace("ddof = 1 ", f"ddof = {ddof} "), "utf-8")
        out = folder / f"report{ddof}.md"
        assert build(BuildOptions(study=folder / "study.toml", out=out)).exit_code == 0
        texts.append(out.read_text("utf-8"))
    return texts


@pytest.mark.parametrize("subject", TRUTHS)
def test_what_is_known_to_be_true_is_stated(report, subject):
    numbers = numbers_of(report[0])
    assert [v for v in TRUTHS[subject] if not states(numbers, Decimal(v))] == []


def test_the_population_spread_is_stated_where_it_is_asked_for(report):
    numbers = numbers_of(report[1])
    assert states(numbers, Decimal("0.71"))
    assert states(numbers, Decimal("0.83"))
    assert "population standard deviation" in report[1]
    assert "sample standard deviation" not in report[1]


def test_every_number_of_a_right_report_is_stated(report, project):
    reports = project.parent / "shared" / "reports"
    if not reports.is_dir():
        pytest.skip("no shared/reports beside the checkout")
    numbers = [number for text in report for number in numbers_of(text)]
    labels = read_labels(reports, project / "tests" / "data" / "written" / "labels.csv")
    # A step is called by its epoch, and seeds are compared by pair in one difference.
    told = [label for label in labels if label.verdict in RIGHT and label.kind != "best_step"]
    right = [(label, v) for label in told for v in label.values]
    assert len(right) > 110
    absent = [
        (label.where, str(value))
        for label, value in right
        if (label.report, label.line, f"{value}") not in OTHER
        and not states(numbers, value)
        # A range read off a curve whose axis is in fractions.
        and not (label.kind == "range" and states(numbers, (value * 100).quantize(Decimal(1))))
    ]
    assert absent == []


def test_the_labelled_truth_is_ours(report, project):
    claims = project.parent / "shared" / "reports" / "claims.json"
    if not claims.is_file():
        pytest.skip("no shared/reports beside the checkout")
    truth = json.loads(claims.read_text("utf-8"))["ground_truth"]["what_a_correct_report_says"]
    numbers = numbers_of(report[0])
    for group in truth["test_at_best_valid"].values():
        for value in (*group["values"], group["mean"]):
            assert states(numbers, Decimal(str(value)))
        for key in ("std_ddof1", "t95_half_width"):
            assert states(numbers, Decimal(str(group[key])).quantize(Decimal("0.01")))
