"""Prefix tuning: keys and values in front of those of every layer are trained.

With `prefix_projection` they come out of a network of two layers, which is trained too and
thrown away after training.

Source: Li and Liang 2021 (arXiv:2101.00190), section 4; peft 0.21
`tuners/prefix_tuning/model.py`; `utils/other.py`, `_prepare_prompt_learning_config`, for
grouped queries.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from reportgen.architectures._site import AdapterCount, Site, checked, find_site, module_term
from reportgen.architectures._terms import Module
from reportgen.errors import EvidenceError
from reportgen.records.checkpoint import AdapterConfig, TensorSpec
from reportgen.records.formula import Expression, Symbol

TOKENS = Symbol("v", meaning="virtual tokens in front of each layer")
WIDTH = Symbol("d", "kv", meaning="width of the keys of one layer")
LAYERS = Symbol("L", meaning="number of layers")
INNER = Symbol("h", meaning="inner width of the network that makes the prefix")
LAYER = re.compile(r"(?<=\.)\d+(?=\.)|^\d+(?=\.)")


def count_adapter(
    adapter: AdapterConfig,
    modules: Iterable[Module],
    model_type: str,  # noqa: ARG001
    tensors: Iterable[TensorSpec] = (),  # noqa: ARG001
) -> AdapterCount:
    """Count what prefix tuning trains.

    Args:
        adapter: Its configuration.
        modules: Leaf modules of the base model, the head of its task included.
        model_type: Not needed here.
        tensors: Not needed here.

    Units: parameters.

    Raises:
        EvidenceError: The number of virtual tokens is none, or layers or width are not known.

    Source: see the module.

    Example:
        >>> from reportgen.records.run import Source
        >>> source = Source(path="adapter_config.json", kind="adapter", size=0, sha256="")
        >>> adapter = AdapterConfig(source=source, peft_type="PREFIX_TUNING",
        ...                         values={"num_virtual_tokens": 3})
        >>> words = Module(name="embed", kind="embedding", in_features=10, out_features=4)
        >>> layer = Module(name="h.0.key", kind="linear", in_features=4, out_features=4)
        >>> count_adapter(adapter, [words, layer], "").trainable
        24
    """
    values = adapter.values
    site = find_site(adapter, modules, [], needed=False)
    width = key_width(site)
    tokens = checked(values.get("num_virtual_tokens"), "num_virtual_tokens", site.path, 0)
    known = {"v": tokens, "d_kv": width, "L": count_layers(site)}
    formula: Expression = 2 * TOKENS * LAYERS * WIDTH
    if values.get("prefix_projection"):
        inner = values.get("encoder_hidden_size") or width
        known["h"] = checked(inner, "encoder_hidden_size", site.path)
        first = TOKENS * WIDTH + (WIDTH + 1) * INNER
        formula = first + 2 * (INNER + 1) * LAYERS * WIDTH
    term = module_term("prompt_encoder", ("prompt_encoder", 0, 0, 0), 1, formula, **known)
    return site.count([replace(term, label="keys and values in front of every layer")])


def key_width(site: Site) -> int:
    """Return the width of the keys: less than the model's where key heads are shared."""
    if site.values.get("token_dim"):
        return site.width
    keys = next((m.out_features for m in site.modules if m.name.endswith(".k_proj")), None)
    return keys or site.width


def count_layers(site: Site) -> int:
    """Return `num_layers`, or the number of layers that the base model has.

    Raises:
        EvidenceError: The base model's layers are not known.
    """
    own = site.values.get("num_layers")
    if own is not None:
        return checked(own, "num_layers", site.path)
    numbers = {found[0] for m in site.modules if (found := LAYER.search(m.name))}
    if not numbers:
        raise EvidenceError(
            f"{site.path} needs the number of layers of the base model, which is not known",
            remedy="set num_layers",
        )
    return len(numbers)
