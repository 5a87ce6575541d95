import json
import os
import pickle
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from fakes.jobs import PATIENCE_S, a_job, run_fake, running, steps_of, wait_until

from reportgen.records.errors import EvidenceError, UsageError, WorkerLostError
from reportgen.train.executors import LAST_WORDS, run_job
from reportgen.train.executors.children import GUARD, Children, Ended, lost

pytestmark = pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc")


def python(code, *arguments):
    return [sys.executable, "-c", code, *map(str, arguments)]


def ended(code, ready, grace_s, stop):
    """Run a child until it says that it is there, stop it, and return how it ended."""
    children, found = Children(), []

    def run():
        try:
            found.append(children.run(python(code, ready), {}, grace_s))
        except WorkerLostError as error:
            found.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    wait_until(ready.exists)
    stop(children)
    thread.join(PATIENCE_S)
    return found[0]


def test_the_exit_code_is_the_childs():
    assert Children().run(python("raise SystemExit(75)"), {}).code == 75


def test_variables_are_added_to_those_of_this_process(monkeypatch):
    monkeypatch.setenv("KEPT", "1")
    code = "import os; raise SystemExit(os.environ['KEPT'] + os.environ['ADDED'] != '12')"
    assert Children().run(python(code), {"ADDED": "2"}).code == 0


def test_a_program_that_is_not_there_says_so():
    found = Children().run(["/no/such/program"], {}, 1)
    assert found.code == 127
    assert "/no/such/program" in found.tail[0]


def test_the_child_has_a_session_of_its_own(tmp_path):
    code = "import os, sys; open(sys.argv[1], 'w').write(str(os.getsid(0)))"
    assert Children().run(python(code, tmp_path / "sid"), {}).code == 0
    assert int((tmp_path / "sid").read_text()) != os.getsid(0)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM])
def test_a_death_by_a_signal_is_told_with_the_last_words(number):
    code = f"import os, sys; print('epoch 3', file=sys.stderr); os.kill(os.getpid(), {int(number)})"
    with pytest.raises(WorkerLostError, match=rf"signal {int(number)} .*epoch 3") as caught:
        Children().run(python(code), {})
    assert caught.value.signal == number
    assert caught.value.tail == ("epoch 3",)
    assert caught.value.remedy


def test_a_guard_that_ends_by_itself_was_ended_by_no_signal():
    error = lost(Ended(1, ()))
    assert "signal" not in str(error)
    assert "exit code 1" in str(error)
    assert error.signal == 0


def test_the_loss_survives_pickling():
    error = WorkerLostError("gone", remedy="again", signal=9, tail=("a", "b"))
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 - ours
    assert (str(again), again.signal, again.tail) == ("gone\n  remedy: again", 9, ("a", "b"))


def test_of_many_words_the_last_are_kept_and_made_harmless():
    code = (
        "import sys\n"
        "for i in range(100_000): print('line', i, file=sys.stderr)\n"
        "sys.stderr.write('\\x1b[31m' + 'x' * 100_000 + '\\n'); raise SystemExit(1)"
    )
    found = Children().run(python(code), {}, 1)
    assert found.code == 1
    assert len(found.tail) == 20
    assert all(len(line) <= 500 and line.isprintable() for line in found.tail)


def test_sigterm_comes_before_sigkill(tmp_path):
    """The parent lets go: a child that listens ends by itself, with its own exit code."""
    code = (
        "import signal, sys, time, pathlib\n"
        "signal.signal(signal.SIGTERM, lambda *_: sys.exit(75))\n"
        "pathlib.Path(sys.argv[1]).touch(); time.sleep(3600)"
    )
    assert ended(code, tmp_path / "ready", 30, Children.stop).code == 75


def test_a_deaf_child_is_killed_after_its_time_of_grace_with_all_it_started(tmp_path):
    code = (
        "import signal, subprocess, sys, time, pathlib\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(3600)', sys.argv[1]])\n"
        "pathlib.Path(sys.argv[1]).touch(); time.sleep(3600)"
    )
    assert ended(code, tmp_path / "ready", 0.5, Children.stop).signal == signal.SIGKILL
    wait_until(lambda: not running(str(tmp_path / "ready")))


def test_what_a_child_leaves_behind_does_not_outlive_it(tmp_path):
    code = (
        "import subprocess, sys\n"
        "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(3600)', sys.argv[1]])"
    )
    assert Children().run(python(code, tmp_path / "leftover"), {}).code == 0
    wait_until(lambda: not running(str(tmp_path / "leftover")))


def test_what_a_child_started_does_not_outlive_a_killed_parent(tmp_path):
    ready = tmp_path / "ready"
    child = (
        "import pathlib, subprocess, sys, time\n"
        "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(3600)', sys.argv[1]])\n"
        "pathlib.Path(sys.argv[1]).touch(); time.sleep(3600)"
    )
    code = (
        "import sys; from reportgen.train.executors.children import Children\n"
        "Children().run([sys.executable, '-c', sys.argv[1], sys.argv[2]], {})"
    )
    owner = subprocess.Popen(python(code, child, ready))
    wait_until(ready.exists)
    owner.kill()
    owner.wait()
    wait_until(lambda: not running(str(ready)))


def test_a_guard_that_leads_no_group_ends_in_peace():
    """As on Windows, which has no groups."""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [sys.executable, "-I", "-S", str(GUARD), "1", *python("raise SystemExit(3)")],
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
    ) as guard:
        report = guard.stdout.read()
        assert guard.wait(PATIENCE_S) == 0
        assert guard.stderr.read() == b""
    assert json.loads(report) == {"code": 3, "tail": []}


def test_a_killed_guard_takes_its_child_along(tmp_path):
    code = "import pathlib, sys, time; pathlib.Path(sys.argv[1]).touch(); time.sleep(3600)"
    ready = tmp_path / "ready"

    def kill_the_guard(_):
        [guard] = [pid for pid in running(str(ready)) if pid in running("guard.py")]
        os.kill(guard, signal.SIGKILL)

    assert ended(code, ready, 30, kill_the_guard).signal == signal.SIGKILL
    wait_until(lambda: not running(str(ready)))  # the kernel ends a killed process in its time


def test_a_job_is_done_and_its_file_removed(store):
    assert run_fake(a_job("abc"), str(store)) == 0
    result = json.loads((store / "abc" / "run.json").read_text())
    assert result["OMP_NUM_THREADS"] == "1"
    assert result["MKL_NUM_THREADS"] == result["OPENBLAS_NUM_THREADS"] == "1"
    assert result["OMP_WAIT_POLICY"] == "PASSIVE"
    assert result["TOKENIZERS_PARALLELISM"] == "false"
    assert [p.name for p in (store / ".reportgen/work/abc").iterdir()] == ["steps.txt"]


def test_a_job_goes_on_where_it_was(store):
    with pytest.raises(WorkerLostError):
        run_fake(a_job("abc", steps=3, how="killed"), str(store))
    assert run_fake(a_job("abc", steps=3), str(store)) == 0
    assert [step for step, *_ in steps_of(store, "abc")] == ["0", "1", "2"]


def test_a_job_that_fails_leaves_its_last_words(store):
    assert run_fake(a_job("abc", how="fails"), str(store)) == 3
    words = (store / ".reportgen/work/abc" / LAST_WORDS).read_text()
    assert words == "a first line\nthe data are not there\n"


def test_a_folder_that_is_not_shared_is_not_made(tmp_path):
    with pytest.raises(EvidenceError, match=r"the run store .* is not there"):
        run_fake(a_job("abc"), str(tmp_path / "elsewhere"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["../abc", "a/b", "", ".", "..", ".hidden"])
def test_an_id_does_not_lead_out_of_the_store(name, store):
    with pytest.raises(UsageError, match="id of a job"):
        run_fake(a_job(name), str(store))
    assert list(store.iterdir()) == []


@pytest.mark.parametrize("trusted", [False, True])
def test_a_child_imports_from_where_it_starts_only_if_this_process_does(
    tmp_path, monkeypatch, trusted
):
    (tmp_path / "planted.py").write_text("raise SystemExit(42)", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    installed = [entry for entry in sys.path if entry]
    monkeypatch.setattr(sys, "path", [*installed, str(tmp_path)] if trusted else installed)
    assert (run_job(a_job("a"), str(tmp_path), module="planted") == 42) is trusted
