"""Files that training writes, one loader a kind; nothing is imported before it is needed.

A loader takes a file and its POSIX path relative to the root, as it is reported, and returns logs;
none where the file is of another program.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportgen.records.registry import Registry, lazy_names

_MLFLOW_RUN = "[0-9a-f]" * 32
_OF_MLFLOW = " ".join(f"{_MLFLOW_RUN}/{part}/*" for part in ("metrics", "params", "tags"))

LOADERS = Registry(
    "loader",
    __name__,
    f"""
tfevents events:load_events TensorBoard event files | *tfevents*
trainer_state rows:load_trainer_state Hugging Face Trainer state | trainer_state.json
hf_results rows:load_hf_results Hugging Face Trainer results, one value a metric | all_results.json
  eval_results.json test_results.json predict_results.json train_results.json
training_args settings:load_training_args Hugging Face Trainer settings, read without unpickling
  them | training_args.bin
console console:load_console what programs print, also as saved in a notebook | *.log *.out *.err
  *.txt stdout* log-train-* *.ipynb
fairseq_log console:load_fairseq_log fairseq console logs, one log a run
settings settings:load_settings settings of Hydra, Ray, Sacred, Stable-Baselines3's zoo and scripts
  | args.yml args.yaml args.json opt.yaml hyp.yaml config.json .hydra/config.yaml
  .hydra/overrides.yaml params.json run.json
arrays stores:load_arrays Stable-Baselines3's evaluations.npz | evaluations.npz
metrics_csv rows:load_metrics_csv Lightning's metrics.csv and any CSV with a step or epoch column |
  *.csv *.tsv
json_lines rows:load_json_lines JSON lines or arrays of objects with a step or an epoch in each |
  *.jsonl *.ndjson *log.json *logs.json *histor*.json *metrics*.json *results*.json
  *ablation*.json *comparison*.json *scores*.json *statistics*.json *stats*.json *loss*.json
  *curve*.json progress.json result.json eval*.json test*.json final*.json best*.json
  vis_data/*.json scalars.json
hparams_yaml settings:load_hparams_yaml Lightning's hparams.yaml | hparams.yaml
wandb_run wandb_run:load_wandb_run Weights & Biases runs on disk | *.wandb
wandb_summary wandb_run:load_wandb_summary Weights & Biases summaries, one value a key |
  wandb-summary.json
config_yaml settings:load_config_yaml settings of a run, by Weights & Biases, Lightning's command
  line or a script | config.yaml
mlflow_store stores:load_mlflow_store MLflow's file store, a folder a run | {_OF_MLFLOW} meta.yaml
mlflow_db stores:load_mlflow_db MLflow's SQLite store, every run in one file | mlflow.db mlruns.db
database stores:load_database databases of Trackio, Optuna and MLflow, a log a run | *.db *.sqlite
  *.sqlite3
""",
)

EVENT_READERS = Registry(
    "reader of event files",
    __name__,
    """
own events:load_events many records at a time
loop events:load_by_loop one record after another
tbparse events:load_through_tbparse through tbparse (an extra)
""",
)

# What other packages use, imported when it is first asked for.
if TYPE_CHECKING:
    from reportgen.read.logs.columns import plan_of
    from reportgen.read.logs.console import UNHEARD
    from reportgen.read.logs.cut import Sheet, delimiter_of
    from reportgen.read.logs.events import forget_unused
    from reportgen.read.logs.files import (
        TEXT_LIMIT,
        UNREAD,
        FileReader,
        digest_of,
        parse_json,
        parse_yaml,
        read_json,
        read_text,
    )
    from reportgen.read.logs.one_file import (
        STORED_KIND,
        LogFile,
        Reading,
        chunks_of,
        count_chunks,
        read_chunk,
    )
    from reportgen.read.logs.pattern import SECONDS, check_pattern, come_to_an_end, may_be_slow
    from reportgen.read.logs.settings import load_training_args
    from reportgen.read.logs.sources import LogSource
    from reportgen.read.logs.tree import (
        NAMED,
        FoundTree,
        LoadedTree,
        find_tree,
        load_tree,
        read_tree,
    )
    from reportgen.read.logs.walk import (
        ENTERED,
        FOLDER,
        HIDDEN_KINDS,
        SKIPPED_FOLDERS,
        TOOL_FOLDERS,
        find_files,
        loader_of,
        unreadable,
    )
    from reportgen.read.logs.wire import read_fields, read_varint, signed

__getattr__ = lazy_names(__name__)
