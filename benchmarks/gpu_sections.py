"""What `benchmarks/gpu.py` measures, one function a section; each returns plain values.

A section runs in a process of its own, so that one that fails or hangs takes no other with it.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks.gpu_lab import LAB, TINY, Size, make_lab

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = ROOT / "inputs" / "tiny-grid"
Result = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """How a section runs.

    Attributes:
        folder: Of its own, empty.
        device: `"cuda"` or `"cpu"`.
        tiny: Everything small, to see on a CPU that every path runs.
        reference: Folder of a CPU's results to compare with; None without one.
    """

    folder: Path
    device: str
    tiny: bool
    reference: Path | None = None

    @property
    def size(self) -> Size:
        """Return the size of the lab."""
        return TINY if self.tiny else LAB

    @property
    def halves(self) -> tuple[bool, ...]:
        """Return in which precisions to train: float32, bfloat16."""
        return False, True


def ask_device(setting: Setting) -> Result:
    """What the device is, what it moves and multiplies, and what is installed."""
    import torch

    from reportgen.train.engine.worker import describe_device, list_versions

    side = 512 if setting.tiny else 8192
    found: Result = {
        "device": describe_device(setting.device),
        "cores": os.cpu_count(),
        "versions": list_versions(),
        "bitsandbytes": find_spec("bitsandbytes") is not None,
    }
    if setting.device == "cuda":
        found["memory_gib"] = torch.cuda.get_device_properties(0).total_memory / 2**30
    for name, kind in (("float32", torch.float32), ("bfloat16", torch.bfloat16)):
        a = torch.randn(side, side, device=setting.device).to(kind)
        seconds = _median(lambda a=a: a @ a, setting.device)
        found[f"{name}_tflops"] = 2 * side**3 / seconds / 1e12
    block = torch.empty(2**20 if setting.tiny else 2**30, dtype=torch.uint8, device=setting.device)
    other = torch.empty_like(block)
    seconds = _median(lambda: other.copy_(block), setting.device)
    found["copy_gb_per_second"] = 2 * block.numel() / seconds / 1e9
    return found


def time_grid(setting: Setting, *, half: bool = False) -> Result:
    """Seconds of an update, way by way, in one precision; the Trainer first and last."""
    from benchmarks.gpu_ways import engine_step, open_grid, time_steps, time_trainer
    from reportgen.train.engine.worker import make_deterministic

    make_deterministic(setting.device)
    make_lab(setting.folder, setting.size)
    grid = open_grid(setting.folder, setting.size.places, setting.device).at(half=half)
    steps = 8 if setting.tiny else 60
    rows: list[Result] = []

    def add(way: str, members: int, timed: Callable[[], Any]) -> None:
        _reset_peak(setting.device)
        begun, row = time.perf_counter(), {"way": way, "runs": members, "half": half}
        try:
            found = timed()
            row["seconds"], extra = found if isinstance(found, tuple) else (found, None)
            row |= {"more": extra} if extra else {}
        except Exception as error:  # noqa: BLE001 - the other ways still count
            row["error"] = f"{type(error).__name__}: {str(error)[:400]}"
        row |= {"peak_gib": _peak(setting.device), "took": time.perf_counter() - begun}
        rows.append(row)
        print(json.dumps(row), flush=True)

    def engine(way: str, members: int) -> Any:
        return time_steps(grid, engine_step(grid, way, members), members, steps)

    add("trainer", 1, lambda: time_trainer(grid, half=half, steps=steps))
    add("one by one", 1, lambda: engine("one by one", 1))
    for members in (1, 3, 6):
        add("together", members, lambda m=members: engine("together", m))
    add("trainer", 1, lambda: time_trainer(grid, half=half, steps=steps))
    return {"rows": rows, "steps": steps}


def time_processes(setting: Setting) -> Result:
    """Several processes on the device at once, one run each, by our engine for any family."""
    make_lab(setting.folder, setting.size)
    rows = []
    for count in (3, 6):
        go = setting.folder / f"go-{count}"
        files = [setting.folder / f"child-{count}-{k}.json" for k in range(count)]
        command = [sys.executable, "-m", "benchmarks.gpu", "--child", str(setting.folder), str(go)]
        command += ["--device", setting.device, *(["--tiny"] if setting.tiny else [])]
        children = [
            subprocess.Popen([*command, "--result", str(file)], cwd=ROOT, env=_environment(setting))
            for file in files
        ]
        while not all(file.with_suffix(".ready").exists() for file in files):
            if any(child.poll() not in {None, 0} for child in children):
                break
            time.sleep(0.05)
        go.touch()
        codes = [child.wait() for child in children]
        if any(codes):
            rows.append({"processes": count, "error": f"exit codes {codes}"})
            continue
        told = [json.loads(file.read_text()) for file in files]
        for half in ("float32", "bfloat16"):
            spans = [child[half] for child in told]
            seconds = max(s["end"] for s in spans) - min(s["begin"] for s in spans)
            updates = sum(s["updates"] for s in spans)
            rows.append(
                {"processes": count, "precision": half, "seconds_per_update": seconds / updates}
            )
            print(json.dumps(rows[-1]), flush=True)
    return {"rows": rows}


def be_child(folder: Path, go: Path, setting: Setting, result: Path) -> None:
    """Train one run beside others: get ready, wait for all, take the time."""
    from benchmarks.gpu_ways import WARM, engine_step, open_grid, time_steps, wait

    grid = open_grid(folder, setting.size.places, setting.device)
    steps = 8 if setting.tiny else 60
    ready = []
    for half in setting.halves:
        own = grid.at(half=half)
        step = engine_step(own, "one by one", 1)
        time_steps(own, step, 1, WARM, blocks=1)
        ready.append((own, step))
    told: Result = {}
    result.with_suffix(".ready").touch()
    while not go.exists():
        time.sleep(0.005)
    for name, (own, step) in zip(("float32", "bfloat16"), ready, strict=True):
        wait(setting.device)
        begin = time.time()
        time_steps(own, step, 1, steps, blocks=1)
        told[name] = {"begin": begin, "end": time.time(), "updates": steps + WARM}
    result.write_text(json.dumps(told), encoding="utf-8")


def train_whole(setting: Setting) -> Result:
    """The lab's six runs from files to published runs by one `reportgen rerun`."""
    study = make_lab(setting.folder, setting.size)
    seconds, told = _rerun(study, setting)
    return {"whole": seconds, "told": told, "runs": _curves(study)}


def compare_curves(setting: Setting) -> Result:
    """One epoch of the grid in float32 and in bfloat16, beside each other and a CPU's."""
    found: Result = {}
    for name, precision in (("first", "float32"), ("half", "auto")):
        study = make_lab(setting.folder / name, setting.size, epochs=1, precision=precision)
        seconds, _ = _rerun(study, setting)
        found[name] = {"seconds": seconds, "runs": _curves(study)}
        print(json.dumps({name: found[name]}), flush=True)
        if setting.device == "cpu":
            break
    first = found["first"]["runs"]
    if "half" in found:
        found["half_against_float32"] = _apart(first, found["half"]["runs"])
    if there := _reference(setting, "curves"):
        there = there["first"]["runs"]
        found["against_cpu"] = _apart(there, first)
        found["half_against_cpu"] = _apart(there, found.get("half", found["first"])["runs"])
    return found


def compare_losses(setting: Setting) -> Result:
    """Six runs, twenty updates without dropout: losses by each way, and beside a CPU's."""
    from benchmarks.gpu_ways import engine_step, open_grid, take_losses
    from reportgen.train.engine.worker import make_deterministic

    make_deterministic(setting.device)
    make_lab(setting.folder, setting.size)
    grid = open_grid(setting.folder, setting.size.places, setting.device, dropout=0.0)
    whole, count = grid.at(half=False), 4 if setting.tiny else 20
    losses = {"alone": take_losses(whole, engine_step(whole, "one by one", 6), 6, count)}
    found: Result = {}
    if setting.device == "cuda" or setting.tiny:
        losses["again"] = take_losses(whole, engine_step(whole, "one by one", 6), 6, count)
        losses["together"] = take_losses(whole, engine_step(whole, "together", 6), 6, count)
        half = grid.at(half=True)
        losses["bfloat16"] = take_losses(half, engine_step(half, "one by one", 6), 6, count)
    if there := _reference(setting, "losses"):
        losses["cpu"] = there["losses"]["alone"]
    for name, own in losses.items():
        found[f"{name}_apart"] = max(
            abs(a - b)
            for ours, theirs in zip(own, losses["alone"], strict=False)
            for a, b in zip(ours, theirs, strict=True)
        )
    return {**found, "losses": losses}


def survive(setting: Setting) -> Result:
    """The sample grid: whole, again, killed and resumed; beside the logs that lie with it."""
    from benchmarks.rerun import empty_grid

    studies = {
        name: empty_grid(setting.folder / name) / "study.toml" for name in ("whole", "killed")
    }
    seconds, _ = _rerun(studies["whole"], setting)
    whole = _curves(studies["whole"])
    command = _command(studies["killed"])
    environment = {**_environment(setting), "REPORTGEN_CHECKPOINT_S": "0.2"}
    child = subprocess.Popen(
        command, cwd=ROOT, env=environment, start_new_session=True, stdout=subprocess.DEVNULL
    )
    work = studies["killed"].parent / "reruns/.reportgen/work"
    deadline = time.monotonic() + 120
    while child.poll() is None and time.monotonic() < deadline:
        if list(work.glob("*/checkpoint-*")):
            break
        time.sleep(0.01)
    killed = child.poll() is None
    os.killpg(child.pid, signal.SIGKILL)
    child.wait()
    at = sorted(path.name for path in work.glob("*/checkpoint-*"))
    time.sleep(1)
    resumed, told = _rerun(studies["killed"], setting)
    after = _curves(studies["killed"])
    return {
        "seconds": seconds,
        "killed": killed,
        "checkpoints": at,
        "resumed_seconds": resumed,
        "told": told[-400:],
        "resumed_equals_whole": _series_of(after) == _series_of(whole),
        "resumed_apart": _apart(whole, after),
        "against_published": _apart(_published(), whole),
    }


def run_out_of_memory(setting: Setting) -> Result:
    """A batch that does not fit: half of it at a time, and the same loss."""
    import torch

    from benchmarks.gpu_ways import make_engine, open_grid
    from reportgen.train.engine.engine import DeviceMemoryError
    from reportgen.train.engine.worker import make_deterministic

    make_deterministic(setting.device)
    make_lab(setting.folder, setting.size)
    grid = open_grid(setting.folder, setting.size.places, setting.device)
    plan = replace(grid.plan, dropout=0.0, precision="float32")
    rows = [list(range(min(256, setting.size.examples[0])))]
    found: Result = {}
    for name in ("one by one", "together"):
        losses, parts = [], []
        for tight in (False, True):
            engine = make_engine(replace(grid, plan=plan), name, 1)
            chunks = 1
            _reset_peak(setting.device)
            if tight and setting.device == "cuda":
                torch.cuda.empty_cache()
                whole = torch.cuda.get_device_properties(0).total_memory / 2**30
                share = found[f"{name}_peak_gib"] * 0.6 / whole
                torch.cuda.set_per_process_memory_fraction(share)
            while True:
                try:
                    losses.append(engine.step(rows, 1e-4, chunks=chunks)[0])
                    break
                except DeviceMemoryError:
                    chunks *= 2
            parts.append(chunks)
            found.setdefault(f"{name}_peak_gib", _peak(setting.device))
            if setting.device == "cuda":
                torch.cuda.set_per_process_memory_fraction(1.0)
            del engine
        found |= {f"{name}_parts": parts, f"{name}_losses": losses}
    return found


def tune_adapter(setting: Setting) -> Result:
    """LoRA on BLOOM-560m's shape: three runs on one base, in three precisions; and PEFT alone."""
    from benchmarks.gpu_adapter import make_language_lab, time_language, time_language_trainer

    lab = make_language_lab(setting.folder, tiny=setting.tiny)
    steps = 4 if setting.tiny else 25
    ways: list[tuple[str, Callable[[], Result]]] = [
        ("float32", lambda: time_language(lab, setting.device, steps, precision="float32")),
        ("bfloat16", lambda: time_language(lab, setting.device, steps)),
        ("trainer, bfloat16", lambda: time_language_trainer(lab, setting.device, steps)),
        ("nf4", lambda: time_language(lab, setting.device, steps, quantize="nf4")),
    ]
    found: Result = {}
    for name, way in ways:
        _reset_peak(setting.device)
        try:
            found[name] = way() | {"peak_gib": _peak(setting.device)}
        except Exception as error:  # noqa: BLE001 - the other ways still count
            found[name] = {"error": f"{type(error).__name__}: {str(error)[:400]}"}
        print(json.dumps({name: found[name]}), flush=True)
    return found


SECTIONS: Mapping[str, tuple[Callable[[Setting], Result], int]] = {
    "device": (ask_device, 60),
    "grid": (time_grid, 120),
    "losses": (compare_losses, 60),
    "adapter": (tune_adapter, 150),
    "curves": (compare_curves, 160),
    "survive": (survive, 160),
    "grid_half": (lambda setting: time_grid(setting, half=True), 120),
    "memory": (run_out_of_memory, 60),
    "processes": (time_processes, 120),
    "whole": (train_whole, 180),
}
"""Name to section and the seconds after which it is stopped; the most useful first."""


def _rerun(study: Path, setting: Setting) -> tuple[float, str]:
    begun = time.perf_counter()
    done = subprocess.run(
        _command(study), cwd=ROOT, env=_environment(setting), stdout=subprocess.PIPE, text=True,
        check=False,
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"rerun ended with {done.returncode}: {done.stdout}")
    return time.perf_counter() - begun, done.stdout


def _command(study: Path) -> list[str]:
    return [sys.executable, "-m", "reportgen", "rerun", str(study), "--yes"]


def _environment(setting: Setting) -> dict[str, str]:
    hidden = {} if setting.device == "cuda" else {"CUDA_VISIBLE_DEVICES": ""}
    return {**os.environ, **hidden, "OMP_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}


def _curves(study: Path) -> Result:
    """Return, cell by cell, seconds, engine and every series, from the published runs."""
    from reportgen.app import load

    runs = [run for run in load(study.parent / "reruns", study=study) if run.rerun]
    return {
        f"{run.group}/{run.seed}": {
            "seconds": run.rerun.seconds,
            "engine": run.rerun.engine,
            "notes": list(run.rerun.notes),
            **_series(run),
        }
        for run in runs
        if run.rerun
    }


def _published() -> Result:
    from reportgen.app import load

    runs = load(SAMPLE / "logs", study=SAMPLE / "study.toml")
    return {f"{run.group}/{run.seed}": _series(run) for run in runs}


def _series_of(runs: Result) -> Result:
    return {
        cell: {name: values for name, values in own.items() if isinstance(values, list)}
        for cell, own in runs.items()
    }


def _reference(setting: Setting, name: str) -> Result:
    path = setting.reference / f"{name}.json" if setting.reference else None
    return json.loads(path.read_text()) if path and path.exists() else {}


def _series(run: Any) -> Result:
    wanted = (("accuracy", "test"), ("accuracy", "validation"), ("loss", "validation"))
    found = {}
    for metric, split in wanted:
        series = run.find(metric, split)
        found[f"{split} {metric}"] = [float(v) for _, v in series.points()] if series else []
    return found


def _apart(here: Mapping[str, Any], there: Mapping[str, Any]) -> Result:
    """Return how far two sets of curves are apart: of test accuracies, and of their means."""
    pairs: list[tuple[float, float]] = []
    for cell, own in here.items():
        other = there.get(cell, {}).get("test accuracy", [])
        pairs += zip(own["test accuracy"], other, strict=False)
    if not pairs:
        return {"values": 0}
    gaps = [abs(a - b) for a, b in pairs]
    means = [sum(side) / len(pairs) for side in zip(*pairs, strict=True)]
    return {
        "values": len(pairs),
        "largest": max(gaps),
        "mean": sum(gaps) / len(gaps),
        "means": means,
    }


def _median(work: Callable[[], object], device: str, rounds: int = 10) -> float:
    from benchmarks.gpu_ways import wait

    seconds = []
    for _ in range(rounds + 2):
        wait(device)
        begun = time.perf_counter()
        work()
        wait(device)
        seconds.append(time.perf_counter() - begun)
    return sorted(seconds[2:])[rounds // 2]


def _reset_peak(device: str) -> None:
    import gc

    import torch

    gc.collect()
    if device == "cuda":
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()


def _peak(device: str) -> float:
    import torch

    return torch.cuda.max_memory_allocated() / 2**30 if device == "cuda" else 0.0
