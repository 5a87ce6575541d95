"""Evidence to facts: load, assemble, count, summarise."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from reportgen.api.options import BuildOptions, Notify, silent
from reportgen.errors import EvidenceError, UsageError
from reportgen.records.study import COMMAND_LINE, AdapterPlan, ModelPlan, Study

if TYPE_CHECKING:
    from reportgen.records.facts import AdapterFacts, Facts, ModelFacts
    from reportgen.records.run import Runs

Record = TypeVar("Record")
_SETTING_KEYS = {
    "title": "report.title",
    "ddof": "statistics.ddof",
    "metric": "metric.name",
    **{key: f"metric.{key}" for key in ("direction", "select_on", "report_on", "ties")},
}


def load(path: str | Path, *, study: str | Path | None = None) -> Runs:
    """Load every run below a folder, or of one log file.

    Args:
        path: Folder or file.
        study: Study file whose pattern, layout, split names and groups are applied.

    Raises:
        EvidenceError: There is no such path.

    Example:
        >>> runs = load("inputs/roberta-small-fr/logs/sentence_prediction")
        >>> len(runs), sorted(runs.groups())
        (6, ['RoBERTa_small_fr', 'RoBERTa_small_fr_random'])
    """
    plan = read_plan(Path(study) if study else None)
    return load_runs(Path(path), plan, silent)[0]


def read_plan(path: Path | None) -> Study:
    """Return the study of a file, or one that leaves everything to inference."""
    if path is None:
        return Study()
    from reportgen.studyfile.read import read_study

    # The report names the file, not its place on this machine.
    return replace(read_study(path), path=path.name)


def load_runs(root: Path, study: Study, notify: Notify) -> tuple[Runs, Study]:
    """Load a folder and fill in what the study leaves open.

    Raises:
        EvidenceError: There is no such folder.
    """
    from reportgen.layouts._assemble import assemble
    from reportgen.layouts._models import choose_models
    from reportgen.loaders._tree import load_tree

    def on_file(_name: str, done: int, total: int) -> None:
        notify("reading logs", done, total)

    tree = load_tree(root, on_file=on_file)
    # The folder's own name, not its place on this machine: the report says the same
    # wherever it is built, and tells nobody the names of home directories.
    runs, study = assemble(tree.logs, tree.files, study, root.absolute().name)
    runs = replace(runs, problems=tuple(dict.fromkeys((*tree.problems, *runs.problems))))
    return runs, choose_models(tree.files, study)


def analyse(options: BuildOptions, notify: Notify = silent) -> Facts:
    """Read all evidence and compute everything a report needs.

    Raises:
        EvidenceError: No runs were found, or a named file is missing.
    """
    from reportgen import __version__
    from reportgen.formats.pdf import engine_versions
    from reportgen.records.facts import Facts
    from reportgen.stats.compare import compare_groups
    from reportgen.stats.groups import summarise_groups

    declared = _with_settings(read_plan(options.study), options)
    root = _runs_root(options, declared)
    runs, study = load_runs(root, declared, notify)
    if not runs.runs:
        raise EvidenceError(
            f"no training logs under {root}: looked for TensorBoard event files, "
            "trainer_state.json, fairseq console logs and metrics.csv",
            remedy="point --runs at the folder that holds them; `reportgen inspect DIR` shows "
            "what is recognised",
        )
    notify("counting parameters", 0, 1)
    model, adapters = _count(declared, study, root, options)
    groups = summarise_groups(study, runs)
    problems = [*runs.all_problems(), *(model.problems if model else ())]
    problems += [fault for adapter in adapters for fault in adapter.lint]
    return Facts(
        study=study,
        runs=runs,
        groups=groups,
        comparisons=compare_groups(study, groups),
        model=model,
        adapters=adapters,
        problems=tuple(dict.fromkeys(problems)),
        environment={"reportgen": __version__} | _versions(engine_versions()),
    )


def _versions(engines: dict[str, str]) -> dict[str, str]:
    return {name: text.removeprefix(f"{name} ") for name, text in engines.items()}


def _runs_root(options: BuildOptions, study: Study) -> Path:
    if options.runs is not None:
        return options.runs
    if options.study is None:
        raise UsageError(
            "nothing to build from: neither a study file nor a folder with logs",
            remedy="reportgen build --runs DIR --out FILE, or reportgen build STUDY --out FILE",
        )
    return options.study.parent / (study.runs_path or ".")


def _with_settings(study: Study, options: BuildOptions) -> Study:
    """Let the command line win over the study file, and remember that it did."""
    given = dict(options.settings)
    stated = {_SETTING_KEYS[name]: COMMAND_LINE for name in given}
    if (title := given.pop("title", None)) is not None:
        study = replace(study, report=replace(study.report, title=str(title)))
    if (ddof := given.pop("ddof", None)) is not None:
        study = replace(study, statistics=replace(study.statistics, ddof=int(str(ddof))))
    metric = {"name" if key == "metric" else key: str(value) for key, value in given.items()}
    return replace(study, metric=replace(study.metric, **metric), stated={**study.stated, **stated})


def _count(
    declared: Study, study: Study, root: Path, options: BuildOptions
) -> tuple[ModelFacts | None, tuple[AdapterFacts, ...]]:
    """Count what the options name, else what the study declares, else what was found."""
    home = options.study.parent if options.study else root
    if options.checkpoint is not None:
        model = describe_model_at(
            ModelPlan(checkpoint=options.checkpoint.name), options.checkpoint.parent
        )
    elif study.model.config or study.model.checkpoint:
        model = describe_model_at(study.model, home if declared.model == study.model else root)
    else:
        model = None
    if options.adapter is not None:
        plan = AdapterPlan(config=options.adapter.name, base=str(options.base or ""))
        return model, (describe_adapter_at(plan, options.adapter.parent),)
    place = home if declared.adapters == study.adapters else root
    return model, tuple(describe_adapter_at(plan, place) for plan in study.adapters)


def describe_model_at(plan: ModelPlan, home: Path) -> ModelFacts:
    """Count a model and reconcile it with its checkpoint.

    Args:
        plan: Its files; a folder stands for the configuration and checkpoint in it.
        home: What the plan's paths are relative to.

    Raises:
        EvidenceError: A file is missing or cannot be read.
    """
    from reportgen.ledger import describe_model
    from reportgen.records.checkpoint import Checkpoint, ModelConfig

    config, checkpoint = _model_files(plan, home)
    return describe_model(
        plan.name,
        _read_as(ModelConfig, "a model's config.json", home, config) if config else None,
        _read_as(Checkpoint, "a checkpoint", home, checkpoint) if checkpoint else None,
    )


def _read_as(kind: type[Record], what: str, home: Path, name: str) -> Record:
    """Read a file and insist on what it holds."""
    from reportgen.checkpoints._read import read_evidence

    found = read_evidence(home / name, name)
    if not isinstance(found, kind):
        raise EvidenceError(
            f"{name} is not {what}: it holds {type(found).__name__}",
            remedy="check --checkpoint, --adapter and --base, or the study file",
        )
    return found


def _model_files(plan: ModelPlan, home: Path) -> tuple[str, str]:
    """Return the configuration and the checkpoint that a plan means, relative to `home`."""
    from reportgen.layouts._models import CHECKPOINT_NAMES

    named = home / plan.checkpoint
    if plan.checkpoint and named.is_dir():
        found = (n for n in CHECKPOINT_NAMES if (named / n).is_file())
        checkpoint = next((f"{plan.checkpoint}/{n}" for n in found), "")
        beside = named / "config.json"
    elif named.name == "config.json":
        checkpoint, beside = "", named
    else:
        checkpoint, beside = plan.checkpoint, named.parent / "config.json"
    config = plan.config or (beside.relative_to(home).as_posix() if beside.is_file() else "")
    if not config and not checkpoint:
        raise EvidenceError(
            f"{named} holds neither config.json nor a checkpoint",
            remedy=f"name a file, or a folder with config.json or {', '.join(CHECKPOINT_NAMES)}",
        )
    return config, checkpoint


def describe_adapter_at(plan: AdapterPlan, home: Path) -> AdapterFacts:
    """Count an adapter beside its base model.

    Args:
        plan: Its files; a folder stands for the adapter_config.json in it.
        home: What the plan's paths are relative to.

    Raises:
        EvidenceError: A file is missing or cannot be read.
    """
    from reportgen.checkpoints.adapter import read_adapter_tensors
    from reportgen.ledger import describe_adapter
    from reportgen.records.checkpoint import AdapterConfig

    name = plan.config
    if (home / name).is_dir():
        name = f"{name}/adapter_config.json"
    base = describe_model_at(ModelPlan(checkpoint=plan.base), home) if plan.base else None
    config = _read_as(AdapterConfig, "an adapter_config.json", home, name)
    return describe_adapter(plan.name, config, base, read_adapter_tensors(home / name, name))
