import os
from pathlib import Path

import pytest
from fakes.exact import exact
from fakes.many_runs import write_runs

from reportgen.app import reading
from reportgen.app.options import BuildOptions, LogOptions, silent
from reportgen.app.reading import FILE_COST, PAYS_FROM, read_logs
from reportgen.read.logs import load_tree
from reportgen.records.errors import UsageError
from reportgen.train.executors import base
from reportgen.train.executors import pool as pools

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _nothing_asked_for(monkeypatch, tmp_path_factory):
    monkeypatch.setenv("REPORTGEN_CACHE", str(tmp_path_factory.mktemp("cache")))
    monkeypatch.delenv("REPORTGEN_JOBS", raising=False)
    monkeypatch.setattr(base, "count_cores", lambda: 2)
    monkeypatch.setattr(os, "getloadavg", lambda: (0.4, 9.0, 9.0))


def refuse(**_):
    raise OSError(38, "Function not implemented")


def noted(monkeypatch, open_pool):
    """How many processes each pool had that was asked for."""
    counts = []

    def note(*, workers):
        counts.append(workers)
        return open_pool(workers=workers)

    monkeypatch.setattr(pools, "open_pool", note)
    return counts


@pytest.fixture
def opened(monkeypatch):
    return noted(monkeypatch, pools.open_pool)


@pytest.fixture
def asked(monkeypatch):
    """As `opened`, but none is opened: starting processes takes longer than all that is read."""
    monkeypatch.setattr(reading, "PAYS_FROM", 110 * FILE_COST)
    return noted(monkeypatch, refuse)


@pytest.fixture
def runs(tmp_path):
    write_runs(tmp_path, 110)
    return tmp_path


@pytest.fixture
def many(tmp_path):
    """Just enough to be worth a pool: padding is read in no time, and is a damaged record."""
    write_runs(tmp_path, 110)
    size = PAYS_FROM // 110 - FILE_COST
    for path in tmp_path.rglob("*tfevents*"):
        os.truncate(path, size + 1)
    return tmp_path


def test_a_small_folder_is_never_worth_a_pool(runs, lab, opened):
    read_logs(runs, silent, LogOptions(jobs=0))
    read_logs(lab / "logs", silent, LogOptions(jobs=0))
    assert opened == []


def test_a_large_one_is_where_there_are_cores(many, opened, monkeypatch):
    told = []
    tree = read_logs(many, lambda *args: told.append(args), LogOptions(jobs=0))
    assert opened == [2]
    assert told == [("reading logs", done, 110) for done in range(1, 111)]
    assert list((Path(os.environ["REPORTGEN_CACHE"]) / "columns").iterdir())
    assert exact(tree) == exact(load_tree(many))
    monkeypatch.setattr(base, "count_cores", lambda: 1)
    read_logs(many, silent, LogOptions(jobs=0))
    assert opened == [2]


def test_columns_are_kept_where_that_pays_and_is_wanted(many, tmp_path_factory):
    cache = tmp_path_factory.mktemp("chosen")
    read_logs(many / "model_0", silent, LogOptions(cache=cache))
    read_logs(many, silent, LogOptions(jobs=1, cache=None))
    assert list(cache.iterdir()) == []
    first = read_logs(many, silent, LogOptions(jobs=1, cache=cache))
    assert [path.name for path in cache.iterdir()] == ["columns"]
    assert exact(read_logs(many, silent, LogOptions(jobs=1, cache=cache))) == exact(first)


def test_cores_that_others_use_are_left_to_them(runs, asked, monkeypatch):
    monkeypatch.setattr(os, "getloadavg", lambda: (0.9, 0.0, 0.0))
    read_logs(runs, silent, LogOptions(jobs=0))
    assert asked == []
    read_logs(runs, silent, LogOptions(jobs=2))
    assert asked == [2]


@pytest.mark.parametrize("failure", [AttributeError, OSError])
def test_a_system_that_does_not_tell_its_load(runs, asked, monkeypatch, failure):
    def fail():
        raise failure

    monkeypatch.setattr(os, "getloadavg", fail)
    read_logs(runs, silent, LogOptions(jobs=0))
    assert asked == [2]


def test_as_many_as_pay_unless_asked(runs, asked, monkeypatch):
    read_logs(runs, silent)
    assert asked == [2]
    read_logs(runs, silent, LogOptions(jobs=1))
    monkeypatch.setenv("REPORTGEN_JOBS", "1")
    read_logs(runs, silent)
    assert asked == [2]
    read_logs(runs, silent, LogOptions(jobs=1))
    assert asked == [2]


def test_a_number_of_processes_is_kept_to(runs, asked):
    read_logs(runs, silent, LogOptions(jobs=2))
    # A process more than there are chunks would do nothing.
    read_logs(runs, silent, LogOptions(jobs=9))
    assert asked == [2, 2]


def test_a_system_without_semaphores(runs, monkeypatch):
    monkeypatch.setattr(pools, "open_pool", refuse)
    assert exact(read_logs(runs, silent, LogOptions(jobs=2))) == exact(load_tree(runs))


@pytest.mark.parametrize("text", ["", "two", "-1", "1.5"])
def test_a_variable_that_is_no_number(runs, monkeypatch, text):
    monkeypatch.setenv("REPORTGEN_JOBS", text)
    with pytest.raises(UsageError, match="REPORTGEN_JOBS") as caught:
        read_logs(runs, silent)
    assert "0 for as many as pay" in caught.value.remedy


def test_fewer_than_no_processes(runs):
    with pytest.raises(UsageError, match="-1 processes"):
        read_logs(runs, silent, LogOptions(jobs=-1))


def test_the_number_of_processes_does_not_decide_what_is_built(small_lab, tmp_path):
    from reportgen.app.building import build

    first = build(BuildOptions(out=tmp_path / "a.md", runs=small_lab, cache=tmp_path / "cache"))
    again = build(
        BuildOptions(out=tmp_path / "a.md", runs=small_lab, cache=tmp_path / "cache", jobs=2)
    )
    assert not first.unchanged
    assert again.unchanged
