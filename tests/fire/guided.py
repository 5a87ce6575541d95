"""`make fuzz`: five readers under inputs that are guided by what of the program they reach.

Atheris, Google's libFuzzer for Python, keeps an input that runs a line no other ran, and changes
it further; half of the changes are those of the format, which know its structure. What has to hold
is the same as under `make fire`.
"""

import argparse
import json
import os
import random
import re
import sys
import tempfile
from pathlib import Path

from fakes.command import run_to_end

READERS = ("tfevents", "wandb_run", "torch.zip", "torch.legacy", "markdown")
"""Own parsers of binary formats, the machine that reads pickles, and the largest reader of text."""

MEMORY = Path("/dev/shm") if Path("/dev/shm").is_dir() else Path(tempfile.gettempdir())  # noqa: S108
_UNITS = re.compile(r"stat::number_of_executed_units: (\d+)")
_EDGES = re.compile(r"cov: (\d+)")


def main() -> int:
    """Guide inputs to each reader for some minutes, and print how many there were."""
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    parser.add_argument("readers", nargs="*", default=READERS)
    parser.add_argument("--minutes", type=float, default=2.0, help="for each reader")
    parser.add_argument("--home", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.home:
        guide(given.readers[0], Path(given.home), int(60 * given.minutes))
        return 0
    return max(_in_process(name, given.minutes) for name in given.readers)


def guide(name: str, home: Path, seconds: int) -> None:
    """Feed one reader until time is over; the process ends here."""
    import atheris

    with atheris.instrument_imports(include=["reportgen"]):
        from fire.inputs import Bench, Input, Tally, ask, table

        found = table()[name]
        for sample in found.samples:  # what is imported late is instrumented, too
            (home / "input").mkdir(exist_ok=True)
            found.read(_laid(home / "warm", sample.name, sample.content))
    corpus = home / "corpus"
    corpus.mkdir()
    for number, sample in enumerate(found.samples):
        (corpus / str(number)).write_bytes(sample.content)
    tally, bench, count = Tally(), Bench(home), 0

    def test(content: bytes) -> None:
        nonlocal count
        count += 1
        one = Input(found.samples[count % len(found.samples)], content, is_cut=False, is_raw=False)
        ask(name, count, one, bench, lambda _: set(), tally)

    def change(content: bytes, most: int, seed: int) -> bytes:
        rng = random.Random(seed)
        if rng.random() < 0.5:
            return rng.choice(found.harms)(content or b"x", rng)[:most]
        changed: bytes = atheris.Mutate(content, most)
        return changed

    limits = [f"-max_total_time={seconds}", "-max_len=20000", "-print_final_stats=1", "-timeout=20"]
    options = [*limits, f"-artifact_prefix={home}/", "-rss_limit_mb=3000", str(corpus)]
    atheris.Setup([sys.argv[0], *options], test, custom_mutator=change)
    atheris.Fuzz()


def _laid(home: Path, name: str, content: bytes) -> Path:
    path = home / "input" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def _in_process(name: str, minutes: float) -> int:
    with tempfile.TemporaryDirectory(dir=MEMORY, prefix="fire-") as home:
        done = run_to_end(
            [sys.executable, "-m", "fire.guided", name, "--minutes", str(minutes), "--home", home],
            errors="replace",
            env=os.environ,
        )
        units, edges = _UNITS.findall(done.stderr), _EDGES.findall(done.stderr)
        found = sorted(Path(home).glob("crash-*")) + sorted(Path(home).glob("timeout-*"))
        kept = Path(tempfile.gettempdir(), f"fire-{name}-{os.getpid()}")
        for path in found:
            kept.write_bytes(path.read_bytes())
    if not units:
        sys.stdout.write(done.stderr[-3000:])
        return 1
    told = {"reader": name, "inputs": int(units[-1]), "edges": edges[-1:], "faults": len(found)}
    sys.stdout.write(json.dumps(told) + "\n")
    if found:
        sys.stdout.write(f"the input is {kept}\n{done.stderr[-3000:]}\n")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
