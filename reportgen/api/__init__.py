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
    from reportgen.api.checking import Checked, CheckOptions, check
    from reportgen.api.comparing import diff
    from reportgen.api.completing import Confirm, RerunOptions, RerunOutcome, rerun
    from reportgen.api.grid import GridOptions, PlanOutcome, plan
    from reportgen.api.inspection import inspect
    from reportgen.api.options import BuildOptions, BuildOutcome
    from reportgen.api.showing import Shown, ShowOptions, plan_formats, show
    from reportgen.api.studies import make_study
    from reportgen.api.templates import eject_templates, list_templates
    from reportgen.api.tracing import ExplainOptions, explain

_HOMES = {
    "BuildOptions": "options",
    "BuildOutcome": "options",
    "CheckOptions": "checking",
    "Checked": "checking",
    "Confirm": "completing",
    "ExplainOptions": "tracing",
    "GridOptions": "grid",
    "PlanOutcome": "grid",
    "RerunOptions": "completing",
    "RerunOutcome": "completing",
    "ShowOptions": "showing",
    "Shown": "showing",
    "analyse": "analysis",
    "build": "building",
    "check": "checking",
    "diff": "comparing",
    "eject_templates": "templates",
    "explain": "tracing",
    "inspect": "inspection",
    "list_templates": "templates",
    "load": "analysis",
    "make_study": "studies",
    "plan": "grid",
    "plan_formats": "showing",
    "rerun": "completing",
    "show": "showing",
}

__all__ = [
    "BuildOptions",
    "BuildOutcome",
    "CheckOptions",
    "Checked",
    "Confirm",
    "ExplainOptions",
    "GridOptions",
    "PlanOutcome",
    "RerunOptions",
    "RerunOutcome",
    "ShowOptions",
    "Shown",
    "analyse",
    "build",
    "check",
    "diff",
    "eject_templates",
    "explain",
    "inspect",
    "list_templates",
    "load",
    "make_study",
    "plan",
    "plan_formats",
    "rerun",
    "show",
]


def __getattr__(name: str) -> object:
    """Import a use case when it is first asked for."""
    if name in _HOMES:
        return getattr(importlib.import_module(f"reportgen.api.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'reportgen.api' has no attribute {name!r}")
