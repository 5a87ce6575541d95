"""A scope is named after a head only where the model has one."""

from __future__ import annotations

import pytest
from fakes.family_sizes import OTHERS, SOURCE, values

from reportgen.architectures import ARCHITECTURES
from reportgen.records.checkpoint import ModelConfig


@pytest.mark.parametrize(
    ("family", "model_type", "headed"), [("whisper", "whisper", False), ("bart", "bart", True)]
)
def test_a_total_with_a_classification_head_is_named_where_there_is_one(family, model_type, headed):
    sizes = values(4, 6, 3, 101, 5, num_key_value_heads=2, **OTHERS)
    config = ModelConfig(source=SOURCE, model_type=model_type, values=sizes)
    totals = {s.name: s.total for s in ARCHITECTURES.load(family).count_terms(config).scopes}
    assert ("body_with_head" in totals) == headed
    assert totals.get("body_with_head") != totals["model"]
