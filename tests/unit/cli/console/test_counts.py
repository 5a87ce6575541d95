"""What `inspect` prints of a count that cannot be had: the reason, and what would help."""

import json

import pytest

from reportgen.app import inspect
from reportgen.cli.console import inspection_lines


def printed(folder, config, adapter=None, *, based=True):
    base = folder / "config.json"
    base.write_text(json.dumps(config))
    if adapter is None:
        return list(inspection_lines(inspect(base)))
    path = folder / "adapter_config.json"
    path.write_text(json.dumps({"peft_type": "LORA"} | adapter))
    return list(inspection_lines(inspect(path, base=base if based else None)))


def test_a_class_that_is_not_counted_has_no_total_and_that_is_said(tmp_path):
    lines = printed(tmp_path, {"model_type": "bert", "architectures": ["BertForTelepathy"]})

    (line,) = (line for line in lines if line.startswith("total parameters"))
    assert line.startswith("total parameters: unknown: the configuration names a class")


@pytest.mark.parametrize(
    ("adapter", "based", "said"),
    [
        ({"target_modules": ["query"]}, False, "unknown; name the base model with --base"),
        ({"target_modules": ["quary"]}, True, "unknown: target_modules in"),
        ({"target_modules": ["query"], "r": 0}, True, "unknown: the rank in"),
        ({"peft_type": "XLORA"}, False, "unknown: no formula is known for adapters of the kind"),
    ],
    ids=str,
)
def test_an_adapter_that_is_not_counted_says_why(adapter, based, said, tmp_path):
    lines = printed(tmp_path, {"model_type": "bert"}, adapter, based=based)

    (line,) = (line for line in lines if line.startswith("trainable parameters"))
    assert said in line
