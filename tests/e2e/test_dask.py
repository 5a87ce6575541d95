"""Commands at a Dask cluster: two workers, one killed amid it, and the same output."""

from pathlib import Path

import pytest
from fakes import killed_worker
from fakes.dask_cluster import address_of
from fakes.event_file import write_scalars

from reportgen.app import (
    BuildOptions,
    CheckOptions,
    ShowOptions,
    build,
    check,
    checking,
    inspect,
    show,
)
from reportgen.read.logs import one_file

pytest.importorskip("distributed")

RUNS, CHUNK, REPORTS = 24, 4, 20
NAMES = ("report.html", "report.json", "report.md")


@pytest.fixture(scope="module")
def lab(tmp_path_factory) -> Path:
    """Logs of six groups, and twenty reports of which every second states a wrong value."""
    root = tmp_path_factory.mktemp("lab")
    for number in range(RUNS):
        group, seed = divmod(number, 4)
        points = [(step, 0.5 + group / 100 + (seed + step) / 1000) for step in range(1, 9)]
        tags = {"eval/accuracy": points, "test/accuracy": points}
        write_scalars(root / "logs" / f"g{group}" / str(seed), tags)
    (root / "reports").mkdir()
    for number in range(REPORTS):
        (root / "reports" / f"r{number:02}.md").write_text(
            f"# Lab {number}\n\nSeed 0 of g0 reaches a test accuracy of "
            f"{0.508 if number % 2 else 0.909} at its best step.\n",
            encoding="utf-8",
        )
    return root


def built(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in NAMES}


def test_a_killed_workers_files_are_read_by_another(lab, tmp_path, cluster, kill_amid, monkeypatch):
    asked = {"runs": lab / "logs", "formats": ("html", "json", "md"), "cache": None}
    with monkeypatch.context() as patched:
        patched.setattr(one_file, "CHUNK_FILES", CHUNK)
        patched.setattr(one_file, "read_chunk", killed_worker.read_chunk)
        build(BuildOptions(out=tmp_path / "there", address=address_of(cluster), **asked))
        # Had it been left to this process, the other worker would not have read them all.
        assert len(set(kill_amid())) == RUNS
        seen = inspect(lab / "logs", address=address_of(cluster))
    build(BuildOptions(out=tmp_path / "here", **asked))
    assert built(tmp_path / "there") == built(tmp_path / "here")
    assert seen == inspect(lab / "logs")


def findings_of(checked) -> str:
    return show(checked, ShowOptions(formats=("json",)), whole_class=True).text


@pytest.mark.wide
def test_a_class_is_checked_by_the_worker_that_is_left(lab, cluster, kill_amid, monkeypatch):
    options = CheckOptions(reports=(lab / "reports",), runs=str(lab / "logs"), workers=1)
    here = findings_of(check(options))
    monkeypatch.setattr(checking, "judge", killed_worker.judge)
    there = findings_of(check(options, address=address_of(cluster)))
    assert sorted(set(kill_amid())) == [f"r{number:02}" for number in range(REPORTS)]
    assert there == here
    assert here.count('"fingerprint"') >= REPORTS
