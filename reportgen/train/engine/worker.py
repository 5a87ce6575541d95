"""One process that trains jobs, one after another, and publishes what they give."""

from __future__ import annotations

import datetime as dt
import json
import math
import os
import platform
import time
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import torch
from safetensors.torch import save_file

from reportgen import __version__
from reportgen.records.errors import OutputError, ReportgenError
from reportgen.records.job import Job, Member, MemberResult
from reportgen.records.run import RECORD, Rerun
from reportgen.train.engine import LOG_WRITERS
from reportgen.train.engine.assembly import Assembled, assemble
from reportgen.train.engine.course import Course, Track
from reportgen.train.engine.engine import DeviceMemoryError
from reportgen.train.engine.loop import Hooks, StoppedError, catch_signals, train
from reportgen.train.store import Lease, LostLeaseError, RunStore

# The device a job trains on: which, what it is in words, and how far it repeats itself.

_PACKAGES = ("torch", "transformers", "peft", "safetensors", "numpy")


def describe_device(device: str) -> str:
    """Return a device in words, as a report shows it."""
    if device == "cuda":
        return torch.cuda.get_device_name()
    machine = platform.machine()
    if device == "mps":
        return f"Apple GPU, {machine}"
    threads = torch.get_num_threads()
    return f"CPU, {machine}, {threads} thread{'s' if threads > 1 else ''}"


def list_versions() -> dict[str, str]:
    """Return the versions of what decides the numbers; packages that are not there are left out."""
    found = {"python": platform.python_version(), "reportgen": __version__}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    if torch.version.cuda:
        found["cuda"] = torch.version.cuda
    return found


def make_deterministic(device: str) -> tuple[str, ...]:
    """Make torch repeat itself as far as it can; call it before anything runs on the device.

    Args:
        device: `"cpu"`, `"cuda"` or `"mps"`.

    Returns:
        What stays without promise, as notes for the reader of the results.
    """
    # With another number of threads sums round differently.
    torch.set_num_threads(1)
    if device == "cuda":
        # cuBLAS reads it when it starts; without, it may sum in another order each time.
        os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
        torch.backends.cudnn.benchmark = False
        torch.backends.cudnn.deterministic = True
        torch.backends.cuda.matmul.allow_tf32 = False
    if device == "cpu":
        return ()
    return (f"repeats on {describe_device(device)} may differ in the last bits",)


FAILED, STOPPED, ELSEWHERE = 1, 75, 76
"""Exit codes: a member failed; a signal stopped it, resumable; another process has the lease."""


def main(arguments: Sequence[str]) -> int:
    """Train the jobs of a file; the highest exit code of them is returned.

    Args:
        arguments: A JSON file with one job or a list of them, and the folder of the run store.
    """
    given = json.loads(Path(arguments[0]).read_text(encoding="utf-8"))
    jobs = [
        Job.from_json(json.dumps(one)) for one in (given if isinstance(given, list) else [given])
    ]
    store = RunStore(Path(arguments[1]))
    worst = 0
    with catch_signals() as stop:
        for job in jobs:
            if stop():
                return STOPPED
            worst = max(worst, work(job, store, stop))
    return worst


def work(job: Job, store: RunStore, stop: Callable[[], bool] = lambda: False) -> int:
    """Train one job and publish its members; what is finished already is left alone.

    How every member ended is written into the job's progress, where `rerun` reads it; one that
    failed is noted in the run store with its reason, and can be tried again.
    """
    lease = _claim(job, store, stop)
    if lease is None:
        _tell(job, store, [_elsewhere(member, store) for member in job.members])
        return ELSEWHERE
    with lease:
        # Asked under the lease: its last holder may just have published.
        wanted = [member for member in job.members if member.publish]
        if wanted and all(store.holds(member.place, member.key) for member in wanted):
            results = [MemberResult(key=m.key, state="published") for m in job.members]
        else:
            results = _attempt(job, store, lease, stop)
        _tell(job, store, results)
    states = {result.state for result in results}
    if "stopped" in states:
        return STOPPED
    return FAILED if "failed" in states else 0


def _claim(job: Job, store: RunStore, stop: Callable[[], bool]) -> Lease | None:
    """Take the leases of a job, with patience for an attempt of it that is just dying."""
    keys = [member.key for member in job.members]
    deadline = time.monotonic() + job.patience
    while (lease := store.claim(keys)) is None and time.monotonic() < deadline and not stop():
        time.sleep(min(1.0, job.patience))
    return lease


def _attempt(
    job: Job, store: RunStore, lease: Lease, stop: Callable[[], bool]
) -> list[MemberResult]:
    """Train, and turn every fault of data, device or disk into a reason."""
    try:
        _check_places(job, store)
        unsure = make_deterministic(job.device)
        built = assemble(job)
        training = train(built.engine, job, store, lease, Hooks(stop=stop))
        return _Publication(job, store, lease, built, training, unsure).results()
    except StoppedError as fault:
        return [MemberResult(key=m.key, state="stopped", reason=str(fault)) for m in job.members]
    except LostLeaseError:
        return [_elsewhere(member, store) for member in job.members]
    except ReportgenError as fault:
        reason = fault.message
    except OSError as fault:
        reason = f"{fault.strerror or fault}: {fault.filename or store.root}"
    except (DeviceMemoryError, MemoryError) as fault:
        reason = f"out of memory, even with one example at a time ({str(fault).splitlines()[0]})"
    except Exception as fault:  # noqa: BLE001 - a defect here ends this job, not those after it
        traceback.print_exc()
        reason = f"{type(fault).__name__}: {str(fault).partition(chr(10))[0]}"
    return [_failed(member, reason, store) for member in job.members]


def _check_places(job: Job, store: RunStore) -> None:
    """Refuse, before hours of work, a place whose run is damaged or of other settings."""
    for member in job.members:
        taken = member.publish and store.done(member.place)
        if taken and not job.fresh and not store.holds(member.place, member.key):
            raise OutputError(
                f"{store.root / member.place} holds a run that is damaged or of other settings; "
                "remove the folder, or add --restart, which keeps it aside"
            )


@dataclass(frozen=True, slots=True)
class _Publication:
    """Everything a finished job leaves behind."""

    job: Job
    store: RunStore
    lease: Lease
    built: Assembled
    training: Course
    unsure: tuple[str, ...]

    def results(self) -> list[MemberResult]:
        """Compare canaries first; publish the other members unless one drifted too far."""
        pairs = list(zip(self.job.members, self.training.tracks, strict=True))
        repeated = {m.key: self._repeated(m, t) for m, t in pairs if not m.publish}
        far = [r for r in repeated.values() if r.state == "withheld"]
        results = []
        for member, trained in pairs:
            if member.key in repeated:
                results.append(repeated[member.key])
            elif trained.diverged is not None:
                reason = f"the loss was not finite at step {trained.diverged}"
                results.append(_failed(member, reason, self.store, trained.diverged))
            elif far:
                why = "a repeated run drifted beyond the seeds' spread"
                results.append(MemberResult(key=member.key, state="withheld", reason=why))
            else:
                results.append(self._published(member, trained, list(repeated.values())))
        return results

    def _repeated(self, member: Member, trained: Track) -> MemberResult:
        """Hold a repeated run against the one that was found."""
        value = _value_at(trained, self.job)
        if value is None or member.reference is None:
            return MemberResult(key=member.key, state="repeated", value=value)
        drift = value - member.reference
        limit = self.job.tolerance
        within = limit is None or abs(drift) <= limit
        kept = {"value": value, "reference": member.reference, "drift": drift, "within": within}
        self.store.note_canary(member.key, kept)
        state = "repeated" if within else "withheld"
        spread = "" if limit is None else f"; up to {limit:.4f} is the spread of the seeds"
        reason = "" if within else f"it drifted by {drift:+.4f}{spread}"
        return MemberResult(key=member.key, state=state, reason=reason, value=value, drift=drift)

    def _published(
        self, member: Member, trained: Track, canaries: Sequence[MemberResult]
    ) -> MemberResult:
        drifts = [f"a repeated run drifted by {c.drift:+.4f}" for c in canaries if c.drift]
        count = len(self.job.members)
        rerun = Rerun(
            key=member.key,
            group=member.group,
            seed=member.seed,
            device=describe_device(self.job.device),
            date=dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
            versions=list_versions(),
            engine=self.built.engine.name + (f", {count} members" if count > 1 else ""),
            settings=member.settings,
            notes=(*self.built.notes, *self.training.notes, *self.unsure, *drifts, *self.job.notes),
            seconds=self.training.seconds,
        )
        try:
            if self.job.fresh and not self.store.holds(member.place, member.key):
                # One of other settings, which the user asked to train again; it is kept aside.
                self.store.set_aside(member.place)
            first = self.store.publish(
                member.place, rerun, lambda folder: self._write(folder, trained), self.lease
            )
        except OSError as fault:
            return _failed(member, f"{fault.strerror or fault}: it was not published", self.store)
        self.store.clear_failure(member.key)
        reason = "" if first else "another process had published it already"
        value = _value_at(trained, self.job)
        return MemberResult(key=member.key, state="published", reason=reason, value=value)

    def _write(self, folder: Path, trained: Track) -> None:
        about = f"made by `reportgen rerun`; see {RECORD}"
        write = LOG_WRITERS.load(self.job.layout)
        write(self.job.folders, trained.points, folder, about)
        if trained.weights:
            save_file(dict(trained.weights), folder / self.built.weights_name, {"format": "pt"})
            text = json.dumps(self.built.config, indent=2, sort_keys=True, default=str)
            (folder / self.built.config_name).write_text(f"{text}\n", encoding="utf-8")


def _value_at(trained: Track, job: Job) -> float | None:
    """Return the reported value at the best step: of the test split, else of validation."""
    for split in ("test", "validation"):
        for point in trained.points:
            at_best = point.step == trained.best_step and point.metric == job.metric
            if at_best and point.split == split and math.isfinite(point.value):
                return point.value
    return None


def _failed(member: Member, reason: str, store: RunStore, step: int | None = None) -> MemberResult:
    if member.publish:
        store.note_failure(member.key, reason, step=step)
    return MemberResult(key=member.key, state="failed", reason=reason)


def _elsewhere(member: Member, store: RunStore) -> MemberResult:
    held = store.holder(member.key)
    who = f"on {held.host}, process {held.pid}, for {held.since:.0f} s" if held else "elsewhere"
    return MemberResult(key=member.key, state="elsewhere", reason=f"it is being trained {who}")


def _tell(job: Job, store: RunStore, results: Iterable[MemberResult]) -> None:
    told: Mapping[str, object] = store.read_progress(job.id) or {}
    store.write_progress(job.id, {**told, "results": [asdict(result) for result in results]})
