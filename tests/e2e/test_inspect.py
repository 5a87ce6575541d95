"""`inspect`: what a log, a configuration, a checkpoint or an adapter holds, and its JSON."""

import json
import shutil

import jsonschema
import pytest
from fakes.command import reportgen


def inspected(*arguments, cwd):
    done = reportgen("inspect", *arguments, "--json", cwd=cwd)
    assert done.code == 0, done.err
    return json.loads(done.out)


@pytest.fixture(scope="module")
def schema(project):
    return json.loads((project / "docs" / "reference" / "inspect.schema.json").read_bytes())


def test_logs_answer_to_the_schema_and_their_parts_to_each_other(schema, lab, tmp_path):
    found = inspected(lab / "logs", cwd=tmp_path)

    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(found, schema)
    ids = [run["id"] for run in found["runs"]]
    cells = [cell for row in found["grid"]["groups"] for cell in row["cells"]]
    assert sorted(run for cell in cells for run in cell["runs"]) == sorted(ids)
    points = sum(run["points"] for run in found["runs"])
    assert sum(tag["points"] for tag in found["tags"]) == points
    assert {file["run"] for file in found["files"] if file["points"]} == set(ids)
    assert {"huggingface/tiny_roberta/0/config.json"} <= {
        file["path"] for file in found["files"] if not file["read"]
    }


@pytest.mark.parametrize("what", ["model/config.json", "model/tensors.json", "lora"])
def test_what_is_no_log_answers_to_the_schema(schema, lab, tmp_path, what):
    jsonschema.validate(inspected(lab / what, cwd=tmp_path), schema)


def test_a_study_file_says_how_logs_are_read(lab, tmp_path):
    logs = lab / "logs" / "sentence_prediction"
    (tmp_path / "study.toml").write_text(
        "runs.pattern = '(?P<group>RoBERTa_small_fr)[^/]*/(?P<seed>\\d+)$'\nmetric.name = 'loss'\n"
    )

    found = inspected(logs, "--study", "study.toml", cwd=tmp_path)

    assert {run["group"] for run in found["runs"]} == {"RoBERTa_small_fr"}
    states = [cell["state"] for cell in found["grid"]["groups"][0]["cells"]]
    assert states == ["claimed more than once"] * 3
    assert "metric.name" not in {decision["key"] for decision in found["decisions"]}


def test_a_configuration(lab, tmp_path):
    found = inspected(lab / "model" / "config.json", cwd=tmp_path)
    assert found["kind"] == "config"
    assert found["scopes"]["weights"] == 22_807_552
    assert found["scopes"]["encoder"] == 22_829_056
    assert {"name", "label", "role", "count", "formula"} <= set(found["terms"][0])


@pytest.mark.parametrize(("where", "home"), [("file", "lab"), ("folder", "elsewhere")])
def test_an_adapter_with_its_base(lab, tmp_path, where, home):
    cwd = tmp_path / "lab"
    shutil.copytree(lab, cwd)
    root = "" if home == "lab" else "lab/"
    adapter = f"{root}lora/adapter_config.json" if where == "file" else f"{root}lora"
    base = f"{root}lora/bloom-560m/config.json" if where == "file" else f"{root}lora/bloom-560m"
    found = inspected(adapter, "--base", base, cwd=cwd if home == "lab" else tmp_path)
    assert found["kind"] == "adapter"
    assert found["trainable_parameters"] == 1_572_864
    assert found["scopes"]["base"] == 559_214_592


def test_an_adapter_shows_its_rank_without_its_base(lab, tmp_path):
    shutil.copy(lab / "lora" / "adapter_config.json", tmp_path)
    done = reportgen("inspect", tmp_path, cwd=tmp_path)
    assert done.code == 0
    lines = done.out.splitlines()
    assert {"kind: LORA", "r = 16", "lora_alpha = 32", "target_modules = query_key_value"} <= {
        *lines
    }
    settings = inspected(tmp_path, cwd=tmp_path)["settings"]
    assert (settings["r"], settings["lora_alpha"], settings["bias"]) == (16, 32, "none")
    assert "use_dora" not in settings


def test_build_takes_adapter_and_base_from_different_folders(lab, tmp_path):
    for name in ("adapter_config.json", "bloom-560m/config.json"):
        target = tmp_path / name.replace("/", "-") / name.split("/")[-1]
        target.parent.mkdir()
        shutil.copy(lab / "lora" / name, target)
    done = reportgen(
        *("build", "--runs", lab / "logs", "--out", "report.json"),
        *("--adapter", "adapter_config.json", "--base", "bloom-560m-config.json"),
        cwd=tmp_path,
    )
    assert done.code == 0, done.err
    report = json.loads((tmp_path / "report.json").read_bytes())
    assert report["adapters"][0]["trainable"] == 1_572_864


def test_a_stated_total_is_explained(lab, tmp_path):
    found = inspected(lab / "model" / "config.json", "--total", "20,578,304", cwd=tmp_path)
    missing = {piece["term"]: piece["count"] for piece in found["explanation"]["missing"]}
    assert missing.pop("embeddings.position") == 132_096
    assert sum(missing.values()) == 2_097_152
    exact = inspected(lab / "model" / "config.json", "--total", "22829056", cwd=tmp_path)
    assert exact["explanation"]["scopes"] == ["encoder"]


def test_what_is_said_of_a_checkpoint_can_be_handed_in_for_it(lab, tmp_path):
    first = reportgen("inspect", lab / "model" / "tensors.json", "--json", cwd=tmp_path)
    (tmp_path / "tensors.json").write_text(first.out)
    again = inspected("tensors.json", cwd=tmp_path)
    assert again["tensors"] == json.loads(first.out)["tensors"]
    assert again["total_parameters"] == 23_388_418


def test_a_stated_total_may_count_the_adapter(lab, tmp_path):
    found = inspected(
        *(lab / "lora", "--base", lab / "lora" / "bloom-560m", "--total", "560787456"), cwd=tmp_path
    )
    assert found["explanation"]["scopes"] == ["base_and_adapter"]


def test_an_adapter_without_its_base_has_a_stored_count(project, tmp_path):
    adapter = project / "tests" / "data" / "checkpoints" / "adapter"

    found = inspected(adapter, cwd=tmp_path)
    shown = reportgen("inspect", adapter, cwd=tmp_path)

    assert found["trainable_parameters"] is None
    assert found["stored_parameters"] == 2 * 2 * (4 + 4)
    assert "stored parameters: 32 in adapter_model.bin" in shown.out


def test_a_shard_is_no_model_and_a_folder_is_read_through_its_index(project, tmp_path):
    data = project / "tests" / "data" / "checkpoints"
    for shard in (1, 2):
        shutil.copy(
            data / f"sharded-0000{shard}-of-00002.bin",
            tmp_path / f"pytorch_model-0000{shard}-of-00002.bin",
        )
    index = (data / "sharded.bin.index.json").read_text().replace("sharded-", "pytorch_model-")
    (tmp_path / "pytorch_model.bin.index.json").write_text(index)

    part = inspected("pytorch_model-00001-of-00002.bin", cwd=tmp_path)
    whole = inspected(".", cwd=tmp_path)

    assert part["problems"][0]["message"].startswith("this is shard 1 of 2")
    assert part["total_parameters"] < whole["total_parameters"]
    assert not any("shard" in problem["message"] for problem in whole["problems"])


BROKEN = {"empty": b"", "a pointer": b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n"}


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_a_folder_without_a_run_is_evidence_that_is_missing(tmp_path, content):
    folder = tmp_path / "logs" / "a-seed0"
    folder.mkdir(parents=True)
    (folder / "events.out.tfevents.1.host").write_bytes(content)

    shown = reportgen("inspect", "logs", cwd=tmp_path)
    told = reportgen("inspect", "logs", "--json", cwd=tmp_path)

    assert (shown.code, told.code) == (3, 3)
    assert "no run was found" in shown.out
    assert "1 warning" in shown.out
    assert len(json.loads(told.out)["problems"]) == 1
