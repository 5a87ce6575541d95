"""The hyperparameters of the runs, as the logs state them, in one spelling."""

from __future__ import annotations

from collections.abc import Mapping

from reportgen.languages import message, noun, say
from reportgen.records.document import Code, Table, TableColumn, TableRow, Text
from reportgen.records.facts import Facts, GroupResult
from reportgen.report._clock import count_updates

_UPDATES, _STEPS = message("Total updates"), message("Total steps")
# Label to the keys that fairseq, the Hugging Face Trainer and Lightning use for it.
KEYS: Mapping[str, tuple[str, ...]] = {
    message("Architecture"): ("arch", "model_type", "architectures"),
    message("Start from"): ("restore_file", "model_name_or_path", "_name_or_path"),
    message("Epochs"): ("max_epoch", "num_train_epochs", "max_epochs"),
    message("Batch size"): (
        "batch_size",
        "max_sentences",
        "per_device_train_batch_size",
        "train_batch_size",
    ),
    message("Gradient accumulation"): ("update_freq", "gradient_accumulation_steps"),
    message("Optimizer"): ("optimizer", "optim"),
    message("Peak learning rate"): ("lr", "learning_rate"),
    message("Schedule"): ("lr_scheduler", "lr_scheduler_type"),
    message("Warm-up steps"): ("warmup_updates", "warmup_steps"),
    message("Warm-up ratio"): ("warmup_ratio",),
    _UPDATES: ("total_num_update", "max_update", "max_steps"),
    message("Weight decay"): ("weight_decay",),
    message("Dropout"): ("dropout", "hidden_dropout_prob"),
    message("Attention dropout"): ("attention_dropout", "attention_probs_dropout_prob"),
    message("Gradient clipping"): ("clip_norm", "max_grad_norm"),
    message("Maximum length"): ("max_positions", "max_seq_length"),
    message("Precision"): ("fp16", "bf16"),
}


def hyperparameter_table(facts: Facts) -> Table | None:
    """Return one column a group; a value on which the seeds differ says so."""
    groups = tuple(g for g in facts.groups if any(c.run and c.run.config for c in g.cells))
    updates = count_updates(c.run for g in groups for c in g.cells if c.run)
    rows = []
    for label, keys in KEYS.items():
        values = tuple(_value(group, keys) for group in groups)
        if any(values):
            cells: tuple[Text, ...] = tuple((Code(v),) if v else say("not logged") for v in values)
            shown = _STEPS if label == _UPDATES and not updates else label
            rows.append(TableRow(cells=(say(shown), *cells)))
    if not rows:
        return None
    return Table(
        id="reproducibility.hyperparameters",
        caption=say("Hyperparameters as the logs state them; every other key is in report.json."),
        columns=(
            TableColumn(title=say("Hyperparameter")),
            *(TableColumn(title=(group.label,), wide=True) for group in groups),
        ),
        rows=tuple(rows),
    )


def _value(group: GroupResult, keys: tuple[str, ...]) -> str:
    found: dict[str, None] = {}
    for cell in group.cells:
        config = _normalised(cell.run.config) if cell.run else {}
        value = next((config[key] for key in keys if config.get(key) not in (None, "")), None)
        if value is not None:
            found.setdefault(_text(value))
    return "; ".join(found)


def _normalised(config: Mapping[str, object]) -> dict[str, object]:
    keys = {str(key).strip("-").replace("-", "_"): value for key, value in config.items()}
    steps = keys.get("warmup_steps")
    # Under this name the Hugging Face Trainer takes a share of the steps as well.
    if isinstance(steps, float) and 0 < steps < 1:
        del keys["warmup_steps"]
        keys["warmup_ratio"] = keys.get("warmup_ratio") or steps
    return keys


def _text(value: object) -> str:
    match value:
        case bool():
            return noun("yes") if value else noun("no")
        case float():
            return f"{value:g}"
        case list() | tuple():
            return ", ".join(_text(item) for item in value)
        case _:
            return str(value)
