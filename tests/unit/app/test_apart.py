"""A report is not written over its evidence, and what it writes among the logs is none."""

import pytest

from reportgen.app.following import Inputs
from reportgen.app.live import Watched
from reportgen.app.reading import check_apart
from reportgen.read.logs import find_tree
from reportgen.records.errors import UsageError

TABLE = "Step,Test\r\n100,50.1\r\n"
MARKS = {
    "json": b'{\n "schema": "reportgen-report/1",\n',
    "html": b'<meta name="generator" content="reportgen 0.1.0">',
    "tex": b"\\begin{document}\n%%rg summary blocks/section.j2\n",
    "pdf": b"%PDF-1.7 ... /F (report.json)",
}


@pytest.fixture
def logs(tmp_path):
    folder = tmp_path / "logs"
    (folder / "report_files").mkdir(parents=True)
    (folder / "report_files/per_epoch.csv").write_text(TABLE)
    (folder / "metrics.csv").write_text(TABLE)
    return folder


@pytest.mark.parametrize("name", ["metrics.json", "config.json", "a/history.json", "r.log.json"])
@pytest.mark.parametrize("there", [True, False])
def test_no_report_has_a_name_that_logs_have(logs, name, there):
    if there:
        (logs / name).parent.mkdir(exist_ok=True)
        (logs / name).touch()
    with pytest.raises(UsageError, match="logs have this name") as told:
        check_apart([logs / name], [logs])
    assert ("there is one already" in str(told.value)) is there


def test_no_report_is_written_over_what_it_is_made_of(logs):
    evidence = logs.parent / "model.json"
    evidence.touch()
    with pytest.raises(UsageError, match="made from that very file"):
        check_apart([logs.parent / "logs/../model.json"], [logs, evidence])


def test_other_names_and_places_are_free(logs):
    (logs.parent / "metrics.json").touch()
    free = ["logs/report.json", "logs/report.pdf", "metrics.json", "out/config.json"]
    check_apart([logs.parent / name for name in free], [logs, logs.parent / "nowhere"])


def names(logs):
    return [file.name for file in find_tree(logs, ()).logs]


@pytest.mark.parametrize("kind", MARKS)
def test_tables_of_a_report_among_the_logs_are_no_logs(logs, kind):
    assert names(logs) == ["metrics.csv", "report_files/per_epoch.csv"]
    report = logs / f"report.{kind}"
    # A folder of that name beside a file of somebody else's is a folder like any other.
    report.write_bytes(b"{}")
    assert names(logs) == ["metrics.csv", "report_files/per_epoch.csv"]
    report.write_bytes(MARKS[kind])
    assert names(logs) == ["metrics.csv"]


def test_a_report_that_is_followed_does_not_follow_itself(logs):
    inputs = Inputs(logs=logs, product=logs / "report_files")
    watched = Watched(inputs.roots())
    before = watched.look()
    (logs / "report_files/per_epoch.csv").write_text(TABLE * 2)
    assert watched.look() == before
    (logs / "metrics.csv").write_text(TABLE * 2)
    assert watched.look() != before
