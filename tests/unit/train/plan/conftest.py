"""The sample labs in a folder of one's own, to be broken and planned."""

from pathlib import Path

import pytest
from fakes.sample_lab import Lab, open_lab


@pytest.fixture
def copy(lab: Path, tmp_path: Path) -> Lab:
    """The lab of three groups with three seeds each."""
    return open_lab(lab, tmp_path / "logs")


@pytest.fixture
def reviews(project: Path, tmp_path: Path) -> Lab:
    """The lab of Hugging Face runs that has no study file."""
    return open_lab(project / "inputs" / "tiny-reviews-hf", tmp_path / "reviews")
