"""What `check` says of reports that are known: errors and warnings by their places, and counts.

Written reports and those of strangers lie beside the checkout on some machines only. Of them the
places and the figures are kept here, in one table, and no sentence. A row without a place counts
the numbers of one outcome.
"""

import csv
import json
import re
import shutil
from pathlib import Path

import pytest
from fakes.pinned import ANEW, WRITE, shared
from fakes.written import write_published_logs

from reportgen.app import ShowOptions, check, show

PINNED = Path(__file__).resolve().parent / "verdicts.csv"
HEAD = ["report", "place", "printed", "outcome", "level", "rule"]
STRANGERS = (
    "01-hf-card-one-run", "02-hf-card-wrong", "03-hf-two-up", "04-ru-two-up",
    "05-rl-percent-of-expert", "06-rl-sweep", "07-two-setups", "08-keras-epochs", "09-keras-wrong",
    "10-numbers-that-claim-nothing", "11-latex-booktabs", "12-notebook", "13-pdf-two-columns",
    "14-fr-virgule", "15-lightning-versions", "16-yolo-results", "17-seeds-sample",
    "18-seeds-population", "19-dense-curve", "20-runs-of-another", "21-summary-json",
    "22-lora-settings", "23-parameter-counts", "24-printed-arithmetic",
    "25-differences-and-percentages", "26-literature-beside-own", "27-validation-maxima-as-test",
    "28-seeds-right", "29-text-report", "30-plain-json-log", "31-table-with-dashes",
)  # fmt: skip
COUNTED = ("traced", "untraced", "no_claim")
WRITTEN = ("report-a.md", "report-c.md", "report-d.md", "report-f.txt", "report-g.txt")


@pytest.mark.parametrize("name", STRANGERS)
def test_reports_of_strangers(name, tmp_path):
    case, copy = shared("strangers") / name, tmp_path / name
    # The answers must not lie among the evidence.
    shutil.copytree(case, copy, ignore=shutil.ignore_patterns("truth.json", "why.md", "*.typ"))
    truth = json.loads((case / "truth.json").read_text("utf-8"))
    given = {key: copy / truth[key] for key in ("runs", "adapter") if truth[key]}
    if (case / "config.json").exists() and truth["runs"] is None:
        given["checkpoint"] = copy
    hold(f"strangers/{name}", copy / truth["report"], given)


@pytest.mark.parametrize("evidence", ["none", "logs", "model"])
@pytest.mark.parametrize("name", WRITTEN)
def test_written_reports(name, evidence, lab, tmp_path):
    report = shared("reports") / name
    given = {
        "none": {},
        "logs": {"runs": write_published_logs(tmp_path / "logs")},
        "model": {"checkpoint": lab / "model", "adapter": lab / "lora"},
    }[evidence]
    hold(f"written/{name}/{evidence}", report, given)


def test_every_row_belongs_to_a_report_that_is_checked():
    known = {f"strangers/{name}" for name in STRANGERS}
    known |= {f"written/{name}/{given}" for name in WRITTEN for given in ("none", "logs", "model")}
    assert {row["report"] for row in pinned()} == known


def hold(name: str, report: Path, given: dict[str, Path]) -> None:
    """Hold the verdicts on one report against the table; write them where that is asked for."""
    checked = check(reports=(report,), **given)
    judged = json.loads(show(checked, ShowOptions(formats=("json",)), whole_class=False).text)
    told = [*judged["numbers"], *judged["statements"]]
    found = [row_of(name, one) for one in told if one["level"] in {"error", "warning"}]
    found.sort(key=lambda row: ([int(n) for n in re.findall(r"\d+", row[1])], row))
    totals = judged["totals"]
    found += [[name, "", str(totals[key]), key, "", ""] for key in COUNTED]
    found = [[name, "", "", "refused", "", ""]] if judged["fault"] else found
    if WRITE:
        kept = [row for row in pinned() if row["report"] != name]
        rows = sorted([*(list(row.values()) for row in kept), *found], key=lambda row: row[0])
        with PINNED.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([HEAD, *rows])
    assert found == [list(row.values()) for row in pinned() if row["report"] == name], ANEW


def row_of(name: str, verdict: dict) -> list[str]:
    """Return a row of the table: of what is printed only a number is kept."""
    place = verdict["place"]
    parts = [f"p{place['page']}" if place["page"] else "", place["line"] or "", place["col"] or ""]
    printed = verdict.get("printed", "")
    figure = re.fullmatch(r"[+−-]?[\d.,\s]*\d\s*%?", printed)
    return [
        name,
        ":".join(str(part) for part in parts if part),
        printed if figure else "",
        verdict["outcome"],
        verdict["level"],
        verdict["rule"],
    ]


def pinned() -> list[dict[str, str]]:
    if not PINNED.exists():
        return []
    with PINNED.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
