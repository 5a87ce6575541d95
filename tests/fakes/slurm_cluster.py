"""A private Slurm of two nodes on this machine: no service, no database, nobody else's."""

import os
import secrets
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from fakes.command import run_to_end
from fakes.rows import rows_beside

ROWS = rows_beside(__file__)
PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "sinfo")
CONFIGURATION = ROWS["configuration"]


def path_of(program: str) -> str | None:
    """A program of Slurm, also in the folders for root that a user's PATH may lack."""
    return shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin:/sbin")


class SlurmCluster:
    """Started by its constructor; `close` ends it."""

    def __init__(self) -> None:
        # Not below pytest's folder: munged wants that everybody can pass through to its socket.
        folder = Path(tempfile.mkdtemp(prefix="slurm-"))
        folder.chmod(0o755)
        self.folder = folder
        (folder / "state").mkdir()
        self.processes: list[subprocess.Popen[bytes]] = []
        self._authenticate()
        configuration = folder / "slurm.conf"
        ports = free_ports()
        configuration.write_text(
            CONFIGURATION.format(
                host=socket.gethostname().partition(".")[0],
                user=subprocess.check_output(["id", "-un"], text=True).strip(),
                folder=folder,
                port=ports,
                low=ports + 1,
                high=ports + 2,
            )
        )
        self.environment = os.environ | {"SLURM_CONF": str(configuration)}
        self._start("slurmctld", "-D", "-c")
        for node in ("n1", "n2"):
            self._start("slurmd", "-D", "-N", node)
        self._wait_for(lambda: self.ask("sinfo", "-h", "-N", "-o", "%t").split() == ["idle"] * 2)

    def ask(self, program: str, *arguments: str) -> str:
        done = run_to_end([program, *arguments], env=self.environment)
        return done.stdout

    def close(self) -> None:
        self.ask("scancel", "--state=RUNNING,PENDING", "--me")
        for process in reversed(self.processes):
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(self.folder)

    def _authenticate(self) -> None:
        key = self.folder / "munge.key"
        key.write_bytes(secrets.token_bytes(1024))
        key.chmod(0o600)
        files = {name: self.folder / f"munge.{name}" for name in ("sock", "pid", "log", "seed")}
        self.environment = dict(os.environ)
        self._start(
            "munged", "--foreground", f"--key-file={key}", f"--socket={files['sock']}",
            f"--pid-file={files['pid']}", f"--log-file={files['log']}",
            f"--seed-file={files['seed']}",
        )  # fmt: skip
        self._wait_for(files["sock"].exists)

    def _start(self, program: str, *arguments: str) -> None:
        with (self.folder / f"{program}-{len(self.processes)}.out").open("wb") as log:
            self.processes.append(
                subprocess.Popen(
                    [str(path_of(program)), *arguments],
                    env=self.environment,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                )
            )

    def _wait_for(self, condition) -> None:
        end = time.monotonic() + 60
        while not condition():
            if any(process.poll() is not None for process in self.processes):
                break
            if time.monotonic() > end:
                break
            time.sleep(0.1)
        else:
            return
        logs = [*self.folder.glob("*.out"), *self.folder.glob("*.log")]
        told = "\n".join(log.read_text()[-1500:] for log in logs)
        self.close()
        raise AssertionError(told)


def free_ports() -> int:
    """The first of three ports in a row that nobody listens on."""
    for port in range(46820, 60000, 3):
        try:
            for i in range(3):
                with socket.socket() as taken:
                    taken.bind(("127.0.0.1", port + i))
        except OSError:
            continue
        return port
    raise AssertionError("no three ports in a row are free")
