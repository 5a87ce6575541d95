"""The use cases. The only place where evidence, analysis and formats meet.

Each is a few calls, each taking and giving a named value: load, assemble, summarise,
compose, render, write.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reportgen.api.analysis import analyse, load
    from reportgen.api.autograding import Autograder, AutograderOptions, make_autograder
    from reportgen.api.building import build
    from reportgen.api.checking import Checked, CheckOptions, check
    from reportgen.api.comparing import diff
    from reportgen.api.completing import Confirm, RerunOptions, RerunOutcome, rerun
    from reportgen.api.following import follow
    from reportgen.api.grid import GridOptions, PlanOutcome, plan
    from reportgen.api.inspection import inspect
    from reportgen.api.kept_checks import KeptCheck
    from reportgen.api.notebook import BuiltReport, frame_of_findings, open_report
    from reportgen.api.options import BuildOptions, BuildOutcome
    from reportgen.api.rounds import Round
    from reportgen.api.serving import serve
    from reportgen.api.showing import Shown, ShowOptions, deliver, plan_formats, show, spell
    from reportgen.api.studies import make_study
    from reportgen.api.summarising import SummaryFacts, SummaryOptions, summarise_report
    from reportgen.api.templates import eject_templates, list_templates
    from reportgen.api.tracing import Explained, ExplainOptions, explain

_HOMES = {
    "Autograder": "autograding",
    "AutograderOptions": "autograding",
    "BuildOptions": "options",
    "BuildOutcome": "options",
    "BuiltReport": "notebook",
    "CheckOptions": "checking",
    "Checked": "checking",
    "Confirm": "completing",
    "ExplainOptions": "tracing",
    "Explained": "tracing",
    "GridOptions": "grid",
    "PlanOutcome": "grid",
    "RerunOptions": "completing",
    "RerunOutcome": "completing",
    "KeptCheck": "kept_checks",
    "Round": "rounds",
    "ShowOptions": "showing",
    "Shown": "showing",
    "SummaryFacts": "summarising",
    "SummaryOptions": "summarising",
    "analyse": "analysis",
    "build": "building",
    "check": "checking",
    "diff": "comparing",
    "eject_templates": "templates",
    "explain": "tracing",
    "frame_of_findings": "notebook",
    "follow": "following",
    "inspect": "inspection",
    "list_templates": "templates",
    "load": "analysis",
    "open_report": "notebook",
    "make_autograder": "autograding",
    "make_study": "studies",
    "plan": "grid",
    "plan_formats": "showing",
    "rerun": "completing",
    "serve": "serving",
    "deliver": "showing",
    "show": "showing",
    "spell": "showing",
    "summarise_report": "summarising",
}

__all__ = [
    "Autograder",
    "AutograderOptions",
    "BuildOptions",
    "BuildOutcome",
    "BuiltReport",
    "CheckOptions",
    "Checked",
    "Confirm",
    "ExplainOptions",
    "Explained",
    "GridOptions",
    "KeptCheck",
    "PlanOutcome",
    "RerunOptions",
    "RerunOutcome",
    "Round",
    "ShowOptions",
    "Shown",
    "SummaryFacts",
    "SummaryOptions",
    "analyse",
    "build",
    "check",
    "deliver",
    "diff",
    "eject_templates",
    "explain",
    "follow",
    "frame_of_findings",
    "inspect",
    "list_templates",
    "load",
    "make_autograder",
    "make_study",
    "open_report",
    "plan",
    "plan_formats",
    "rerun",
    "serve",
    "show",
    "spell",
    "summarise_report",
]


def __getattr__(name: str) -> object:
    """Import a use case when it is first asked for."""
    if name in _HOMES:
        return getattr(importlib.import_module(f"reportgen.api.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'reportgen.api' has no attribute {name!r}")
