"""Heads of masked language models: what is tied in them, and how many biases they have."""

from __future__ import annotations

import re

import pytest

from reportgen.architectures import ARCHITECTURES

# model type, scope, whether transformers 5 has two biases of the vocabulary.
MASKED = (
    ("bert", "encoder_with_lm_head", True),
    ("roberta", "encoder_with_lm_head_hf", True),
    ("camembert", "encoder_with_lm_head", True),
    ("albert", "encoder_with_pretraining_heads", True),
    ("deberta", "all", True),
    ("deberta-v2", "encoder_with_lm_head", True),
    ("electra", "encoder_with_lm_head", False),
    ("distilbert", "encoder_with_lm_head", False),
)


@pytest.mark.parametrize(("model_type", "scope", "two"), MASKED)
def test_an_untied_masked_head_has_the_biases_of_the_library_that_wrote_it(
    model_type, scope, two, model
):
    family = next(name for name, entry in ARCHITECTURES.items() if model_type in entry.match)

    def total(**more):
        config = model(model_type, vocab_size=101, **more)
        return ARCHITECTURES.load(family).count_terms(config).scope(scope).total

    old = {"transformers_version": "4.57.1"}
    new = {"transformers_version": "5.0.0"}
    untied = {"tie_word_embeddings": False}
    assert total() == total(**old) == total(**new)
    assert total(**untied) == total(**untied, **old)
    assert total(**untied, **new) - total(**untied, **old) == (101 if two else 0)


@pytest.mark.parametrize(("model_type", "scope", "_two"), MASKED)
@pytest.mark.parametrize("version", ["4.57.1", "5.23.0"])
def test_the_words_of_a_scope_say_tied_of_tied_models_alone(
    model_type, scope, _two, version, model
):
    family = next(name for name, entry in ARCHITECTURES.items() if model_type in entry.match)

    def words(tied):
        config = model(model_type, tie_word_embeddings=tied, transformers_version=version)
        ledger = ARCHITECTURES.load(family).count_terms(config)
        assert ledger.scope(scope) is not None
        labels = [each.label for each in ledger.scopes if "lm_head.bias" in each.terms]
        about = [row[2] for row in ledger.tree if row[1] == "Language-model head" and row[2]]
        return labels + about

    assert all(re.search(r"\btied projection\b", label) for label in words(tied=True))
    assert all(re.search(r"\buntied projection\b", label) for label in words(tied=False))


def test_the_tree_says_how_many_biases_an_untied_head_has(model):
    count = ARCHITECTURES.load("bert").count_terms
    for version, biases in (("4.57.1", "bias"), ("5.23.0", "two biases")):
        tree = count(model("bert", tie_word_embeddings=False, transformers_version=version)).tree
        about = next(row[2] for row in tree if row[1] == "Language-model head")
        assert about == f"dense layer, layer norm, untied projection, {biases}"
