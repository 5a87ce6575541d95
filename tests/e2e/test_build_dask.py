"""`reportgen build --executor dask`: two workers read the logs, and one is killed amid it."""

from dataclasses import replace

import pytest
from fakes import slow_reading
from fakes.command import reportgen
from fakes.dask_cluster import address_of
from fakes.event_file import write_scalars

from reportgen.app import BuildOptions, build
from reportgen.read.logs import in_pool

pytest.importorskip("distributed")

RUNS, CHUNK = 24, 4
NAMES = ("report.html", "report.json", "report.md")


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    root = tmp_path_factory.mktemp("lab") / "logs"
    for number in range(RUNS):
        group, seed = divmod(number, 4)
        points = [(step, 0.5 + group / 100 + (seed + step) / 1000) for step in range(1, 9)]
        write_scalars(
            root / f"g{group}" / str(seed), {"eval/accuracy": points, "test/accuracy": points}
        )
    return root


def built(folder):
    return {name: (folder / name).read_bytes() for name in NAMES}


def test_a_killed_workers_files_are_read_by_another(
    logs, tmp_path, cluster, kill_amid, monkeypatch
):
    monkeypatch.setattr(in_pool, "CHUNK_FILES", CHUNK)
    monkeypatch.setattr(in_pool, "read_chunk", slow_reading.read_chunk)
    options = BuildOptions(
        runs=logs, out=tmp_path / "there", formats=("html", "json", "md"), cache=None
    )
    build(replace(options, address=address_of(cluster)))

    # Had it been left to this process, the other worker would not have read them all.
    assert len(set(kill_amid())) == RUNS

    monkeypatch.undo()
    build(replace(options, out=tmp_path / "here"))
    assert built(tmp_path / "there") == built(tmp_path / "here")


@pytest.mark.wide
def test_the_command_reads_there_and_a_scheduler_that_is_gone_is_told(logs, tmp_path, cluster):
    cluster.add_worker("n1")
    address = address_of(cluster)
    where = ("--runs", logs, "--no-cache", "--format", "html,json,md")
    there = reportgen(
        *("build", *where, "--out", "there", "--executor", "dask", "--address", address),
        cwd=tmp_path,
    )
    here = reportgen("build", *where, "--out", "here", cwd=tmp_path)
    assert (there.code, here.code) == (0, 0), there.err + here.err
    assert built(tmp_path / "there") == built(tmp_path / "here")
    open_to_all = reportgen(
        *("build", *where, "--out", "no", "--executor", "dask", "--address", "tcp://10.0.0.1:8786"),
        cwd=tmp_path,
    )
    assert open_to_all.code == 2
    assert "is open" in open_to_all.err
