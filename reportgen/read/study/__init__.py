"""Study files: read with every mistake named, written with every key explained."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportgen.records.registry import lazy_names

# What other packages use, imported when it is first asked for.
if TYPE_CHECKING:
    from reportgen.read.study._toml import near
    from reportgen.read.study.keys import (
        LISTED,
        SCHEMA_LINE,
        SCHEMA_NAME,
        TABLES,
        schema_text,
        study_schema,
    )
    from reportgen.read.study.prose import Source, read_prose
    from reportgen.read.study.read import fault_of_pattern, line_of_key, read_study
    from reportgen.read.study.rubric import read_rubric
    from reportgen.read.study.settings import describe_decision, setting_line
    from reportgen.read.study.write import write_study

_HOMES = {
    "_toml": "near",
    "keys": "LISTED SCHEMA_LINE SCHEMA_NAME TABLES schema_text study_schema",
    "prose": "Source read_prose",
    "read": "fault_of_pattern line_of_key read_study",
    "rubric": "read_rubric",
    "settings": "describe_decision setting_line",
    "write": "write_study",
}

__all__ = [
    "LISTED",
    "SCHEMA_LINE",
    "SCHEMA_NAME",
    "TABLES",
    "Source",
    "describe_decision",
    "fault_of_pattern",
    "line_of_key",
    "near",
    "read_prose",
    "read_rubric",
    "read_study",
    "schema_text",
    "setting_line",
    "study_schema",
    "write_study",
]

__getattr__ = lazy_names(__name__, _HOMES)
