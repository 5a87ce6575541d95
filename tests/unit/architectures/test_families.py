"""Every family: its formulas against its own list of modules, and its defaults."""

from __future__ import annotations

import re

import pytest
from fakes.family_sizes import APART, NOT_DRAWN, OTHERS, PAIRS, SOURCE, values
from hypothesis import given
from hypothesis import strategies as st

from reportgen.architectures import ARCHITECTURES
from reportgen.architectures._terms import tensors_of
from reportgen.records.checkpoint import ModelConfig


def agree(family, scope, head, config):
    architecture = ARCHITECTURES.load(family)
    ledger = architecture.count_terms(config)
    tensors = list(tensors_of(architecture.list_modules(config, head)))
    assert ledger.scope(scope).total == sum(t.count for t in tensors if not t.shares)
    for tensor in tensors:
        hits = [t.name for t in ledger.terms if re.fullmatch(t.tensors, tensor.name)]
        assert len(hits) == 1, (tensor.name, hits)
    by_term = {t.name: 0 for t in ledger.terms}
    for tensor in tensors:
        term = next(t for t in ledger.terms if re.fullmatch(t.tensors, tensor.name))
        by_term[term.name] += 0 if tensor.shares else tensor.count
    held = set(ledger.scope(scope).terms)
    assert {n: c for n, c in by_term.items() if n in held} == {
        t.name: t.count for t in ledger.terms if t.name in held
    }


@pytest.mark.parametrize("written", [{}, {"transformers_version": "5.23.0"}], ids=["old", "new"])
@pytest.mark.parametrize(("family", "model_type", "scope", "head"), PAIRS)
def test_formulas_and_modules_count_the_same(family, model_type, scope, head, written):
    config = ModelConfig(
        source=SOURCE,
        model_type=model_type,
        values=values(4, 6, 3, 101, 5, num_key_value_heads=2, **OTHERS, **written),
    )

    agree(family, scope, head, config)


@given(
    pair=st.sampled_from(PAIRS),
    heads=st.integers(1, 5),
    size=st.integers(1, 7),
    layers=st.integers(1, 4),
    vocabulary=st.integers(1, 300),
    classes=st.integers(1, 9),
    tied=st.booleans(),
    biased=st.booleans(),
)
def test_formulas_and_modules_never_part(
    pair, heads, size, layers, vocabulary, classes, tied, biased
):
    family, model_type, scope, head = pair
    config = ModelConfig(
        source=SOURCE,
        model_type=model_type,
        values=values(
            heads,
            size,
            layers,
            vocabulary,
            classes,
            **OTHERS,
            attention_bias=biased,
            mlp_bias=biased,
            qkv_bias=biased,
            multi_query=biased,
            share_att_key=biased,
            head_dim=size + 1,
            tie_word_embeddings=tied,
            transformers_version="5.23.0" if biased else "4.57.1",
        ),
    )

    agree(family, scope, head, config)


@pytest.mark.parametrize("family", sorted(set(ARCHITECTURES) - APART))
def test_the_tree_adds_up(family):
    model_type = ARCHITECTURES[family].match[0]
    config = ModelConfig(source=SOURCE, model_type=model_type, values=values(4, 6, 3, 101, 5))
    ledger = ARCHITECTURES.load(family).count_terms(config)
    rows = ledger.tree
    layers = next(i for i, row in enumerate(rows) if row[1] == "One layer")

    one, parts = rows[layers], [r for r in rows[layers + 1 :] if r[0] == 3]

    assert one[3] == sum(part[3] for part in parts)
    assert rows[layers - 1][3] == 3 * one[3]
    top = [row[3] for row in rows if row[0] == 1]
    drawn = sum(t.count for t in ledger.terms if t.name not in NOT_DRAWN.get(family, ()))
    assert sum(top) == drawn
