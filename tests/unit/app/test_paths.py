"""A no, told from a place where one may not look: on every Python alike."""

from pathlib import Path

import pytest

from reportgen.app.reading import is_there, real


def test_what_is_there_and_what_is_not(tmp_path):
    (tmp_path / "file").touch()
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    assert is_there(tmp_path)
    assert is_there(tmp_path / "file")
    absent = (tmp_path / "none", tmp_path / "file" / "below", tmp_path / "loop", Path("a\0b"))
    assert not any(is_there(path) for path in absent)


def test_a_name_that_no_system_takes_is_a_fault(tmp_path):
    with pytest.raises(OSError, match="too long"):
        is_there(tmp_path / ("a" * 5000))


def test_a_locked_folder_is_a_fault(tmp_path, monkeypatch):
    def locked(path, **_):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "stat", locked)
    with pytest.raises(PermissionError):
        is_there(tmp_path / "locked" / "logs")


def test_links_in_a_ring_lead_nowhere_and_are_no_fault(tmp_path):
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    assert real(tmp_path / "loop" / "x.pdf").parts[-2:] == ("loop", "x.pdf")
    (tmp_path / "link").symlink_to(tmp_path)
    assert real(tmp_path / "link" / "a") == real(tmp_path) / "a"
