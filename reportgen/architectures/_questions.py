"""The head that finds an answer in a text: two scores, of start and end, for every token.

Source: transformers 5.23, the classes `*ForQuestionAnswering` of `models/*/modeling_*.py`.
"""

from __future__ import annotations

from dataclasses import replace

from reportgen.architectures._terms import Keys, Module
from reportgen.errors import EvidenceError
from reportgen.records.checkpoint import ModelConfig

# Encoders have one score a label; every other family writes the two down as a number.
BY_LABELS = frozenset({"albert", "bert", "deberta", "electra", "roberta", "t5"})
WITHOUT = frozenset({"gemma", "gemma2", "phi", "phi-msft", "mixformer-sequential", "phi3"}) | {
    *("vit", "whisper"),
}
# Classes whose backbone has another name than in the family's other classes.
RENAMED = frozenset({"llama", "qwen2", "qwen3", "qwen3_moe"})
TWO = 2


def with_question_head(
    family: str, config: ModelConfig, modules: tuple[Module, ...]
) -> tuple[Module, ...]:
    """Return the modules of the class that finds answers.

    Args:
        family: Name of the plug-in.
        config: The base's configuration.
        modules: Those of the backbone, as a class with a head names them.

    Raises:
        EvidenceError: The family has no such class.

    Example:
        >>> from reportgen.records.run import Source
        >>> source = Source(path="config.json", kind="config_json", size=0, sha256="")
        >>> config = ModelConfig(source=source, model_type="bert", values={})
        >>> norm = Module(name="norm", kind="norm", in_features=0, out_features=8, bias=True)
        >>> with_question_head("bert", config, (norm,))[-1].bias_count
        2
    """
    kind = config.model_type
    if kind in WITHOUT:
        raise EvidenceError(
            f"transformers has no class of model type {kind} for QUESTION_ANS",
            remedy="check task_type",
        )
    # The head of OPT is as wide as its narrow embeddings, every other as the norms.
    below = "embedding" if kind == "opt" else "norm"
    sizes = [module.out_features for module in modules if module.kind == below]
    width = sizes[0] if kind == "opt" else max(sizes)
    scores = Keys(config, {}).labels() if family in BY_LABELS else TWO
    head = Module(
        name="qa_outputs",
        kind="linear",
        in_features=width,
        out_features=scores,
        bias=True,
        head=True,
    )
    if kind in RENAMED:
        modules = tuple(replace(m, name=renamed(m.name)) for m in modules)
    return (*modules, head)


def renamed(name: str) -> str:
    """Return the name that a module has below `transformer`.

    Example:
        >>> renamed("model.layers.0.mlp.up_proj")
        'transformer.layers.0.mlp.up_proj'
    """
    return f"transformer.{name.removeprefix('model.')}"
