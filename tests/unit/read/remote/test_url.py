import os
from pathlib import Path

import pytest
from fakes.rows import rows_beside

from reportgen.read.remote.url import is_url, read_url
from reportgen.records.errors import UsageError

ROWS = rows_beside(__file__)


@pytest.mark.parametrize("text", ["s3://b", "S3://b/x", "gs://b/x/", "memory://b", "file:///x"])
def test_a_url_is_told_from_a_path(text):
    assert is_url(text)


@pytest.mark.parametrize("text", ["", "logs", "C:/logs", "c://logs", "s3:/b", "://b", "a b://c"])
def test_a_path_is_no_url(text):
    assert not is_url(text)
    assert read_url(text) == Path(text)


@pytest.mark.skipif(os.name == "nt", reason="a path of Windows begins with a drive")
def test_a_url_of_this_machine_is_a_path():
    assert read_url("file:///srv/my%20runs") == Path("/srv/my runs")


@pytest.mark.parametrize("text", ROWS["a_url_with_a_secret_is_refused_and_the_secret_is_not_told"])
def test_a_url_with_a_secret_is_refused_and_the_secret_is_not_told(text):
    with pytest.raises(UsageError) as caught:
        read_url(text)
    assert "hunter22" not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    ["s3://", "s3:///lab", "s3://b/../c", "s3://b/./c", "s3://b//c", "s3://b/a\\b", "s3://b/a\nb"],
)
def test_a_url_of_no_folder_is_refused(text):
    with pytest.raises(UsageError):
        read_url(text)


def test_a_chain_of_file_systems_is_refused():
    with pytest.raises(UsageError, match="chain"):
        read_url("simplecache::s3://bucket/lab"[13:] + "::file:///etc")
