"""MLflow: a folder a run, or a database of runs, named by ids of 32 digits."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from reportgen.records.run import Log
from reportgen.runs._layout import Draft, Layout, Names, Place, leaf, parent
from reportgen.runs._names import split_tag

_KINDS = ("mlflow_store", "mlflow_db")
_ID = re.compile(r"[0-9a-f]{32}")
_SYSTEM = "system/"


def recognise(logs: Sequence[Log]) -> Sequence[Log]:
    """Take what the loaders of MLflow's stores have read."""
    return [log for log in logs if log.source.kind in _KINDS]


def place(log: Log) -> Place:
    """Return the run's folder, or the database and the run's id in it."""
    if log.run_key:
        stem = log.source.path.rpartition(".")[0] or log.source.path
        return Place(run=f"{stem}/{log.run_key}")
    parts = parent(log.source.path).split("/")
    depth = next((i for i, part in enumerate(parts, start=1) if _ID.fullmatch(part)), len(parts))
    return Place(run="/".join(parts[:depth]))


def label(_folder: str, tag: str, names: Names) -> tuple[str, str]:
    """Read the split off the tag; what MLflow measures of the machine is no metric."""
    return ("", "") if tag.startswith(_SYSTEM) else split_tag(tag, names)


def settle(drafts: list[Draft], logs: Sequence[Log]) -> list[Draft]:
    """Name runs as MLflow does: by experiment, by the run above, and by their own name.

    A run that was deleted there is in no folder's way, but counts no more.
    """
    about: dict[str, dict[str, str]] = {}
    for log in logs:
        about.setdefault(place(log).run, {}).update(log.texts)
    by_id = {leaf(folder): texts for folder, texts in about.items()}
    for draft in drafts:
        above = about.get(parent(draft.place), {}).get("mlflow/experiment", "")
        draft.name = _name_of(about.get(draft.place, {}), above, by_id)
    return [d for d in drafts if about.get(d.place, {}).get("mlflow/stage") != "deleted"]


def _name_of(texts: Mapping[str, str], above: str, by_id: Mapping[str, Mapping[str, str]]) -> str:
    """Return a name as a path, empty where the run has none."""
    own = _own_name(texts)
    if not own:
        return ""
    over = by_id.get(texts.get("mlflow/mlflow.parentRunId", ""), {})
    parts = (texts.get("mlflow/experiment") or above, _own_name(over), own)
    return "/".join(part for part in parts if part)


def _own_name(texts: Mapping[str, str]) -> str:
    return texts.get("mlflow/mlflow.runName") or texts.get("mlflow/run_name", "")


LAYOUT = Layout(name="mlflow", recognise=recognise, place=place, label=label, settle=settle)
