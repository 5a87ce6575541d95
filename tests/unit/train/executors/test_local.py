import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from concurrent.futures import Executor
from contextlib import suppress
from pathlib import Path

import pytest
from fakes.jobs import PATIENCE_S, a_job, is_alive, run_fake, running, steps_of, wait_until

from reportgen.records.errors import UsageError, WorkerLostError
from reportgen.train.executors import EXECUTORS, open_pool
from reportgen.train.executors.base import devices_for
from reportgen.train.executors.local import open_executor

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc"),
]

OWNER = """\
import sys
from fakes.jobs import a_job, run_fake
from reportgen.train.executors.local import open_executor
if __name__ == "__main__":
    with open_executor(workers=2, gpus=0, options={}) as executor:
        for name in ("one", "two", "three"):
            executor.submit(run_fake, a_job(name, steps=3000, how=sys.argv[2]), sys.argv[1])
"""
POOL_OWNER = """\
import sys, time
from reportgen.train.executors import open_pool
if __name__ == "__main__":
    pool = open_pool(workers=2)
    print(pool.submit(pow, 2, 3).result(), flush=True)
    time.sleep(60)
"""


def test_it_is_a_standard_executor():
    assert EXECUTORS.load("local") is open_executor
    with open_executor(workers=2, gpus=0, options={}) as executor:
        assert isinstance(executor, Executor)
        assert list(executor.map(pow, [2, 3], [3, 2])) == [8, 9]


def test_a_killed_child_fails_its_own_future_only(store):
    with open_executor(workers=2, gpus=0, options={}) as executor:
        long = executor.submit(run_fake, a_job("long", steps=20), str(store))
        killed = executor.submit(run_fake, a_job("killed", how="killed"), str(store))
        late = executor.submit(run_fake, a_job("late"), str(store))
        with pytest.raises(WorkerLostError) as caught:
            killed.result(PATIENCE_S)
        assert caught.value.signal == signal.SIGKILL
        assert long.result(PATIENCE_S) == late.result(PATIENCE_S) == 0
        assert executor.submit(run_fake, a_job("after"), str(store)).result(PATIENCE_S) == 0


def test_leaving_by_an_exception_stops_the_running_and_drops_the_waiting(store):
    def interrupted():
        with open_executor(workers=1, gpus=0, options={}) as executor:
            futures.append(executor.submit(run_fake, a_job("long", steps=3000), str(store)))
            futures.append(executor.submit(run_fake, a_job("waiting"), str(store)))
            wait_until(lambda: steps_of(store, "long"))
            raise KeyboardInterrupt

    futures = []
    with pytest.raises(KeyboardInterrupt):
        interrupted()
    running, waiting = futures
    assert running.result(0) == 75
    assert waiting.cancelled()
    assert not is_alive(int(steps_of(store, "long")[0][1]))
    assert steps_of(store, "waiting") == []


def owner_of_jobs(store, how):
    return subprocess.Popen([sys.executable, "-c", OWNER, str(store), how])


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_no_child_outlives_its_parent(number, store):
    owner = owner_of_jobs(store, "")
    wait_until(lambda: steps_of(store, "one") and steps_of(store, "two"))
    children = [int(steps_of(store, name)[0][1]) for name in ("one", "two")]
    assert all(map(is_alive, children))
    owner.send_signal(number)
    wait_until(lambda: not any(map(is_alive, children)))
    assert owner.wait(PATIENCE_S) != 0
    wait_until(lambda: not running(str(store)))
    assert steps_of(store, "three") == []


def gpus_of(store, names):
    return Counter(steps_of(store, name)[0][2] for name in names)


def run_all(store, names, *, workers, gpus):
    with open_executor(workers=workers, gpus=gpus, options={}) as executor:
        jobs = [
            executor.submit(run_fake, a_job(n, steps=1, seconds=0.5), str(store)) for n in names
        ]
        assert [job.result(PATIENCE_S) for job in jobs] == [0] * len(names)


def test_jobs_that_run_together_have_different_gpus(store, monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "5,7,GPU-x")
    run_all(store, "ab", workers=2, gpus=2)
    assert gpus_of(store, "ab") == {"5": 1, "7": 1}


def test_a_gpu_is_shared_only_when_all_are_taken(store, monkeypatch):
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    run_all(store, "ab", workers=4, gpus=2)
    assert gpus_of(store, "ab") == {"0": 1, "1": 1}
    run_all(store, "cdef", workers=4, gpus=2)
    assert gpus_of(store, "cdef") == {"0": 2, "1": 2}


def test_more_gpus_than_are_visible(monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "5,7")
    assert devices_for(3, 2) == ("5", "7", "5")
    with pytest.raises(UsageError, match=r"3 GPUs .* lists 2"):
        devices_for(3, 3)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"workers": 0}, "0 workers"),
        ({"gpus": -1}, "-1 GPUs"),
        ({"address": "tcp://127.0.0.1:1"}, "no address"),
        ({"options": {"queue": "main"}}, "option queue"),
    ],
)
def test_misuse(arguments, told):
    usual = {"workers": 1, "gpus": 0, "options": {}}
    with pytest.raises(UsageError, match=told), open_executor(**{**usual, **arguments}):
        pass


def test_a_pool_computes_in_other_processes():
    with open_pool(workers=2) as pool:
        assert list(pool.map(pow, [2, 3], [3, 2])) == [8, 9]
        assert pool.submit(os.getpid).result() != os.getpid()


def test_a_script_without_a_guard_runs_once(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "print('begins')\n"
        "from reportgen.train.executors import open_pool\n"
        "with open_pool(workers=2) as pool:\n"
        "    print(*pool.map(pow, [2, 3], [3, 2]))\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("begins\n8 9\n", "")


def test_what_a_task_prints_and_reads_is_no_part_of_its_answer():
    with open_pool(workers=1) as pool:
        assert pool.submit(os.write, 1, b"").result(PATIENCE_S) == 0
        assert pool.submit(print, "noise").result(PATIENCE_S) is None
        assert pool.submit(os.read, 0, 5).result(PATIENCE_S) == b""
        assert pool.submit(pow, 2, 3).result(PATIENCE_S) == 8


def test_what_a_task_raises_is_raised():
    with open_pool(workers=1) as pool:
        with pytest.raises(ZeroDivisionError):
            pool.submit(divmod, 1, 0).result(PATIENCE_S)
        with pytest.raises(TypeError, match="lock"):
            pool.submit(threading.Lock).result(PATIENCE_S)
        assert pool.submit(pow, 2, 3).result(PATIENCE_S) == 8


@pytest.mark.parametrize("named", ["os.getcwd", "reportgen.app.building.build"])
def test_an_answer_that_names_what_could_be_run_is_refused(named):
    module, _, name = named.rpartition(".")
    path = f"__import__({module!r}, fromlist='*').{name}"
    deed = f"type('Deed', (), {{'__reduce__': lambda _: ({path}, ())}})()"
    with open_pool(workers=1) as pool:
        with pytest.raises(pickle.UnpicklingError, match="an answer names"):
            pool.submit(eval, deed).result(PATIENCE_S)
        assert pool.submit(pow, 2, 3).result(PATIENCE_S) == 8


def test_a_killed_process_fails_its_own_future_only(tmp_path):
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    with open_pool(workers=2) as pool:
        long = pool.submit(gate.read_text)
        with pytest.raises(WorkerLostError, match="exit code 9, as by damaged files"):
            pool.submit(os._exit, 9).result(PATIENCE_S)
        gate.write_text("open")
        assert long.result(PATIENCE_S) == "open"
        assert [pool.submit(pow, 2, n).result(PATIENCE_S) for n in range(4)] == [1, 2, 4, 8]


def test_a_process_killed_while_it_sends_does_not_hold_up_the_rest():
    """The pipe holds some of the result, and nobody will write the rest."""
    with open_pool(workers=1) as pool:
        for _ in range(3):
            future = pool.submit(bytes, 1 << 26)
            wait_until(lambda: pool._processes)
            time.sleep(0.05)
            pool._processes[-1].process.kill()
            with suppress(WorkerLostError):
                future.result(PATIENCE_S)
        assert pool.submit(pow, 2, 3).result(PATIENCE_S) == 8


def test_leaving_a_pool_by_an_exception_ends_what_it_does_at_once():
    def interrupted():
        with open_pool(workers=2) as pool:
            assert pool.submit(pow, 2, 3).result(PATIENCE_S) == 8
            futures.extend(pool.submit(time.sleep, 3600) for _ in range(9))
            processes.extend(p.process.pid for p in pool._processes)
            wait_until(lambda: any(future.running() for future in futures))
            raise KeyboardInterrupt

    futures, processes = [], []
    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert all(future.done() for future in futures)
    assert futures[-1].cancelled()
    wait_until(lambda: not any(map(is_alive, processes)))


def test_a_process_of_a_pool_is_deaf_to_the_keyboard_from_its_first_moment():
    code = (
        "import signal; from reportgen.train.executors import open_pool\n"
        "with open_pool(workers=1) as pool:\n"
        "    print(pool.submit(signal.pthread_sigmask, signal.SIG_BLOCK, []).result())\n"
        "print(signal.pthread_sigmask(signal.SIG_BLOCK, []))"
    )
    there, here = subprocess.check_output([sys.executable, "-c", code], text=True).splitlines()
    assert "SIGINT" in there
    assert "SIGINT" not in here


def test_no_process_of_a_pool_outlives_its_parent():
    owner = subprocess.Popen([sys.executable, "-c", POOL_OWNER], stdout=subprocess.PIPE)
    assert owner.stdout.readline() == b"8\n"
    threads = Path(f"/proc/{owner.pid}/task").iterdir()
    children = [child for t in threads for child in (t / "children").read_text().split()]
    assert children
    owner.kill()
    owner.wait()
    owner.stdout.close()
    wait_until(lambda: not any(is_alive(int(child)) for child in children))


def test_a_lost_process_says_how_it_ended():
    with open_pool(workers=1, memory=2**30) as pool:
        with pytest.raises(WorkerLostError, match=r"SIGABRT, as .* needs more than 1,024 MB"):
            pool.submit(os.abort).result(PATIENCE_S)
        assert pool.submit(pow, 2, 3).result(PATIENCE_S) == 8


def fill_memory(count):
    return len(bytearray(count))


def compute_for_ever():
    while True:
        pass


def test_a_task_that_takes_too_long_is_ended_and_the_next_one_runs():
    with open_pool(workers=1, seconds=1) as pool:
        if sys.platform == "linux":
            # Time that others take of the processor is not counted.
            assert pool.submit(time.sleep, 1.2).result(PATIENCE_S) is None
        late = pool.submit(compute_for_ever)
        with pytest.raises(WorkerLostError, match="took more than 1 s"):
            late.result(PATIENCE_S)
        assert pool.submit(abs, -3).result(PATIENCE_S) == 3


@pytest.mark.skipif(sys.platform == "win32", reason="no limit on memory there")
def test_a_task_that_takes_too_much_memory_fails_alone():
    with open_pool(workers=1, memory=2**30) as pool:
        with pytest.raises(MemoryError):
            pool.submit(fill_memory, 2**31).result(PATIENCE_S)
        assert pool.submit(abs, -3).result(PATIENCE_S) == 3
