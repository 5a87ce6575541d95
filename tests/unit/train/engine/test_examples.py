"""Examples of a split: every kind of file, and every fault with file, line and remedy."""

import csv
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.records.errors import EvidenceError, UsageError
from reportgen.records.study import DataPlan
from reportgen.train.engine import read_splits
from reportgen.train.engine.examples import Examples, name_labels, number_labels, read_examples


@pytest.fixture
def read(tmp_path):
    """Write a file of examples, and of labels if there are any, and read them."""

    def go(name, content, labels=None, **columns):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        plan = {"files": {"train": str(path)}, **columns}
        if labels is not None:
            (tmp_path / "train.label").write_text(labels, encoding="utf-8", newline="")
            plan["labels"] = {"train": str(tmp_path / "train.label")}
        return read_examples(DataPlan(**plan), "train")

    return go


def refused(found, *words):
    error = found.value
    assert all(word in error.message for word in words), error.message
    assert error.remedy


def test_a_file_of_texts_and_one_of_labels(read):
    found = read("train.input0", "un bon livre\r\n\nun autre\x85livre\u2028\n", "1\n0\r\n1\n")
    assert found.texts == ("un bon livre", "", "un autre\x85livre\u2028")
    assert (found.labels, found.lines) == (("1", "0", "1"), (1, 2, 3))
    assert found.source.endswith("train.label")


def test_a_table_with_columns_of_any_name(read):
    text = 'stars,review\n5,"bon, même ""très"" bon\nlivre"\n1,\n'
    found = read("books.csv", text, text="review", label="stars")
    assert found.texts == ('bon, même "très" bon\nlivre', "")
    assert (found.labels, found.lines) == (("5", "1"), (3, 4))


def test_a_table_with_tabs_and_a_byte_order_mark(read):
    found = read("books.tsv", b"\xef\xbb\xbftext\tlabel\na, b\tpos\n")
    assert (found.texts, found.labels) == (("a, b",), ("pos",))


def test_json_lines_with_numbers_as_labels(read):
    found = read("books.jsonl", '{"text": "a", "label": 1}\n\n{"label": "0", "text": "b"}\n')
    assert (found.texts, found.labels, found.lines) == (("a", "b"), ("1", "0"), (1, 3))


@pytest.fixture(autouse=True)
def _limit_of_the_process():
    """What others read is cut where it was, however reading examples ends."""
    before = csv.field_size_limit()
    yield
    assert csv.field_size_limit() == before


def test_a_document_longer_than_the_csv_module_takes_by_itself(read):
    assert csv.field_size_limit() < 200_000
    assert len(read("long.csv", f"text,label\n{'a' * 200_000},1\n").texts[0]) == 200_000
    assert csv.field_size_limit() < 200_000


FAULTS = {
    "no column": ("a.csv", "text,stars\na,1\n", None, "a.csv:1", "no column called 'label'"),
    "two columns": ("a.csv", "text,label,label\na,1,2\n", None, "a.csv:1", "more than one"),
    "no header": ("a.csv", "", None, "a.csv:1", "no column"),
    "few fields": ("a.csv", "text,label\na,1\nb\n", None, "a.csv:3", "not as many fields"),
    "many fields": ("a.csv", "text,label\na,b,1\n", None, "a.csv:2", "not as many fields"),
    "a stray quote": ("a.tsv", 'text\tlabel\n"a" b\t1\n', None, "a.tsv:2", "expected"),
    "an open quote": ("a.tsv", 'text\tlabel\n"a\t1\n', None, "a.tsv:2", "end of data"),
    "no row": ("a.csv", "text,label\n", None, "a.csv", "no example"),
    "no line": ("a.txt", "", "", "a.txt", "no example"),
    "unequal": ("a.txt", "a\nb\n", "1\n", "a.txt has 2 lines", "train.label has 1"),
    "no label": ("a.txt", "a\nb\n", "1\n \n", "train.label:2", "label is empty"),
    "no JSON": ("a.jsonl", '{"text": "a", "label": 1}\n{"text"\n', None, "a.jsonl:2", "Expecting"),
    "a JSON list": ("a.json", '["a", 1]\n', None, "a.json:1", "JSON list"),
    "no key": ("a.jsonl", '{"text": "a"}\n', None, "a.jsonl:1", "no key called 'label'"),
    "no text": ("a.jsonl", '{"text": 3, "label": 1}\n', None, "a.jsonl:1", "'text' is no text"),
    "a true label": ("a.jsonl", '{"text": "a", "label": true}', None, "a.jsonl:1", "neither"),
    "deep JSON": ("a.jsonl", "[" * 100_000 + "\n", None, "a.jsonl:1", "no JSON"),
    "Latin 1": ("a.csv", b"text,label\na,1\ncaf\xe9,1\n", None, "a.csv:3", "no UTF-8"),
}


@pytest.mark.parametrize("case", FAULTS.values(), ids=FAULTS)
def test_a_fault_is_named_with_file_and_line(read, case):
    name, content, labels, *words = case
    with pytest.raises(EvidenceError) as found:
        read(name, content, labels)
    refused(found, *words)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(EvidenceError) as found:
        read_examples(DataPlan(files={"train": str(tmp_path / "no.csv")}), "train")
    refused(found, "no.csv cannot be read")


def test_texts_without_labels_and_a_split_without_a_file(read):
    with pytest.raises(UsageError) as found:
        read("train.input0", "a\n")
    refused(found, "no labels")
    with pytest.raises(UsageError) as found:
        read_examples(DataPlan(), "validation")
    refused(found, "no examples for validation")


def examples(*labels):
    return Examples(
        split="train",
        source="train.label",
        texts=("",) * len(labels),
        labels=labels,
        lines=tuple(range(1, len(labels) + 1)),
    )


def test_labels_are_sorted_whole_numbers_by_value():
    assert name_labels(examples("10", "9", "-1")) == ("-1", "9", "10")
    assert name_labels(examples("b", "10", "9")) == ("10", "9", "b")


def test_one_label_is_no_task():
    with pytest.raises(EvidenceError) as found:
        name_labels(examples("1", "1"))
    refused(found, "train.label", "'1'")


def test_a_label_that_training_never_saw():
    with pytest.raises(EvidenceError) as found:
        number_labels(examples("a", "c"), ("a", "b"))
    refused(found, "train.label:2", "'c'")


@given(
    rows=st.lists(
        st.tuples(
            st.text(st.characters(exclude_categories=["Cs"])), st.sampled_from(["0", "1", "x y"])
        ),
        min_size=1,
    )
)
def test_what_the_csv_module_and_json_write_comes_back(tmp_path_factory, rows):
    folder = tmp_path_factory.mktemp("rows")
    with (folder / "a.csv").open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerows([("text", "label"), *rows])
    lines = [json.dumps({"text": text, "label": label}) for text, label in rows]
    (folder / "a.jsonl").write_text("\n".join(lines), encoding="utf-8")
    for name in ("a.csv", "a.jsonl"):
        found = read_examples(DataPlan(files={"train": str(folder / name)}), "train")
        assert list(zip(found.texts, found.labels, strict=True)) == rows


def test_the_splits_of_a_fine_tune(tmp_path):
    files = {}
    for split in ("train", "validation", "test", "notes"):
        (tmp_path / f"{split}.csv").write_text(f"text,label\n{split},a\n", encoding="utf-8")
        files[split] = str(tmp_path / f"{split}.csv")
    found = read_splits(DataPlan(files=files))
    assert {split: part.texts for split, part in found.items()} == {
        "train": ("train",),
        "validation": ("validation",),
        "test": ("test",),
    }
    files.pop("test")
    assert read_splits(DataPlan(files=files)).keys() == {"train", "validation"}
    files.pop("validation")
    with pytest.raises(UsageError) as fault:
        read_splits(DataPlan(files=files))
    refused(fault, "no validation examples")
