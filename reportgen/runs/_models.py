"""Choose the model, its checkpoint and the adapters among the files beside the logs.

Only names are looked at: what the files hold is read later, at the edge.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from types import MappingProxyType

from reportgen.languages import message
from reportgen.records.record import replace
from reportgen.records.source import CHECKPOINT_NAMES
from reportgen.records.study import AdapterPlan, Decision, ModelPlan, Study
from reportgen.runs._layout import decided

_CHECKPOINT = re.compile("checkpoint[-_]")


def choose_models(
    files: Iterable[str],
    study: Study,
    run_ids: Iterable[str] = (),
    places: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> Study:
    """Fill in the model and the adapters that a study does not name.

    An adapter's base is the `config.json` nearest to it; the model is the first remaining
    `config.json` with a checkpoint beside it, else the first remaining one that is not
    inside a run's checkpoint folder.

    Args:
        files: POSIX paths relative to the folder with the logs.
        study: Its paths win over what is found.
        run_ids: Folders of the runs; of several, none's own model stands for all.
        places: Where else each adapter's configuration lies, the same.
    """
    paths = [PurePosixPath(name) for name in files]
    adapters = [p for p in paths if p.name == "adapter_config.json"]
    configs = [p for p in paths if p.name == "config.json"]
    decisions: list[Decision] = []
    plans = study.adapters
    if not plans:
        plans = tuple(
            AdapterPlan(config=str(path), base=nearest_config(path, configs)) for path in adapters
        )
        for plan in plans:
            n = len(places.get(plan.config, ()))
            several = message("found beside the logs, the same in {n} places", n=n)
            reason = several if n > 1 else message("found beside the logs")
            decisions.append(_told("adapter.config", plan.config, reason))
    bases = {plan.base for plan in plans}
    model = study.model
    if not model.config and not model.checkpoint:
        left = [p for p in configs if str(p) not in bases]
        left = [p for p in left if not any(map(_CHECKPOINT.match, p.parts))]
        names = tuple(run_ids)
        folders = {name.partition("#")[0] for name in names} - {"", "."}
        inside = [p for p in left if any(p.is_relative_to(folder) for folder in folders)]
        if len(folders) > 1 and inside:
            left = [p for p in left if p not in inside]
            if not left:
                decisions.append(_of_runs(inside))
        model, others = _model(left, paths)
        if model.config:
            reason = message("found beside the logs")
            if model.checkpoint:
                reason = message("a checkpoint lies beside it")
            # Equal ones of all runs are no question; that they are is why no run is named.
            decisions.append(_told("model.config", model.config, reason, others, bool(names)))
    return replace(study, model=model, adapters=plans, decisions=(*study.decisions, *decisions))


def _of_runs(configs: list[PurePosixPath]) -> Decision:
    names = tuple(map(str, configs))
    reason = message(
        "only runs have a config.json of their own ({names}), and none stands for all; name one as "
        "model.config to count its parameters",
        names=", ".join(names[:5]),
    )
    return decided("model.config", "", reason, names)


def nearest_config(path: PurePosixPath, configs: Iterable[PurePosixPath]) -> str:
    """Return the `config.json` nearest to an adapter, its base's; empty where there is none."""
    folder = path.parent
    near = [c for c in configs if c.is_relative_to(folder) or folder.is_relative_to(c.parent)]
    found = min(
        near, key=lambda c: (not c.is_relative_to(folder), len(c.parts), str(c)), default=""
    )
    return str(found)


def _model(
    configs: list[PurePosixPath], files: list[PurePosixPath]
) -> tuple[ModelPlan, tuple[str, ...]]:
    def checkpoint(config: PurePosixPath) -> str:
        beside = {p.name: str(p) for p in files if p.parent == config.parent}
        return next((beside[name] for name in CHECKPOINT_NAMES if name in beside), "")

    ordered = sorted(configs, key=lambda c: (not checkpoint(c), len(c.parts), str(c)))
    if not ordered:
        return ModelPlan(), ()
    plan = ModelPlan(config=str(ordered[0]), checkpoint=checkpoint(ordered[0]))
    return plan, tuple(str(config) for config in ordered[1:])


def _told(
    key: str, value: str, reason: str, others: tuple[str, ...] = (), open_: bool = False
) -> Decision:
    answers = [f'"{other}"' for other in others]
    return decided(key, f'"{value}"', reason, answers, asks=open_ and bool(others))
