"""Copies of the sample labs that may be broken, and their plans."""

import shutil
import struct
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from tensorboard.compat.proto.event_pb2 import Event

from reportgen.read.logs import load_tree
from reportgen.read.study.read import read_study
from reportgen.records.run import Runs
from reportgen.records.study import Study, TrainPlan
from reportgen.runs import assemble
from reportgen.train.plan import plan_cells

NOTHING = {"published": {}, "keys": {}, "settings": {}, "failures": {}, "running": {}}
PRETRAINED = "sentence_prediction/books/RoBERTa_small_fr_ms8_mu3125_lr1e-05_me5"
RANDOM = "sentence_prediction/books/RoBERTa_small_fr_random_ms8_mu3125_lr1e-05_me5"
TINY = "huggingface/tiny_roberta"


class Lab:
    """A copy of a sample lab."""

    def __init__(self, logs: Path, study: Study) -> None:
        self.logs = logs
        self.declared = study

    def load(self) -> tuple[Study, Runs]:
        tree = load_tree(self.logs)
        runs, study = assemble(tree.logs, tree.files, self.declared, self.logs.name)
        problems = (*tree.problems, *runs.problems)
        return study, Runs(root=runs.root, runs=runs.runs, problems=problems)

    def cells(self, **known):
        study, runs = self.load()
        return {(c.group, c.seed): c for c in plan_cells(study, runs, **{**NOTHING, **known})}

    def remove(self, place: str) -> None:
        shutil.rmtree(self.logs / place)

    def stop(self, place: str, step: int) -> None:
        """Cut every event file of a run off behind a step, as a killed process leaves them."""
        files = sorted((self.logs / place).rglob("events.out.tfevents.*"))
        assert files
        for file in files:
            cut_events(file, step)


def harm(lab: Lab, row: Mapping[str, Any]) -> None:
    """Do to a lab what a row says: `remove`, `stop` at a step, and `train` again by other words."""
    names = {"pretrained": PRETRAINED, "random": RANDOM, "tiny": TINY}

    def place(told: str) -> str:
        run, _, rest = told.partition("/")
        return f"{names.get(run, run)}/{rest}"

    for told in row.get("remove", ()):
        lab.remove(place(told))
    for told, step in row.get("stop", {}).items():
        lab.stop(place(told), step)
    for told in row.get("damage", ()):
        for file in (lab.logs / place(told)).iterdir():
            file.write_bytes(b"no event file at all" * 9)
    if "train" in row:
        starts = row.get("starts", {})
        groups = [replace(g, start=starts.get(g.name, "base")) for g in lab.declared.groups]
        lab.declared = replace(lab.declared, groups=tuple(groups), train=TrainPlan(**row["train"]))


def cut_events(file: Path, step: int) -> None:
    data, kept, at = file.read_bytes(), b"", 0
    while at < len(data):
        (length,) = struct.unpack_from("<Q", data, at)
        record = data[at : at + length + 16]
        if Event.FromString(record[12:-4]).step <= step:
            kept += record
        at += length + 16
    file.write_bytes(kept)


def open_lab(source: Path, target: Path) -> Lab:
    shutil.copytree(source / "logs", target)
    file = source / "study.toml"
    return Lab(target, read_study(file) if file.is_file() else Study())
