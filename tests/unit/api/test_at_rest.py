"""The search for cycles goes through what is made once, and not through what was there."""

from __future__ import annotations

import gc
import weakref

import pytest

from reportgen.api.at_rest import at_rest


class Node:
    """Something that can refer to itself, and be told to be gone."""


@pytest.fixture(autouse=True)
def only_when_asked():
    """Search only where a test says so."""
    gc.disable()
    yield
    gc.enable()


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


def test_what_is_made_is_searched_once_and_then_passed_over():
    with at_rest():
        made = Node()
        assert id(made) in searched()
        gc.collect()
        assert id(made) not in searched()
    assert id(made) in searched()


def test_rings_that_are_made_inside_are_collected_inside():
    with at_rest():
        gone = ring()
        gc.collect()
        assert gone() is None


def test_the_end_of_a_block_within_another_changes_nothing():
    there = Node()
    with at_rest():
        with at_rest():
            pass
        assert id(there) not in searched()
        made = Node()
        gc.collect()
        assert id(made) not in searched()
    assert {id(there), id(made)} <= searched()


def test_an_error_ends_a_block_as_well():
    there = Node()
    with pytest.raises(ValueError, match="broken"), at_rest():
        raise ValueError("broken")
    assert id(there) in searched()
    assert gc.get_freeze_count() == 0
