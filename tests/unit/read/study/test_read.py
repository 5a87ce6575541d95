from pathlib import Path

import pytest
from fakes.rows import rows_beside, rows_of

from reportgen.read.study.read import read_study
from reportgen.records.errors import EvidenceError, ExitCode, StudyError

ROWS = rows_beside(__file__)


def written(folder: Path, text: str) -> Path:
    path = folder / "study.toml"
    path.write_text(text, encoding="utf-8")
    return path


LEGAL = ROWS["legal"]


@pytest.mark.parametrize("text", LEGAL.values(), ids=LEGAL)
def test_legal_files_are_read(tmp_path, text):
    assert read_study(written(tmp_path, text)).path.endswith("study.toml")


MISTAKES = rows_of(Path(__file__).with_name("mistakes.yaml"))
DEEP = {
    "about": "pattern of brackets",
    "text": f"[runs]\npattern = '{'(' * 900}{')' * 900}'",
    "line": 2,
    "says": "is not a regular expression",
}


@pytest.mark.parametrize("row", [*MISTAKES, DEEP], ids=lambda row: row["about"])
def test_a_mistake_is_named_with_its_line(tmp_path, row):
    path = written(tmp_path, row["text"])
    with pytest.raises(StudyError) as caught:
        read_study(path)
    assert f"{path}:{row['line']}: " in str(caught.value)
    assert row["says"] in str(caught.value)
    # The head is true of names that are unknown and of values that are out of range.
    assert "1 entry needs correcting" in str(caught.value) or "not valid TOML" in row["says"]
    assert caught.value.exit_code == ExitCode.USAGE
    assert caught.value.remedy


@pytest.mark.parametrize("lang", ["fr", "en", "fr-FR", "fr-ca", "en-GB-oxendict"])
def test_a_report_may_be_in_any_language_there_is(tmp_path, lang):
    study = read_study(written(tmp_path, f"[report]\nlang = '{lang}'\n"))
    assert study.report.lang == lang


def test_every_mistake_is_named_at_once_and_in_order(tmp_path):
    path = written(tmp_path, "[metric]\nties = 1\nnmae = 'x'\n[report]\nlang = 'xx'\n")
    with pytest.raises(StudyError) as caught:
        read_study(path)
    lines = [line for line in str(caught.value).splitlines() if f"{path}:" in line][1:]
    assert [line.split(f"{path}:")[1][0] for line in lines] == ["2", "3", "5"]


def test_no_such_file(tmp_path):
    with pytest.raises(EvidenceError, match="no study file"):
        read_study(tmp_path / "absent.toml")


def test_a_huge_file_is_not_read(tmp_path):
    path = tmp_path / "study.toml"
    path.write_bytes(b"#" * 1_000_001)
    with pytest.raises(StudyError, match="larger than"):
        read_study(path)


@pytest.mark.parametrize("value", ["[" * 50_000, "9" * 5_000, f"0x{'f' * 5_000}", "{a=" * 20_000])
def test_what_no_parser_reads_is_a_letter(tmp_path, value):
    (tmp_path / "study.toml").write_text(f"a = {value}", encoding="utf-8")
    with pytest.raises(StudyError, match="not valid TOML"):
        read_study(tmp_path / "study.toml")
