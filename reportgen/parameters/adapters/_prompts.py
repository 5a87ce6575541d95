"""Prompt, prefix and P-tuning: trained rows in front of the inputs, or of every layer.

Source: Lester et al. 2021 (arXiv:2104.08691), section 2; Li and Liang 2021 (arXiv:2101.00190),
section 4; Liu et al. 2021 (arXiv:2103.10385), section 3; peft 0.21
`tuners/{prompt,prefix,p}_tuning/model.py` and `utils/other.py`,
`_prepare_prompt_learning_config`, for grouped queries; torch `nn.LSTM` (four gates, two bias
vectors each).
"""

from __future__ import annotations

import re

from reportgen.parameters.adapters._site import Site, adapter_term, checked
from reportgen.records.checkpoint import Term
from reportgen.records.errors import EvidenceError
from reportgen.records.record import replace

LAYER = re.compile(r"(?<=\.)\d+(?=\.)|^\d+(?=\.)")


def prompt_term(site: Site, kind: str) -> Term:
    """Return the term of what is trained in front of the inputs or layers."""
    name, values, repeat = "plain", dict[str, int](), 1
    label = "keys and values in front of every layer"
    tokens = site.size("num_virtual_tokens", least=0)
    if kind == "PREFIX_TUNING":
        width = site.width
        values |= {"v": tokens, "d_kv": width, "L": count_layers(site)}
        if site.values.get("prefix_projection"):
            name, values["h"] = "network", inner_width(site, width)
    else:
        # A model with encoder and decoder gets rows in front of both.
        usual = 2 if site.values.get("task_type") == "SEQ_2_SEQ_LM" else 1
        stated = site.values.get("num_transformer_submodules") or usual
        stacks = checked(stated, "num_transformer_submodules", site.path)
        values |= {"v": tokens * stacks, "d": site.width}
        label, repeat = "rows in front of the input embeddings", stacks
    if kind == "P_TUNING":
        name, label, repeat = network(site), f"{label}, network", 1
        values |= {"h": inner_width(site, site.width), "k": site.size("encoder_num_layers", 2)}
    place = ("prompt_encoder", 0, 0)
    term = adapter_term(site.kind.tensors, place, repeat, site.kind.formula(name), **values)
    return replace(term, label=label)


def inner_width(site: Site, width: int) -> int:
    """Return the inner width of the network that makes the rows."""
    stated = site.values.get("encoder_hidden_size") or width
    return checked(stated, "encoder_hidden_size", site.path)


def count_layers(site: Site) -> int:
    """Return `num_layers`, or the number of layers that the base model has."""
    if site.values.get("num_layers") is not None:
        return site.size("num_layers")
    numbers = {found[0] for m in site.modules if (found := LAYER.search(m.name))}
    # Layers that share their weights stand in ALBERT once.
    if not numbers or site.model_type == "albert":
        fault = f"{site.path} needs the number of layers of the base model, which is not known"
        raise EvidenceError(fault, remedy="set num_layers")
    return len(numbers)


def network(site: Site) -> str:
    """Return the network that makes the rows of P-tuning."""
    kind = site.values.get("encoder_reparameterization_type")
    if kind is None:
        return "MLP"
    if not isinstance(kind, str) or kind not in site.kind.formulas:
        raise EvidenceError(
            f"encoder_reparameterization_type in {site.path} is {str(kind)[:40]!r}, which is "
            "neither MLP nor LSTM",
            remedy="write MLP or LSTM",
        )
    return kind
