"""The table of sources: which files hold rows, how they are cut, and what their columns are.

A further source is a row here, a sample and a row of its test, and a line in the docs. Other
packages add theirs by the entry point group `reportgen.sources`: an object `LogSource`, or
several in a tuple.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache

ENTRY_POINTS = "reportgen.sources"


@dataclass(frozen=True, slots=True, kw_only=True)
class LogSource:
    """A kind of file with rows.

    Attributes:
        name: What it is called.
        about: One line for the reference.
        kind: Which loader opens it.
        cut: How it is cut into rows: a name of the table of cutters of that loader.
        match: Patterns of its path; empty fits every file of the loader.
        look: Columns or keys that it holds, or words that stand on a console, each of them.
        program: Program that writes it, empty where many do.
        under: Key that holds its rows, or its numbers.
        step: Columns of the step that go before those of other names.
        dropped: Beginnings of columns that hold no points.
        settings: Keys whose content is settings.
        trained: Keys of which rows of training have one, and those of validation have none.
        tags: Column to tag, where they differ; on a console, label of a line to split.
        queries: Of a database, its queries: points, settings.
    """

    name: str
    about: str
    kind: str
    cut: str
    match: tuple[str, ...] = ()
    look: tuple[str, ...] = ()
    program: str = ""
    under: str = ""
    step: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    trained: tuple[str, ...] = ()
    tags: Mapping[str, str] = field(default_factory=dict)
    queries: Mapping[str, str] = field(default_factory=dict)

    def fits(self, path: str) -> bool:
        """Tell whether a file may be of this kind by its path."""
        return not self.match or any(fnmatchcase(f"/{path}", f"*/{one}") for one in self.match)


_CSV = (
    LogSource(
        name="monitor",
        about="Stable-Baselines3's monitor.csv, a row an episode",
        kind="metrics_csv",
        cut="episodes",
        match=("*monitor.csv",),
        look=("r", "l", "t"),
        program="stable-baselines3",
        tags={"r": "reward", "l": "episode_length", "t": ""},
    ),
    LogSource(
        name="panel",
        about="a panel exported from Weights & Biases, a column a run",
        kind="metrics_csv",
        cut="panel",
        look=("*__MIN", "*__MAX"),
        program="wandb",
    ),
    LogSource(
        name="downloaded",
        about="a curve downloaded from TensorBoard",
        kind="metrics_csv",
        cut="downloaded",
        look=("Wall time", "Step", "Value"),
    ),
    LogSource(
        name="dvclive_plot",
        about="DVCLive's plots, a file a metric",
        kind="metrics_csv",
        cut="plot",
        match=("plots/metrics/*.tsv",),
        look=("step",),
        program="dvclive",
    ),
    LogSource(
        name="lightning",
        about="Lightning's metrics.csv",
        kind="metrics_csv",
        cut="rows",
        match=("metrics.csv",),
        look=("epoch", "step"),
        program="lightning",
    ),
    LogSource(
        name="rllib",
        about="Ray's progress.csv",
        kind="metrics_csv",
        cut="rows",
        match=("progress.csv",),
        look=("training_iteration", "trial_id"),
        program="ray",
        step=("num_env_steps_sampled_lifetime", "timesteps_total", "training_iteration"),
        dropped=("config/", "date", "timestamp", "pid", "time_", "timers/"),
    ),
    LogSource(
        name="ultralytics",
        about="Ultralytics' results.csv",
        kind="metrics_csv",
        cut="rows",
        look=("epoch", "train/box_loss"),
        program="ultralytics",
    ),
    LogSource(
        name="csv",
        about="any CSV with a step or epoch column, or whose rows are the epochs of a history",
        kind="metrics_csv",
        cut="rows",
    ),
)

_JSON = (
    LogSource(
        name="trainer_state",
        about="Hugging Face Trainer state",
        kind="trainer_state",
        cut="records",
        under="log_history",
        program="transformers",
    ),
    LogSource(
        name="hf_results",
        about="Hugging Face Trainer results, one value a metric",
        kind="hf_results",
        cut="numbers",
        program="transformers",
    ),
    LogSource(
        name="harness",
        about="lm-evaluation-harness, a value a task and metric",
        kind="json_lines",
        cut="numbers",
        look=("results", "versions"),
        under="results",
        settings=("config",),
        program="lm-evaluation-harness",
    ),
    LogSource(
        name="sacred",
        about="Sacred's metrics.json: steps, values and times of each metric",
        kind="json_lines",
        cut="curves",
        program="sacred",
    ),
    LogSource(
        name="history",
        about="Keras' history as JSON, a list a metric",
        kind="json_lines",
        cut="columns",
    ),
    LogSource(
        name="records",
        about="JSON with a list of rows under one of its keys",
        kind="json_lines",
        cut="records",
    ),
    LogSource(
        name="object",
        about="one object of numbers in JSON, such as metrics.json or results.json",
        kind="json_lines",
        cut="numbers",
        match=("*metrics*.json", "*results*.json", "*scores*.json", "eval*.json", "test*.json"),
    ),
)

_JSON_ROWS = (
    LogSource(
        name="rllib_result",
        about="Ray's result.json",
        kind="json_lines",
        cut="rows",
        match=("result.json",),
        look=("training_iteration", "trial_id"),
        program="ray",
        step=("num_env_steps_sampled_lifetime", "timesteps_total", "training_iteration"),
        dropped=("hist_stats", "date", "timestamp", "pid", "time_", "timers", "config"),
        settings=("config",),
    ),
    LogSource(
        name="mmengine",
        about="MMEngine's scalars.json, where validation counts epochs",
        kind="json_lines",
        cut="rows",
        match=("vis_data/*.json",),
        look=("step",),
        program="mmengine",
        step=("step",),
        dropped=("iter",),
        trained=("iter", "epoch"),
    ),
    LogSource(
        name="mmcv",
        about="MMCV's *.log.json",
        kind="json_lines",
        cut="rows",
        match=("*.log.json",),
        look=("mode", "iter", "epoch"),
        program="mmcv",
    ),
    LogSource(
        name="detectron2",
        about="Detectron2's metrics.json",
        kind="json_lines",
        cut="rows",
        match=("metrics.json",),
        look=("iteration", "total_loss"),
        program="detectron2",
    ),
    LogSource(
        name="llamafactory",
        about="LLaMA-Factory's trainer_log.jsonl",
        kind="json_lines",
        cut="rows",
        look=("current_steps", "total_steps"),
        program="llamafactory",
        step=("current_steps",),
        dropped=("total_steps", "percentage"),
    ),
    LogSource(
        name="json_lines",
        about="JSON lines, or a list of objects, with a step or an epoch in each",
        kind="json_lines",
        cut="rows",
    ),
)

_TEXTS = (
    LogSource(
        name="text_results",
        about="one number a line in a text, such as eval_results.txt",
        kind="text",
        cut="numbers",
        match=("*metrics*.txt", "*results*.txt", "*scores*.txt", "*summary*.txt", "eval*.txt"),
    ),
)

_CONSOLES = (
    LogSource(
        name="transformers",
        about="dictionaries that the Hugging Face Trainer prints",
        kind="console",
        cut="dicts",
        look=("'epoch': ",),
        program="transformers",
        dropped=("train_",),
    ),
    LogSource(
        name="notebook_progress",
        about="the table that the Hugging Face Trainer shows in a notebook",
        kind="console",
        cut="dicts",
        look=("NotebookProgressCallback: ",),
        program="transformers",
    ),
    LogSource(
        name="fastprogress",
        about="the table that fastai shows in a notebook",
        kind="console",
        cut="dicts",
        look=("fastprogress: ",),
        program="fastai",
    ),
    LogSource(
        name="nanogpt",
        about="nanoGPT's console",
        kind="console",
        cut="lines",
        look=(
            "step ",
            ": train loss ",
        ),
        program="nanogpt",
    ),
    LogSource(
        name="nnunet",
        about="nnU-Net's training_log_*.txt",
        kind="console",
        cut="lines",
        look=("Pseudo dice ",),
        program="nnunet",
    ),
    LogSource(
        name="nnunet_1",
        about="the same of its first version",
        kind="console",
        cut="lines",
        look=("Average global foreground Dice: ",),
        program="nnunet",
    ),
    LogSource(
        name="paddle",
        about="the console of PaddleOCR and its kin",
        kind="console",
        cut="lines",
        look=("global_step: ",),
        program="paddle",
        tags={"cur metric": "eval"},
    ),
    LogSource(
        name="torchtune",
        about="torchtune's log on disk",
        kind="console",
        cut="lines",
        look=(
            "Step ",
            " | loss:",
        ),
        program="torchtune",
    ),
    LogSource(
        name="espnet",
        about="ESPnet's results of an epoch",
        kind="console",
        cut="lines",
        look=("epoch results: ",),
        program="espnet",
    ),
    LogSource(
        name="keras",
        about="the progress bars of Keras",
        kind="console",
        cut="lines",
        look=(
            "Epoch 1/",
            " - loss: ",
        ),
        program="keras",
    ),
    LogSource(
        name="printed",
        about="lines of names and numbers, beside a step or an epoch that goes on",
        kind="console",
        cut="lines",
    ),
)

_STORES = (
    LogSource(
        name="evaluations",
        about="Stable-Baselines3's evaluations.npz: mean and length of test episodes",
        kind="arrays",
        cut="evaluations",
        look=("timesteps", "results"),
        program="stable-baselines3",
        tags={
            "results": "eval/mean_reward",
            "ep_lengths": "eval/mean_ep_length",
            "successes": "eval/success_rate",
        },
    ),
    LogSource(
        name="trackio",
        about="Trackio's database, a run a name",
        kind="database",
        cut="json",
        look=("metrics",),
        program="trackio",
        queries={
            "points": "SELECT run_name, step, timestamp, metrics FROM metrics",
            "settings": "SELECT run_name, config FROM configs",
        },
    ),
    LogSource(
        name="optuna",
        about="Optuna's database, a run a trial",
        kind="database",
        cut="values",
        look=("trial_intermediate_values", "trials"),
        program="optuna",
        queries={
            "points": "SELECT 'trial' || number, step, NULL, 'value', intermediate_value"
            " FROM trial_intermediate_values JOIN trials USING (trial_id)",
            "settings": "SELECT 'trial' || number, param_name, param_value, distribution_json"
            " FROM trial_params JOIN trials USING (trial_id)",
            "results": "SELECT 'trial' || number, 'value', value"
            " FROM trial_values JOIN trials USING (trial_id)",
        },
    ),
)

_SETTINGS = (
    LogSource(
        name="sb3_zoo",
        about="the arguments of Stable-Baselines3's zoo",
        kind="settings",
        cut="pairs",
        match=("args.yml",),
        program="stable-baselines3",
    ),
    LogSource(
        name="hydra_overrides",
        about="what Hydra was asked for",
        kind="settings",
        cut="overrides",
        match=(".hydra/overrides.yaml",),
        program="hydra",
    ),
    LogSource(
        name="hydra",
        about="Hydra's settings of a run",
        kind="settings",
        cut="pairs",
        match=(".hydra/config.yaml",),
        program="hydra",
    ),
    LogSource(
        name="ray_params",
        about="Ray's settings of a trial",
        kind="settings",
        cut="pairs",
        match=("params.json",),
        program="ray",
    ),
    LogSource(
        name="sacred_run",
        about="Sacred's run.json, beside its config.json",
        kind="settings",
        cut="sacred",
        match=("run.json",),
        look=("experiment", "start_time"),
        program="sacred",
    ),
    LogSource(
        name="arguments",
        about="the settings that a script writes beside its logs",
        kind="settings",
        cut="arguments",
        match=("args.json", "config.json"),
    ),
)

SOURCES = (*_CSV, *_JSON, *_JSON_ROWS, *_TEXTS, *_CONSOLES, *_STORES, *_SETTINGS)


@cache
def all_sources() -> tuple[LogSource, ...]:
    """Return the sources of this package, and those that others bring."""
    from importlib.metadata import entry_points

    found: list[LogSource] = []
    for entry in entry_points(group=ENTRY_POINTS):
        brought = entry.load()
        found.extend(brought if isinstance(brought, tuple) else (brought,))
    return (*found, *SOURCES)


def sources_of(kind: str, cut: str = "", path: str = "") -> tuple[LogSource, ...]:
    """Return the sources of a loader that a file may be of, in order."""
    return tuple(
        one
        for one in all_sources()
        if one.kind == kind and cut in {"", one.cut} and (not path or one.fits(path))
    )
