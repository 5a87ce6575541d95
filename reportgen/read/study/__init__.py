"""Study files: read with every mistake named, written with every key explained."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportgen.records.registry import lazy_names

# What other packages use, imported when it is first asked for.
if TYPE_CHECKING:
    from reportgen.read.study.keys import (
        LISTED,
        SCHEMA_LINE,
        SCHEMA_NAME,
        TABLES,
        near,
        schema_text,
        study_schema,
    )
    from reportgen.read.study.prose import Source, read_prose
    from reportgen.read.study.read import fault_of_pattern, line_of_key, read_rubric, read_study
    from reportgen.read.study.write import describe_decision, setting_line, write_study

__getattr__ = lazy_names(__name__)
