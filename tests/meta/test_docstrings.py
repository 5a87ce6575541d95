"""Functions that compute numbers say what they take, what they lack, and whose formula it is."""

import inspect
import re
from collections.abc import Callable, Iterator

import pytest

from reportgen import stats
from reportgen.parameters import count_config
from reportgen.parameters.adapters import count_adapter

COMPUTES = re.compile("(compare|count|select|smooth|summarise)_")
# One part of each set must be there.
PARTS = ({"Units", "Shape"}, {"Missing", "Raises"}, {"Source"})


def numeric_functions() -> Iterator[Callable[..., object]]:
    yield from (getattr(stats, name) for name in stats.__all__ if COMPUTES.match(name))
    yield count_config
    yield count_adapter


FUNCTIONS = list(numeric_functions())


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f"{f.__module__}.{f.__name__}")
def test_a_numeric_function_documents_its_contract(function: Callable[..., object]) -> None:
    parts = set(re.findall(r"^(\w+):", inspect.getdoc(function) or "", re.MULTILINE))
    missing = [sorted(alternatives) for alternatives in PARTS if not alternatives & parts]
    assert missing == []


def test_numeric_functions_are_found() -> None:
    assert len(FUNCTIONS) > 2
