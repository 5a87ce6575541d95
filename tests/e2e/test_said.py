"""What commands say of small labs: of each row the lab, the commands, and parts of what is said."""

import json
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest
from fakes.command import reportgen
from fakes.event_file import START, write_scalars
from fakes.rows import rows_beside

ROWS = rows_beside(__file__)["rows"]


def write(home: Path, step: dict[str, Any]) -> None:
    """Write the files and the logs of a row; values without steps are of steps 10, 20, 30, …"""
    for name, text in step.get("files", {}).items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text, encoding="utf-8")
    for run, told in step.get("logs", {}).items():
        tags = {
            tag: [
                tuple(one) if isinstance(one, list) else (10 * n, one) for n, one in enumerate(v, 1)
            ]
            for tag, v in told.items()
            if tag != "start"
        }
        write_scalars(home / run, tags, start=told.get("start", START))


def found_at(content: Any, path: str) -> Any:
    """Return what lies at a path of keys and indices; `*` takes all there are."""
    key, _, rest = path.partition(" ")
    if not key:
        return content
    if key == "*":
        return [found_at(one, rest) for one in content]
    return found_at(content[int(key) if isinstance(content, list) else key], rest)


def hold(text: str, wanted: dict[str, Any]) -> None:
    plain = " ".join(text.replace("\\", "").split())
    for part in wanted.get("says", ()):
        assert part in plain, (part, text)
    for part in wanted.get("once", ()):
        assert plain.count(part) == 1, (part, text)
    for part in wanted.get("never", ()):
        assert part not in plain, (part, text)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["it"])
def test_what_is_said(tmp_path, lab, project, row, request):
    if "built" in row:  # the report of the sample lab
        shutil.copytree(request.getfixturevalue("built"), tmp_path / row["built"])
    write(tmp_path, row)
    for step in row["steps"]:
        write(tmp_path, step)
        words = shlex.split(step["run"].format(lab=lab.as_posix(), data=project / "tests" / "data"))
        done = reportgen(*words, cwd=tmp_path)
        assert done.code == step.get("code", 0), (done.code, done.err)
        hold(done.out + "\n" + done.err, step)
        for name, wanted in step.get("in", {}).items():
            hold((tmp_path / name).read_text(encoding="utf-8"), wanted)
        for name, wanted in step.get("json", {}).items():
            content = json.loads((tmp_path / name).read_bytes() if name != "out" else done.out)
            for path, value in wanted.items():
                same = pytest.approx(value) if isinstance(value, float) else value
                assert found_at(content, path) == same, (path, found_at(content, path))
