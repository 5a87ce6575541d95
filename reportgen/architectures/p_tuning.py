"""P-tuning: rows in front of the input embeddings, made by a small network.

The network is trained with them: three linear layers, or a bidirectional LSTM and two
linear layers.

Source: Liu et al. 2021 (arXiv:2103.10385), section 3; peft 0.21 `tuners/p_tuning/model.py`;
torch `nn.LSTM` (four gates, two bias vectors each).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from reportgen.architectures._site import AdapterCount, checked, find_site, module_term
from reportgen.architectures._terms import Module
from reportgen.errors import EvidenceError
from reportgen.records.checkpoint import AdapterConfig, TensorSpec
from reportgen.records.formula import Constant, Expression, Symbol

TOKENS = Symbol("v", meaning="virtual tokens in front of each input")
WIDTH = Symbol("d", meaning="width of the input embeddings")
INNER = Symbol("h", meaning="inner width of the network that makes the rows")
DEPTH = Symbol("k", meaning="layers of the LSTM")
DEFAULT_DEPTH = 2


def count_adapter(
    adapter: AdapterConfig,
    modules: Iterable[Module],
    model_type: str,  # noqa: ARG001
    tensors: Iterable[TensorSpec] = (),  # noqa: ARG001
) -> AdapterCount:
    """Count what P-tuning trains.

    Args:
        adapter: Its configuration.
        modules: Leaf modules of the base model, the head of its task included.
        model_type: Not needed here.
        tensors: Not needed here.

    Units: parameters.

    Raises:
        EvidenceError: The number of virtual tokens is none, or the network is not known.

    Source: see the module.

    Example:
        >>> from reportgen.records.run import Source
        >>> source = Source(path="adapter_config.json", kind="adapter", size=0, sha256="")
        >>> adapter = AdapterConfig(source=source, peft_type="P_TUNING",
        ...                         values={"num_virtual_tokens": 3, "encoder_hidden_size": 2})
        >>> words = Module(name="embed", kind="embedding", in_features=10, out_features=5)
        >>> count_adapter(adapter, [words], "").trainable
        48
    """
    values = adapter.values
    site = find_site(adapter, modules, [], needed=False)
    tokens = checked(values.get("num_virtual_tokens"), "num_virtual_tokens", site.path, 0)
    # A model with encoder and decoder gets rows in front of both.
    usual = 2 if values.get("task_type") == "SEQ_2_SEQ_LM" else 1
    halves = values.get("num_transformer_submodules") or usual
    tokens *= checked(halves, "num_transformer_submodules", site.path)
    inner = values.get("encoder_hidden_size") or site.width
    depth = checked(
        values.get("encoder_num_layers", DEFAULT_DEPTH), "encoder_num_layers", site.path
    )
    known = {
        "v": tokens,
        "d": site.width,
        "h": checked(inner, "encoder_hidden_size", site.path),
        "k": depth,
    }
    formula = TOKENS * WIDTH + network(values.get("encoder_reparameterization_type"), site.path)
    term = module_term("prompt_encoder", ("prompt_encoder", 0, 0, 0), 1, formula, **known)
    return site.count([replace(term, label="rows in front of the input embeddings, network")])


def network(kind: object, path: str) -> Expression:
    """Return the parameters of the network that makes the rows.

    Raises:
        EvidenceError: It is neither of the two that PEFT has.
    """
    d, h, one = WIDTH, INNER, Constant(1)
    if kind in (None, "MLP"):
        return (d + 1) * h + (h + 1) * h + (h + 1) * d
    if kind != "LSTM":
        raise EvidenceError(
            f"encoder_reparameterization_type in {path} is {str(kind)[:40]!r}, which is neither "
            "MLP nor LSTM",
            remedy="write MLP or LSTM",
        )
    first = 8 * h * (d + h + 2)
    later = 8 * (DEPTH - one) * h * (3 * h + 2)
    return first + later + (2 * h + 1) * 2 * h + (2 * h + 1) * d
