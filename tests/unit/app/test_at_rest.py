"""The search for cycles seldom goes through what is made, and never through what was there."""

import gc
import signal
import sys
import time
import weakref
from contextlib import nullcontext

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


def ring():
    node = Node()
    node.own = node
    return weakref.ref(node)


def searched():
    """Return whether a search would go through an object that was there before it."""
    return {id(one) for one in gc.get_objects()}


def test_what_was_there_is_passed_over_and_searched_again_behind_the_block():
    there = Node()
    with at_rest():
        assert id(there) not in searched()
    assert id(there) in searched()


def whole_searches():
    return gc.get_stats()[2]["collections"]


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="there a whole search is made in parts")
def test_what_is_made_is_seldom_searched_as_a_whole():
    # With what other tests left behind, a quarter more is more than is made here.
    gc.freeze()
    gc.enable()
    counts = []
    for block in (nullcontext, at_rest):
        gc.collect()
        with block():
            before = whole_searches()
            made = [[] for _ in range(400_000)]
            counts.append(whole_searches() - before)
        del made
    assert counts[0] > 2
    assert counts[1] == 0


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


def test_rings_that_are_made_inside_are_collected_inside():
    with at_rest():
        gone = ring()
        gc.collect()
        assert gone() is None


def test_the_end_of_a_block_within_another_changes_nothing():
    there, before = Node(), gc.get_threshold()
    with at_rest():
        with at_rest():
            pass
        assert id(there) not in searched()
        assert gc.get_threshold()[2] > before[2]
    assert id(there) in searched()
    assert gc.get_threshold() == before


def test_an_error_ends_a_block_as_well():
    there = Node()
    with pytest.raises(ValueError, match="broken"), at_rest():
        raise ValueError("broken")
    assert id(there) in searched()
    assert gc.get_freeze_count() == 0
    assert gc.get_threshold()[2] < 1000
