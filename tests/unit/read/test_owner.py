import os
import signal
import subprocess
import sys

import pytest

from reportgen.read.store import describe_self, is_plainly_dead, machine

SLEEP = "import sys, time; print(flush=True); time.sleep(60)"
posix = pytest.mark.skipif(os.name == "nt", reason="there a process's end is not looked for")
linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="start times are in /proc")


def test_this_process_lives():
    assert not is_plainly_dead(describe_self())


@posix
def test_a_process_that_ended_is_dead():
    with subprocess.Popen([sys.executable, "-c", SLEEP], stdout=subprocess.PIPE) as child:
        child.stdout.readline()
        owner = {**describe_self(), "pid": child.pid, "start": ""}
        assert not is_plainly_dead(owner)
        child.kill()
        child.wait()
        assert is_plainly_dead(owner)


@linux
def test_a_killed_process_is_dead_before_its_parent_asks():
    with subprocess.Popen([sys.executable, "-c", SLEEP], stdout=subprocess.PIPE) as child:
        child.stdout.readline()
        owner = {**describe_self(), "pid": child.pid, "start": ""}
        os.kill(child.pid, signal.SIGKILL)
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        assert is_plainly_dead(owner)


@linux
def test_another_process_with_the_same_number_is_not_the_owner():
    assert is_plainly_dead({**describe_self(), "start": "1"})


def test_of_another_machine_nothing_is_known():
    gone = {**describe_self(), "pid": 2**31 - 1}
    assert not is_plainly_dead({**gone, "machine": machine() + "x"})


@linux
def test_the_end_of_a_process_is_told_from_a_frozen_one():
    with subprocess.Popen([sys.executable, "-c", SLEEP], stdout=subprocess.PIPE) as child:
        child.stdout.readline()
        os.kill(child.pid, signal.SIGSTOP)
        assert not is_plainly_dead({**describe_self(), "pid": child.pid, "start": ""})
        child.kill()


@pytest.mark.parametrize("pid", [0, -1, None, "1", 2**31, 2**70, 1.0])
def test_a_damaged_description_is_of_nobody_known(pid):
    assert not is_plainly_dead({**describe_self(), "pid": pid})
    assert not is_plainly_dead({})
