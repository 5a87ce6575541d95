"""Shapes of a model that no table describes, as the installed library builds it.

The model is built without its weights, in a process of its own with limits: a stranger's
configuration decides how large it is. Code that a configuration names is never run.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from reportgen.records.tensor import TensorSpec

NEEDED = ("torch", "transformers")
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
    command = [sys.executable, "-m", "reportgen.train.engine.shapes"]
    try:
        done = subprocess.run(  # noqa: S603 - our own module, the configuration on its input
            command, input=text, capture_output=True, text=True, timeout=SECONDS, check=False
        )
    except (subprocess.TimeoutExpired, OSError):
        return ()
    if done.returncode:
        return ()
    rows = json.loads(done.stdout)
    return tuple(TensorSpec(name=n, shape=tuple(shape), shares=shares) for n, shape, shares in rows)


def is_known(model_type: str) -> bool:
    """Return whether the installed library has a package for a model type; it is not imported."""
    if not MODEL_TYPE.fullmatch(model_type) or any(find_spec(name) is None for name in NEEDED):
        return False
    found = find_spec("transformers")
    homes = (found and found.submodule_search_locations) or ()
    return any((Path(home) / "models" / model_type.replace("-", "_")).is_dir() for home in homes)


def main() -> None:
    """Build the model of the configuration on the input, and print its parameters as JSON."""
    limit_memory()
    values = json.loads(sys.stdin.read())
    json.dump(list(parameters_of(built(values))), sys.stdout)


def limit_memory() -> None:
    """Limit the memory of this process, where the system can."""
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))


def built(values: dict[str, object]) -> Any:
    """Build a model without its weights."""
    import torch
    import transformers

    kind = str(values.pop("model_type"))
    config = transformers.CONFIG_MAPPING[kind].from_dict(values)
    named = values.get("architectures")
    name = str(named[0]) if isinstance(named, list) and named else ""
    own = getattr(transformers, name, None)
    with torch.device("meta"):
        if isinstance(own, type) and issubclass(own, transformers.PreTrainedModel):
            return own(config)
        return transformers.AutoModel.from_config(  # type: ignore[no-untyped-call]
            config,
            trust_remote_code=False,
        )


def parameters_of(model: Any) -> Iterator[tuple[str, list[int], str]]:
    """Yield name, shape and the first name of the storage of every parameter."""
    first: dict[int, str] = {}
    for name, tensor in model.named_parameters(remove_duplicate=False):
        shares = first.get(id(tensor), "")
        first.setdefault(id(tensor), name)
        yield name, list(tensor.shape), shares


if __name__ == "__main__":
    main()
