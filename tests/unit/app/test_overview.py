"""What `inspect` says of a folder of logs, beside what was written into it."""

import math
import shutil

import pytest
from fakes.event_file import graph, histogram, image, put, scalar, write_scalars

from reportgen.app import inspect

POINTS = [(1, 0.5), (2, 0.6)]


@pytest.fixture
def folder(tmp_path):
    for seed in (1, 2):
        write_scalars(tmp_path / f"a_seed{seed}", {"val/accuracy": POINTS, "test/accuracy": POINTS})
    write_scalars(
        tmp_path / "b_seed1", {"val/accuracy": [*POINTS, (3, math.nan), (4, math.inf)]}, start=2e9
    )
    return tmp_path


def row(found, key, name, value):
    return next(one for one in found[key] if one[name] == value)


def test_a_tag_counts_its_points_and_where_it_is_absent(folder):
    tag = row(inspect(folder), "tags", "tag", "val/accuracy")
    assert (tag["runs"], tag["points"], tag["nan"], tag["infinite"]) == (3, 8, 1, 1)
    assert (tag["first_step"], tag["last_step"], tag["absent_in"]) == (1, 4, [])
    tag = row(inspect(folder), "tags", "tag", "test/accuracy")
    assert (tag["runs"], tag["absent_in"]) == (2, ["b_seed1"])


def test_cells_are_found_missing_or_claimed_twice(folder):
    write_scalars(folder / "other" / "a_seed1", {"val/accuracy": POINTS}, start=3e9)
    study = folder / "study.toml"
    study.write_text("[groups.a]\nmatch = '*a_seed*'\nseeds = [1, 2, 3]\n")

    grid = inspect(folder, study=study)["grid"]

    assert grid["seeds"] == [1, 2, 3]
    cells = grid["groups"][0]["cells"]
    assert [(c["seed"], c["state"], c["runs"]) for c in cells] == [
        (1, "claimed more than once", ["a_seed1", "other/a_seed1"]),
        (2, "found", ["a_seed2"]),
        (3, "missing", []),
    ]
    assert cells[1]["points"] == [4, 4]
    assert cells[1]["last_step"] == 2


def test_files_say_what_read_them_and_what_they_gave(folder):
    (path,) = (folder / "a_seed1").iterdir()
    shutil.copy(path, folder / "events.out.tfevents.copy")
    (folder / "config.json").write_text("{}")
    (folder / "empty.tfevents").write_bytes(b"")

    found = inspect(folder)

    files = {file["path"]: file for file in found["files"]}
    read = files[f"a_seed1/{path.name}"]
    assert (read["kind"], read["read"], read["points"]) == ("tfevents", True, 4)
    assert (read["size"], read["run"]) == (path.stat().st_size, "a_seed1")
    assert not files["config.json"]["read"]
    assert files["config.json"]["kind"] == ""
    copies = [f for f in files.values() if f["kind"] == "tfevents" and not f["read"]]
    assert len(copies) == 1
    assert any(p["path"] == copies[0]["path"] and "same file" in p["message"]
               for p in found["problems"])  # fmt: skip
    assert (files["empty.tfevents"]["read"], files["empty.tfevents"]["points"]) == (True, 0)


def test_records_that_hold_no_scalar_are_counted(tmp_path):
    others = [histogram("weights", 1), histogram("weights", 2), image("sample", 1), graph()]
    put(tmp_path / "events.out.tfevents.1.h", [scalar("val/loss", 1, 0.5), *others])

    (file,) = inspect(tmp_path)["files"]

    assert (file["points"], file["skipped"]) == (1, {"histogram": 2, "image": 1, "graph": 1})
