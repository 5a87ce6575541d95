"""The use cases. The only place where evidence, analysis and formats meet.

Each is a few calls, each taking and giving a named value: load, assemble, summarise,
compose, render, write.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reportgen.api.analysis import analyse, load
    from reportgen.api.building import build
    from reportgen.api.completing import Confirm, RerunOptions, RerunOutcome, rerun
    from reportgen.api.grid import GridOptions, PlanOutcome, plan
    from reportgen.api.inspection import inspect
    from reportgen.api.options import BuildOptions, BuildOutcome
    from reportgen.api.studies import make_study
    from reportgen.api.templates import eject_templates, list_templates
    from reportgen.api.tracing import explain

_HOMES = {
    "BuildOptions": "options",
    "BuildOutcome": "options",
    "Confirm": "completing",
    "GridOptions": "grid",
    "PlanOutcome": "grid",
    "RerunOptions": "completing",
    "RerunOutcome": "completing",
    "analyse": "analysis",
    "build": "building",
    "eject_templates": "templates",
    "explain": "tracing",
    "inspect": "inspection",
    "list_templates": "templates",
    "load": "analysis",
    "make_study": "studies",
    "plan": "grid",
    "rerun": "completing",
}

__all__ = [
    "BuildOptions",
    "BuildOutcome",
    "Confirm",
    "GridOptions",
    "PlanOutcome",
    "RerunOptions",
    "RerunOutcome",
    "analyse",
    "build",
    "eject_templates",
    "explain",
    "inspect",
    "list_templates",
    "load",
    "make_study",
    "plan",
    "rerun",
]


def __getattr__(name: str) -> object:
    """Import a use case when it is first asked for."""
    if name in _HOMES:
        return getattr(importlib.import_module(f"reportgen.api.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'reportgen.api' has no attribute {name!r}")
