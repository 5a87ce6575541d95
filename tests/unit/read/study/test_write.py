from dataclasses import replace
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from reportgen.read.study.keys import TABLES
from reportgen.read.study.read import read_study
from reportgen.read.study.write import write_study
from reportgen.records import study as plans
from reportgen.records.run import SPLITS

words = st.text(st.characters(exclude_categories=("Cs",)), max_size=30)


def reread(study: plans.Study, folder: Path) -> plans.Study:
    path = folder / "study.toml"
    path.write_bytes(write_study(study).encode())
    return replace(read_study(path), path="", decisions=study.decisions, stated={})


@given(
    title=words,
    authors=st.lists(words, max_size=3),
    label=words,
    name=words,
    seeds=st.lists(st.integers(0, 10**9), max_size=4),
)
def test_what_is_written_reads_back(tmp_path_factory, title, authors, label, name, seeds):
    study = plans.Study(
        report=plans.ReportPlan(title=title, authors=tuple(authors)),
        runs_path="logs",
        groups=(plans.GroupPlan(name=name, label=label, seeds=tuple(seeds)),),
        compare=("a", "b"),
        metric=plans.MetricPlan(name="wer", direction="lower", ties="last"),
        split_names={"dev": "validation", name: "test"},
        split_sizes={"test": 7},
        steps_per_epoch=225,
        model=plans.ModelPlan(config="config.json"),
        adapters=(plans.AdapterPlan(config="a.json"), plans.AdapterPlan(base="b.json")),
        tables=(
            plans.TablePlan(match="*/log.txt", step="it", columns={name: "valid/acc", "b": label}),
            plans.TablePlan(match=f"{title}*", epoch="ep", delimiter="|", tag="t", value="v"),
        ),
        train=plans.TrainPlan(
            epochs=3,
            learning_rate=2e-4,
            data=plans.DataPlan(files={"train": "a.txt"}, labels={"train": "a.label"}, text="t"),
        ),
    )
    assert reread(study, tmp_path_factory.mktemp("study")) == study


def test_every_key_is_explained():
    text = write_study(
        plans.Study(
            groups=(plans.GroupPlan(name="a"),),
            model=plans.ModelPlan(config="c"),
            adapters=(plans.AdapterPlan(),),
            tables=(plans.TablePlan(),),
            questions=(plans.QuestionPlan(id="Q"),),
            prose=(plans.ProsePlan(),),
            sections=(plans.SectionPlan(),),
            split_sizes=dict.fromkeys(SPLITS, 1),
            train=plans.TrainPlan(
                data=plans.DataPlan(
                    files=dict.fromkeys(SPLITS, "f"), labels=dict.fromkeys(SPLITS, "l")
                )
            ),
        )
    )
    for table in TABLES.values():
        for key, about in table.items():
            assert f"# {about.about}\n" in text or f"# {about.about} (" in text, key


def test_a_question_is_written_with_its_other_answers(tmp_path):
    asked = plans.Decision(
        key="runs.repeats", value="seeds", reason="two ways", alternatives=("numbers",), asks=True
    )
    seeds = plans.Decision(key="groups.a b.seeds", value="0, 1", reason="read off its name")
    groups = (plans.GroupPlan(name="a b", seeds=(0, 1)),)
    text = write_study(plans.Study(decisions=(asked, seeds), groups=groups))
    assert "(two ways)\n# repeats = 'seeds'\n" in text
    assert "# or: repeats = 'numbers'\n" in text
    assert "(read off its name)\nseeds = [0, 1]" in text
    assert "# The groups as they were inferred: remove them when runs are grouped otherwise" in text
    path = tmp_path / "study.toml"
    path.write_text(text.replace("# or: ", ""), encoding="utf-8")
    assert read_study(path).repeats == "numbers"
