"""Files that training writes, one loader a kind; nothing is imported before it is needed."""

from reportgen.registry import Entry, Registry

_MLFLOW_RUN = "[0-9a-f]" * 32

LOADERS = Registry(
    "loader",
    {
        "tfevents": Entry(
            "reportgen.read.logs.events:load_events",
            "TensorBoard event files",
            ("*tfevents*",),
        ),
        "trainer_state": Entry(
            "reportgen.read.logs.rows:load_trainer_state",
            "Hugging Face Trainer state",
            ("trainer_state.json",),
        ),
        "hf_results": Entry(
            "reportgen.read.logs.rows:load_hf_results",
            "Hugging Face Trainer results, one value a metric",
            (
                "all_results.json",
                "eval_results.json",
                "test_results.json",
                "predict_results.json",
                "train_results.json",
            ),
        ),
        "training_args": Entry(
            "reportgen.read.logs.training_args:load_training_args",
            "Hugging Face Trainer settings, read without unpickling them",
            ("training_args.bin",),
        ),
        "console": Entry(
            "reportgen.read.logs.console:load_console",
            "what programs print, also as saved in a notebook",
            ("*.log", "*.out", "*.err", "*.txt", "stdout*", "*.ipynb"),
        ),
        "fairseq_log": Entry(
            "reportgen.read.logs.fairseq_log:load_fairseq_log",
            "fairseq console logs, one log a run",
        ),
        "settings": Entry(
            "reportgen.read.logs.settings:load_settings",
            "settings of Hydra, Ray, Sacred and Stable-Baselines3's zoo",
            (
                "args.yml",
                ".hydra/config.yaml",
                ".hydra/overrides.yaml",
                "params.json",
                "run.json",
            ),
        ),
        "arrays": Entry(
            "reportgen.read.logs.stores:load_arrays",
            "Stable-Baselines3's evaluations.npz",
            ("evaluations.npz",),
        ),
        "metrics_csv": Entry(
            "reportgen.read.logs.rows:load_metrics_csv",
            "Lightning's metrics.csv and any CSV with a step or epoch column",
            ("*.csv", "*.tsv"),
        ),
        "json_lines": Entry(
            "reportgen.read.logs.rows:load_json_lines",
            "JSON lines or arrays of objects with a step or an epoch in each",
            (
                "*.jsonl",
                "*.ndjson",
                "*.log.json",
                "log.json",
                "*_log.json",
                "*history*.json",
                "*metrics*.json",
                "*results*.json",
                "*scores*.json",
                "progress.json",
                "result.json",
                "eval*.json",
                "test_*.json",
                "vis_data/*.json",
            ),
        ),
        "hparams_yaml": Entry(
            "reportgen.read.logs.settings:load_hparams_yaml",
            "Lightning's hparams.yaml",
            ("hparams.yaml",),
        ),
        "wandb_run": Entry(
            "reportgen.read.logs.wandb_run:load_wandb_run",
            "Weights & Biases runs on disk",
            ("*.wandb",),
        ),
        "wandb_summary": Entry(
            "reportgen.read.logs.wandb_summary:load_wandb_summary",
            "Weights & Biases summaries, one value a key",
            ("wandb-summary.json",),
        ),
        "config_yaml": Entry(
            "reportgen.read.logs.settings:load_config_yaml",
            "settings of a run, by Weights & Biases or Lightning's command line",
            ("config.yaml",),
        ),
        "mlflow_store": Entry(
            "reportgen.read.logs.mlflow_store:load_mlflow_store",
            "MLflow's file store, a folder a run",
            (
                f"{_MLFLOW_RUN}/metrics/*",
                f"{_MLFLOW_RUN}/params/*",
                f"{_MLFLOW_RUN}/tags/*",
                "meta.yaml",
            ),
        ),
        "mlflow_db": Entry(
            "reportgen.read.logs.mlflow_db:load_mlflow_db",
            "MLflow's SQLite store, every run in one file",
            ("mlflow.db", "mlruns.db"),
        ),
        "database": Entry(
            "reportgen.read.logs.stores:load_database",
            "databases of Trackio, Optuna and MLflow, a log a run",
            ("*.db", "*.sqlite", "*.sqlite3"),
        ),
    },
)

EVENT_READERS = Registry(
    "reader of event files",
    {
        "own": Entry("reportgen.read.logs.events:load_events", "many records at a time"),
        "loop": Entry("reportgen.read.logs.events:load_by_loop", "one record after another"),
        "tbparse": Entry(
            "reportgen.read.logs.events:load_through_tbparse", "through tbparse (an extra)"
        ),
    },
)
