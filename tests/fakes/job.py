"""A job that trains nothing: `python -m fakes.job JOB.json STORE`.

Each step is a line with the process's number in the job's working folder, and takes `seconds`.
It goes on from its last line, and publishes by one rename, like a real one. `how` changes its
ways: `killed` kills itself at its first step, `fails` exits with 3 and last words.
"""

import json
import os
import signal
import sys
import time
from pathlib import Path

STOPPED = 75


def main(job_file: str, store: str) -> int:
    job = json.loads(Path(job_file).read_text(encoding="utf-8"))
    work = Path(store) / ".reportgen" / "work" / job["id"]
    stopping = []
    how = job.get("how", "")
    signal.signal(signal.SIGTERM, lambda *_: stopping.append(1))
    if how == "fails":
        sys.stderr.write("a first line\nthe data are not there\n")
        return 3
    steps = work / "steps.txt"
    steps.touch()
    for step in range(len(steps.read_text(encoding="utf-8").splitlines()), job["steps"]):
        with steps.open("a", encoding="utf-8") as file:
            file.write(f"{step} {os.getpid()} {os.environ.get('CUDA_VISIBLE_DEVICES', '-')}\n")
        if how == "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(job["seconds"])
        if stopping:
            return STOPPED
    done = work / f"finished-{os.getpid()}"
    done.mkdir()
    (done / "run.json").write_text(json.dumps({"pid": os.getpid(), **environment()}))
    try:
        done.rename(Path(store) / job["id"])
    except OSError:
        return STOPPED
    return 0


def environment() -> dict[str, str]:
    names = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "OMP_WAIT_POLICY")
    return {name: os.environ.get(name, "") for name in (*names, "TOKENIZERS_PARALLELISM")}


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
