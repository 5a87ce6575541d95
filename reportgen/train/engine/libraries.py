"""The libraries that train: kept quiet, their faults told, and shapes as they build them."""

from __future__ import annotations

import contextlib
import io
import json
import pickle
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from reportgen.records.checkpoint import TensorSpec
from reportgen.records.errors import EvidenceError
from reportgen.train.executors import open_pool

# The libraries that train: kept quiet, and what they raise told as a fault of what they got.

_RAISED = (
    *(OSError, EOFError, ValueError, TypeError, KeyError, AttributeError, ImportError),
    *(RuntimeError, NotImplementedError, pickle.UnpicklingError),
)


@contextmanager
def refusing(what: str, remedy: str) -> Iterator[None]:
    """Raise `EvidenceError` with the first line of what a library says of a stranger's file."""
    try:
        yield
    except _RAISED as error:
        said = str(error).partition("\n")[0][:300]
        raise EvidenceError(f"{what}: {said}", remedy=remedy) from None


@contextmanager
def drawing(seed: int) -> Iterator[None]:
    """Seed torch and keep transformers quiet, and leave both as they were."""
    import torch
    import transformers

    logging: Any = transformers.utils.logging
    level, shown = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            yield
    finally:
        logging.set_verbosity(level)
        if shown:
            logging.enable_progress_bar()


# Shapes of a model that no table describes, as the installed library builds it.
#
# The model is built without its weights, in a process of its own with limits: a stranger's
# configuration decides how large it is. Code that a configuration names is never run.

SECONDS = 60
MEMORY_BYTES = 6 * 2**30
LONGEST_CONFIG = 2**20
MODEL_TYPE = re.compile(r"[a-z0-9][a-z0-9_-]{1,60}")


def build_shapes(values: Mapping[str, object]) -> tuple[TensorSpec, ...]:
    """Return the parameters of a model as the installed transformers builds it.

    Args:
        values: A configuration with its `model_type`, and the class under `architectures`.

    Returns:
        Tensors under the library's names; none where the library is not installed, does not
        have the model, or does not build it within the limits.
    """
    text = json.dumps(dict(values), default=str)
    if len(text) > LONGEST_CONFIG or not is_known(str(values.get("model_type") or "")):
        return ()
    with open_pool(workers=1, seconds=SECONDS, memory=MEMORY_BYTES) as pool:
        try:
            return pool.submit(built_shapes, json.loads(text)).result()
        except Exception:  # noqa: BLE001 - whatever the library makes of a stranger's configuration
            return ()


def is_known(model_type: str) -> bool:
    """Return whether the installed library has a package for a model type; it is not imported."""
    found = find_spec("transformers")
    if not MODEL_TYPE.fullmatch(model_type) or found is None or find_spec("torch") is None:
        return False
    homes = found.submodule_search_locations or ()
    return any((Path(home) / "models" / model_type.replace("-", "_")).is_dir() for home in homes)


def built_shapes(values: dict[str, object]) -> tuple[TensorSpec, ...]:
    """Build a model without its weights; return name, shape and sharer of every parameter."""
    with contextlib.redirect_stderr(io.StringIO()):
        import torch
        import transformers

        config = transformers.CONFIG_MAPPING[str(values.pop("model_type"))].from_dict(values)
        named = values.get("architectures")
        own = getattr(
            transformers, str(named[0]) if isinstance(named, list) and named else "", None
        )
        with torch.device("meta"):
            if isinstance(own, type) and issubclass(own, transformers.PreTrainedModel):
                model = own(config)
            else:
                build: Any = transformers.AutoModel.from_config
                model = build(config, trust_remote_code=False)
    first: dict[int, str] = {}
    found = []
    for name, tensor in model.named_parameters(remove_duplicate=False):
        shares = first.get(id(tensor), "")
        first.setdefault(id(tensor), name)
        found.append(TensorSpec(name=name, shape=tuple(tensor.shape), shares=shares))
    return tuple(found)
