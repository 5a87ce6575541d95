"""Whatever runs are called: what is decided gives the same groups, an answer gives others."""

import tomllib

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from reportgen.read.study.write import describe_decision
from reportgen.records.run import Log, Series, Source
from reportgen.records.study import Study
from reportgen.runs import assemble

words = st.sampled_from(
    [
        "bert",
        "gpt",
        "a.b",
        "x+y",
        "(q)",
        "lr",
        "lr1e-4",
        "bs",
        "run",
        "fold",
        "version",
        "s",
        "it's",
    ]
)
numbers = st.sampled_from(
    ["0", "1", "2", "3", "16", "32", "42", "0.1", "20221125", "20221125-140126", "1669384886"]
)
tokens = st.one_of(
    words,
    numbers,
    st.builds("seed{}".format, st.integers(0, 3)),
    st.builds("s{}".format, st.integers(0, 3)),
    st.builds("{}{}".format, words, st.integers(0, 3)),
)
names = st.builds(
    lambda parts, mark: mark.join(parts),
    st.lists(tokens, min_size=1, max_size=3),
    st.sampled_from("_-. "),
)
paths = st.lists(
    st.builds("/".join, st.lists(names, min_size=1, max_size=3)),
    min_size=1,
    max_size=8,
    unique=True,
)
configs = st.one_of(
    st.just({}),
    st.builds(lambda seed: {"seed": seed}, st.integers(0, 3)),
    st.builds(lambda rate: {"learning_rate": rate}, st.sampled_from([1e-3, 1e-4])),
)


def log_in(folder, number, config):
    path = f"{folder}/events.out.tfevents.{number}.h.{number}.0"
    steps = np.array([1, 2])
    series = {
        tag: Series(
            tag=tag,
            steps=steps,
            values=np.array([0.5, 0.6 + number / 100]),
            wall_times=1000.0 * number + steps,
            path=path,
        )
        for tag in ("val/accuracy", "test/accuracy")
    }
    source = Source(path=path, kind="tfevents", size=1, sha256=path, points=4)
    return Log(source=source, series=series, config=config)


def grouped(logs, repeats=""):
    runs, study = assemble(logs, [], Study(repeats=repeats), "lab")
    decision = next((d for d in study.decisions if d.key == "runs.repeats"), None)
    return {run.id: (run.group, run.seed) for run in runs}, decision


@given(folders=paths, stated=st.lists(configs, min_size=8, max_size=8))
def test_what_is_decided_reads_back_and_an_answer_groups_otherwise(folders, stated):
    logs = [log_in(folder, n, stated[n]) for n, folder in enumerate(folders)]
    found, decision = grouped(logs)
    assert grouped(logs[::-1])[0] == found
    assert (decision is None) == (len(found) == 1)
    if decision is None:
        return  # one run repeats none
    assert grouped(logs, decision.value)[0] == found
    assert decision.asks == bool(decision.alternatives)
    for answer, line in zip(
        decision.alternatives, describe_decision(decision)["answers"], strict=True
    ):
        assert tomllib.loads(line)["runs"]["repeats"] == answer
        otherwise, left = grouped(logs, answer)
        assert left is None
        assert otherwise != found
