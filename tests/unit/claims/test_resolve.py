"""Labels and seed numbers of reports against the groups and seeds of made-up logs."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fakes.made_runs import SIX, run, runs_of, series
from fakes.solved_claims import claim, facts_of, renamed, solved

from reportgen.claims.resolve import resolve
from reportgen.records.claim import CONFIDENT, Claim, Meaning
from reportgen.records.facts import Facts
from reportgen.records.finding import Case
from reportgen.records.manuscript import Block, Line, Manuscript
from reportgen.records.run import Runs


def group_of(label: str, facts: Facts) -> str:
    (found,) = solved(facts, claim("1", group=label)).claims
    assert isinstance(found.content, Meaning)
    return found.content.run_group


FAIRSEQ = {"pretrained": "RoBERTa_small_fr", "random": "RoBERTa_small_fr_random"}


@pytest.mark.parametrize(
    ("label", "group"),
    [
        ("Pretrain Model", "pretrained"),
        ("the fine tuned roberta", "pretrained"),
        ("modèle pré-entraîné", "pretrained"),
        ("RoBERTa small", ""),
        ("from sratch", "random"),
        ("randomly initialized models", "random"),
        ("without pre-training", "random"),
        ("Random (fairseq)", "random"),
        ("Pretrained (HuggingFace)", ""),
        ("HuggingFace", ""),
        ("ResNet-50", ""),
        ("pretrained with mixup", "pretrained"),
        ("RoBERTa with mixup and cutout", ""),
    ],
)
def test_labels_by_their_words(label, group):
    expected = FAIRSEQ[group] if group else ""
    assert group_of(label, renamed(FAIRSEQ)) == expected


@pytest.mark.parametrize(
    ("names", "label", "expected"),
    [
        ({"pretrained": "resnet50", "random": "vit"}, "ResNet-50", "resnet50"),
        ({"pretrained": "resnet50", "random": "vit"}, "ResNet-18", ""),
        ({"pretrained": "lora_r8", "random": "full"}, "LoRA r=8", "lora_r8"),
        ({"pretrained": "lora_r8", "random": "lora_r16"}, "r = 16", "lora_r16"),
        ({"pretrained": "lora_r8", "random": "lora_r16"}, "LoRA", ""),
        ({"pretrained": "bert-base", "random": "lstm"}, "LSTM baseline", "lstm"),
        ({"pretrained": "pre_entraine", "random": "aleatoire"}, "Pré-entraîné", "pre_entraine"),
        ({"pretrained": "adam", "random": "sgd"}, "our model", ""),
        ({"pretrained": "unet", "random": "fcn"}, "U-Net", "unet"),
        ({"pretrained": "finetuned", "random": "frozen"}, "Full fine-tuning", "finetuned"),
        ({"pretrained": "mt_base", "random": "mt_small"}, "Base", "mt_base"),
        ({"pretrained": "bert-lora", "random": "bert-full"}, "Full fine-tuning", "bert-full"),
        ({"pretrained": "bert-base", "random": "roberta-base"}, "Base", ""),
    ],
)
def test_labels_of_other_labs(names, label, expected):
    assert group_of(label, renamed(names)) == expected


def test_settings_in_a_label_are_held_against_the_configuration():
    runs = runs_of(SIX).runs
    rates = {"pretrained": 1e-4, "random": 3e-4}
    configured = tuple(replace(r, config={"learning_rate": rates[r.group]}) for r in runs)
    facts = facts_of(Runs(root="logs", runs=configured))
    assert group_of("swept-bird-3, lr=3e-4", facts) == "random"
    assert group_of("lr=1e-3", facts) == ""


def test_two_labels_of_one_table_are_never_one_group():
    facts = renamed({"pretrained": "roberta", "random": "lstm"})
    rows = [
        replace(claim("81.4", group="RoBERTa"), table=3),
        replace(claim("80.0", group="RoBERTa standard"), table=3),
        replace(claim("73.9", group="LSTM"), table=3),
    ]
    found = [c.content.run_group for c in solved(facts, *rows).claims]
    assert found == ["", "", "lstm"]


def test_a_single_group_needs_no_label():
    facts = facts_of(runs_of({k: v for k, v in SIX.items() if k[0] == "pretrained"}))
    bare = replace(claim("81.4", split="test", seed=0, confidence=0.7), hints={"without": "group"})
    (found,) = solved(facts, bare, claim("80.4", seed=1), claim("80.1", seed=2)).claims[:1]
    assert found.content.run_group == "pretrained"
    assert found.confidence == 0.9
    (other,) = solved(facts, claim("99.0", group="with mixup")).claims
    assert other.content.run_group == ""


def test_a_split_needs_no_name_where_there_is_only_one():
    one = run("dqn", 1, series("test", [8.0, 119.4], metric="average_return", unit=""))
    facts = facts_of(Runs(root="logs", runs=(one,)))
    said = replace(
        claim("119.4", metric="return", confidence=0.7), hints={"without": "split, group, seed"}
    )
    (found,) = solved(facts, said).claims
    assert (found.content.metric, found.content.split) == ("average_return", "test")
    assert (found.content.run_group, found.confidence) == ("dqn", 0.9)


def values_of(group: str, numbering: dict[int, int], wrong: tuple[int, ...] = ()) -> list[Claim]:
    """Best validation values of a group, its seeds numbered in the report's own way."""
    made = []
    for seed, written in numbering.items():
        best = max(SIX[group, seed][0])
        shown = "12.3" if seed in wrong else f"{best}"
        made.append(claim(shown, split="validation", group=group, seed=written, selection="best"))
    return made


@pytest.mark.parametrize(
    "numbering",
    [
        {0: 0, 1: 1, 2: 2},
        {0: 1, 1: 2, 2: 3},
        {0: 41, 1: 42, 2: 43},
        {0: 0, 1: 1},
        {1: 2, 2: 3},
    ],
)
def test_seed_numbers_are_solved_for_the_whole_report(numbering):
    facts = facts_of(runs_of(SIX))
    claims = [*values_of("pretrained", numbering), *values_of("random", numbering, wrong=(1,))]
    case = solved(facts, *claims)
    for found, (seed, _) in zip(case.claims, [*numbering.items()] * 2, strict=True):
        assert found.content.run_seed == seed
        assert found.confidence >= CONFIDENT
    assert case.seeds["pretrained"] == {written: seed for seed, written in numbering.items()}


def test_seeds_of_the_logs_that_do_not_begin_at_0():
    table = {(g, 7 * s + 11): values for (g, s), values in SIX.items()}
    facts = facts_of(runs_of(table))
    case = solved(facts, *values_of("pretrained", {0: 1, 1: 2, 2: 3}))
    assert case.seeds == {"pretrained": {1: 11, 2: 18, 3: 25}}


def test_one_value_alone_never_decides_a_numbering():
    facts = facts_of(runs_of(SIX))
    # 84.5 is the best value of seed 1 alone, but "seed 2" may be the second run or seed 2.
    (found,) = solved(facts, *values_of("pretrained", {1: 2})).claims
    assert found.confidence < CONFIDENT


def test_a_report_that_disagrees_everywhere_keeps_its_names():
    facts = facts_of(runs_of(SIX))
    case = solved(facts, *values_of("pretrained", {0: 0, 1: 1, 2: 2}, wrong=(0, 1, 2)))
    assert case.seeds == {"pretrained": {0: 0, 1: 1, 2: 2}}


def test_a_number_that_no_run_bears_has_no_seed():
    facts = facts_of(runs_of(SIX))
    case = solved(
        facts,
        *values_of("pretrained", {0: 0, 1: 1, 2: 2}),
        claim("80.0", split="test", group="pretrained", seed=9),
    )
    assert case.claims[-1].content.run_seed is None


def test_without_logs_nothing_is_resolved():
    line = Line(text="x", number=1)
    block = Block(type="paragraph", lines=(line,))
    report = Manuscript(path="r.md", format="markdown", sha256="", blocks=(block,))
    case = Case(manuscript=report, claims=(claim("81.4", group="random"),))
    assert resolve(case) is case


def test_a_score_is_the_only_metric_there_is():
    facts = facts_of(runs_of(SIX))
    (found,) = solved(facts, claim("81.4", metric="score", group="random", seed=0)).claims
    assert found.content.metric == "accuracy"
    assert found.confidence <= 0.5
