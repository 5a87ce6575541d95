"""Rubric files: what a course may write, and every slip at once."""

from decimal import Decimal

import pytest
from fakes.rows import rows_beside

from reportgen.read.study.read import read_rubric
from reportgen.records.errors import EvidenceError, StudyError, UsageError
from reportgen.records.verdict import Rubric, RubricLine

ROWS = rows_beside(__file__)
WHOLE = ROWS["whole"]


@pytest.fixture
def rubric(tmp_path):
    def read(text: str | bytes) -> Rubric:
        path = tmp_path / "rubric.toml"
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return read_rubric(path)

    return read


def test_every_key_is_read_as_it_is_written(rubric):
    assert rubric(WHOLE) == Rubric(
        title="Lab 3",
        unreadable="zero",
        visibility="after_published",
        lines=(
            RubricLine(
                id="values",
                title="Values stand in the logs",
                points=Decimal(5),
                rules=("series", "column"),
                kinds=("s*",),
                sections=("Task 3*",),
                error=Decimal("0.1"),
                warning=Decimal("0.05"),
                visibility="hidden",
            ),
            RubricLine(id="rest", title="rest"),
        ),
    )


def test_a_line_that_says_nothing_costs_a_point_an_error_and_nothing_a_warning(rubric):
    line = rubric('[[line]]\nid = "a"\n').lines[0]
    assert (line.points, line.error, line.warning) == (0, 1, 0)


def test_all_faults_are_told_at_once_with_their_lines_and_the_nearest_key(rubric):
    with pytest.raises(StudyError) as told:
        rubric(
            'titel = "x"\nunreadable = "zeroo"\n[[line]]\nid = "a"\npoint = 3\nerror = "1"\n'
            '[[line]]\npoints = -1\nkinds = "value"\n[[line]]\nid = "a"\nwarning = nan\n'
        )
    lines = str(told.value).splitlines()
    assert lines[0].endswith("9 entries need correcting")
    assert [line.partition("rubric.toml:")[2] for line in lines[1:10]] == [
        "1: unknown key 'titel'; did you mean 'title'?",
        "2: unreadable must be one of 'ungraded', 'zero', not 'zeroo'; did you mean 'zero'?",
        "5: unknown key 'line.0.point'; did you mean 'points'?",
        "6: line.0.error must be a number, not '1'",
        "7: line.1 needs an id",
        "8: line.1.points must lie in 0 to 1000000, not -1",
        "9: line.1.kinds must be a list of texts, not 'value'",
        "11: two lines have the id 'a'",
        "12: line.2.warning must lie in 0 to 1000000, not NaN",
    ]


@pytest.mark.parametrize(
    ("text", "says"), ROWS["a_pattern_that_fits_nothing_is_told_with_what_may_be_meant"]
)
def test_a_pattern_that_fits_nothing_is_told_with_what_may_be_meant(rubric, text, says):
    with pytest.raises(StudyError) as told:
        rubric(f'[[line]]\nid = "a"\n{text}\n')
    assert str(told.value).splitlines()[1].partition(":3: line.0.")[2].startswith(says)


def test_patterns_fit_in_capitals_and_small_letters(rubric):
    read = rubric('[[line]]\nid = "a"\nrules = ["Series", "S*"]\nkinds = ["*"]\n')
    assert read.lines[0].rules == ("Series", "S*")


@pytest.mark.parametrize(("text", "says"), ROWS["a_rubric_that_means_nothing_is_refused"])
def test_a_rubric_that_means_nothing_is_refused(rubric, text, says):
    with pytest.raises(StudyError) as told:
        rubric(text)
    assert says in str(told.value)


def test_what_is_no_text_or_too_much_of_it_is_refused(rubric):
    with pytest.raises(StudyError, match="byte 0 is not UTF-8"):
        rubric(b"\xff\xfe")
    with pytest.raises(StudyError, match="larger than"):
        rubric(b"#" * 1_000_001)


def test_a_path_without_a_file_is_told(tmp_path):
    with pytest.raises(EvidenceError, match="no rubric file"):
        read_rubric(tmp_path / "absent.toml")
    with pytest.raises(UsageError, match="is a folder, not a rubric file"):
        read_rubric(tmp_path)


def test_a_byte_order_mark_is_no_key(rubric):
    assert rubric(b"\xef\xbb\xbf" + WHOLE.encode()) == rubric(WHOLE)
