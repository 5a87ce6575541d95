"""Names, units and letters of settings in their many spellings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.claims._setting_keys import condensed
from reportgen.claims._setting_words import BY_NAME, KEYS, name_before, unit_behind, words_of
from reportgen.claims._symbols import defined_symbols
from reportgen.parameters.adapters import LORA_KEYS


def named(text, **how):
    words = words_of(text)
    found = name_before(words, len(words) - 1, **how)
    return found and (found.key.name, text[words[found.first].start :])


@pytest.mark.parametrize(
    ("text", "key"),
    [
        *(("d_model", "hidden_size"), ("dmodel", "hidden_size"), ("n_hid3", "hidden_size")),
        *(("Embed Dimension", "hidden_size"), ("FFN Embed Dimension", "intermediate_size")),
        *(("nsource positions", "max_position_embeddings"), ("dvocab", "vocab_size")),
        *(("Warm-up steps", "warmup_steps"), ("warm up", "warmup_ratio")),
        *(("taux d'apprentissage", "learning_rate"), ("taille des lots", "batch_size")),
        ("MAX_SENTENCES", "batch_size"),
    ],
)
def test_spellings_are_one_name(text, key):
    assert named(text) == (key, text)


def test_the_longest_name_wins():
    assert named("the eval batch size")[0] == "eval_batch_size"
    assert named("per-device train batch size")[0] == "batch_size"
    assert named("total number of identical encoder layers")[0] == "num_hidden_layers"


@pytest.mark.parametrize(
    "text",
    [
        "number of parameters in each head",
        "parameters per layers",
        "the accuracy",
        "r",
        "alpha",
        "+",
    ],
)
def test_other_words_name_nothing(text):
    assert named(text) is None


def test_short_words_need_an_adapter_near_them():
    assert named("the rank", adapter=True)[0] == "r"
    assert named("α", adapter=True)[0] == "lora_alpha"
    assert named("low-rank", adapter=True) is None
    # A space of real numbers is no rank.
    assert named("R", adapter=True) is None


def test_units_stand_behind():
    assert unit_behind(words_of("-headed attention"), 0).key.name == "num_attention_heads"
    assert unit_behind(words_of("époques"), 0).key.name == "num_train_epochs"
    assert unit_behind(words_of("apples"), 0) is None


def test_no_phrase_names_two_settings():
    seen = {}
    for key in KEYS:
        for phrase in (*key.names, *key.assigned):
            assert seen.setdefault(condensed(phrase), key.name) == key.name, phrase


def test_keys_of_adapters_are_keys_of_peft():
    adapters = {key.name for key in KEYS if key.scope == "adapter"}
    assert adapters <= set(LORA_KEYS)
    assert set(BY_NAME) >= adapters


@pytest.mark.parametrize(
    ("text", "letter", "key"),
    [
        ("where N is the number of transformer unit layers", "N", "num_hidden_layers"),
        ("Let L be the number of layers", "L", "num_hidden_layers"),
        ("a hidden size d of 512", "d", "hidden_size"),
        ("vocabulary size (V)", "V", "vocab_size"),
        ("where T is the maximum length of a sentence", "T", "max_length"),
        ("we employ h parallel attention layers, or heads", "h", "num_attention_heads"),
        ("soit N le nombre de couches", "N", "num_hidden_layers"),
    ],
)
def test_letters_are_what_the_report_says(text, letter, key):
    assert defined_symbols([words_of(text)])[letter] == (key, 0.9)


def test_a_product_defines_no_letter():
    assert "T" not in defined_symbols([words_of("hence d_model (T + 2)")])


def test_a_letter_of_two_meanings_is_hardly_known():
    texts = ["where N is the number of layers", "where N is the number of heads"]
    assert defined_symbols([words_of(text) for text in texts])["N"][1] < 0.5


NAMES = {condensed(phrase): key.name for key in reversed(KEYS) for phrase in key.names}


def _by_every_reading(words, last):
    """Return the longest name that ends with a word, every stretch of words tried."""
    for first in range(max(0, last - 8), last + 1):
        inside = words[first : last + 1]
        opened = inside[0].text[0].isalpha()
        ended = inside[-1].text[0].isalpha() or inside[-1].text.isdecimal()
        whole = all(w.text[0].isalnum() or w.text in {"-", "'", "_", "."} for w in inside)
        if opened and ended and whole:
            name = condensed("".join(word.text for word in inside))
            bare = name if inside[-1].text.isdecimal() else name.rstrip("0123456789")
            for spelling in (name, bare):
                if spelling in NAMES:
                    return NAMES[spelling], first
    return None


PHRASES = st.sampled_from([phrase for key in KEYS for phrase in key.names])
OTHERS = st.sampled_from(["the", "of", "-", "'", "2", "1.5", "_", ".", "=", "(", "low", "été"])


@given(
    st.lists(PHRASES | OTHERS, min_size=1, max_size=6),
    st.sampled_from([" ", "-", ""]),
)
def test_names_are_found_among_other_words(pieces, joint):
    words = words_of(joint.join(pieces))
    for last in range(len(words)):
        wanted = _by_every_reading(words, last)
        if wanted:
            found = name_before(words, last)
            assert found is not None
            assert (found.key.name, found.first) == wanted


def test_the_name_of_a_group_names_no_setting():
    words = words_of("LoRA-r8 and lora r 8", frozenset({"lora-r8"}))
    assert [word.text for word in words] == ["LoRA-r8", "and", "lora", "r", "8"]
    assert name_before(words, 0, adapter=True) is None
    found = name_before(words, 3, adapter=True)
    assert found is not None
    assert found.key.name == "r"
