"""The use cases. The only place where evidence, analysis and formats meet.

Each is a few calls, each taking and giving a named value: load, assemble, summarise,
compose, render, write.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportgen.records.registry import lazy_names

if TYPE_CHECKING:
    from reportgen.app.analysis import analyse, load
    from reportgen.app.building import build
    from reportgen.app.checking import Checked, CheckOptions, check
    from reportgen.app.comparing import SummaryFacts, SummaryOptions, diff, summarise_report
    from reportgen.app.completing import Confirm, RerunOptions, RerunOutcome, rerun
    from reportgen.app.following import Round, follow, serve
    from reportgen.app.grid import GridOptions, PlanOutcome, plan
    from reportgen.app.inspection import inspect
    from reportgen.app.kept_checks import KeptCheck
    from reportgen.app.notebook import BuiltReport, frame_of_findings, open_report
    from reportgen.app.options import BuildOptions, BuildOutcome, read_count
    from reportgen.app.report_file import find_report, names_of
    from reportgen.app.showing import Shown, ShowOptions, deliver, plan_formats, show, spell
    from reportgen.app.starters import (
        Autograder,
        AutograderOptions,
        eject_templates,
        list_templates,
        make_autograder,
        make_study,
    )
    from reportgen.app.tracing import Explained, ExplainOptions, explain


# Imported when first asked for.
__getattr__ = lazy_names(__name__)
