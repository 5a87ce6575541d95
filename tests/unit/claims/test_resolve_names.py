"""Names of runs and groups in a report are those of the logs."""

from __future__ import annotations

import random
import statistics
from dataclasses import replace
from decimal import Decimal

import pytest
from fakes.course_lab import make_lab, write_logs
from fakes.course_reports import render, write_report
from fakes.made_runs import SIX, run, runs_of, series
from fakes.solved_claims import claim, facts_of, renamed, solved
from fakes.written import write_published_logs

from reportgen.api.analysis import analyse
from reportgen.api.options import BuildOptions
from reportgen.claims._collect import collect
from reportgen.claims.resolve import resolve
from reportgen.read.documents import read_document
from reportgen.records.claim import CONFIDENT, LIKELY, Meaning
from reportgen.records.finding import Case
from reportgen.records.manuscript import Block, Line, Manuscript
from reportgen.records.run import Runs


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
    claims, _ = collect(read_document(path))
    case = resolve(Case(manuscript=read_document(path), claims=claims, facts=published))
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
    manuscript = read_document(path)
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
    manuscript = read_document(path)
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
    manuscript = read_document(path)
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
    claims, _ = collect(read_document(path))
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
