"""The JSON schema of study files: what editors complete is what the program reads."""

import json
import tomllib

import jsonschema
import pytest
from fakes.rows import rows_beside

from reportgen.cli import main
from reportgen.read.study import SCHEMA_LINE, SCHEMA_NAME, read_study, schema_text, study_schema

ROWS = rows_beside(__file__)
LEGAL = ROWS["legal"]
ILLEGAL = ROWS["illegal"]


def complaints(text: str) -> list[str]:
    found = jsonschema.Draft7Validator(study_schema()).iter_errors(tomllib.loads(text))
    return [fault.message for fault in found]


def test_the_schema_is_one() -> None:
    jsonschema.Draft7Validator.check_schema(json.loads(schema_text()))


@pytest.mark.parametrize("text", LEGAL)
def test_what_is_read_is_legal(text, tmp_path):
    (tmp_path / "study.toml").write_text(text, encoding="utf-8")
    read_study(tmp_path / "study.toml")
    assert complaints(text) == []


@pytest.mark.parametrize("text", ILLEGAL)
def test_what_is_refused_is_marked(text, tmp_path):
    (tmp_path / "study.toml").write_text(text, encoding="utf-8")
    with pytest.raises(Exception, match="study"):
        read_study(tmp_path / "study.toml")
    assert complaints(text)


def test_init_names_the_schema_in_the_first_line(project, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    logs = str(project / "inputs" / "tiny-grid" / "logs")
    assert main(["init", "--runs", logs]) == 0
    first, _, rest = (tmp_path / "study.toml").read_text("utf-8").partition("\n")
    assert first == SCHEMA_LINE == f"#:schema ./{SCHEMA_NAME}"
    assert (tmp_path / SCHEMA_NAME).read_text("utf-8") == schema_text()
    assert complaints(rest) == []
    # What is printed has no schema beside it.
    assert main(["init", "--runs", logs, "--out", "-"]) == 0
    assert SCHEMA_NAME not in capsys.readouterr().out
