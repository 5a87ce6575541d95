"""What every loader promises, whatever the file holds."""

import gzip
import hashlib
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from fakes.rows import rows_beside

from reportgen.read.logs import LOADERS, loader_of
from reportgen.records.run import Log

ROWS = rows_beside(__file__)
NAMES = ROWS["names"]
CSV, JSON = "metrics_csv", "json_lines"
CONTENTS = {
    "nothing": b"",
    "zeros": bytes(4096),
    "words": b"hello\nworld\n",
    "bytes": bytes(range(256)) * 64,
    "pointer": b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 12\n",
    "gzip of nothing": gzip.compress(b""),
    "half a gzip": gzip.compress(b"hello" * 1000)[:40],
    "JSON list": b"[1, 2]",
    "deep JSON": b"[" * 100_000,
    "huge number": b'{"log_history": [{"step": 1, "loss": 1' + b"0" * 5000 + b'}], "x": 1}',
    "notebook": b'{"cells": [{"outputs": [{"output_type": "stream", "text": 3}]}]}',
    "one long line": b"| num_updates 5 " * 5000,
    "byte order mark": b"\xef\xbb\xbfstep,loss\n1,0.5\n",
    "step beyond 64 bits": b"step,loss\n1e300,0.5\n",
    "step of JSON beyond 64 bits": b'{"log_history": [{"step": 1' + b"0" * 30 + b', "loss": 1.0}]}',
    "updates beyond 64 bits": b"| valid on 'valid' subset | loss 1 | num_updates 1e40\n",
}


def test_every_loader_is_here():
    assert {*NAMES, "fairseq_log"} == set(LOADERS)


@pytest.mark.parametrize("kind", NAMES)
def test_its_patterns_match_its_files(kind):
    assert loader_of(f"some/run/{NAMES[kind]}") == kind


@pytest.mark.parametrize("content", CONTENTS)
@pytest.mark.parametrize("kind", NAMES)
def test_whatever_the_file_holds(tmp_path, kind, content):
    path = tmp_path / NAMES[kind]
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(CONTENTS[content])
    logs = LOADERS.load(kind)(path, f"run/{path.name}")
    assert isinstance(logs, tuple)
    for log in logs:
        assert isinstance(log, Log)
        assert log.source.path == f"run/{path.name}"
        assert log.source.kind in {kind} | (
            {"fairseq_log", CSV, JSON} if kind == "console" else set()
        )
        assert log.source.size == len(CONTENTS[content])
        # A loader whose files are large leaves hashing to those who print a digest.
        assert log.source.sha256 in {"", hashlib.sha256(CONTENTS[content]).hexdigest()}
        assert all(p.path == log.source.path for p in log.problems)
        assert log.series or log.results or log.config or log.problems or kind == "hparams_yaml"
        for tag, series in log.series.items():
            assert series.tag == tag
            assert len(series) == len(series.values) == len(series.wall_times) > 0
            assert series.steps.dtype == np.int64
            assert (np.diff(series.steps) > 0).all()


@pytest.mark.parametrize("kind", NAMES)
def test_a_file_that_is_gone_is_named_and_not_raised(tmp_path, kind):
    logs = LOADERS.load(kind)(tmp_path / NAMES[kind], NAMES[kind])
    assert all(not log.series for log in logs)
    assert ["cannot be read" in p.message for log in logs for p in log.problems] == [True]


@pytest.mark.parametrize("kind", NAMES)
def test_a_pointer_in_place_of_the_file_is_named(tmp_path, kind):
    path = tmp_path / NAMES[kind]
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(CONTENTS["pointer"])
    logs = LOADERS.load(kind)(path, path.name)
    assert ["Git-LFS pointer" in p.message for log in logs for p in log.problems] == [True]


def test_logs_are_frozen(tmp_path):
    path = tmp_path / NAMES["tfevents"]
    path.write_bytes(b"")
    (log,) = LOADERS.load("tfevents")(path, path.name)
    with pytest.raises(FrozenInstanceError):
        log.run_key = "x"
