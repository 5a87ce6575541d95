"""What every test may ask for: where the project lies, and real logs if they are near."""

from __future__ import annotations

from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def project() -> Path:
    """Root of the checkout."""
    return PROJECT


@pytest.fixture(scope="session")
def lab(project: Path) -> Path:
    """The sample lab with its study file."""
    return project / "inputs" / "roberta-small-fr"


@pytest.fixture(scope="session")
def realdata(project: Path) -> Path:
    """Logs of other people's runs, which lie beside the project on some machines only."""
    folder = project.parent / "shared" / "realdata"
    if not folder.is_dir():
        pytest.skip("no shared/realdata beside the checkout")
    return folder
