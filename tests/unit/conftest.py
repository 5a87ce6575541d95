"""The runs made by hand."""

import pytest


@pytest.fixture(scope="session")
def made():
    """The module `tests/fakes/made_runs.py`."""
    from fakes import made_runs

    return made_runs
