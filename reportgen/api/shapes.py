"""Which groups train models of one shape, so that a GPU can train them together."""

from __future__ import annotations

from pathlib import Path

from reportgen.records.study import GroupPlan, ModelPlan, Study
from reportgen.records.training import RANDOM
from reportgen.runstore.keys import file_digest


def shapes_of(study: Study, home: Path) -> dict[str, str]:
    """Return group to the shape of its model; equal texts mean models that can be stacked.

    The shape is read off the parameter count's symbols (width, layers, heads, vocabulary),
    so that a configuration and a fairseq checkpoint of one model agree.

    Raises:
        EvidenceError: A start or configuration is missing or cannot be read.
    """
    return {group.name: _shape(group, study, home) for group in study.groups if group.start}


def _shape(group: GroupPlan, study: Study, home: Path) -> str:
    from reportgen.api.counting import describe_model_at

    config = study.train.config if study.train else ""
    plan = ModelPlan(config=config) if group.start == RANDOM else ModelPlan(checkpoint=group.start)
    ledger = describe_model_at(plan, home).ledger
    if not ledger.symbols:
        # Nothing is known of an unknown family; it shares a shape with nobody.
        return f"{group.name}, of a shape of its own"
    values = ", ".join(f"{key} {value:g}" for key, (_, value) in sorted(ledger.symbols.items()))
    adapter = f", adapter {file_digest(home / group.adapter)}" if group.adapter else ""
    return f"{ledger.family}: {values}{adapter}"
