from argparse import ArgumentTypeError
from pathlib import Path

import pytest

from reportgen.cli.arguments import to_count, to_names, to_path


def test_names_are_separated_by_commas_in_any_spelling():
    assert to_names(" PDF, html ,,md") == ("pdf", "html", "md")


@pytest.mark.parametrize("text", ["", " , "])
def test_no_name_is_no_list(text):
    with pytest.raises(ArgumentTypeError, match="names no format"):
        to_names(text)


def test_an_empty_path_is_not_the_folder_here():
    with pytest.raises(ArgumentTypeError, match="the folder here is"):
        to_path("")
    assert to_path(".") == Path()


@pytest.mark.parametrize("text", ["20578304", "20,578,304", "20.578304e6"])
def test_a_count_in_its_spellings(text):
    assert to_count(text) == 20_578_304


@pytest.mark.parametrize("text", ["", "many", "-1", "1.5", "nan"])
def test_what_is_no_count(text):
    with pytest.raises(ArgumentTypeError):
        to_count(text)
