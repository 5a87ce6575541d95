import datetime as dt

import pytest
from fakes.rows import rows_beside

from reportgen.read.remote import UNREAD, identity_of, list_objects, objects
from reportgen.read.remote.url import read_url
from reportgen.records.errors import EvidenceError


class Told:
    """What a store that knows these objects would list: name to size, or to all it tells."""

    def __init__(self, **objects):
        self.objects = objects.pop("objects", objects)

    def find(self, path, **_named):
        return {
            f"{path}/{name}": {"type": "file", "ETag": '"x"'}
            | (told if isinstance(told, dict) else {"size": told})
            for name, told in self.objects.items()
        }

    def info(self, key):
        """What it tells of one object alone."""
        size = self.objects[key.removeprefix("b/lab/")].get("alone")
        if size is None:
            raise FileNotFoundError(key)
        return {"size": size, "ETag": '"x"'}


def listed(objects, limit_of=lambda _name: 100):
    return list_objects(Told(objects=objects), "b/lab", read_url("s3://b/lab"), limit_of)


@pytest.mark.parametrize("row", rows_beside(__file__), ids=lambda row: row["about"])
def test_what_is_taken_of_a_listing(row):
    found = listed(row["objects"])
    assert [one.name for one in found.objects] == row["taken"]
    assert [one.key for one in found.objects] == [f"b/lab/{name}" for name in row["taken"]]
    told = {problem.path: problem.message for problem in found.problems}
    assert told.keys() == row.get("said", {}).keys()
    assert all(words in told[path] for path, words in row.get("said", {}).items())


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("../out.csv", "leads out"),
        ("a/../../out.csv", "leads out"),
        ("a/./b.csv", "leads out"),
        ("/etc/x.csv", "leads out"),
        ("a//b.csv", "leads out"),
        ("a\\..\\b.csv", "character"),
        ("a\0b.csv", "character"),
        ("a" * 256, "longer"),
        ("/".join(["a" * 250] * 5), "longer"),
        ("\udcff.csv", "no text"),
    ],
)
def test_a_name_that_is_no_path_here_is_refused_and_said(name, why):
    found = listed({name: 1, "ok.csv": 1})
    assert [one.name for one in found.objects] == ["ok.csv"]
    (problem,) = found.problems
    assert why in problem.message
    assert problem.remedy
    problem.path.encode()


def test_of_names_that_fall_together_on_some_machine_the_first_is_fetched():
    found = listed({"Run/a.csv": 1, "run/b.csv": 1, "x.csv": 1, "X.csv": 1, "é": 1, "e\u0301": 1})
    assert [one.name for one in found.objects] == ["Run/a.csv", "X.csv", "e\u0301"]
    assert [problem.path for problem in found.problems] == ["run/b.csv", "x.csv", "é"]
    assert all("case" in problem.message for problem in found.problems)


def test_what_is_left_there_is_said_once():
    found = listed({"a.bin": 7, "b.bin": 5, "c.bin": 6}, lambda _: UNREAD)
    (problem,) = found.problems
    assert (problem.path, problem.level) == ("a.bin", "note")
    assert "7 bytes" in problem.message
    assert "2 more (11 bytes)" in problem.message


def test_only_names_are_kept_of_what_has_no_use_but_its_name():
    found = listed({"a": 5, "b": 5}, lambda name: 0 if name == "a" else None)
    assert (found.objects, found.names) == ([], ["a"])


def test_what_only_begins_alike_lies_elsewhere():
    told = Told(objects={"a.csv": 1})
    beside = {"b/lab-old/c.csv": {"type": "file", "size": 1, "ETag": "x"}}
    told.find = lambda path, **_named: Told.find(told, path) | beside
    found = list_objects(told, "b/lab", read_url("s3://b/lab"), lambda _name: 9)
    assert [one.name for one in found.objects] == ["a.csv"]


def test_a_bucket_is_no_folder_of_runs(monkeypatch):
    monkeypatch.setattr(objects, "LISTED_LIMIT", 2)
    with pytest.raises(EvidenceError, match="more than 2 objects under s3://b/lab"):
        listed({"a": 1, "b": 1, "c": 1})


def test_all_together_have_a_limit(monkeypatch):
    monkeypatch.setattr(objects, "BYTES_LIMIT", 10)
    with pytest.raises(EvidenceError, match="12 bytes of logs"):
        listed({"a": 6, "b": 6})


def test_nothing_there_is_an_error():
    with pytest.raises(EvidenceError, match="nothing under s3://b/lab"):
        listed({})


def test_the_identity_is_the_tag_or_else_the_time():
    moment = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    assert identity_of({"ETag": '"a"', "LastModified": 1}) == identity_of({"ETag": "a"})
    assert identity_of({"mtime": 1.0}) != identity_of({"mtime": 2.0})
    assert identity_of({"created": moment}) == identity_of({"created": moment.timestamp()})


def test_without_tag_and_time_every_listing_is_new():
    first, second = (listed({"a": {"ETag": "", "size": 1}}).objects[0] for _ in range(2))
    assert first.digest != second.digest


def test_digests_of_content_are_taken_from_both_kinds_of_stores():
    tags = {"s3.csv": {"size": 1, "ETag": '"' + "0f" * 16 + '"'}}
    tags["parts.csv"] = {"size": 1, "ETag": '"' + "0f" * 16 + '-2"'}
    tags["gs.csv"] = {"size": 1, "etag": "CJ=", "md5Hash": "Dw8PDw8PDw8PDw8PDw8PDw=="}
    digests = {one.name: one.md5 for one in listed(tags).objects}
    assert digests == {"s3.csv": "0f" * 16, "parts.csv": "", "gs.csv": "0f" * 16}
