"""Where programs put their logs: from folders and tags to runs, one layout a file.

The order counts: each layout takes the logs it recognises from those that are left, and
the last one takes the rest.
"""

from reportgen.registry import Entry, Registry

LAYOUTS = Registry(
    "layout",
    {
        "wandb": Entry(
            "reportgen.layouts.wandb:LAYOUT",
            "Weights & Biases: run-<clock>-<id> folders with run-<id>.wandb",
        ),
        "mlflow": Entry(
            "reportgen.layouts.mlflow:LAYOUT",
            "MLflow: mlruns/<experiment>/<run>, or mlflow.db",
        ),
        "fairseq": Entry(
            "reportgen.layouts.fairseq:LAYOUT",
            "fairseq: <model>/<seed>/{train,train_inner,valid,test}, bare tags",
        ),
        "fairseq_console": Entry(
            "reportgen.layouts.fairseq_console:LAYOUT",
            "fairseq console logs, several runs in a file",
        ),
        "hf_trainer": Entry(
            "reportgen.layouts.hf_trainer:LAYOUT",
            "Hugging Face Trainer: eval/accuracy, trainer_state.json, all_results.json",
        ),
        "lightning": Entry(
            "reportgen.layouts.lightning:LAYOUT",
            "Lightning: version_N, metrics.csv, val_accuracy",
        ),
        "keras": Entry(
            "reportgen.layouts.keras:LAYOUT",
            "Keras: train and validation folders, epoch_accuracy",
        ),
        "plain": Entry(
            "reportgen.layouts.plain:LAYOUT",
            "anything else: one folder a run, splits in folders or tags",
        ),
    },
)
