"""The use cases. The only place where evidence, analysis and formats meet.

Each is a few calls, each taking and giving a named value: load, assemble, summarise,
compose, render, write.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportgen.records.registry import lazy_names

if TYPE_CHECKING:
    from reportgen.app.analysis import analyse, load
    from reportgen.app.autograding import Autograder, AutograderOptions, make_autograder
    from reportgen.app.building import build
    from reportgen.app.checking import Checked, CheckOptions, check
    from reportgen.app.comparing import diff
    from reportgen.app.completing import Confirm, RerunOptions, RerunOutcome, rerun
    from reportgen.app.following import Round, follow
    from reportgen.app.grid import GridOptions, PlanOutcome, plan
    from reportgen.app.inspection import inspect
    from reportgen.app.kept_checks import KeptCheck
    from reportgen.app.notebook import BuiltReport, frame_of_findings, open_report
    from reportgen.app.options import BuildOptions, BuildOutcome, read_count
    from reportgen.app.report_file import find_report, names_of
    from reportgen.app.serving import serve
    from reportgen.app.showing import Shown, ShowOptions, deliver, plan_formats, show, spell
    from reportgen.app.starters import eject_templates, list_templates, make_study
    from reportgen.app.summarising import SummaryFacts, SummaryOptions, summarise_report
    from reportgen.app.tracing import Explained, ExplainOptions, explain

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
    "Round": "following",
    "ShowOptions": "showing",
    "Shown": "showing",
    "SummaryFacts": "summarising",
    "SummaryOptions": "summarising",
    "analyse": "analysis",
    "build": "building",
    "check": "checking",
    "diff": "comparing",
    "eject_templates": "starters",
    "explain": "tracing",
    "find_report": "report_file",
    "names_of": "report_file",
    "frame_of_findings": "notebook",
    "follow": "following",
    "inspect": "inspection",
    "list_templates": "starters",
    "load": "analysis",
    "open_report": "notebook",
    "make_autograder": "autograding",
    "make_study": "starters",
    "plan": "grid",
    "plan_formats": "showing",
    "read_count": "options",
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
    "find_report",
    "follow",
    "frame_of_findings",
    "inspect",
    "list_templates",
    "load",
    "make_autograder",
    "make_study",
    "names_of",
    "open_report",
    "plan",
    "plan_formats",
    "read_count",
    "rerun",
    "serve",
    "show",
    "spell",
    "summarise_report",
]

# Imported when first asked for.
__getattr__ = lazy_names(__name__, _HOMES)
