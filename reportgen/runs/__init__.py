"""Where programs put their logs: from folders and tags to runs, one layout a file.

The order counts: each layout takes the logs it recognises from those that are left, and
the last one takes the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportgen.records.registry import Registry, lazy_names

LAYOUTS = Registry(
    "layout",
    __name__,
    """
wandb programs:WANDB Weights & Biases: run-<clock>-<id> folders with run-<id>.wandb
mlflow programs:MLFLOW MLflow: mlruns/<experiment>/<run>, or mlflow.db
fairseq programs:FAIRSEQ fairseq: <model>/<seed>/{train,train_inner,valid,test}, bare tags
fairseq_console programs:FAIRSEQ_CONSOLE fairseq console logs, several runs in a file
hf_trainer programs:HF_TRAINER Hugging Face Trainer: eval/accuracy, trainer_state.json,
  all_results.json
lightning programs:LIGHTNING Lightning: version_N, metrics.csv, val_accuracy
keras programs:KERAS Keras: train and validation folders, epoch_accuracy
catboost programs:CATBOOST CatBoost: learn_error.tsv and test_error.tsv, whose test set is that of
  validation
plain programs:PLAIN anything else: one folder a run, splits in folders or tags
""",
)

# What other packages use, imported when it is first asked for.
if TYPE_CHECKING:
    from reportgen.runs._assemble import assemble
    from reportgen.runs._evidence import seed_in, tells_apart
    from reportgen.runs._findings import tells_lack
    from reportgen.runs._groups import unread_seeds
    from reportgen.runs._study import choose_models, nearest_config
    from reportgen.runs._units import read_unit
    from reportgen.runs._words import (
        BOOKKEEPING,
        SPLIT_NAMES,
        direction_of,
        is_return,
        is_share,
        liking,
        metric_name,
        split_tag,
        tells_quality,
    )
    from reportgen.runs.comparable import TASK_SETTINGS, tasks_of


__getattr__ = lazy_names(__name__)
