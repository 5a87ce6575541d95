"""The Trainer's pickled settings: as transformers itself says them, and never by running them."""

import json
import warnings
from enum import Enum

import pytest
from fakes.checkpoint_file import STOP, archive, name, number, table, text, tuple_of
from fakes.command import reportgen

from reportgen.app.analysis import load_runs
from reportgen.app.options import silent
from reportgen.read.logs.settings import load_training_args
from reportgen.records.study import Study


def load(path):
    (log,) = load_training_args(path, "run/training_args.bin")
    return log


def saved(settings, others=b""):
    """Return a file as `torch.save` writes it for an object with these settings."""
    made = name("transformers.training_args", "TrainingArguments") + b")\x81"
    return archive(b"\x80\x02" + others + made + table(settings) + b"b" + STOP, storages=())


def member(module, label, *arguments):
    return name(module, label) + tuple_of(*arguments) + b"R"


SETTINGS = {
    "output_dir": text("out"),
    "seed": number(7),
    "learning_rate": b"G?\xb9\x99\x99\x99\x99\x99\x9a",
    "fp16": b"\x89",
    "max_steps": number(-1),
    "lr_scheduler_type": member("transformers.trainer_utils", "SchedulerType", text("cosine")),
    "optim": member(
        "builtins",
        "getattr",
        name("transformers.training_args", "OptimizerNames"),
        text("ADAMW_TORCH"),
    ),
    "accelerator_config": name("transformers.trainer_pt_utils", "AcceleratorConfig")
    + b")\x81"
    + table({"split_batches": b"\x89"})
    + b"b",
    "hub_token": text("hf_secret"),
    "push_to_hub_token": text("hf_secret"),
    "_n_gpu": number(1),
}


def test_plain_settings_and_members_of_enumerations_are_read(tmp_path):
    path = tmp_path / "training_args.bin"
    path.write_bytes(saved(SETTINGS))
    log = load(path)
    assert log.config == {
        "output_dir": "out",
        "seed": 7,
        "learning_rate": 0.1,
        "fp16": False,
        "max_steps": -1,
        "lr_scheduler_type": "cosine",
        "optim": "ADAMW_TORCH",
    }
    assert log.series == {}
    assert [p.message for p in log.problems] == [
        "this file names code that a loader would run: builtins.getattr"
    ]


def test_code_in_it_is_named_and_not_run(tmp_path):
    canary = tmp_path / "canary"
    attack = name("os", "system") + tuple_of(text(f"touch {canary}")) + b"R"
    path = tmp_path / "training_args.bin"
    path.write_bytes(saved({"output_dir": text("out"), "seed": number(3), "run_name": attack}))
    log = load(path)
    assert not canary.exists()
    assert log.config == {"output_dir": "out", "seed": 3}
    assert "would run: os.system" in log.problems[0].message


@pytest.mark.parametrize(
    "module", ["transformers.trainer_utils.os", "transformers.training_args.os.system", "trl.x"]
)
def test_a_way_through_a_library_to_other_code_is_named(module, tmp_path):
    path = tmp_path / "training_args.bin"
    settings = {"output_dir": text("out"), "x": member(module, "system", text("true"))}
    path.write_bytes(saved(settings))
    assert f"would run: {module}.system" in load(path).problems[0].message


def test_an_object_of_something_else_is_no_settings(tmp_path):
    path = tmp_path / "training_args.bin"
    path.write_bytes(saved({"weights": number(1)}))
    log = load(path)
    assert log.config == {}
    assert log.problems[0].message == "holds no training arguments"


def test_a_run_takes_its_settings_and_its_seed_from_them(tmp_path):
    history = [{"step": step, "eval_accuracy": step / 10, "epoch": step} for step in (1, 2, 3)]
    folder = tmp_path / "run" / "checkpoint-3"
    folder.mkdir(parents=True)
    state = {"log_history": history, "max_steps": 3}
    (folder / "trainer_state.json").write_text(json.dumps(state))
    (folder / "training_args.bin").write_bytes(saved(SETTINGS))
    (run,) = load_runs(tmp_path, Study(), silent)[0]
    built = reportgen("build", "--runs", tmp_path, "--out", "report.md", cwd=tmp_path)
    assert run.seed == 7
    assert run.config["lr_scheduler_type"] == "cosine"
    assert run.config["max_steps"] == 3
    assert {source.kind for source in run.sources} == {"trainer_state", "training_args"}
    assert built.code == 0, built.err
    report = (tmp_path / "report.md").read_text()
    assert "cosine" in report
    assert "peak learning rate of 0.1" in report.lower()


def stated(value):
    return value.value if isinstance(value, Enum) else value


@pytest.mark.slow
@pytest.mark.parametrize("new", [True, False])
def test_what_transformers_saves_is_what_it_says_itself(new, tmp_path):
    transformers = pytest.importorskip("transformers")
    torch = pytest.importorskip("torch")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        arguments = transformers.TrainingArguments(
            output_dir=str(tmp_path / "out"),
            learning_rate=3e-4,
            num_train_epochs=7,
            per_device_train_batch_size=12,
            gradient_accumulation_steps=2,
            warmup_steps=50,
            lr_scheduler_type="cosine",
            optim="adafactor",
            weight_decay=0.01,
            seed=11,
            use_cpu=True,
            report_to=[],
            hub_token="hf_secret",  # noqa: S106
        )
        path = tmp_path / "training_args.bin"
        torch.save(arguments, path, _use_new_zipfile_serialization=new)
    log = load(path)
    known = {key: stated(value) for key, value in vars(arguments).items() if key[0] != "_"}
    assert log.problems == ()
    assert {key: known[key] for key in log.config} == log.config
    plain = {k for k, v in known.items() if isinstance(v, str | int | float) and k != "hub_token"}
    assert plain <= log.config.keys()
    assert "hf_secret" not in json.dumps(dict(log.config))
    assert log.config["optim"] == "adafactor"
    assert log.config["learning_rate"] == 3e-4
