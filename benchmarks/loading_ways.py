"""One way of reading a folder of event files, as a process of its own.

`main` is called with WAY FOLDER BEFORE: the folder BEFORE is read first, outside the clock, so that
imports and whatever else happens once are paid; `-` for none. It prints one line of JSON: points,
processor seconds and wall seconds of the reading alone, and the largest memory in bytes of this
process and of the largest of its children. A process of this costs little beside what it measures,
so nothing is imported here that the way itself does not need.
"""

from __future__ import annotations

import os
import resource
import sys
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

BLOCK = 1 << 20
EVERYTHING = 1 << 40
"""More points than any tag has."""

WHO = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)

Columns = tuple["np.ndarray[Any, Any]", "np.ndarray[Any, Any]", "np.ndarray[Any, Any]"]


def tree(folder: str) -> int:
    """Read with nothing around it."""
    from pathlib import Path

    from reportgen.read.logs import Reading, load_tree

    found = load_tree(Path(folder), reading=Reading(digests=False))
    return sum(log.source.points for log in found.logs)


def load(folder: str) -> int:
    """Read as users of the library do: runs, groups and splits found as well."""
    import reportgen

    return sum(len(one) for run in reportgen.load(folder) for one in run.scalars.values())


def logs(
    folder: str, jobs: int, cache: str = "", *, touched: bool = False, loader: str = "own"
) -> int:
    """Read as a build does; `touched` looks at every value."""
    from pathlib import Path

    from reportgen.app.reading import LogOptions, read_logs, silent

    kept = Path(cache) if cache else None
    options = LogOptions(jobs=jobs, digests=False, cache=kept, loader=loader)
    found = read_logs(Path(folder), silent, options)
    if touched:
        for log in found.logs:
            for one in log.series.values():
                for column in (one.steps, one.values, one.wall_times):
                    column.sum()
    return sum(log.source.points for log in found.logs)


def tbparse(folder: str) -> int:
    """Read into a frame, scalars only."""
    return len(_frame(folder))


def data_server(folder: str, *arguments: str) -> int:
    """Have TensorBoard's server load all points, and ask it for them, run by run."""
    import grpc
    import numpy as np
    from tensorboard.data.proto import data_provider_pb2 as proto
    from tensorboard.data.proto import data_provider_pb2_grpc as service

    points = 0
    with _Server(folder, arguments) as address:
        unlimited = [("grpc.max_receive_message_length", -1)]
        channel = grpc.insecure_channel(address, options=unlimited)
        stub = service.TensorBoardDataProviderStub(channel)
        plugin = proto.PluginFilter(plugin_name="scalars")
        for run in stub.ListRuns(proto.ListRunsRequest(experiment_id="e")).runs:
            request = proto.ReadScalarsRequest(
                experiment_id="e",
                plugin_filter=plugin,
                run_tag_filter=proto.RunTagFilter(runs=proto.RunFilter(names=[run.name])),
                downsample=proto.Downsample(num_points=EVERYTHING),
            )
            for found in stub.ReadScalars(request).runs:
                for tag in found.tags:
                    columns = [
                        np.array(one, dtype=kind)
                        for one, kind in (
                            (tag.data.step, np.int64),
                            (tag.data.wall_time, np.float64),
                            (tag.data.value, np.float32),
                        )
                    ]
                    points += len(columns[0])
    return points


def numpy_and_bytes(folder: str) -> int:
    """Import numpy and read the bytes; what no reader in Python that uses numpy goes below."""
    from pathlib import Path

    import numpy as np  # noqa: F401

    for path in sorted(Path(folder).rglob("*tfevents*")):
        path.read_bytes()
    return 0


def checksum(folder: str) -> int:
    """Read the bytes, a megabyte at a time, and sum them up with the processor's instruction."""
    from google_crc32c import extend

    for path in _files(folder):
        total = 0
        with open(path, "rb", buffering=0) as file:  # noqa: PTH123 - nothing more is imported
            while block := file.read(BLOCK):
                total = extend(total, block)
    return 0


def compare(folder: str) -> int:
    """Compare every point with tbparse's, to the bit; return how many.

    tbparse keeps every point that was logged at one step, reportgen the last.

    Raises:
        SystemExit: They differ.
    """
    import numpy as np

    def bits(column: Any, kind: str) -> bytes:
        return np.ascontiguousarray(column, dtype=kind).tobytes()

    theirs = {
        (name, tag): rows.sort_values("step", kind="stable").drop_duplicates("step", keep="last")
        for (name, tag), rows in _frame(folder).groupby(["dir_name", "tag"])
    }
    ours = dict(_series(folder))
    if ours.keys() != theirs.keys():
        raise SystemExit(f"{folder}: other tags than tbparse: {ours.keys() ^ theirs.keys()}")
    for key, (steps, walls, values) in ours.items():
        rows = theirs[key]
        for name, kind, column in (
            ("step", "i8", steps), ("wall_time", "f8", walls), ("value", "f4", values)
        ):  # fmt: skip
            if bits(column, kind) != bits(rows[name], kind):
                raise SystemExit(f"{folder}: {name} of {key} differs from tbparse's")
    return sum(len(steps) for steps, _, _ in ours.values())


WAYS: dict[str, Callable[[str], int]] = {
    "tree": tree,
    "load": load,
    "one process": lambda folder: logs(folder, 1),
    "two processes": lambda folder: logs(folder, 2),
    "cache": lambda folder: logs(folder, 1, os.environ["BENCHMARK_CACHE"]),
    "cache, touched": lambda folder: logs(folder, 1, os.environ["BENCHMARK_CACHE"], touched=True),
    "plain reader": lambda folder: logs(folder, 1, loader="loop"),
    "tbparse": tbparse,
    "data server": data_server,
    "data server --checksum": lambda folder: data_server(folder, "--checksum"),
    "numpy and bytes": numpy_and_bytes,
    "checksum": checksum,
    "compare": compare,
}


def main() -> None:
    """Read one way and say what it took."""
    way, folder, before = sys.argv[1:]
    if before != "-":
        WAYS[way](before)
    processor, wall = _processor(), time.perf_counter()
    points = WAYS[way](folder)
    wall, processor = time.perf_counter() - wall, _processor() - processor
    own, others = (resource.getrusage(who).ru_maxrss * 1024 for who in WHO)
    print(
        f'{{"points": {points}, "cpu": {processor}, "wall": {wall}, '
        f'"peak": {own}, "peak_of_children": {others}}}'
    )


def _processor() -> float:
    used = [resource.getrusage(who) for who in WHO]
    return sum(one.ru_utime + one.ru_stime for one in used)


class _Server:
    """TensorBoard's server, with everything loaded."""

    def __init__(self, folder: str, arguments: tuple[str, ...]) -> None:
        import subprocess

        from tensorboard_data_server import server_binary

        self._process = subprocess.Popen(
            [
                *(server_binary(), "--logdir", folder, "--port", "0", "--reload", "once"),
                *("--samples-per-plugin", "scalars=all", "--verbose", *arguments),
            ],
            stderr=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> str:
        address = ""
        for line in self._process.stderr or ():
            if line.startswith("listening on "):
                address = line.split()[-1]
            # Nothing but its log tells that it is done.
            if "Finished load cycle" in line:
                return address
        raise SystemExit("the data server ended before it had loaded the logs")

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.communicate()


def _frame(folder: str) -> Any:
    from tbparse import SummaryReader

    found = SummaryReader(folder, event_types={"scalars"}, extra_columns={"wall_time", "dir_name"})
    return found.scalars


def _series(folder: str) -> Iterator[tuple[tuple[str, str], Columns]]:
    from pathlib import Path, PurePath

    from reportgen.read.logs import load_tree

    for log in load_tree(Path(folder)).logs:
        name = str(PurePath(log.source.path).parent)
        for tag, one in log.series.items():
            yield (name, tag), (one.steps, one.wall_times, one.values)


def _files(folder: str) -> list[str]:
    return sorted(
        os.path.join(below, name)  # noqa: PTH118
        for below, _, names in os.walk(folder)
        for name in names
        if "tfevents" in name
    )
