"""The search for cycles seldom goes through what is made, and never through what was there."""

import gc
import signal
import sys
import time

import pytest

from reportgen.app.reading import at_rest


class Node:
    """Something that can refer to itself, and be told to be gone."""


@pytest.fixture(autouse=True)
def only_when_asked():
    """Search only where a test says so, and call nothing of other libraries' there."""
    theirs = gc.callbacks[:]
    gc.callbacks.clear()
    gc.disable()
    yield
    gc.enable()
    gc.callbacks[:] = theirs


def searched():
    """Return whether a search would go through an object that was there before it."""
    return {id(one) for one in gc.get_objects()}


@pytest.mark.slow
def test_what_was_there_is_passed_over_and_searched_again_behind_the_block():
    there = Node()
    with at_rest():
        assert id(there) not in searched()
    assert id(there) in searched()


def search_until_a_signal():
    signal.setitimer(signal.ITIMER_REAL, 0.0005)
    late = time.monotonic() + 2
    while time.monotonic() < late:
        gc.collect()


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timer of a process here")
def test_what_a_signal_raises_is_not_lost_in_a_search(monkeypatch):
    lost = []
    monkeypatch.setattr(sys, "unraisablehook", lambda told: lost.append(told.exc_type))

    class Interrupted(BaseException):
        """Stands in for the Ctrl-C that would end these tests themselves."""

    def interrupt(_number, _frame):
        raise Interrupted

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        with at_rest():
            for _ in range(200):
                with pytest.raises(Interrupted):
                    search_until_a_signal()
    finally:
        signal.signal(signal.SIGALRM, before)
    assert lost == []


@pytest.mark.slow
def test_the_end_of_a_block_within_another_changes_nothing():
    there, before = Node(), gc.get_threshold()
    with at_rest():
        with at_rest():
            pass
        assert id(there) not in searched()
        assert gc.get_threshold()[2] > before[2]
    assert id(there) in searched()
    assert gc.get_threshold() == before
