"""Every file below the runs has one fate, and a lab is built without a study file."""

import json
import shutil
from pathlib import Path

import pytest
from fakes.command import reportgen
from fakes.event_file import write_scalars
from fakes.rows import rows_beside

ROWS = rows_beside(__file__)

CSV = "step,val_acc\n1,.7\n2,.8\n"
UNCLOCKED = "ticks seen,val_acc\n1000,.7\n3000,.9\n"


LORA = json.dumps({"peft_type": "LORA", "r": 4, "lora_alpha": 8, "target_modules": ["query"]})
FATES = ROWS["fates"]


def write(root: Path, files: dict[str, str]) -> None:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")


def inspected(root: Path) -> dict[str, object]:
    done = reportgen("inspect", root.name, "--json", cwd=root.parent)
    return json.loads(done.out)


def files_below(root: Path) -> set[str]:
    return {p.relative_to(root).as_posix() for p in root.rglob("*") if p.is_file()}


def hold_every_file(found: dict[str, object], root: Path) -> None:
    paths = [file["path"] for file in found["files"]]
    assert len(paths) == len(set(paths))
    assert set(paths) == files_below(root)
    assert sum(found["fates"].values()) == len(paths)


@pytest.fixture(scope="module")
def mixture(tmp_path_factory):
    root = tmp_path_factory.mktemp("fates") / "lab"
    write(root, {name: content for name, content, _ in FATES})
    return root


@pytest.fixture(scope="module")
def found(mixture):
    return inspected(mixture)


def test_each_file_is_told_once(found, mixture):
    hold_every_file(found, mixture)


@pytest.mark.parametrize(("name", "fate"), [(name, fate) for name, _, fate in FATES])
def test_the_fate_of_a_file(found, name, fate):
    assert {f["path"]: f["fate"] for f in found["files"]}[name] == fate


@pytest.mark.parametrize("kind", ["field", "realdata"])
def test_the_labs_of_others_add_up(kind, project):
    folder = project.parent / "shared" / kind
    if not folder.is_dir():
        pytest.skip("the published labs are not here")
    from reportgen.read.logs import load_tree

    for root in filter(Path.is_dir, folder.iterdir()):
        fates = load_tree(root).fates
        assert {fate.path for fate in fates} == files_below(root)
        assert sum(fate.files for fate in fates) == len(files_below(root))


def test_many_files_of_a_skipped_folder_are_counted(tmp_path):
    write(tmp_path / "lab", {"a.csv": CSV, **{f".git/{n}": "" for n in range(2500)}})
    found = inspected(tmp_path / "lab")
    assert found["fates"] == {"read": 1, "skipped": 2500}
    assert len(found["files"]) < 2500


def test_a_report_counts_the_fates(mixture, tmp_path):
    reportgen("build", "--runs", str(mixture), "--out", "r.md", cwd=tmp_path)
    report = json.loads((tmp_path / "r.json").read_text())
    assert sum(report["fates"].values()) == len(files_below(mixture))
    text = (tmp_path / "r.md").read_text()
    for fate, count in report["fates"].items():
        assert f"{count} " in text, fate


def test_the_tables_of_one_folder_are_named_once_and_those_of_many_in_a_line(tmp_path):
    files = {f"{folder}/run{n}.csv": UNCLOCKED for folder in "bcdef" for n in range(40)}
    write(tmp_path / "lab", {"a/log.csv": CSV, **files})
    done = reportgen("build", "--runs", "lab", "--out", "r.md", cwd=tmp_path)
    (line,) = [one for one in done.err.splitlines() if "looks like a log" in one]
    assert "39 more beside it" in line
    assert "5 places" in line


@pytest.mark.parametrize("count", [1, 60])
def test_a_terminal_shows_few_lines_for_any_lab(count, tmp_path):
    files = {}
    for n in range(count):
        files[f"r{n}/run.csv"] = CSV.replace(".8", "nan" if n % 2 else ".8")
        files[f"r{n}/cut.csv"] = CSV + "3,x"
        files[f"t{n}/curve.csv"] = UNCLOCKED
        files[f"e{n}/events.out.tfevents.1.h"] = "" if n % 2 else "junk"
        files[f"s{n}/trainer_state.json"] = "{" if n % 2 else "[]"
        files[f"m{n}/metrics.csv"] = "a,b\n1,2\n"
    write(tmp_path / "lab", files)
    done = reportgen("build", "--runs", "lab", "--out", "r.md", cwd=tmp_path)
    said = [line for line in (done.out + done.err).splitlines() if not line.startswith("wrote ")]
    assert len(said) <= 11, said  # ten, and the sum at the end


def test_figures_of_an_earlier_lab_go_and_those_of_others_stay(tmp_path):
    points = {"val/accuracy": [(n, n / 10) for n in range(1, 9)]}
    for seed in range(3):
        write_scalars(tmp_path / "one" / f"a-seed{seed}", points | {"val/loss": [(1, 1), (2, 2)]})
    write(tmp_path / "two", {"b/test_results.json": '{"test_accuracy": 0.5}', "b/run.csv": CSV})
    reportgen("build", "--runs", "one", "--out", "out/report.md", cwd=tmp_path)
    before = files_below(tmp_path / "out")
    write(tmp_path / "out", {"report_files/mine.svg": "<svg/>"})
    reportgen("build", "--runs", "two", "--out", "out/report.md", cwd=tmp_path)
    after = files_below(tmp_path / "out")
    shown = (tmp_path / "out" / "report.md").read_text()
    drawn = {name for name in before if name.startswith("report_files/")}
    assert "report_files/mine.svg" in after
    assert {name for name in drawn if name in after} == {n for n in drawn if n in shown}


@pytest.fixture(scope="module")
def missions(project, report, tmp_path_factory):
    """The sample lab as a folder of files that nobody explains, and with its study."""
    root = tmp_path_factory.mktemp("mission")
    sample = project / "inputs" / "roberta-small-fr"
    for part in ("logs", "model", "lora"):
        shutil.copytree(sample / part, root / "logs" / part)
    told = reportgen("build", "--runs", "logs", "--out", "out/report.md", cwd=root)
    assert told.code == 0
    bare = json.loads((root / "out" / "report.json").read_text())
    return told, bare, report, (root / "out" / "report.md").read_text()


def test_no_study_file_is_needed_for_the_results(missions):
    _, bare, stated, _ = missions
    kept = ("n", "mean", "std", "ddof", "per_epoch")
    told, wanted = ([{k: g.get(k) for k in kept} for g in r["groups"]] for r in (bare, stated))
    assert len(told) == 3
    assert sorted(map(str, told)) == sorted(map(str, wanted))
    runs = [
        sorted((r["seed"], r["best_step"], r["report_value"]) for g in report["groups"]
               for r in g["runs"])
        for report in (bare, stated)
    ]  # fmt: skip
    assert runs[0] == runs[1]


def test_no_study_file_is_needed_for_the_counts(missions):
    _, bare, stated, markdown = missions
    for report in (bare, stated):
        assert report["model"]["stored_parameters"] == 23_388_418
        assert [adapter["trainable"] for adapter in report["adapters"]] == [1_572_864]
    assert bare["model"]["scopes"] == stated["model"]["scopes"]
    for text in (
        "23,388,418",
        "1{,}572{,}864",
        "80.63 ± 0.68",
        "73.63 ± 0.46",
        "Low-rank adaptation",
    ):
        assert text in markdown


def test_no_question_is_asked_twice(missions):
    told, *_ = missions
    lines = [line for line in told.out.splitlines() if line.startswith("  ? ")]
    assert len(lines) == len(set(lines)) <= 3


def test_layers_of_an_adapter_take_as_long_as_their_number(tmp_path, project):
    """Twice as many layers are looked at twice as often: counted, not timed."""
    base = project / "inputs/roberta-small-fr/lora/bloom-560m/config.json"
    layers = list(range(200_000))
    content = json.loads(LORA) | {"layers_to_transform": layers, "task_type": "CAUSAL_LM"}
    content["target_modules"] = ["query_key_value"]
    write(tmp_path, {"adapter_config.json": json.dumps(content)})
    done = reportgen("inspect", "adapter_config.json", "--base", str(base), cwd=tmp_path)
    assert done.code == 0
    assert "layers 24, 25, 26 and 199,973 more" in " ".join(done.out.split())
    assert len(done.out) < 10_000
