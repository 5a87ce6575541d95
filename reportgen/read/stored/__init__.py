"""Values that programs and people keep beside a report: JSON, YAML, TOML and tables.

They are no logs, but a report may take its numbers from them: results of a test, settings, a
model's configuration. Every value is returned with its place in the file. What an answer looks
like, and what says nothing of a training, is told by names.
"""

from __future__ import annotations

from reportgen.read.stored._read import Limits, Taken, may_hold_values, read_stored, why_no_evidence

__all__ = ["Limits", "Taken", "may_hold_values", "read_stored", "why_no_evidence"]
