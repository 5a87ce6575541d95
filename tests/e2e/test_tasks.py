"""Labs of several tasks: each is ranked by itself, nothing is subtracted across, and it is said."""

import json

import pytest
from fakes.command import reportgen
from fakes.event_file import write_scalars

# Algorithm and environment to the returns at three evaluations; seeds add a little.
RETURNS = {
    ("ppo", "Hopper-v4"): [500.0, 1500.0, 2900.0],
    ("sac", "Hopper-v4"): [700.0, 2100.0, 3000.0],
    ("td3", "Hopper-v4"): [400.0, 1100.0, 1800.0],
    ("ppo", "Pendulum-v1"): [-1200.0, -600.0, -200.0],
    ("sac", "Pendulum-v1"): [-1100.0, -300.0, -150.0],
}


def write_lab(home, cells, seeds=(0, 1, 2)):
    for algorithm, environment in cells:
        for seed in seeds:
            values = RETURNS[algorithm, environment]
            points = [(1000 * (i + 1), v + 7 * seed + i) for i, v in enumerate(values)]
            folder = home / "logs" / f"{algorithm}_{environment}_s{seed}"
            write_scalars(folder, {"Eval_AverageReturn": points})
    return home


def built(home, *options, study=""):
    if study:
        (home / "study.toml").write_text(f'[runs]\npath = "logs"\n{study}', encoding="utf-8")
    start = ("study.toml",) if study else ("--runs", "logs")
    found = reportgen("build", *start, "--out", "out/report.md", *options, cwd=home)
    assert found.code == 0, found.err
    text = (home / "out/report.md").read_text(encoding="utf-8").replace("\\", "")
    return text, json.loads((home / "out/report.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def five(tmp_path_factory):
    """Three algorithms in one environment and two of them in another."""
    return write_lab(tmp_path_factory.mktemp("five"), RETURNS)


def test_each_environment_has_an_order_of_its_own(five):
    text, report = built(five)
    apart = "are of different environments (`Hopper-v4` and `Pendulum-v1`)"
    abstract, _, body = text.partition("## 1")
    assert apart in abstract
    results = body.partition("Other runs")[0]
    assert "*sac_Hopper-v4* is the best of three settings." in results
    assert "Pendulum" not in results
    tasks = [(group["name"], group["task"]) for group in report["groups"]]
    assert all(name.endswith(task["name"]) for name, task in tasks)
    pairs = [{one["first"][-2:], one["second"][-2:]} for one in report["comparisons"]]
    assert all(len(tasks) == 1 for tasks in pairs)


def test_nothing_is_the_best_of_several_tasks(five):
    """Who calls a group the best one of its environment is right, whatever others reach."""
    note = "The group sac_Pendulum-v1 has the highest average return on validation.\n"
    (five / "note.md").write_text(f"# Results\n\n{note}", encoding="utf-8")
    done = reportgen("check", "note.md", "--runs", "logs", cwd=five)
    assert "[statement]" not in done.out


def test_the_only_two_of_one_task_are_compared(tmp_path):
    cells = [("ppo", "Hopper-v4"), ("sac", "Hopper-v4"), ("ppo", "Pendulum-v1")]
    _, report = built(write_lab(tmp_path, cells))
    (comparison,) = report["comparisons"]
    assert (comparison["first"], comparison["second"]) == ("sac_Hopper-v4", "ppo_Hopper-v4")


def test_two_of_two_tasks_are_not_subtracted_unless_the_study_asks(tmp_path):
    home = write_lab(tmp_path, [("ppo", "Hopper-v4"), ("ppo", "Pendulum-v1")])
    text, report = built(home)
    assert report["comparisons"] == []
    assert "are of different environments" in text
    assert "difference" not in text.partition("## 1")[0].lower()
    asked = '[comparison]\ngroups = ["ppo_Hopper-v4", "ppo_Pendulum-v1"]\n'
    text, report = built(home, study=asked)
    assert report["comparisons"][0]["difference"] == pytest.approx(3100)
    assert "The study file asks for one difference across them" in text


PLAIN = [0.5, 0.6, 0.7, 0.75]
BIGGER = [0.55, 0.65, 0.72, 0.78]


@pytest.mark.parametrize(
    ("other", "first_step", "start", "said"),
    [
        (PLAIN, 1, 1.7e9, "*other* repeats the values of *base*, and is compared with no other."),
        (PLAIN[:3], 1, 1.7e9, "*other* repeats the values of *base*"),
        ([0.76, 0.8], 5, 1.8e9, "*base* may be the beginning of *other*, one training"),
        (PLAIN, 1, 1.8e9, ""),
    ],
)
def test_what_is_a_part_of_another_is_compared_with_nothing(
    tmp_path, other, first_step, start, said
):
    runs = {
        "base": (PLAIN, 1, 1.7e9),
        "big": (BIGGER, 1, 1.6e9),
        "other": (other, first_step, start),
    }
    for name, (values, first, wall) in runs.items():
        points = [(100 * (first + i), value) for i, value in enumerate(values)]
        write_scalars(tmp_path / "logs" / name, {"eval/accuracy": points}, start=wall)
    text, report = built(tmp_path)
    assert said in text
    kept = {name for name in runs if not said.startswith(f"*{name}*")}
    pairs = [{c["first"], c["second"]} for c in report["comparisons"]]
    assert pairs == ([kept] if said else [])
    assert ("compared with no other" in text) is bool(said)
