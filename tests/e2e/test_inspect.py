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


def test_what_is_said_of_a_checkpoint_can_be_handed_in_for_it(lab, tmp_path):
    first = reportgen("inspect", lab / "model" / "tensors.json", "--json", cwd=tmp_path)
    (tmp_path / "tensors.json").write_text(first.out)
    again = inspected("tensors.json", cwd=tmp_path)
    assert again["tensors"] == json.loads(first.out)["tensors"]
    assert again["total_parameters"] == 23_388_418


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
