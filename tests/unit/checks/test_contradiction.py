"""Two passages of one report: what rounding reconciles, what tells them apart, what does not."""

# ruff: noqa: E501 -- sentences stand on one line, as in a report
from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
from fakes import made_claims as make
from fakes import said
from hypothesis import given
from hypothesis import strategies as st

from reportgen.checks.contradiction import check
from reportgen.records.claim import Claim, Counted, Setting
from reportgen.records.finding import Case
from reportgen.records.manuscript import Place


def twice(*claims):
    return list(check(make.alone(*claims)))


# --- values ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "found"),
    [
        ("79.5", "79.5", 0),
        ("79.5", "79.53", 0),
        ("79.5", "79.57", 0),  # cut off
        ("80", "79.6", 0),
        ("79.5", "81.1", 1),
        ("79.5%", "0.795", 0),
        ("79.5%", "0.811", 1),
    ],
)
def test_a_mean_printed_twice(first, second, found):
    claims = [make.mean(text, selection="best") for text in (first, second)]
    findings = twice(*claims)
    assert len(findings) == found
    for finding in findings:
        assert (finding.level, finding.verdict) == ("warning", "disagrees")
        assert finding.claim.id == claims[0].id
        assert f"the same report says {second} (line" in finding.message


def test_the_rarer_of_two_ways_is_named():
    claims = [make.mean(text, selection="best") for text in ("79.5", "81.1", "79.5")]
    (finding,) = twice(*claims)
    assert finding.claim.printed.text == "81.1"


@pytest.mark.parametrize(
    "difference",
    [
        {"epoch": 2},
        {"group": "random"},
        {"split": "validation"},
        {"metric": "loss"},
        {"selection": "last"},
        {"aggregate": "median"},
    ],
)
def test_what_tells_two_values_apart(difference):
    same = {"epoch": 1, "selection": "", "group": "pretrained", "split": "test"}
    assert twice(make.mean("79.5", **same), make.mean("81.1", **same))
    assert not twice(make.mean("79.5", **same), make.mean("81.1", **(same | difference)))


def test_what_is_bound_too_loosely_is_let_be():
    assert not twice(make.mean("79.5"), make.mean("81.1"))  # at which step is not said
    three = [make.mean(text, selection="best") for text in ("79.5", "81.1", "70.2")]
    assert not twice(*three)  # something else tells them apart
    unsure = [make.mean(text, selection="best", confidence=0.6) for text in ("79.5", "81.1")]
    assert [finding.level for finding in twice(*unsure)] == ["note"]
    guessed = [make.mean(text, selection="best", confidence=0.3) for text in ("79.5", "81.1")]
    assert not twice(*guessed)


def test_two_denominators_of_a_standard_deviation_are_no_contradiction():
    assert not twice(make.std("0.87", selection="best"), make.std("0.71", selection="best"))
    assert twice(make.std("0.87", selection="best"), make.std("2.71", selection="best"))


def test_logs_decide_where_there_are_logs():
    claims = [make.mean(text, selection="best") for text in ("79.5", "81.1")]
    assert list(check(make.case(*claims))) == []


@given(
    st.decimals(50, 90, places=2),
    st.sampled_from(["0.01", "0.1", "1"]),
    st.sampled_from(["0.01", "0.1", "1"]),
)
def test_roundings_of_one_value_never_contradict_each_other(value, one, other):
    claims = [
        make.mean(str(value.quantize(Decimal(unit))), selection="best") for unit in (one, other)
    ]
    assert twice(*claims) == []


@pytest.mark.parametrize(
    ("heading", "text", "level"),
    [
        ("# Abstract", "81.1", "warning"),
        ("# Conclusion", "81.1", "warning"),
        ("# Results", "81.1", "note"),
        ("# Abstract", "79.5", None),
        ("# Abstract", "79.9", None),  # the last epoch
    ],
)
def test_a_summary_repeats_what_the_tables_have(heading, text, level):
    claims = [
        replace(make.mean(text), block=1),
        make.mean("79.53", selection="best", place=(1, 1, 2)),
        make.mean("79.93", selection="last", place=(1, 2, 2)),
    ]
    bare = make.alone(*claims).claims
    case = Case(manuscript=said.report(heading, "Text.", "Table."), claims=bare)
    assert [finding.level for finding in check(case)] == ([level] if level else [])


def test_without_a_value_of_the_best_step_nothing_is_repeated():
    claims = [make.mean("81.1"), make.mean("79.9", epoch=5)]
    assert not twice(*claims)


# --- settings and parts ---------------------------------------------------------------


def setting(value, key="hidden_size", block=0, **more):
    content = Setting(name=key, key=key, value=Decimal(value), scope="model")
    return Claim(
        id=f"h{value}{block}", kind="hyperparameter", quote=f"{key} = {value}", place=Place(line=block + 1),
        content=content, confidence=0.95, block=block, **more,
    )  # fmt: skip


def settings(texts, *claims):
    return list(check(Case(manuscript=said.report(*texts), claims=claims)))


def test_a_setting_stated_in_two_ways():
    (finding,) = settings(["One.", "Two."], setting(512), setting(768, block=1))
    assert (finding.level, finding.claim.id) == ("warning", "h5120")
    assert "hidden_size = 768" in finding.message
    assert not settings(["One.", "Two."], setting(512), setting(512, block=1))


def test_two_models_have_two_sizes():
    texts = ["# RoBERTa", "RoBERTa has a width of 512.", "# BLOOM", "BLOOM has a width of 1024."]
    assert not settings(texts, setting(512, block=1), setting(1024, block=3))
    assert settings(texts, setting(512, block=1), setting(768, block=1))
    named = [setting(512, hints={"model": "a"}), setting(768, block=1, hints={"model": "b"})]
    assert not settings(["One.", "Two."], *named)


def test_what_is_varied_is_no_contradiction():
    rates = [setting(1, key="learning_rate"), setting(2, key="learning_rate", block=1)]
    assert not settings(["One.", "Two."], *rates)
    assert not settings(["One.", "Two."], setting(512, table=0), setting(768, table=0))


def none_of(part, **more):
    return Claim(
        id="n", kind="arch_claim", quote="adds no parameters", place=Place(line=1), confidence=0.8,
        content=Counted(what="parameters", scope=("none", part)), **more,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("other", "found"),
    [
        ('Moreover, each "Add and Norm" layer has $4d_{model}$ trainable parameters.', 1),
        ("Each layer norm has 1024 parameters.", 1),
        ("Each normalisation layer has no parameters.", 0),
        ("The norm is small. The attention has 1024 parameters.", 0),
        ("Chaque couche de norme contient 1024 paramètres.", 1),
    ],
)
def test_a_part_that_adds_nothing_and_has_parameters(other, found):
    claim = none_of("norm", start=0, end=20)
    case = Case(manuscript=said.report("The add and norm layer adds none.", other), claims=(claim,))
    findings = list(check(case))
    assert len(findings) == found
    for finding in findings:
        assert (finding.level, finding.claim.id) == ("warning", "n")
        assert "the same report gives it some (line 2)" in finding.message


def test_a_passage_does_not_contradict_itself():
    text = "The norm has 1024 parameters."
    claim = replace(none_of("norm"), start=0, end=len(text))
    assert list(check(Case(manuscript=said.report(text), claims=(claim,)))) == []


def test_code_sets_one_thing_here_and_another_there():
    manuscript = said.report("hidden_size = 512; hidden_size = 768", kind="code")
    claims = (setting(512), setting(768))
    assert not list(check(Case(manuscript=manuscript, claims=claims)))
    flags = "first --hidden_size = 512, then --hidden_size = 768"
    places = [flags.index("hidden"), flags.rindex("hidden")]
    claims = [
        replace(setting(value), start=start, id=str(value))
        for value, start in zip((512, 768), places, strict=True)
    ]
    assert not settings([flags], *claims)
    assert settings([flags.replace("--", "  ")], *claims)


@pytest.mark.parametrize(
    ("text", "contradicted"),
    [
        ("Base has a width of 512; Small has a width of 256.", False),
        ("The width is 512; the width is 256.", True),
    ],
)
def test_two_names_of_one_passage_have_two_sizes(text, contradicted):
    claims = [
        replace(setting(value), start=text.index(str(value)), id=str(value)) for value in (512, 256)
    ]
    assert bool(settings([text], *claims)) is contradicted


def test_ranks_that_are_tried_one_after_the_other_contradict_nobody():
    texts = ["One.", "Two.", "Three.", "Four."]
    claims = [
        replace(setting(value, key="r", block=block), id=f"r{block}")
        for block, value in enumerate((8, 32, 8, 32))
    ]
    assert not settings(texts, *claims)
    assert settings(texts, *claims[:3])


def test_a_value_under_each_condition_is_no_contradiction():
    text = "The width is 16 for r = 8 and 64 for r = 32."
    claims = [
        replace(setting(v), start=text.index(str(v)), end=text.index(str(v)) + 2, id=str(v))
        for v in (16, 64)
    ]
    assert not settings([text], *claims)
