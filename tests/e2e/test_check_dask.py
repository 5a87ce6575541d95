"""`check` and `inspect --executor dask`: two workers, one killed amid it, and the same output."""

from argparse import Namespace
from pathlib import Path

import pytest
from fakes import slow_judging, slow_reading
from fakes.command import reportgen
from fakes.dask_cluster import address_of
from fakes.event_file import write_scalars

from reportgen.app import CheckOptions, ShowOptions, check, checking, inspect, show
from reportgen.app.evidence import forget
from reportgen.cli.arguments import address_of as asked_for
from reportgen.read.logs import in_pool
from reportgen.records.errors import UsageError

pytest.importorskip("distributed")

RUNS, CHUNK, REPORTS = 12, 3, 20


@pytest.fixture(scope="module")
def lab(tmp_path_factory) -> Path:
    """Logs of three groups, and twenty reports of which every second states a wrong mean."""
    root = tmp_path_factory.mktemp("lab")
    for number in range(RUNS):
        group, seed = divmod(number, 4)
        points = [(step, 0.5 + group / 10 + (seed + step) / 1000) for step in range(1, 9)]
        write_scalars(
            root / "logs" / f"g{group}" / str(seed),
            {"eval/accuracy": points, "test/accuracy": points},
        )
    (root / "reports").mkdir()
    for number in range(REPORTS):
        (root / "reports" / f"r{number:02}.md").write_text(
            f"# Lab {number}\n\nSeed 0 of g0 reaches a test accuracy of "
            f"{0.508 if number % 2 else 0.909} at its best step.\n",
            encoding="utf-8",
        )
    return root


def findings_of(checked) -> str:
    return show(checked, ShowOptions(formats=("json",)), whole_class=len(checked) > 1).text


@pytest.mark.wide
def test_a_class_is_checked_by_the_worker_that_is_left(lab, cluster, kill_amid, monkeypatch):
    options = CheckOptions(reports=(lab / "reports",), runs=str(lab / "logs"), workers=1)
    here = findings_of(check(options))
    monkeypatch.setattr(checking, "judge", slow_judging.judge)
    there = findings_of(check(options, address=address_of(cluster)))
    # Had it been left to this process, the other worker would not have checked them all.
    assert sorted(set(kill_amid())) == [f"r{number:02}" for number in range(REPORTS)]
    assert there == here
    assert here.count('"fingerprint"') >= REPORTS


def test_the_logs_of_one_report_are_read_by_the_worker_that_is_left(
    lab, cluster, kill_amid, monkeypatch
):
    options = CheckOptions(reports=(lab / "reports" / "r00.md",), runs=str(lab / "logs"))
    with monkeypatch.context() as patched:
        patched.setattr(in_pool, "CHUNK_FILES", CHUNK)
        patched.setattr(in_pool, "read_chunk", slow_reading.read_chunk)
        there = findings_of(check(options, address=address_of(cluster)))
        assert len(set(kill_amid())) == RUNS
        seen = inspect(lab / "logs", address=address_of(cluster))
    forget()
    assert there == findings_of(check(options))
    assert seen == inspect(lab / "logs")


def test_the_command_says_the_same_with_paths_that_begin_where_it_does(lab, cluster):
    cluster.add_worker("n1")
    command = ("check", "reports", "--runs", "logs", "--format", "json")
    where = ("--executor", "dask", "--address", address_of(cluster))
    there, here = (reportgen(*command, *more, cwd=lab) for more in (where, ()))
    assert (there.code, there.out) == (here.code, here.out), there.err


@pytest.mark.parametrize(("executor", "address"), [("dask", ""), ("local", "tcp://127.0.0.1:1")])
def test_an_executor_and_its_address_belong_together(executor, address):
    with pytest.raises(UsageError, match="belong together"):
        asked_for(Namespace(executor=executor, address=address))
