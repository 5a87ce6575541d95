"""The scripts that write the tables need libraries that the tests do not."""

from __future__ import annotations

collect_ignore_glob = ["make_*.py"]
