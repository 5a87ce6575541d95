"""Write param_counts.csv and tensors/ from the models themselves; needs torch and transformers.

Every case in configs/ is built on the meta device, which holds shapes and no numbers. A
parameter that has two names counts once. What lies under configs/published.json was counted
by others and is copied with its source. A case that names the version it is `built_by` needs
that major version; what another one built before is kept, so run the script under each.

    python tools/oracles/param_counts.py
"""

import csv
import json
from pathlib import Path

import torch
import transformers
from transformers.pytorch_utils import Conv1D

HERE = Path(__file__).resolve().parents[2] / "tests" / "oracle"
SOURCE = f"transformers {transformers.__version__} on the meta device"
COLUMNS = ("model", "model_type", "class", "config", "scope", "count", "source")
# Written by the library when it saves; it says which names the modules have.
SAVED = "transformers_version"
BUILT_BY = "5.23.0"


def build(model_type, name, config):
    """Return a model of the class, without storage."""
    values = {key: value for key, value in config.items() if key != SAVED}
    if model_type == "phi3":
        values.setdefault("pad_token_id", 0)
    made = transformers.AutoConfig.for_model(model_type, **values)
    with torch.device("meta"):
        model = getattr(transformers, name)(made)
    model.tie_weights()
    return model


def tensors_of(model):
    """Return name, shape and first name of every parameter, whether repeated or not."""
    first = {}
    found = []
    for name, tensor in model.named_parameters(remove_duplicate=False):
        owner = first.setdefault(id(tensor), name)
        found.append([name, list(tensor.shape), "" if owner == name else owner])
    return found


def linear_of(model):
    """Return name, inputs and outputs of every matrix that an adapter can stand on."""
    found = []
    for name, module in model.named_modules():
        if isinstance(module, torch.nn.Linear):
            found.append([name, module.in_features, module.out_features, module.bias is not None])
        elif isinstance(module, Conv1D):
            found.append([name, module.nx, module.nf, True])
    return found


def rows_of(case, tensors):
    """Yield one row for each class of a case, and keep the tensors of small ones.

    A class without a scope has no total of its own; only its modules are compared.
    """
    config = json.dumps(case["config"])
    for name, scope in case["classes"].items():
        model = build(case["model_type"], name, case["config"])
        count = sum(tensor.numel() for tensor in model.parameters())
        if scope:
            yield (case["model"], case["model_type"], name, config, scope, count, SOURCE)
        if case.get("tensors"):
            tensors.append(
                {
                    "model": case["model"],
                    "model_type": case["model_type"],
                    "config": case["config"],
                    "class": name,
                    "scope": scope,
                    "tensors": tensors_of(model),
                    "linear": linear_of(model),
                }
            )


def is_ours(case):
    """Say whether the installed library is the one that a case is built by."""
    return case.get("built_by", BUILT_BY).split(".")[0] == transformers.__version__.split(".")[0]


def is_of(row, case):
    """Say whether a row of the table, or a list of tensors, is of a case."""
    config = row["config"] if isinstance(row["config"], dict) else json.loads(row["config"])
    same = (row["model"], row["model_type"], config) == tuple(
        case[key] for key in ("model", "model_type", "config")
    )
    return same and row["class"] in case["classes"]


def read_table():
    """Return the rows that the table has now."""
    with (HERE / "param_counts.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def main():
    """Write the table and the lists of tensors, family by family."""
    rows, before = [], read_table()
    for path in sorted((HERE / "configs").glob("*.json")):
        tensors, lists = [], HERE / "tensors" / path.name
        held = json.loads(lists.read_text(encoding="utf-8")) if lists.exists() else []
        for case in json.loads(path.read_text(encoding="utf-8")):
            if "classes" not in case:
                config = json.dumps(case["config"])
                stated = (case["scope"], case["count"], case["source"])
                rows.append((case["model"], case["model_type"], "", config, *stated))
            elif is_ours(case):
                rows += rows_of(case, tensors)
            else:
                rows += [tuple(row.values()) for row in before if is_of(row, case)]
                tensors += [each for each in held if is_of(each, case)]
        if tensors:
            lines = ",\n".join(json.dumps(each) for each in tensors)
            lists.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    with (HERE / "param_counts.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(rows)


if __name__ == "__main__":
    main()
