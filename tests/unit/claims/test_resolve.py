"""Labels and seed numbers of reports against the groups and seeds of made-up logs."""

from __future__ import annotations

import random
import statistics
from dataclasses import replace
from decimal import Decimal

import pytest
from fakes.course_lab import make_lab, write_logs
from fakes.course_reports import render, write_report
from fakes.made_runs import SIX, run, runs_of, series
from fakes.written import write_published_logs

from reportgen.api.analysis import analyse
from reportgen.api.options import BuildOptions
from reportgen.claims._collect import collect
from reportgen.claims.resolve import resolve
from reportgen.manuscripts._read import read_manuscript
from reportgen.records.claim import CONFIDENT, LIKELY, Claim, Meaning, Printed
from reportgen.records.facts import Facts
from reportgen.records.finding import Case
from reportgen.records.manuscript import Block, Line, Manuscript, Place
from reportgen.records.run import Runs
from reportgen.records.study import MetricPlan, Study
from reportgen.stats.groups import summarise_groups


def facts_of(runs: Runs) -> Facts:
    """Facts of runs that nobody declared."""
    metric = MetricPlan(name="accuracy", direction="higher", select_on="validation")
    study = Study(metric=metric, steps_per_epoch=225)
    return Facts(study=study, runs=runs, groups=summarise_groups(study, runs))


def renamed(names: dict[str, str], table=None) -> Facts:
    table = table or SIX
    return facts_of(runs_of({(names[g], s): values for (g, s), values in table.items()}))


def claim(text: str, kind: str = "metric_value", *, confidence: float = 0.95, **meaning) -> Claim:
    meaning.setdefault("metric", "accuracy")
    decimals = len(text.partition(".")[2])
    printed = Printed(text=text, value=Decimal(text), decimals=decimals)
    return Claim(
        kind=kind,
        quote=text,
        place=Place(line=1),
        printed=printed,
        content=Meaning(**meaning),
        confidence=confidence,
    )


def solved(facts: Facts, *claims: Claim) -> Case:
    line = Line(text="x", number=1)
    block = Block(type="paragraph", lines=(line,))
    report = Manuscript(path="r.md", format="markdown", sha256="", blocks=(block,))
    return resolve(Case(manuscript=report, claims=claims, facts=facts))


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


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """Facts of the published runs, whose seeds the logs number from 0."""
    folder = write_published_logs(tmp_path_factory.mktemp("published"))
    return analyse(BuildOptions(runs=folder, out=folder))


@pytest.mark.parametrize(
    ("name", "first"), [("report-a.md", 1), ("report-c.md", 0), ("report-f.txt", 0)]
)
def test_written_reports_meet_their_runs(published, realdata, name, first):
    path = realdata.parent / "reports" / name
    claims, _ = collect(read_manuscript(path))
    case = resolve(Case(manuscript=read_manuscript(path), claims=claims, facts=published))
    expected = {seed + first: seed for seed in range(3)}
    assert case.seeds == {
        "RoBERTa_small_fr": expected,
        "RoBERTa_small_fr_random": expected,
    }
    assert all("HuggingFace" not in label for label in case.groups)


@pytest.mark.parametrize("number", range(8))
def test_made_up_reports_are_bound_to_what_they_were_made_from(tmp_path, number):
    """Every number of a report without mistakes is the value that its binding names."""
    state = random.Random(7000 + number)
    lab = make_lab(state)
    form = ("md", "tex", "txt", "ipynb")[number % 4]
    parts = write_report(lab, state, french=number % 2 == 1)
    write_logs(lab, tmp_path / "logs", ("fairseq", "plain")[number % 2])
    path = tmp_path / f"report.{form}"
    path.write_text(render(parts, form), encoding="utf-8")
    facts = analyse(BuildOptions(runs=tmp_path / "logs", out=tmp_path))
    manuscript = read_manuscript(path)
    claims, _ = collect(manuscript)
    case = resolve(Case(manuscript=manuscript, claims=claims, facts=facts))
    bound = [c for c in case.claims if isinstance(c.content, Meaning)]
    assert len(bound) >= 2 * len(lab.seeds)
    for found in bound:
        said = found.content
        assert found.printed is not None
        assert found.confidence >= CONFIDENT, found
        group = next(
            g for g, _ in lab.groups if g.replace("-", "_") in said.run_group.replace("-", "_")
        )
        if found.kind == "best_step":
            expected = Decimal(lab.steps * (lab.best(group, said.run_seed) + 1))
        elif found.kind == "metric_value":
            expected = lab.values[said.split][group][said.run_seed][lab.best(group, said.run_seed)]
        else:
            at = None if said.epoch is None else int(said.epoch) - 1
            values = (
                lab.at_best(said.split, group)
                if at is None
                else [lab.values[said.split][group][s][at] for s in lab.seeds]
            )
            summary = statistics.mean if said.aggregate == "mean" else statistics.stdev
            expected = Decimal(str(summary([float(v) for v in values])))
        assert abs(found.printed.value - expected) <= found.printed.half_unit + Decimal("1e-9")


@pytest.mark.parametrize("label", ["version_3", "tb_logs, version_3", "tb_logs/version_3"])
def test_the_name_of_one_run_stands_for_it(label):
    runs = tuple(
        run("tb_logs", None, series("test", values), name=f"tb_logs/version_{n}")
        for n, values in ((3, [85.0, 86.0]), (4, [86.0, 87.0]))
    )
    case = solved(facts_of(Runs(root="logs", runs=runs)), claim("86.0", group=label, split="test"))
    meaning = case.claims[0].content
    assert isinstance(meaning, Meaning)
    assert (meaning.run_group, meaning.run) == ("tb_logs", "tb_logs/version_3")


def test_a_name_that_two_runs_share_stands_for_none():
    runs = tuple(
        run(group, None, series("test", [85.0, 86.0]), name=f"{group}/version_3")
        for group in ("first", "second")
    )
    case = solved(facts_of(Runs(root="logs", runs=runs)), claim("86.0", group="version_3"))
    meaning = case.claims[0].content
    assert isinstance(meaning, Meaning)
    assert meaning.run == ""


@pytest.mark.parametrize("first", [0, 1])
def test_runs_without_seeds_are_told_by_the_numbers_of_their_folders(first):
    values = series("validation", [60.0, 70.0])
    runs = tuple(run("a", None, values, name=f"a/fold_{n}") for n in range(first, first + 3))
    facts = facts_of(Runs(root="", runs=runs))
    (found,) = solved(facts, claim("70", group="a", seed=2)).claims
    assert found.content.run == "a/fold_2"


@pytest.mark.parametrize(
    ("text", "group"),
    [
        ("Le sac de mots (BoW) est rapide.", "bow"),
        ("We train a sac 0.1 (`bow`) here.", "bow"),
        ("Le sac de mots (2020) est rapide.", ""),
        ("Le sac. Une autre chose (BoW) est rapide.", ""),
    ],
)
def test_a_label_that_the_report_explains(text, group):
    facts = renamed({"pretrained": "flaubert", "random": "bow"})
    block = Block(type="paragraph", lines=(Line(text=text, number=1),))
    report = Manuscript(path="r.md", format="markdown", sha256="", blocks=(block,))
    case = Case(manuscript=report, claims=(claim("1", group="sac"),), facts=facts)
    (found,) = resolve(case).claims
    assert found.content.run_group == group


@pytest.mark.parametrize("beside", [True, False])
def test_a_metric_of_the_logs_whose_own_name_begins_with_an_aggregate(tmp_path, beside):
    path = tmp_path / "r.md"
    path.write_text(
        "| Group | Max return | Std return |\n|---|---|---|\n"
        "| A | 320.5 ± 1.5 | 12.5 |\n| B | 310.25 | 11.0 |\n\n"
        "The max return of B is 310.25, the return of A at the end 305.\n",
        encoding="utf-8",
    )
    manuscript = read_manuscript(path)
    metrics = ("average_return", "max_return", "std_return") if beside else ("average_return",)
    curves = [series("validation", [1.0, 2.0], metric=name, unit="") for name in metrics]
    facts = facts_of(Runs(root="", runs=(run("A", 0, *curves), run("B", 0, *curves))))
    claims, _ = collect(manuscript)
    case = resolve(Case(manuscript=manuscript, claims=claims, facts=facts))
    told = [
        (c.printed.text, c.content.metric, c.content.aggregate)
        for c in case.claims
        if c.printed and isinstance(c.content, Meaning)
    ]
    largest, spread = ("max_return", "std_return") if beside else ("average_return",) * 2
    named = "" if beside else "max"
    assert told == [
        ("320.5", largest, "mean" if beside else "max"),
        ("1.5", largest, "std"),
        ("12.5", spread, "" if beside else "std"),
        ("310.25", largest, named),
        ("11.0", spread, "" if beside else "std"),
        ("310.25", largest, named),
        ("305", "return" if beside else "average_return", ""),
    ]


@pytest.mark.parametrize("split", ["", "Validation: "])
@pytest.mark.parametrize("logged", ["average_ep_len", "ep_len_mean", ""])
def test_a_length_of_episodes_is_no_return(tmp_path, logged, split):
    """The caption speaks of the return that chose the step; the column is of another metric."""
    head = split + (logged.replace("_", " ") or "average episode length")
    path = tmp_path / "r.md"
    path.write_text(
        f"| Group | Test average return |\n|---|---|\n| A | 900 ± 1 |\n\n"
        f"| Group | {head} |\n|---|---|\n| A | 1000 ± 2 |\n| B | 996 |\n| Difference | 4 |\n\n"
        f"Table 2: Validation {head.lower()} at the step that the average return chose.\n",
        encoding="utf-8",
    )
    manuscript = read_manuscript(path)
    names = ("average_return", *([logged] if logged else []))
    curves = [series("validation", [1.0, 2.0], metric=name, unit="") for name in names]
    facts = facts_of(Runs(root="", runs=(run("A", 0, *curves), run("B", 0, *curves))))
    claims, _ = collect(manuscript)
    case = resolve(Case(manuscript=manuscript, claims=claims, facts=facts))
    told = {c.printed.text: c.content for c in case.claims if isinstance(c.content, Meaning)}
    expected = {"1000": "mean", "2": "std", "4": "difference"}
    assert {told[text].metric for text in expected} == {logged or "episode_length"}
    assert {text: told[text].aggregate for text in expected} == expected
    assert told["900"].metric == "average_return"


def test_a_mean_of_the_spreads_of_runs_is_no_mean_of_their_metric(tmp_path):
    """`Std return` is a metric of its own, which only the logs could tell."""
    path = tmp_path / "r.md"
    path.write_text(
        "| Group | Validation std return | Validation return |\n|---|---|---|\n"
        "| A | 1.5 ± 0 | 1000 ± 3 |\n",
        encoding="utf-8",
    )
    claims, _ = collect(read_manuscript(path))
    sure = {c.printed.text: c.confidence for c in claims if isinstance(c.content, Meaning)}
    assert sure["1.5"] <= LIKELY < sure["1000"]


@pytest.mark.parametrize(
    ("label", "run"),
    [("tiny-lr3e-4 (Hugging Face)", ""), ("tiny-lr3e-4-seed1 (Hugging Face)", "tiny-lr3e-4-seed1")],
)
def test_the_program_behind_a_name_is_no_part_of_it(label, run):
    runs = [
        replace(one, id=f"tiny-{lr}-seed{one.seed}", group=f"tiny-{lr}", layout="hf_trainer")
        for lr in ("lr3e-4", "lr1e-3")
        for one in runs_of({("a", 0): SIX["pretrained", 0], ("a", 1): SIX["pretrained", 0]}).runs
    ]
    (found,) = solved(facts_of(Runs(root="", runs=tuple(runs))), claim("1", group=label)).claims
    assert (found.content.run_group, found.content.run) == ("tiny-lr3e-4", run)
