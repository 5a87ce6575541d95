"""A folder of logs on a terminal: nothing is lost in the folding, and lines fit the width."""

import pytest
from fakes.event_file import write_scalars
from fakes.rows import rows_beside

from reportgen.app import inspect
from reportgen.cli.console import inspection_lines, problem_lines

ROWS = rows_beside(__file__)


def shown(root, row):
    """Return what is said of the runs that a row describes."""
    for run in row["runs"]:
        tags = row.get("of", {}).get(run, row["tags"])
        write_scalars(root / run, {tag: [tuple(point) for point in tags[tag]] for tag in tags})
    for name in row.get("empty", ()):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).touch()
    study = root / "study.toml" if "study" in row else None
    if study:
        study.write_text(row["study"], encoding="utf-8")
    found = inspect(root / row.get("asked", ""), study=study)
    lines = inspection_lines(found, width=row.get("width"), everything=row.get("all", False))
    return "\n".join(lines).replace(str(root), "LAB").split("\n")


@pytest.mark.parametrize("row", ROWS["shown"], ids=lambda row: row["it"])
def test_what_is_said_of_a_folder(tmp_path, row):
    lines = shown(tmp_path, row)
    for title, said in row["says"].items():
        start = next(i for i, line in enumerate(lines) if f"{line} ".startswith(f"{title} "))
        end = next((i for i in range(start, len(lines)) if not lines[i]), len(lines))
        assert "\n".join(line.rstrip() for line in lines[start:end]) == said.rstrip("\n")
    # What is there to be copied is not broken: paths, and settings of a study file.
    free = [line for line in lines if "otherwise:" not in line and "LAB" not in line]
    assert max(map(len, free)) <= row.get("fits", 10**6)


def test_hundreds_of_tags_are_folded_and_none_is_lost(tmp_path):
    tags = [f"val/T{n}_{what}" for n in range(40) for what in ("f1", "recall")]
    row = {"runs": ["a"], "tags": {tag: [[1, 0.5]] for tag in [*tags, "val/loss"]}}
    folded, everything = (shown(tmp_path, {**row, "all": all_}) for all_ in (False, True))
    assert "81 tags in 3 rows; --all lists every one" in folded
    assert {line.split()[0] for line in folded if line.startswith("val/")} == {
        *("val/loss", "val/*_f1", "val/*_recall")
    }
    assert {line.split()[0] for line in everything if line.startswith("val/")} == {
        *tags,
        "val/loss",
    }


@pytest.mark.parametrize("row", ROWS["problems"], ids=lambda row: row["it"])
def test_what_is_said_of_problems(row):
    problems = [
        {
            "path": path,
            "message": f"the record is damaged; {size} bytes left out",
            "remedy": "copy the file again",
            "offset": offset,
            "level": "warning",
        }
        for path, size, offset in row["found"]
    ]
    lines = problem_lines(problems, None, everything=row.get("all", False))
    assert "\n".join(lines) == row["says"].rstrip("\n")
