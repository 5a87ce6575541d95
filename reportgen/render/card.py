"""A model card of the Hugging Face Hub: the body of the report below a `model-index`.

Where the facts name no task or data set, the card says `other` and `unknown`: the hub asks for
both, and nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from reportgen.records.document import Figure, Report, walk
from reportgen.records.record import replace
from reportgen.render._context import RenderContext
from reportgen.render._engine_typst import svg_to_png
from reportgen.render._numbering import Labels
from reportgen.render.markdown import write_page

_TASKS = {
    "ForSequenceClassification": "text-classification",
    "ForTokenClassification": "token-classification",
    "ForQuestionAnswering": "question-answering",
    "ForCausalLM": "text-generation",
    "ForConditionalGeneration": "text-generation",
    "ForImageClassification": "image-classification",
    "ForMaskedLM": "fill-mask",
    "ForSemanticSegmentation": "image-segmentation",
    "ForCTC": "automatic-speech-recognition",
}
"""End of a class of transformers to the name of its task on the hub."""
_DPI = 150


def render(
    report: Report, labels: Labels, figures: Mapping[str, bytes], context: RenderContext
) -> dict[str, bytes]:
    """Return the card and its figures as PNG; upload it as `README.md`.

    Returns:
        `<stem>-card.md` and `<stem>_files/<figure>.png`.

    Raises:
        EngineError: The engine that makes PNG figures is missing.
        TemplateError: A template of the user's cannot be rendered.
    """
    body = replace(report, sections=tuple(s for s in report.sections if not s.appendix))
    drawn = [block.id for block in walk(body.sections) if isinstance(block, Figure)]
    pictures = svg_to_png({name: figures[name] for name in drawn}, dpi=_DPI)
    front = yaml.safe_dump(front_matter(report), sort_keys=False, allow_unicode=True)
    page = write_page(body, labels, context, picture="png")
    files = {f"{context.stem}-card.md": f"---\n{front}---\n\n{page}".encode(errors="replace")}
    return files | {
        context.figure_path(labels.anchor(name), "png"): content
        for name, content in pictures.items()
    }


def front_matter(report: Report) -> dict[str, Any]:
    """Return what stands above the card: language, tags, base model and the `model-index`.

    Example:
        >>> front_matter(Report(title="A lab", sections=()))
        {'language': ['en'], 'tags': ['reportgen']}
    """
    front: dict[str, Any] = {"language": [report.lang.partition("-")[0]], "tags": ["reportgen"]}
    adapters: Any = report.metadata.get("adapters") or []
    if adapters:
        front["library_name"] = "peft"
        front["tags"].append("lora")
    results = list(_results(report))
    if results:
        front["model-index"] = [{"name": report.title, "results": results}]
    return front


def _results(report: Report) -> Iterator[dict[str, Any]]:
    """Yield the result of each group that has one."""
    groups: Any = report.metadata.get("groups") or []
    for group in groups:
        if group.get("mean") is None:
            continue
        split, metric = group["split"], group["metric"]
        task = group.get("task") or {}
        data = task.get("name") or "unknown"
        yield {
            "task": {"type": _task_of(report)},
            "dataset": {"name": data, "type": data, **({"split": split} if split else {})},
            "metrics": [
                {
                    "type": metric,
                    "name": _name(metric, group),
                    "value": float(f"{group['mean']:.6g}"),
                    "verified": False,
                }
            ],
        }


def _name(metric: str, group: Mapping[str, Any]) -> str:
    runs = f" (mean of {group['n']})" if group["n"] > 1 else ""
    return f"{metric} of {group['label']}{runs}"


def _task_of(report: Report) -> str:
    model: Any = report.metadata.get("model") or {}
    names = [str(model.get("architecture", ""))]
    return next(
        (task for end, task in _TASKS.items() if any(name.endswith(end) for name in names)), "other"
    )
