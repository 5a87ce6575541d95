from pathlib import Path

import pytest

from reportgen.read.study.read import read_study
from reportgen.records.errors import EvidenceError, ExitCode, StudyError, UsageError


def written(folder: Path, text: str) -> Path:
    path = folder / "study.toml"
    path.write_text(text, encoding="utf-8")
    return path


LEGAL = {
    "empty": "",
    "comment only": "# nothing\n",
    "byte order mark": "\ufeff[report]\ntitle = 'x'\n",
    "dotted key": "metric.name = 'accuracy'\n",
    "inline table": "metric = {name = 'accuracy', ties = 'last'}\n",
    "group name with spaces": '[groups."two words"]\nseeds = [0]\n',
    "two adapters": "[[adapter]]\nconfig = 'a'\n[[adapter]]\nconfig = 'b'\n",
    "windows line ends": "[metric]\r\nname = 'loss'\r\ndirection = 'lower'\r\n",
}


@pytest.mark.parametrize("text", LEGAL.values(), ids=LEGAL)
def test_legal_files_are_read(tmp_path, text):
    assert read_study(written(tmp_path, text)).path.endswith("study.toml")


def test_values_arrive_where_they_belong(tmp_path):
    study = read_study(
        written(
            tmp_path,
            """
            [metric]
            name = "wer"
            direction = "lower"
            [groups.a]
            label = "A"
            seeds = [3, 1]
            [splits.names]
            dev = "validation"
            [splits.sizes]
            test = 2000
            [statistics]
            ddof = 0
            [[adapter]]
            base = "b.json"
            """,
        )
    )
    assert (study.metric.name, study.metric.direction) == ("wer", "lower")
    assert study.groups[0].seeds == (3, 1)
    assert study.label("a") == "A"
    assert study.label("unknown") == "unknown"
    assert study.split_names == {"dev": "validation"}
    assert study.split_sizes == {"test": 2000}
    assert study.statistics.ddof == 0
    assert study.adapters[0].base == "b.json"


ILLEGAL = {
    "near-miss of a key": (
        "[report]\ntitel = 'x'",
        2,
        "unknown key 'report.titel'; did you mean 'title'?",
    ),
    "near-miss of a table": (
        "\n[metrics]\nname = 'x'",
        2,
        "unknown table 'metrics'; did you mean 'metric'?",
    ),
    "far from any key": (
        "[epochs]\nzzz = 1",
        2,
        "unknown key 'epochs.zzz'; legal here: steps_per_epoch",
    ),
    "wrong type": (
        "[report]\nauthors = 'me'",
        2,
        "report.authors must be a list of texts, not 'me'",
    ),
    "truth is no number": (
        "[statistics]\nddof = true",
        2,
        "statistics.ddof must be a whole number",
    ),
    "illegal choice": ("[metric]\nties = 'frist'", 2, "did you mean 'first'?"),
    "out of range": ("[statistics]\nconfidence = 95", 2, "0.5 to 0.9999, not 95; 0.95 is 95%"),
    "neither of two": ("[statistics]\nddof = 5", 2, "must be one of 0, 1, not 5"),
    "negative seed": ("[groups.a]\nseeds = [0, -1]", 2, "must lie in 0 to 4294967295, not [0, -1]"),
    "seed that torch does not take": (
        "[groups.a]\nseeds = [99999999999999999999]",
        2,
        "must lie in",
    ),
    "absurd size": ("[epochs]\nsteps_per_epoch = 1000000000000000000000000", 2, "must lie in 0 to"),
    "table that is a value": ("metric = 3", 1, "'metric' must be a table: write it as [metric]"),
    "adapter that is a table": ("[adapter]\nbase = 'x'", 1, "write each as [[adapter]]"),
    "second adapter": ("[[adapter]]\n[[adapter]]\nbaes = 'x'", 3, "unknown key 'adapter.1.baes'"),
    "unknown split": ("[splits.names]\nvalid = 'val'", 2, "must be one of train, validation, test"),
    "split of a size": ("[splits.sizes]\nvalid = 3", 2, "unknown key 'splits.sizes.valid'"),
    "broken pattern": ("[runs]\npattern = '(?P<group>'", 2, "is not a regular expression"),
    "pattern of brackets": (
        f"[runs]\npattern = '{'(' * 900}{')' * 900}'",
        2,
        "is not a regular expression",
    ),
    "pattern of too many": (
        "[runs]\npattern = '(?P<group>a{99999999999999999999})'",
        2,
        "is not a regular expression",
    ),
    "pattern without a group": ("[runs]\npattern = '(?P<split>.)'", 2, "needs a named group"),
    "one group to compare": ("[comparison]\ngroups = ['a']", 2, "must name exactly two groups"),
    "language of no report": ("[report]\nlang = 'tlh'", 2, "must be one of 'en', 'fr', not 'tlh'"),
    "region alone": ("[report]\nlang = '-FR'", 2, "must be one of 'en', 'fr'"),
    "not TOML": ("[report]\ntitle = unquoted", 2, "not valid TOML"),
}


@pytest.mark.parametrize(("text", "line", "message"), ILLEGAL.values(), ids=ILLEGAL)
def test_a_mistake_is_named_with_its_line(tmp_path, text, line, message):
    path = written(tmp_path, text)
    with pytest.raises(StudyError) as caught:
        read_study(path)
    assert f"{path}:{line}: " in str(caught.value)
    assert message in str(caught.value)
    # The head is true of names that are unknown and of values that are out of range.
    assert "1 entry needs correcting" in str(caught.value) or "not valid TOML" in message
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


def test_a_folder_is_no_study_file(tmp_path):
    with pytest.raises(UsageError, match="is a folder"):
        read_study(tmp_path)


def test_not_utf8(tmp_path):
    path = tmp_path / "study.toml"
    path.write_bytes(b"[report]\ntitle = '\xff'\n")
    with pytest.raises(StudyError, match="is not UTF-8"):
        read_study(path)


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


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no such device")
def test_a_device_is_not_read():
    with pytest.raises(UsageError, match="no regular file"):
        read_study(Path("/dev/zero"))


def test_a_grid_gives_its_seeds_to_groups_that_state_none(tmp_path):
    path = tmp_path / "study.toml"
    path.write_text(
        "[grid]\ngroups = ['a', 'b']\nseeds = [0, 1]\n"
        "[groups.a]\n[groups.b]\nseeds = [5]\n[groups.c]\nlabel = 'C'\n",
        encoding="utf-8",
    )
    study = read_study(path)
    assert (study.grid.groups, study.grid.seeds) == (("a", "b"), (0, 1))
    assert {plan.name: plan.seeds for plan in study.groups} == {"a": (0, 1), "b": (5,), "c": ()}
