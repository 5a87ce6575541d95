"""A folder of logs on a terminal: nothing is lost in the folding, and lines fit the width."""

import pytest
from fakes.event_file import write_scalars

from reportgen.app import inspect
from reportgen.cli.console import inspection_lines, problem_lines


def shown(folder, *, width=None, everything=False, study=None):
    return list(inspection_lines(inspect(folder, study=study), width=width, everything=everything))


def grid(root, groups=("small", "large"), seeds=(1, 2, 3), tags=("val/accuracy", "test/accuracy")):
    for group in groups:
        for seed in seeds:
            points = [(step, 0.5 + step / 100) for step in (10, 20, 30)]
            write_scalars(root / "deep" / "er" / f"{group}_seed{seed}", dict.fromkeys(tags, points))


def part(lines, title):
    start = next(i for i, line in enumerate(lines) if line.startswith(title))
    end = next((i for i in range(start, len(lines)) if not lines[i]), len(lines))
    return lines[start:end]


def test_the_grid_shows_what_is_there_and_what_is_missing(tmp_path):
    grid(tmp_path)
    for path in (tmp_path / "deep" / "er" / "large_seed2").iterdir():
        path.unlink()
    study = tmp_path / "study.toml"
    study.write_text("[grid]\nseeds = [1, 2, 3]\n", encoding="utf-8")

    lines = part(shown(tmp_path, study=study), "runs")

    assert lines[0] == "runs, all in deep/er/ (points to last step)"
    assert lines[1].split() == ["group", "seed", "1", "seed", "2", "seed", "3"]
    assert " ".join(lines[2].split()) == "large 6 to 30 – 6 to 30"
    assert " ".join(lines[3].split()) == "small 6 to 30 6 to 30 6 to 30"
    assert lines[4].startswith("– is missing")


def test_a_row_names_the_seeds_where_they_are_too_many_for_the_width(tmp_path):
    grid(tmp_path, seeds=tuple(range(1, 10)))

    lines = part(shown(tmp_path, width=60), "runs")

    assert lines[1].split() == ["group", "runs", "seeds", "points", "last", "step"]
    assert lines[2].split() == ["large", "9", *map(str, range(1, 10)), "6", "30"]


def test_a_tag_has_its_metric_split_and_steps_and_how_many_runs_lack_it(tmp_path):
    grid(tmp_path)
    write_scalars(
        tmp_path / "deep" / "er" / "small_seed4",
        {"val/accuracy": [(10, 0.5), (20, float("nan")), (30, float("inf"))]},
    )

    lines = part(shown(tmp_path), "tags")

    assert lines[1].split() == [
        *("tag", "metric", "split", "unit", "runs", "points", "steps", "NaN", "infinite")
    ]
    assert lines[2].split() == [
        *("val/accuracy", "accuracy", "validation", "fraction", "7", "21", "10–30", "1", "1")
    ]
    assert lines[3].split()[:6] == ["test/accuracy", "accuracy", "test", "fraction", "6/7", "18"]


def test_hundreds_of_tags_are_folded_and_none_is_lost(tmp_path):
    tags = [f"val/T{n}_{what}" for n in range(40) for what in ("f1", "recall")]
    write_scalars(tmp_path / "a", {tag: [(1, 0.5)] for tag in [*tags, "val/loss"]})

    folded = part(shown(tmp_path), "tags")
    everything = part(shown(tmp_path, everything=True), "tags")

    assert [line.split()[:3] for line in folded[2:5]] == [
        ["val/loss", "loss", "validation"],
        ["val/*_f1", "40", "tags"],
        ["val/*_recall", "40", "tags"],
    ]
    assert folded[5] == "81 tags in 3 rows; --all lists every one"
    assert {line.split()[0] for line in everything[2:]} == {*tags, "val/loss"}


@pytest.mark.parametrize("width", [80, 120])
def test_lines_fit_the_terminal(tmp_path, width):
    grid(tmp_path, groups=("a_rather_long_name_of_a_group_of_runs", "another_long_name"))
    lines = shown(tmp_path, width=width)
    # What is there to be copied is not broken: paths, and settings of a study file.
    free = [line for line in lines if "otherwise:" not in line and str(tmp_path) not in line]
    assert max(map(len, free)) <= width


def test_a_pipe_cuts_no_name(tmp_path):
    name = "a_rather_long_name_of_a_group_of_runs_" * 4
    grid(tmp_path, groups=(name, "b"))
    assert any(line.startswith(name.rstrip("_")) for line in part(shown(tmp_path), "runs"))


def test_problems_of_many_files_share_a_line(tmp_path):
    grid(tmp_path)
    for seed in range(5):
        folder = tmp_path / f"empty_{seed}"
        folder.mkdir()
        (folder / "events.out.tfevents.1.host").write_bytes(b"")

    folded = part(shown(tmp_path), "5 warnings")
    everything = part(shown(tmp_path, everything=True), "5 warnings")

    assert folded[1] == "  warning: the file is empty (0 bytes)"
    places = (f"empty_{n}/events.out.tfevents.1.host at byte 0" for n in range(3))
    assert folded[2] == f"    5 places: {', '.join(places)}, …"
    assert sum("the file is empty" in line for line in everything) == 5


def test_one_file_is_shown_like_a_folder(tmp_path):
    write_scalars(tmp_path / "a", {"val/accuracy": [(1, 0.5), (2, 0.6)]})
    (path,) = (tmp_path / "a").iterdir()

    lines = shown(path)

    assert lines[0] == f"{path}: training logs"
    assert lines[1].startswith("1 run in 1 group")
    assert part(lines, "tags")[2].split()[:4] == [
        *("val/accuracy", "accuracy", "validation", "fraction")
    ]


def problems_of(paths, *, everything=False):
    problems = [
        {
            "path": path,
            "message": f"the record is damaged; {size} bytes left out",
            "remedy": "copy the file again",
            "offset": offset,
            "level": "warning",
        }
        for path, size, offset in paths
    ]
    return list(problem_lines(problems, None, everything=everything))


def test_problems_of_one_file_keep_their_numbers():
    lines = problems_of([("a/events", 63, 7469), ("a/events", 120, 9000)])
    assert lines == [
        "2 warnings",
        "  warning: a/events at byte 7,469: the record is damaged; 63 bytes left out",
        "  warning: a/events at byte 9,000: the record is damaged; 120 bytes left out",
        "    remedy: copy the file again",
    ]


def test_very_many_problems_of_one_file_are_counted_and_the_first_keep_their_numbers():
    found = [("a/events", size, 100 * size) for size in range(1, 31)]

    folded, everything = problems_of(found), problems_of(found, everything=True)

    assert [line.rpartition("; ")[2] for line in folded[1:4]] == [
        *("1 bytes left out", "2 bytes left out", "3 bytes left out")
    ]
    assert folded[4:] == [
        "    and 27 more of this kind in this file; --all lists them",
        "    remedy: copy the file again",
    ]
    assert sum("bytes left out" in line for line in everything) == 30


def test_problems_of_several_files_are_counted_by_file():
    lines = problems_of([("a/events", 1, 10), ("a/events", 2, 20), ("b/events", 3, 30)])
    assert lines[1:3] == [
        "  warning: the record is damaged; … bytes left out",
        "    3 places: a/events at byte 10, a/events at byte 20, b/events at byte 30",
    ]


@pytest.mark.parametrize("width", [40, 60])
@pytest.mark.parametrize("everything", [False, True])
def test_tables_fold_where_a_terminal_is_too_narrow_for_their_columns(tmp_path, width, everything):
    grid(tmp_path, tags=("validation/balanced_accuracy", "test/balanced_accuracy"))
    write_scalars(tmp_path / "other", {"validation/balanced_accuracy": [(1000, float("nan"))] * 2})

    lines = shown(tmp_path, width=width, everything=everything)
    tags = part(lines[lines.index("tags") :], "tags")

    assert max(map(len, [*part(lines, "runs"), *tags])) <= width
    words = " ".join(tags).split()
    head = ["tag", "metric", "split", "unit", "runs", "points", "steps", "NaN"]
    assert [word for word in words if word in head] == head
    assert ("validation/balanced_accuracy" in words) == (width == 60)
    assert {"6/7", "19", "18", "10–1,000", "1"} <= set(words)
