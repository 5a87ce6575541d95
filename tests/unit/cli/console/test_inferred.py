"""What is printed under *inferred* is a part of a study file, whichever lines are taken."""

import json

import pytest
from fakes.event_file import write_scalars

from reportgen.app import inspect
from reportgen.cli.console import decision_lines, inspection_lines, plain
from reportgen.read.study.read import read_study

MANY_GROUPS = [f"group{n}" for n in range(20)]


def lab_of_groups(root, names=("a b", "c'd", 'e"f', "é.g\x85h", "z\u200b\U000e0001")):
    for name in names:
        for seed in (0, 1):
            points = {"val/accuracy": [(step, 0.5 + step / 100) for step in (10, 20)]}
            write_scalars(root / name / f"seed{seed}", points)


def lab_of_adapters(root):
    lab_of_groups(root, ("a",))
    for step in (500, 1200):
        folder = root / "results" / f"checkpoint-{step}"
        folder.mkdir(parents=True)
        (folder / "adapter_config.json").write_text(json.dumps({"peft_type": "LORA"}))


LABS = {
    "names that need quotes": lab_of_groups,
    "twenty groups": lambda root: lab_of_groups(root, MANY_GROUPS),
    "two adapters": lab_of_adapters,
}


def inferred(found, *, width=None, everything=False):
    lines = [plain(t) for t in inspection_lines(found, width=width, everything=everything)]
    start = next(i for i, line in enumerate(lines) if line.startswith("inferred"))
    end = next((i for i in range(start, len(lines)) if not lines[i]), len(lines))
    return lines[start + 1 : end]


def pasted(lines, place):
    path = place / "study.toml"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return read_study(path)


def hold(found, tmp_path, width, *, everything):
    lines = inferred(found, width=width, everything=everything)
    study = pasted(lines, tmp_path)
    for line in lines:
        pasted([line], tmp_path)
    told = {d["key"]: d["value"] for d in found["decisions"] if not d["asks"]}
    seeds = {key: value for key, value in told.items() if key.endswith(".seeds")}
    assert study.layout == told["runs.layout"]
    # Where no metric has a validation curve, the split is asked for and not stated.
    assert study.metric.select_on == told.get("metric.select_on", "validation")
    if everything or len(seeds) <= 6:
        stated = {f"groups.{g.name}.seeds": ", ".join(map(str, g.seeds)) for g in study.groups}
        assert stated == seeds
    configs = [d["value"] for d in found["decisions"] if d["key"] == "adapter.config"]
    assert [json.dumps(plan.config) for plan in study.adapters] == configs


@pytest.mark.parametrize("everything", [False, True])
@pytest.mark.parametrize("make", LABS.values(), ids=LABS)
def test_every_line_can_be_pasted_alone_and_all_together(make, tmp_path, everything):
    make(tmp_path / "logs")
    found = inspect(tmp_path / "logs")
    for width in (None, 40, 80):
        hold(found, tmp_path, width, everything=everything)


@pytest.mark.parametrize("name", ["roberta-small-fr", "tiny-grid", "tiny-reviews-hf"])
def test_lines_of_the_sample_labs_can_be_pasted(name, project, tmp_path):
    found = inspect(project / "inputs" / name / "logs")
    for width in (None, 60):
        hold(found, tmp_path, width, everything=False)


def test_lines_of_published_labs_can_be_pasted(realdata, tmp_path):
    for name in ("hf-trainer-agnews-lora", "rl-ten-seeds", "keras-clean-pair"):
        hold(inspect(realdata / name), tmp_path, 80, everything=False)


def test_many_groups_share_a_comment_that_says_how_to_see_each(tmp_path):
    lab_of_groups(tmp_path, MANY_GROUPS)
    (line,) = [line for line in inferred(inspect(tmp_path)) if "seeds = " in line]
    assert line.startswith("  # seeds = [0, 1] of 20 groups: group0, group1, ")
    assert "--all has a line for each" in line


def decided(key, value="0, 1", *answers):
    return {
        "key": key,
        "value": value,
        "reason": "because",
        "alternatives": answers,
        "answers": answers,
        "asks": bool(answers),
    }


def test_a_build_says_in_one_line_what_it_inferred():
    seeds = [decided(f"groups.g{n}.seeds") for n in range(1000)]
    settings = [decided("metric.name", "accuracy"), decided("metric.unit", "")]
    (line,) = decision_lines([*seeds, *settings])
    told = "metric.name = accuracy, seeds of 1,000 groups; not set: metric.unit"
    assert line == f"inferred (`reportgen init` writes it down; `inspect` says why): {told}"


def test_a_build_asks_the_first_questions_in_a_line_each():
    asked = [decided(f"metric.{n}", "x", "a = 1", *("a = 2",) * n) for n in range(9)]
    assert list(decision_lines(asked)) == [
        "  ? metric.0: because; taken: x; to say otherwise: a = 1",
        "  ? metric.1: because; taken: x; to say otherwise: a = 1 or a = 2",
        "  ? and 7 more questions: `reportgen inspect` asks each",
    ]


def test_a_build_names_the_option_that_answers():
    asked = [
        decided("runs.repeats", "seeds", "numbers"),
        decided("runs.pattern", "", "(?P<seed>.)"),
    ]
    lines = list(decision_lines(asked, {"runs.repeats": "--group-by", "runs.pattern": "--pattern"}))
    assert lines == [
        "  ? runs.repeats: because; taken: seeds; to say otherwise: --group-by numbers",
        "  ? runs.pattern: because; to say otherwise: --pattern '(?P<seed>.)'",
    ]
