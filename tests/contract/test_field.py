"""Logs of strangers, each kind once as it was found and twice as we wrote it: what is true of them.

`field.yaml` holds the facts. They are asked of what scripts rely on: `report.json`, the JSON of
`inspect` and `plan`, `reportgen.load`, exit codes, and key words of what is printed.
"""

import json
import math
import re
from collections import Counter
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest
from fakes.command import Finished, reportgen
from fakes.field import KINDS, write_lab
from fakes.pinned import shared
from fakes.rows import rows_of

import reportgen as public

ROWS = rows_of(Path(__file__).with_name("field.yaml"))
NOT_YET: list[str] = []
"""Labs of which a fact does not hold yet; each that comes to hold leaves the list."""


class Lab:
    """What the program says of one folder of logs, each command run once and only if asked for."""

    def __init__(self, logs: Path, folder: Path, command: str) -> None:
        self.logs, self.folder, self.command = logs, folder, command

    @cached_property
    def done(self) -> Finished:
        if self.command == "inspect":
            (config,) = self.logs.rglob("adapter_config.json")
            return reportgen("inspect", config, "--json", cwd=self.folder)
        out = ("--out", "out/report.json")
        return reportgen("build", "--runs", self.logs, *out, cwd=self.folder)

    @cached_property
    def report(self) -> dict[str, Any]:
        assert self.done is not None
        path = self.folder / "out" / "report.json"
        return json.loads(path.read_bytes()) if path.exists() else {"groups": [], "numbers": []}

    @cached_property
    def seen(self) -> dict[str, Any]:
        done = reportgen("inspect", self.logs, "--json", cwd=self.folder)
        return strict_json(done.out) if done.code == 0 else {"runs": [], "files": []}

    @cached_property
    def runs(self) -> list[dict[str, Any]]:
        return [run for group in self.report["groups"] for run in group["runs"]]

    @cached_property
    def problems(self) -> str:
        source = strict_json(self.done.out) if self.command == "inspect" else self.report
        return f"{self.done.err}\n{json.dumps(source.get('problems', []), ensure_ascii=False)}"


def strict_json(text: str) -> Any:
    """Read JSON as its standard has it: no NaN, no Infinity."""

    def refuse(name: str) -> None:
        raise AssertionError(f"{name} is no JSON")

    return json.loads(text, parse_constant=refuse)


def named(found: list[dict[str, Any]], key: str, part: str) -> dict[str, Any]:
    """Return the one entry with a part of a name; a whole name or its end goes first."""
    names = [entry for entry in found if part in (entry[key] or "")]
    for same in (lambda name: name == part, lambda name: name.endswith(part)):
        names = [entry for entry in names if same(entry[key])] or names
    if len(names) != 1:
        raise LookupError(f"{part!r} is not one of {[entry[key] for entry in found]}")
    return names[0]


def same(found: Any, wanted: Any) -> bool:
    if isinstance(found, int | float) and isinstance(wanted, int | float):
        return math.isclose(found, wanted, rel_tol=1e-6, abs_tol=1e-9)
    return found == wanted


def wrong_choices(lab: Lab, wanted: dict[str, dict[str, Any]]) -> list[str]:
    keys = {"select": "select_value", "test": "report_value", "last": "last_value", "seed": "seed"}
    wrong = []
    for part, facts in wanted.items():
        run = named(lab.runs, "run", part)
        clock = {"step": run["best_step"], "epoch": run["best_epoch"]}
        asked = {key: facts[key] for key in clock if key in facts}
        if asked and not any(same(clock[key], value) for key, value in asked.items()):
            wrong.append(f"{part}: chosen at {clock}, not {asked}")
        exact = facts.get("exactly", clock)
        wrong += [f"{part}: {k} {clock[k]}, not {v}" for k, v in exact.items() if clock[k] != v]
        wrong += [
            f"{part}: {key} {run[keys[key]]}, not {facts[key]}"
            for key in keys
            if key in facts and not same(run[keys[key]], facts[key])
        ]
    return wrong


def wrong_groups(lab: Lab, wanted: dict[str, dict[str, Any]]) -> list[str]:
    wrong = []
    for part, facts in wanted.items():
        group = named(lab.report["groups"], "name", part)
        group = {**group, "seeds": sorted(run["seed"] or 0 for run in group["runs"])}
        wrong += [
            f"{part}: {key} {group[key]}, not {value}"
            for key, value in facts.items()
            if not same(group[key], value)
        ]
    return wrong


def wrong_curves(lab: Lab, wanted: dict[str, list[float]]) -> list[str]:
    frame = public.load(lab.logs).to_frame()
    wrong = []
    for name, values in wanted.items():
        split, metric = name.split(" ", 1)
        kept = frame[frame["tag"].str.contains(metric, regex=True)]
        kept = kept if split == "*" else kept[kept["split"] == split]
        curves = [rows.sort_values("step")["value"].tolist() for _, rows in kept.groupby("run")]
        whole = [value for curve in curves for value in curve]
        alike = [whole] if split == "*" else curves or [[]]
        if not all(curve == pytest.approx(values) for curve in alike):
            wrong.append(f"{name}: {curves}, not {values}")
    return wrong


def wrong_plan(lab: Lab, wanted: dict[str, int]) -> list[str]:
    first = reportgen("init", "--runs", lab.logs, "--out", "study.toml", cwd=lab.folder)
    assert first.code == 0, first.err
    done = reportgen("plan", "study.toml", "--json", cwd=lab.folder)
    states = Counter(cell["state"] for cell in json.loads(done.out)["cells"])
    return [] if states == wanted else [f"plan: {dict(states)}"]


def unread(lab: Lab, wanted: list[str]) -> list[str]:
    read = {file["path"] for file in lab.seen["files"] if file["run"]}
    return [
        f"in silence: {path}" for path in wanted if path not in read and path not in lab.done.err
    ]


def untold(lab: Lab, wanted: list[str]) -> list[str]:
    found = [re.search(rf"(?<!\w){re.escape(part)}(?!\w)", lab.problems) for part in wanted]
    return [f"untold: {part}" for part, one in zip(wanted, found, strict=True) if not one]


def wrong(lab: Lab, fact: str, wanted: Any) -> list[str]:
    """Return what is wrong about one fact, nothing where it holds."""
    try:
        if fact in WRONG:
            return WRONG[fact](lab, wanted)
        found = FOUND[fact](lab)
    except LookupError as error:
        return [f"{fact}: {error}"]
    return [] if found == wanted else [f"{fact}: {found}, not {wanted}"]


WRONG = {
    "chosen": wrong_choices,
    "groups": wrong_groups,
    "curves": wrong_curves,
    "plan": wrong_plan,
    "read": unread,
    "told": untold,
    "layout": lambda lab, wanted: [
        f"{run['id']}: {run['layout']}" for run in lab.seen["runs"] if run["layout"] != wanted
    ],
    "numbers": lambda lab, wanted: [
        f"not in the report: {value}"
        for value in wanted
        if not any(same(number["value"], value) for number in lab.report["numbers"])
    ],
    "unsaid": lambda lab, wanted: [
        f"said: {part}" for part in wanted if part in lab.done.err + json.dumps(lab.report)
    ],
    "warnings": lambda lab, most: [
        line for line in lab.done.err.splitlines() if line.startswith("warning")
    ][most:],
    "not_groups": lambda lab, wanted: [
        f"a group: {group['name']}" for group in lab.report["groups"] if group["name"] in wanted
    ],
}
FOUND = {
    "exit": lambda lab: lab.done.code,
    "runs": lambda lab: len(lab.seen["runs"]),
    "apart": lambda lab: all(len(group["runs"]) == 1 for group in lab.report["groups"]),
    "adapters": lambda lab: len(lab.report.get("adapters", [])),
    "missing": lambda lab: sum(run["run"] is None for run in lab.runs),
}


def cases() -> list[Any]:
    late = pytest.mark.xfail(reason="a fact does not hold yet", strict=True)
    return [pytest.param(name, marks=[late] if name in NOT_YET else []) for name in ROWS]


@pytest.mark.slow
@pytest.mark.parametrize("name", cases())
def test_the_facts_hold(name, tmp_path):
    facts = dict(ROWS[name])
    kind, _, variant = name.rpartition("/")
    if variant in {"1", "2"}:
        logs = tmp_path / "logs"
        write_lab(kind, variant, logs)
    else:
        logs = shared("field") / name
        logs = logs / "logs" if (logs / "logs").is_dir() else logs
    lab = Lab(logs, tmp_path, facts.pop("command", "build"))
    told = [one for fact, wanted in facts.items() for one in wrong(lab, fact, wanted)]
    assert not told, "\n".join(told)


def test_every_kind_has_two_labs_of_our_own():
    assert {f"{kind}/{n}" for kind in KINDS for n in (1, 2)} <= set(ROWS)
    assert set(NOT_YET) <= set(ROWS)
