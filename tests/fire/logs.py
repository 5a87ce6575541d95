"""The formats of logs, under fire."""

import gzip
import io
import json
import random
import sqlite3
import zipfile
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from fakes import damage, wandb_file
from fakes.checkpoint_file import archive, name, pickled, table, text, tuple_of
from fakes.event_file import (
    content,
    encode,
    fields,
    header,
    histogram,
    hyperparameters,
    record,
    records_of,
    scalar,
    tensor,
)
from fakes.event_file import text as words
from fakes.rows import rows_of

import reportgen
from fire import harm
from fire.formats import Format, Sample
from reportgen.read.logs import LOADERS
from reportgen.records.run import Log

DATA = Path(__file__).resolve().parents[1] / "data" / "logs"
RUN = "0123456789abcdef0123456789abcdef"
TEXTS = {
    name: content.encode()
    for name, content in rows_of(Path(__file__).with_name("logs.yaml")).items()
}


def load(kind: str, path: Path) -> tuple[Log, ...]:
    """Read a log with its loader, under the name that it has below the folder of the input."""
    found: tuple[Log, ...] = LOADERS.load(kind)(path, _below(path))
    return found


def load_folder(path: Path) -> object:
    """Read the folder of an input as `build` and `load` do."""
    return reportgen.load(_home(path))


def _home(path: Path) -> Path:
    return next(folder for folder in path.parents if folder.name.startswith("input"))


def _below(path: Path) -> str:
    return path.relative_to(_home(path)).as_posix()


def points(logs: tuple[Log, ...]) -> set[Any]:
    """Return (run, tag, step, value) of every point."""
    return {
        (log.run_key, tag, int(step), repr(float(value)))
        for log in logs
        for tag, series in log.series.items()
        for step, value in zip(series.steps, series.values, strict=True)
    }


def settings(logs: tuple[Log, ...]) -> set[Any]:
    """Return (key, value) of every setting that has one: a mapping may be cut where it begins."""
    found = [item for log in logs for item in log.config.items()]
    return {(key, repr(value)) for key, value in found if value is not None}


def told(logs: tuple[Log, ...]) -> bool:
    return any(log.problems for log in logs)


def hold_together(logs: tuple[Log, ...], content: bytes) -> None:
    for log in logs:
        assert log.source.size == len(content)
        counted = sum(len(series) for series in log.series.values())
        assert log.source.points == (counted or len(log.results))
        assert all(p.message and p.path == log.source.path for p in log.problems)
        offsets = [p.offset for p in log.problems if p.offset is not None]
        assert all(0 <= offset <= max(len(content), 1) for offset in offsets) or _is_packed(content)
        for tag, series in log.series.items():
            assert series.tag == tag
            assert len(series) == len(series.values) == len(series.wall_times) > 0
            assert (np.diff(series.steps) > 0).all()
            assert json.dumps(tag).encode()
        json.dumps([dict(log.config), dict(log.texts)], default=str)


def _is_packed(content: bytes) -> bool:
    return content.startswith(b"\x1f\x8b") or b'"cells"' in content


def _evaluations() -> bytes:
    stream = io.BytesIO()
    results = np.array([[9.0, 11.0], [7.0, 10.0]])
    np.savez(stream, timesteps=np.array([200, 400]), results=results)
    return stream.getvalue()


def _trackio() -> bytes:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(
            "CREATE TABLE metrics (timestamp TEXT, run_name TEXT, step INTEGER, metrics TEXT)"
        )
        rows = [("2026-01-01", "tidy", n, json.dumps({"acc": n / 8})) for n in range(4)]
        connection.executemany("INSERT INTO metrics VALUES (?, ?, ?, ?)", rows)
        connection.commit()
        return connection.serialize()


def _events() -> bytes:
    return encode(
        [
            header(),
            hyperparameters(seed=3, lr=0.1),
            *(scalar("loss", s, 1 / (s + 1)) for s in range(12)),
            *(tensor("acc", s, content("FLOAT", "f", s / 8)) for s in range(6)),
            *(tensor("lr", s, fields("DOUBLE", double_val=[s / 9])) for s in range(4)),
            histogram("w", 3),
            words("args", "x" * 60),
            scalar("loss", 12, 0.5),
        ]
    )


def _inside_event(content: bytes, rng: random.Random) -> bytes:
    """Have what a record holds harmed under a checksum that is right."""
    try:
        records = records_of(content)
    except Exception:  # noqa: BLE001 - what another hit has left is no file any more
        return damage.flip(content, rng)
    at = rng.randrange(len(records))
    inner = records[at][12:-4] or b"x"
    hit = rng.choice((*damage.ALL, harm.length, harm.swap))
    return b"".join([*records[:at], record(hit(inner, rng)), *records[at + 1 :]])


def _inside_gzip(content: bytes, rng: random.Random) -> bytes:
    try:
        inner = gzip.decompress(content)
    except Exception:  # noqa: BLE001 - as above
        return damage.flip(content, rng)
    return gzip.compress(_inside_event(inner, rng), mtime=0)


def _wandb_records() -> list[bytes]:
    return [
        wandb_file.run(run_id="abc", project="p", display_name="d", seed="3"),
        wandb_file.config({"lr": 0.1, "seed": 3, "nested": {"a": [1, 2]}}),
        wandb_file.metric(name="val/acc", axis="epoch"),
        *(wandb_file.history(s, {"val/acc": s / 7, "epoch": s}, clock=1.7e9 + s) for s in range(8)),
        wandb_file.ended(0),
    ]


def _inside_wandb(_: bytes, rng: random.Random) -> bytes:
    records = _wandb_records()
    at = rng.randrange(len(records))
    hit = rng.choice((*damage.ALL, harm.length, harm.swap, harm.word))
    records[at] = hit(records[at], rng)
    return wandb_file.encode(*records)


def _settings() -> bytes:
    scheduler = name("transformers.trainer_utils", "SchedulerType") + tuple_of(text("cosine"))
    made = name("transformers.training_args", "TrainingArguments") + b")\x81"
    state = table({"output_dir": text("o"), "seed": b"K\x07", "schedule": scheduler + b"R"})
    return archive(pickled(made + state + b"b"), storages=())


def inside_zip(content: bytes, rng: random.Random) -> bytes:
    """Have a file of a zip harmed, in an archive whose checksums are right."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as held:
            files = {entry.filename: held.read(entry) for entry in held.infolist()}
    except Exception:  # noqa: BLE001 - as above
        files = {}
    if not files:
        return damage.flip(content, rng)
    label = max(files, key=lambda name: name.endswith("data.pkl"))
    hit = rng.choice((*damage.ALL, harm.length, harm.swap, harm.word))
    files[label] = hit(files[label] or b"x", rng)
    if not rng.randrange(8):
        files[rng.choice(("../../up", "/etc/up", "a" * 4000, "x/\x00y", "c:\\up"))] = b"up"
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", rng.choice((0, 8))) as written:
        for label, inner in files.items():
            written.writestr(label, inner)
    return stream.getvalue()


NOTEBOOK = json.dumps(
    {
        "cells": [
            {"cell_type": "markdown", "source": ["# Fine-tune"]},
            {
                "cell_type": "code",
                "source": "!fairseq-train",
                "outputs": [
                    {
                        "output_type": "stream",
                        "name": "stdout",
                        "text": TEXTS["fairseq"].decode().splitlines(True),
                    }
                ],
            },
        ],
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {},
    }
).encode()
SEMICOLONS = "\ufeffstep;loss;acc\r\n10;0,931;51,2\r\n20;0,812;76,5\r\n".encode("utf-16-le")
WIDE = f"\ufeff{TEXTS['lines'].decode()}".encode("utf-16-le")
ARRAY = b"[\n" + TEXTS["lines"].strip().replace(b"\n", b",\n") + b"\n]\n"

_JSON = (harm.json_value, harm.word, harm.length, harm.swap)
_TEXT = (harm.word, harm.lines, harm.swap, harm.length)


def _log(kind: str, *samples: Sample, **more: Any) -> Format:
    given: dict[str, Any] = {
        "read": partial(load, kind),
        "deep": load_folder,
        "facts": points,
        "told": told,
        "holds": hold_together,
        "harms": _TEXT,
    }
    return Format(samples=samples, **{**given, **more})


LOG_FORMATS: dict[str, Format] = {
    "tfevents": _log(
        "tfevents",
        Sample(name="a_seed1/events.out.tfevents.1.h", content=_events(), grows=True, sealed=True),
        harms=(_inside_event, harm.length, harm.swap),
    ),
    "tfevents.gz": _log(
        "tfevents",
        Sample(
            name="a/1/events.out.tfevents.1.gz",
            content=gzip.compress(_events(), mtime=0),
            grows=True,
            sealed=True,
        ),
        harms=(_inside_gzip, harm.length, harm.swap),
    ),
    "trainer_state": _log(
        "trainer_state", Sample(name="a/trainer_state.json", content=TEXTS["state"]), harms=_JSON
    ),
    "hf_results": _log(
        "hf_results", Sample(name="a/all_results.json", content=TEXTS["results"]), harms=_JSON
    ),
    "training_args": _log(
        "training_args",
        Sample(name="a/training_args.bin", content=_settings()),
        harms=(inside_zip, harm.length, harm.swap),
    ),
    "fairseq_log": _log(
        "fairseq_log", Sample(name="a/train.log", content=TEXTS["fairseq"], grows=True)
    ),
    "fairseq_notebook": _log(
        "fairseq_log", Sample(name="a/run.ipynb", content=NOTEBOOK), harms=_JSON
    ),
    "metrics_csv": _log(
        "metrics_csv",
        Sample(name="a/metrics.csv", content=TEXTS["csv"], grows=True),
        Sample(name="a/course.csv", content=SEMICOLONS, grows=True),
        Sample(name="a/run-small-tag-val_acc.csv", content=TEXTS["downloaded"], grows=True),
    ),
    "json_lines": _log(
        "json_lines",
        Sample(name="a/log.jsonl", content=TEXTS["lines"], grows=True),
        Sample(name="a/wide.jsonl", content=WIDE, grows=True),
        Sample(name="a/history.json", content=ARRAY, grows=True),
        harms=(harm.json_line, *_TEXT),
    ),
    "hparams_yaml": _log(
        "hparams_yaml",
        Sample(name="a/hparams.yaml", content=TEXTS["hparams"], grows=True),
        facts=settings,
    ),
    "config_yaml": _log(
        "config_yaml",
        Sample(name="a/config.yaml", content=TEXTS["config"], grows=True),
        facts=settings,
    ),
    "wandb_run": _log(
        "wandb_run",
        Sample(
            name="a/run-abc.wandb",
            content=wandb_file.encode(*_wandb_records()),
            grows=True,
            sealed=True,
        ),
        harms=(_inside_wandb, harm.length, harm.swap),
    ),
    "wandb_summary": _log(
        "wandb_summary", Sample(name="a/wandb-summary.json", content=TEXTS["summary"]), harms=_JSON
    ),
    "mlflow_store": _log(
        "mlflow_store",
        Sample(
            name=f"7/{RUN}/metrics/acc",
            content=TEXTS["metric"],
            grows=True,
            beside={f"7/{RUN}/meta.yaml": TEXTS["meta"]},
        ),
        Sample(
            name=f"7/{RUN}/meta.yaml",
            content=TEXTS["meta"],
            beside={f"7/{RUN}/metrics/acc": TEXTS["metric"]},
        ),
        Sample(
            name=f"7/{RUN}/params/lr",
            content=b"1e-05\n",
            beside={f"7/{RUN}/meta.yaml": TEXTS["meta"]},
        ),
    ),
    "console": _log(
        "console",
        Sample(name="a/nohup.out", content=TEXTS["dictionaries"], grows=True),
        Sample(name="a/train.log", content=TEXTS["steps"], grows=True),
    ),
    "settings": _log(
        "settings",
        Sample(name="a/args.yml", content=TEXTS["arguments"], grows=True),
        facts=settings,
    ),
    "arrays": _log(
        "arrays",
        Sample(name="a/evaluations.npz", content=_evaluations(), sealed=True),
        harms=(harm.length, harm.swap, harm.word),
    ),
    "database": _log(
        "database",
        Sample(name="lab.db", content=_trackio()),
        harms=(harm.length, harm.swap, harm.word),
    ),
    "mlflow_db": _log(
        "mlflow_db",
        Sample(name="mlflow.db", content=(DATA / "mlflow.db").read_bytes()),
        harms=(harm.length, harm.swap, harm.word),
    ),
}
