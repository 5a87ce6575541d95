"""Study files: read with every mistake named, written with every key explained."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportgen.registry import lazy_names

# What other packages use, imported when it is first asked for.
if TYPE_CHECKING:
    from reportgen.read.study._toml import near
    from reportgen.read.study.prose import Source, read_prose
    from reportgen.read.study.read import line_of_key, read_study
    from reportgen.read.study.rubric import read_rubric
    from reportgen.read.study.settings import describe_decision, setting_line
    from reportgen.read.study.write import write_study

_HOMES = {
    "Source": "prose",
    "describe_decision": "settings",
    "line_of_key": "read",
    "near": "_toml",
    "read_prose": "prose",
    "read_rubric": "rubric",
    "read_study": "read",
    "setting_line": "settings",
    "write_study": "write",
}

__all__ = [
    "Source",
    "describe_decision",
    "line_of_key",
    "near",
    "read_prose",
    "read_rubric",
    "read_study",
    "setting_line",
    "write_study",
]

__getattr__ = lazy_names(__name__, _HOMES)
