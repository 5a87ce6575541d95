"""Configurations, checkpoints and adapters to counted facts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, TypeVar

from reportgen.app.reading import is_there, real
from reportgen.records.errors import EvidenceError, UsageError
from reportgen.records.record import record, replace
from reportgen.records.source import Problem, natural_key
from reportgen.records.study import AdapterPlan, ModelPlan, Study

if TYPE_CHECKING:
    from reportgen.app.options import BuildOptions
    from reportgen.records.checkpoint import AdapterConfig, TensorSpec
    from reportgen.records.facts import AdapterFacts, ModelFacts


Record = TypeVar("Record")


@record
class Counted:
    """What was counted of models and adapters.

    Attributes:
        model: None where there is none, or none that can be read.
        adapters: Those that can be read.
        problems: Of both, and of what was found and cannot be read.
    """

    model: ModelFacts | None
    adapters: tuple[AdapterFacts, ...]
    problems: tuple[Problem, ...]


def count_named(
    declared: Study, study: Study, root: Path, options: BuildOptions, files: Sequence[str] = ()
) -> Counted:
    """Count what the options name, else what the study declares, else what was found.

    What nobody named and cannot be read is a problem; the report goes without it.

    Args:
        declared: The study as it was read.
        study: The same with what was found below the root filled in.
        root: Folder with the logs.
        options: The command line.
        files: Paths below the root of every file of use.

    Raises:
        EvidenceError: A named file is missing or cannot be read.
        UsageError: A base model is named, but no adapter that it could be the base of.
    """
    home = options.study.parent if options.study else root
    problems: list[Problem] = []
    model = None
    if options.checkpoint is not None:
        folder, name = _split(options.checkpoint)
        model = describe_model_at(ModelPlan(checkpoint=name), folder)
    elif study.model.config or study.model.checkpoint:
        named = declared.model == study.model
        with _said(study.model.config or study.model.checkpoint, problems, named=named):
            model = describe_model_at(study.model, home if named else root)
    if options.adapter is not None:
        folder, name = _split(options.adapter)
        plans: tuple[AdapterPlan, ...] = (AdapterPlan(config=name),)
    else:
        folder = home if declared.adapters == study.adapters else root
        plans = study.adapters
    if options.base is not None and not plans:
        raise UsageError(
            f"--base {options.base} is given, but no adapter",
            remedy="name the adapter with --adapter, or leave --base out",
        )
    adapters: list[AdapterFacts] = []
    named = options.adapter is not None or declared.adapters == study.adapters
    places = {} if named else equal_adapters(root, files)
    for plan in plans:
        with _said(plan.config, problems, named=named or options.base is not None):
            facts = describe_adapter_at(plan, folder, base=options.base)
            adapters.append(replace(facts, places=places.get(plan.config, ())))
    problems += model.problems if model else ()
    problems += (fault for adapter in adapters for fault in adapter.lint)
    return Counted(model=model, adapters=tuple(adapters), problems=tuple(problems))


@contextmanager
def _said(path: str, problems: list[Problem], *, named: bool) -> Iterator[None]:
    """Make a problem of what is wrong with a file that nobody named."""
    try:
        yield
    except EvidenceError as fault:
        if named:
            raise
        rest = fault.message.removeprefix(path).lstrip(": ")
        message = f"line {rest}" if rest[:1].isdigit() else rest
        problems.append(Problem(path=path, message=message, remedy=fault.remedy))


def _split(path: Path) -> tuple[Path, str]:
    """Return folder and name of a path, also of `.` and `..`."""
    whole = path if path.name not in {"", ".."} else real(path)
    return whole.parent, whole.name


def describe_model_at(plan: ModelPlan, home: Path) -> ModelFacts:
    """Count a model and reconcile it with its checkpoint.

    Args:
        plan: Its files; a folder stands for the configuration and checkpoint in it.
        home: What the plan's paths are relative to.

    Raises:
        EvidenceError: A file is missing or cannot be read.
    """
    from reportgen.parameters import describe_model
    from reportgen.records.checkpoint import Checkpoint, ModelConfig

    config, checkpoint = _model_files(plan, home)
    return describe_model(
        plan.name,
        _read_as(ModelConfig, "a model's config.json", home, config) if config else None,
        _read_as(Checkpoint, "a checkpoint", home, checkpoint) if checkpoint else None,
        _built_shapes,
    )


def _built_shapes(values: Mapping[str, object]) -> Sequence[TensorSpec]:
    """Return a model's tensors as the installed library builds it."""
    from reportgen.train import build_shapes

    return build_shapes(values)


def _read_as(kind: type[Record], what: str, home: Path, name: str) -> Record:
    """Read a file and insist on what it holds."""
    from reportgen.read.weights import read_evidence

    if not is_there(home / name):
        raise EvidenceError(f"no such file: {home / name}", remedy=f"name {what} that is there")
    found = read_evidence(home / name, name)
    if not isinstance(found, kind):
        raise EvidenceError(
            f"{home / name} is not {what}: it holds {type(found).__name__}",
            remedy="check --checkpoint, --adapter and --base, or the study file",
        )
    return found


def _model_files(plan: ModelPlan, home: Path) -> tuple[str, str]:
    """Return the configuration and the checkpoint that a plan means, relative to `home`."""
    from reportgen.records.source import CHECKPOINT_NAMES

    named = PurePosixPath(plan.checkpoint)
    if plan.checkpoint and (home / named).is_dir():
        folder = named
        inside = (folder / name for name in CHECKPOINT_NAMES)
        checkpoint = next((str(path) for path in inside if (home / path).is_file()), "")
    else:
        folder = named.parent
        checkpoint = plan.checkpoint
    beside = folder / "config.json"
    if checkpoint and _is_config(home, checkpoint):
        checkpoint, beside = "", PurePosixPath(checkpoint)
    config = plan.config or (str(beside) if (home / beside).is_file() else "")
    if not config and not checkpoint:
        raise EvidenceError(
            f"{home / named} holds neither config.json nor a checkpoint",
            remedy=f"name a file, or a folder with config.json or {', '.join(CHECKPOINT_NAMES)}",
        )
    return config, checkpoint


def _is_config(home: Path, name: str) -> bool:
    """Return whether a file is a model's configuration, whatever its name."""
    from reportgen.read.weights import kind_of

    path = home / name
    return name.endswith(".json") and path.is_file() and kind_of(path, name) == "config_json"


def describe_adapter_at(plan: AdapterPlan, home: Path, *, base: Path | None = None) -> AdapterFacts:
    """Count an adapter beside its base model.

    Args:
        plan: Its files; a folder stands for the adapter_config.json in it.
        home: What the plan's paths are relative to.
        base: The base model's file or folder; wins over the plan's.

    Raises:
        EvidenceError: A file is missing or cannot be read.
    """
    from reportgen.parameters import describe_adapter
    from reportgen.read.weights import read_adapter_tensors
    from reportgen.records.checkpoint import AdapterConfig

    name = plan.config
    if (home / name).is_dir():
        name = f"{name}/adapter_config.json"
    model = None
    if base is not None:
        folder, file = _split(base)
        model = describe_model_at(ModelPlan(checkpoint=file), folder)
    elif plan.base:
        model = describe_model_at(ModelPlan(checkpoint=plan.base), home)
    config = _read_as(AdapterConfig, "an adapter_config.json", home, name)
    if model is not None:
        check_expressions(config, model)
    return describe_adapter(plan.name, config, model, read_adapter_tensors(home / name, name))


CONFIG = "adapter_config.json"
LARGEST = 1 << 22
"""Bytes of a configuration that is compared with others."""
Places = Mapping[str, tuple[str, ...]]


def equal_adapters(root: Path, files: Iterable[str]) -> Places:
    """Return each distinct adapter with every place of its configuration, in natural order.

    Two are one where they say the same, and so do the configurations of their base models. The
    one nearest to the root stands for all.

    Args:
        root: Folder with the logs.
        files: POSIX paths below it of every file of use.
    """
    from reportgen.runs import nearest_config

    paths = sorted(map(PurePosixPath, files), key=lambda path: natural_key(str(path)))
    configs = [path for path in paths if path.name == "config.json"]
    said: dict[str, object] = {}
    alike: dict[object, list[str]] = {}
    for path in (path for path in paths if path.name == CONFIG):
        base = nearest_config(path, configs)
        if base not in said:
            said[base] = _saying(root, base) if base else ""
        alike.setdefault((_saying(root, str(path)), said[base]), []).append(str(path))
    found = {min(same, key=lambda name: name.count("/")): tuple(same) for same in alike.values()}
    return dict(sorted(found.items(), key=lambda item: natural_key(item[0])))


def _saying(root: Path, name: str) -> object:
    """Return what a file of JSON says, whatever the order of its keys; its name if nothing."""
    path = root / name if root.is_dir() else root
    try:
        if path.stat().st_size <= LARGEST:
            return json.dumps(_in_order(json.loads(path.read_bytes())), sort_keys=True)
    except (OSError, ValueError, RecursionError):
        pass
    return (name,)


def _in_order(value: object) -> object:
    """Return a value with its lists of names sorted: PEFT writes sets in any order."""
    if isinstance(value, dict):
        return {key: _in_order(item) for key, item in value.items()}
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return sorted(value)
    return value


def once(files: Sequence[str], places: Places) -> list[str]:
    """Return the files with one configuration of each adapter, in natural order."""
    left = [name for name in files if PurePosixPath(name).name != CONFIG]
    return [*left, *places]


# How each key's expressions are set against the name of a module.
WHOLE = {
    "target_modules": r"\A(?:{})\Z",
    "exclude_modules": r"\A(?:{})\Z",
    "feedforward_modules": r"\A(?:{})\Z",
    "modules_to_save": r"\A(?:^|.*\.){}($|\..*)",
    "layers_pattern": r"\A(?:^|.*?\.){}\.\d+\.",
    "rank_pattern": r"\A(?:.*\.)?({})$",
    "alpha_pattern": r"\A(?:.*\.)?({})$",
}
# Where a list holds names, and a text alone is an expression.
PLAIN_IN_LISTS = frozenset({"target_modules", "exclude_modules", "feedforward_modules"})


def check_expressions(adapter: AdapterConfig, base: ModelFacts) -> None:
    """Refuse expressions that do not come to an end on the names of the base's modules.

    Args:
        adapter: The configuration.
        base: Its base model.

    Raises:
        EvidenceError: They take longer than five seconds.
    """
    from reportgen.read.logs import SECONDS, come_to_an_end, may_be_slow

    slow = {key: each for key, each in expressions(adapter) if may_be_slow(each)}
    if not slow:
        return
    patterns = [WHOLE[key].format(each) for key, each in expressions(adapter) if may_be_slow(each)]
    if not come_to_an_end(patterns, names_below(adapter, base)):
        raise EvidenceError(
            f"{', '.join(slow)} in {adapter.source.path} does not come to an end within "
            f"{SECONDS:g} s on the modules of the base model",
            remedy="write the names as a list, or without a repetition inside a repetition",
        )


def expressions(adapter: AdapterConfig) -> Iterator[tuple[str, str]]:
    """Yield key and text of every expression in a configuration."""
    for key in WHOLE:
        value = adapter.values.get(key)
        if isinstance(value, str):
            yield key, value
        elif isinstance(value, list | Mapping) and key not in PLAIN_IN_LISTS:
            yield from ((key, str(each)) for each in value)


def names_below(adapter: AdapterConfig, base: ModelFacts) -> set[str]:
    """Return the names of the base's modules and of their parents."""
    from reportgen.parameters import modules_below
    from reportgen.parameters.adapters import branches

    try:
        modules = modules_below(base, str(adapter.values.get("task_type") or ""))
    except EvidenceError:  # without modules nothing is evaluated, and that is said there
        return set()
    return {branch for module in modules for branch in branches(module.name)}
