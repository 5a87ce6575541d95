"""The runs made by hand."""

import importlib.util
import sys

import pytest


@pytest.fixture(scope="session")
def made(project):
    """The module `tests/fakes/made_runs.py`."""
    name = "made_runs"
    if name not in sys.modules:
        path = project / "tests" / "fakes" / "made_runs.py"
        spec = importlib.util.spec_from_file_location(name, path)
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    return sys.modules[name]
