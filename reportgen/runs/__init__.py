"""Where programs put their logs: from folders and tags to runs, one layout a file.

The order counts: each layout takes the logs it recognises from those that are left, and
the last one takes the rest.
"""

from reportgen.registry import Entry, Registry

LAYOUTS = Registry(
    "layout",
    {
        "wandb": Entry(
            "reportgen.runs.wandb:LAYOUT",
            "Weights & Biases: run-<clock>-<id> folders with run-<id>.wandb",
        ),
        "mlflow": Entry(
            "reportgen.runs.mlflow:LAYOUT",
            "MLflow: mlruns/<experiment>/<run>, or mlflow.db",
        ),
        "fairseq": Entry(
            "reportgen.runs.fairseq:LAYOUT",
            "fairseq: <model>/<seed>/{train,train_inner,valid,test}, bare tags",
        ),
        "fairseq_console": Entry(
            "reportgen.runs.fairseq_console:LAYOUT",
            "fairseq console logs, several runs in a file",
        ),
        "hf_trainer": Entry(
            "reportgen.runs.hf_trainer:LAYOUT",
            "Hugging Face Trainer: eval/accuracy, trainer_state.json, all_results.json",
        ),
        "lightning": Entry(
            "reportgen.runs.lightning:LAYOUT",
            "Lightning: version_N, metrics.csv, val_accuracy",
        ),
        "keras": Entry(
            "reportgen.runs.keras:LAYOUT",
            "Keras: train and validation folders, epoch_accuracy",
        ),
        "plain": Entry(
            "reportgen.runs.plain:LAYOUT",
            "anything else: one folder a run, splits in folders or tags",
        ),
    },
)
