"""The page for CI: what it shows, what it says of what is not there, and how it stays small."""

import json
import re

import pytest
from fakes.report_json import group, report, write
from fakes.reviews import HOSTILE, every_outcome, hostile, shown
from fakes.rows import rows_beside
from markdown_it import MarkdownIt

from reportgen.app import SummaryOptions, summarise_report
from reportgen.cli import main
from reportgen.cli.console import summary_page
from reportgen.languages import message, message_to_json
from reportgen.records.errors import EvidenceError

ROWS = rows_beside(__file__)["pages"]
GITHUB = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
MARKS = "".join(HOSTILE) + '"` %%{init: {"x": 1}}%% ```\n---\n#35; [1, 2] x-axis'


@pytest.fixture
def page(tmp_path):
    """The page of a report.json, and of what else is named."""

    def make(content, *, findings=None, base=None, most=1000):
        path = write(tmp_path / "new" / "report.json", content)
        named = []
        if findings is not None:
            (tmp_path / "findings.json").write_text(findings, encoding="utf-8")
            named.append(tmp_path / "findings.json")
        if isinstance(base, dict):
            base = write(tmp_path / "old" / "report.json", base)
        options = SummaryOptions(report=path, findings=tuple(named), base=base)
        return summary_page(summarise_report(options), most * 1024)

    return make


def tables(markdown):
    """Every table that GitHub would show, as rows of plain words."""
    found, row, inside = [], [], False
    for token in GITHUB.parse(markdown):
        inside = inside or token.type == "table_open"
        if token.type == "table_open":
            found.append([])
        elif token.type == "table_close":
            inside = False
        elif token.type == "tr_open":
            row = []
        elif token.type == "inline" and inside:
            row.append("".join(c.content for c in token.children if c.type.startswith("text")))
        elif token.type == "tr_close":
            found[-1].append(row)
    return found


def charts(markdown):
    return [t.content for t in GITHUB.parse(markdown) if t.type == "fence" and t.info == "mermaid"]


def hostile_groups(count, length=300):
    names = [(f"{i} " + MARKS[i % len(MARKS) :] + MARKS * 9)[:length] for i in range(count)]
    return [group(name, [0.5, 0.6, 0.7 + i / 1e4]) for i, name in enumerate(names)]


def test_the_headline_table_is_the_reports_own(page, report, built):
    made = tables(page(json.loads((built / "report.json").read_bytes())))
    table = next(t for t in report["tables"] if t["id"] == "results.table")
    printed = tables((built / "report.md").read_text(encoding="utf-8"))
    # The Markdown of the report is made by other code.
    for found in (made, printed):
        assert table["rows"] in [one[1:] for one in found]


def described(spec):
    """Return the report.json that a row describes by its groups, or holds as it is."""
    if "groups" not in spec:
        return spec
    groups = [group(name, means, **dict(*more)) for name, means, *more in spec["groups"]]
    for one in groups:
        one["runs"] = [*one["runs"], *spec.get("lost", {}).get(one["name"], [])]
    return report(groups, **spec.get("more", {}))


def plain(text):
    """Leave out what nobody sees: spaces at the ends of lines, and which of them may not break."""
    return re.sub(" +\n", "\n", text.replace("\u00a0", " "))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["it"])
def test_what_the_page_says(page, row):
    findings = shown("json", every_outcome()) if row.get("findings") else None
    base = described(row["base"]) if "base" in row else None
    assert plain(page(described(row["of"]), findings=findings, base=base)) == row["says"]


def test_what_changed_is_what_diff_says(page, tmp_path, capsys):
    def with_number(printed, value):
        numbers = [{"id": "a.mean", "printed": printed, "value": value, "unit": "fraction"}]
        return report([group("a", [0.5])], numbers=numbers)

    text = page(with_number("80.60", 0.806), base=with_number("79.50", 0.795))
    assert main(["diff", str(tmp_path / "old"), str(tmp_path / "new"), "--json"]) == 1
    (change,) = json.loads(capsys.readouterr().out)["numbers"]
    rows = next(t for t in tables(text) if t[0][0] == "Number")[1:]
    assert rows == [["a.mean", "79.50", "80.60", change["difference_printed"]]]
    assert "numbers changed 1," in text


@pytest.mark.parametrize("damage", ["", "{", "[]", "absent"])
def test_a_base_that_cannot_be_read_is_said_and_is_no_failure(page, tmp_path, capsys, damage):
    base = tmp_path / "base.json"
    if damage != "absent":
        base.write_text(damage, encoding="utf-8")
    text = page(report([group("a", [0.5])]), base=base)
    assert "Not compared with a base: " in text
    code = main(["summary", "--report", str(tmp_path / "new"), "--base", str(base)])
    told = capsys.readouterr()
    assert (code, told.out) == (0, text)
    assert told.err.startswith("not compared with a base: ")


# Lines as the grammar of Mermaid's xychart has them, every name in quotes.
STRING, NUMBER = r'"[^"`#;{}<>\\]*"', r"-?\d+(?:\.\d+)?"
CHART = re.compile(
    r"---\nconfig:\n  themeVariables:\n    xyChart:\n"
    r'      plotColorPalette: "#\w{6}(?:, #\w{6})*"\n'
    rf"---\nxychart-beta\n  x-axis {STRING} (?:{NUMBER} --> {NUMBER}|\[{STRING}(?:, {STRING})+\])\n"
    rf"  y-axis {STRING} {NUMBER} --> {NUMBER}\n"
    rf"(?:  line {STRING} \[{NUMBER}(?:, {NUMBER})+\]\n)+"
)


def test_hostile_names_stay_words(page):
    groups = hostile_groups(12)
    text = page(
        report(groups, title=MARKS),
        findings=shown("json", hostile()),
        base=report(groups[:3], title=MARKS),
    )
    assert "## Findings in " in text
    drawn = charts(text)
    assert len(drawn) == 2
    assert all(CHART.fullmatch(chart) for chart in drawn)
    assert all("%%" not in chart for chart in drawn)
    tokens = [t for token in GITHUB.parse(text) for t in (token, *(token.children or ()))]
    kinds = {token.type for token in tokens}
    assert not kinds & {"image", "link_open", "code_inline", "hr", "s_open"}
    # HTML of our own: the small line of who wrote it and when, and what is folded.
    html = [token.content for token in tokens if token.type in {"html_inline", "html_block"}]
    fold = re.compile(r"<details><summary>[\w ]+\(\d+\)</summary>\n|</details>\n|</?sub>")
    assert all(fold.fullmatch(one) for one in html)
    assert len(tables(text)[0]) == 1 + len(groups)
    assert "data:" not in text


@pytest.mark.slow
@pytest.mark.parametrize("most", [1, 20, 60, 200, 1000])
def test_it_stays_under_its_limit_by_leaving_out_whole_parts(page, most):
    groups = hostile_groups(300)
    for one in groups[::2]:
        one["runs"][0]["missing"] = f"{one['name']}: no logs"
    content, base = report(groups), report(groups[:40])
    whole = page(content, base=base, most=10**6)
    assert len(whole.encode()) > 300 * 300
    text = page(content, base=base, most=most)
    assert len(text.encode()) <= most * 1024
    parts, kept = (
        re.split(r"^(?=##? |Charts that|Left out, as )", one, flags=re.MULTILINE)
        for one in (whole, text)
    )
    if len(whole.encode()) > most * 1024:
        assert kept.pop().startswith(f"Left out, as {most} KiB have no room for it: ")
        assert len(kept) < len(parts) + 1
    assert {part.strip() for part in kept if part} <= {part.strip() for part in parts}


def test_what_is_left_out_is_named(page):
    groups = [group("a" * 3000, [0.5, 0.6])]
    text = page(report(groups, title="T"), most=2)
    assert text.splitlines()[0] == "# T"
    assert text.splitlines()[-1] == "Left out, as 2 KiB have no room for it: results, charts."


def test_a_long_chart_is_not_drawn_and_said(page):
    long = [group("a", [0.5 + i / 1e5 for i in range(9000)])]
    text = page(report(long))
    assert charts(text) == []
    assert "Charts that are not drawn here, too many or too long: 1." in text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "is cut off"),
        ("[]", "is not a findings.json"),
        ('{"schema": "reportgen-report/1"}', "its schema is 'reportgen-report/1'"),
        ('{"schema": "reportgen-findings/2"}', "is a damaged findings.json"),
        ('{"schema": "reportgen-class-findings/2", "submissions": 3}', "is a damaged"),
    ],
)
def test_findings_that_are_none_end_in_a_sentence(page, text, told):
    with pytest.raises(EvidenceError, match=told):
        page(report([]), findings=text)


def test_a_folder_of_findings_is_taken_whole(tmp_path):
    write(tmp_path / "report.json", report([]))
    for name in ("b", "a"):
        (tmp_path / "results" / name).mkdir(parents=True)
        judged = shown("json", every_outcome(f"{name}.md"))
        (tmp_path / "results" / name / "findings.json").write_text(judged, encoding="utf-8")
    options = SummaryOptions(report=tmp_path, findings=(tmp_path / "results",))
    found = summarise_report(options)
    assert [record["report"]["path"] for record in found.checked] == ["a.md", "b.md"]
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(EvidenceError, match=r"no findings\.json in"):
        summarise_report(SummaryOptions(report=tmp_path, findings=(empty,)))


def test_it_writes_a_file_and_refuses_no_room(tmp_path, capsys):
    write(tmp_path / "report.json", report([]))
    named = ["summary", "--report", str(tmp_path)]
    assert main([*named, "--out", str(tmp_path / "made" / "s.md")]) == 0
    capsys.readouterr()
    assert main(named) == 0
    assert (tmp_path / "made" / "s.md").read_text(encoding="utf-8") == capsys.readouterr().out
    for wrong in ("0", "-1", "1.5", "x"):
        with pytest.raises(SystemExit) as ended:
            main([*named, "--max-kb", wrong])
        assert ended.value.code == 2
    assert main(["summary", "--report", str(tmp_path / "none")]) == 3


def test_a_french_page_has_the_words_of_its_records_in_french(page):
    lost = {**group("a", [0.5]), "metric": "mean_iou"}
    never = message("{run} never logged {metric} on {split}", run="a/1", metric="wer", split="test")
    told = message("no evaluation logged: no best step exists")
    lost["runs"].append({"seed": 1, "run": "a/1", "missing": never})
    messages = {words: message_to_json(words) for words in (never, told)}
    problem = {"level": "warning", "path": "a/1", "message": told, "remedy": ""}
    old = {**report([group("a", [0.5])]), "lang": "fr"}
    new = {**report([lost], problems=[problem]), "lang": "fr", "messages": messages}
    text = page(new, base=old)
    for english in ("never logged", "no evaluation", "seed 1", "missing", "warning"):
        assert english not in text
    assert "a, graine 1" in text.replace("\u00a0", " ")
