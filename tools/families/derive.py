"""Derive the entry of a model type: its base class, then every head class as a difference."""

from __future__ import annotations

import contextlib
import importlib
import signal
from collections.abc import Iterator
from typing import Any

import transformers
from transformers.models.auto import modeling_auto as auto

from reportgen.parameters import tensors
from tools.families.builds import Template
from tools.families.configs import Assignment, Keys, attempt, config_class
from tools.families.explore import ContradictionError, RefusedError
from tools.families.leftout import left_out
from tools.families.retreat import lost, proven, retreat
from tools.families.study import Study, names_in
from tools.families.written import written_out

ROLES = (
    ("base", "MODEL"),
    ("CausalLM", "MODEL_FOR_CAUSAL_LM"),
    ("MaskedLM", "MODEL_FOR_MASKED_LM"),
    ("SequenceClassification", "MODEL_FOR_SEQUENCE_CLASSIFICATION"),
    ("TokenClassification", "MODEL_FOR_TOKEN_CLASSIFICATION"),
    ("QuestionAnswering", "MODEL_FOR_QUESTION_ANSWERING"),
    ("MultipleChoice", "MODEL_FOR_MULTIPLE_CHOICE"),
    ("Seq2SeqLM", "MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM"),
    ("ImageClassification", "MODEL_FOR_IMAGE_CLASSIFICATION"),
    ("ImageTextToText", "MODEL_FOR_IMAGE_TEXT_TO_TEXT"),
    ("MultimodalLM", "MODEL_FOR_MULTIMODAL_LM"),
    ("AudioClassification", "MODEL_FOR_AUDIO_CLASSIFICATION"),
    ("CTC", "MODEL_FOR_CTC"),
    ("SpeechSeq2Seq", "MODEL_FOR_SPEECH_SEQ_2_SEQ"),
    ("PreTraining", "MODEL_FOR_PRETRAINING"),
    ("NextSentencePrediction", "MODEL_FOR_NEXT_SENTENCE_PREDICTION"),
    ("ObjectDetection", "MODEL_FOR_OBJECT_DETECTION"),
    ("SemanticSegmentation", "MODEL_FOR_SEMANTIC_SEGMENTATION"),
    ("ZeroShotImageClassification", "MODEL_FOR_ZERO_SHOT_IMAGE_CLASSIFICATION"),
    ("DepthEstimation", "MODEL_FOR_DEPTH_ESTIMATION"),
    ("MaskedImageModeling", "MODEL_FOR_MASKED_IMAGE_MODELING"),
    ("VideoClassification", "MODEL_FOR_VIDEO_CLASSIFICATION"),
    ("ImageSegmentation", "MODEL_FOR_IMAGE_SEGMENTATION"),
    ("InstanceSegmentation", "MODEL_FOR_INSTANCE_SEGMENTATION"),
    ("UniversalSegmentation", "MODEL_FOR_UNIVERSAL_SEGMENTATION"),
    ("VisualQuestionAnswering", "MODEL_FOR_VISUAL_QUESTION_ANSWERING"),
    ("DocumentQuestionAnswering", "MODEL_FOR_DOCUMENT_QUESTION_ANSWERING"),
    ("TableQuestionAnswering", "MODEL_FOR_TABLE_QUESTION_ANSWERING"),
    ("MaskGeneration", "MODEL_FOR_MASK_GENERATION"),
    ("ZeroShotObjectDetection", "MODEL_FOR_ZERO_SHOT_OBJECT_DETECTION"),
    ("AudioFrameClassification", "MODEL_FOR_AUDIO_FRAME_CLASSIFICATION"),
    ("AudioXVector", "MODEL_FOR_AUDIO_XVECTOR"),
    ("TextToSpectrogram", "MODEL_FOR_TEXT_TO_SPECTROGRAM"),
    ("TextToWaveform", "MODEL_FOR_TEXT_TO_WAVEFORM"),
    ("TextEncoding", "MODEL_FOR_TEXT_ENCODING"),
    ("ImageToImage", "MODEL_FOR_IMAGE_TO_IMAGE"),
    ("KeypointDetection", "MODEL_FOR_KEYPOINT_DETECTION"),
    ("KeypointMatching", "MODEL_FOR_KEYPOINT_MATCHING"),
    ("TimeSeriesPrediction", "MODEL_FOR_TIME_SERIES_PREDICTION"),
    ("Retrieval", "MODEL_FOR_RETRIEVAL"),
    ("RNNT", "MODEL_FOR_RNNT"),
    ("TDT", "MODEL_FOR_TDT"),
    ("PoseEstimation", "MODEL_FOR_POSE_ESTIMATION"),
    ("ImageMatting", "MODEL_FOR_IMAGE_MATTING"),
    ("TextRecognition", "MODEL_FOR_TEXT_RECOGNITION"),
    ("TableRecognition", "MODEL_FOR_TABLE_RECOGNITION"),
)
# What takes the place of a backbone that another library has.
OWN_BACKBONE: Assignment = {"backbone_config": {"model_type": "resnet"}}
BASE_PROOF, HEAD_PROOF = 30, 7
SECONDS, MAX_HEADS = 60.0, 40
Entry = dict[str, Any]


class OutOfTimeError(BaseException):
    """A class that took too long; no handler of refusals may take it for one."""


def classes_of(model_type: str) -> Iterator[tuple[str, str]]:
    """Yield role and name of every class of a model type: those of auto classes, then others."""
    seen = set()
    for role, name in ROLES:
        mapping = getattr(auto, f"{name}_MAPPING_NAMES", {})
        found = mapping.get(model_type, ())
        for each in (found,) if isinstance(found, str) else found:
            if each not in seen:
                seen.add(each)
                yield role, each
    for name in sorted(_others(model_type) - seen, key=lambda name: ("For" in name, name)):
        yield name.rpartition("For")[2] if "For" in name else "other", name


def _others(model_type: str) -> set[str]:
    """Return the classes of the type's module that its configuration makes.

    A backbone is left out where the same tensors have a model of their own.
    """
    config = attempt(config_class, model_type)
    if config is None:
        return set()
    module = config.__module__.replace(".configuration_", ".modeling_")
    classes = attempt(lambda: vars(importlib.import_module(module))) or {}
    named = set(classes.get("__all__", ()))
    made = {
        name
        for name in named
        if getattr(classes.get(name), "config_class", None) is config
        and not name.endswith(("PreTrainedModel", "PretrainedModel"))
    }
    return {name for name in made if not name.endswith("Backbone")} or made


def derive(model_type: str, seconds: float = SECONDS, *, heads: int = MAX_HEADS) -> Entry:
    """Return the entry of a model type; raises RefusedError with the reason where there is none."""
    never: frozenset[str] = frozenset()
    parts: Assignment = {}
    while True:
        try:
            return _derive(model_type, seconds, heads, never, parts)
        except ContradictionError as problem:
            never |= {str(problem)}
        except RefusedError as problem:
            if parts or "Backbone requires the timm" not in str(problem):
                raise
            parts = OWN_BACKBONE


def _derive(
    model_type: str, seconds: float, heads: int, never: frozenset[str], parts: Assignment
) -> Entry:
    todo = list(classes_of(model_type))
    if not todo:
        raise RefusedError("no class: a part of other models")
    try:
        keys = Keys(config_class(model_type), never, parts)
    except Exception as problem:
        raise RefusedError(f"config: {type(problem).__name__}: {str(problem)[:100]}") from problem
    entry: Entry = {"classes": {}}
    studies: list[Study] = []
    failures = []
    for role, name in todo[: heads + 1]:
        cls = attempt(getattr, transformers, name)
        if cls is None or name.startswith(("TF", "Flax")):
            continue
        first = studies[0] if studies else None
        limit = seconds if first is None else seconds / 2
        try:
            study = _studied(cls, keys, first, limit)
        except (RefusedError, OutOfTimeError) as problem:
            failures.append(f"{name}: {problem}")
            if isinstance(problem, OutOfTimeError) and not studies:
                break
            continue
        studies.append(study)
        entry["classes"][name] = _class(role, study, entry["classes"], first)
    if not studies:
        raise RefusedError("; ".join(failures)[:300])
    _finish(entry, model_type, keys, studies)
    entry["defaults"] |= left_out(entry, keys)
    entry["written"] = written_out(entry, keys)
    if not entry["written"]:
        del entry["written"]
    if failures:
        entry["absent"] = dict(failure.split(": ", 1) for failure in failures)
    return entry


@contextlib.contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise TimeoutError inside once so much time has passed."""

    def ring(*_: Any) -> None:
        raise OutOfTimeError(f"not done after {seconds:.0f} s")

    before = signal.signal(signal.SIGVTALRM, ring)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, 5.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _studied(cls: Any, keys: Keys, first: Study | None, seconds: float) -> Study:
    study = Study(cls, keys, seconds)
    if first is not None:
        with at_most(4 * seconds):
            study.follow(first)
            base = by_template(first.rows[0])
            study.base_modes = first.modes
            study.prior = dict.fromkeys(sorted(_prefixes(cls, first)), base)
            study.prove(HEAD_PROOF)
        return study
    try:
        with at_most(3 * seconds):
            study.settle()
            study.explore()
        with at_most(2 * seconds):
            study.prove(BASE_PROOF)
    except OutOfTimeError:
        study.proof = 0, 0
    if not proven(study):
        with at_most(8 * seconds):
            retreat(study, BASE_PROOF)
    return study


def by_template(terms: list[list[Any]]) -> dict[Template, list[str]]:
    """Return the conditions of each template."""
    found: dict[Template, list[str]] = {}
    for name, sides, loops, kind, *conditions in terms:
        split = tuple(tuple(text.split("|")) if text else () for text in (sides, loops))
        found[Template(name, split[0], split[1], kind)] = conditions
    return found


def _prefixes(cls: Any, first: Study) -> set[str]:
    """Return what may stand before the names of the base class."""
    names = {cls.base_model_prefix, getattr(first.cls, "base_model_prefix", "")}
    names |= {"model", "transformer", "encoder", "decoder", "bert", "roberta", "language_model"}
    return {f"{name}." for name in names if name} | {""}


def _class(role: str, study: Study, known: Entry, first: Study | None) -> Entry:
    """Write what a study found as the entry of a class."""
    terms, ties, failed = study.rows
    terms = [term for term in terms if term[3] != "buffer" or term[0] not in failed]
    exact, tried = study.proof
    row: Entry = {"role": role, "proof": f"{exact}/{tried}, {len(study.deep)} deep"}
    if exact != tried or not tried:
        row["withheld"] = f"random configurations disagree: {exact} of {tried} exact"
    elif any(tensors.repeats(text) for _, _, *conditions in ties for text in conditions):
        row["withheld"] = "which tensors are shared depends on the layer"
    elif lost(study):
        row["withheld"] = f"not expressed: {', '.join(sorted(lost(study))[:3])}"
    requires = study.requirements(names_in(terms, ties))
    parts = {name.rpartition(".")[0] for name in names_in(terms, ties)}
    requires += [f"{part}!=None" for part in sorted(parts & study.keys.needs)]
    requires += [
        f"{name}=={model!r}"
        for name, model in sorted(study.keys.models.items())
        if any(each.startswith(name.removesuffix("model_type")) for each in names_in(terms, ties))
    ]
    requires += [f"{name}=={value!r}" for name, value in sorted(study.keys.fixed.items())]
    if requires:
        row["requires"] = requires
    base = next(iter(known), None)
    if base is None or first is None:
        row["terms"] = terms
    else:
        row |= difference(base, known[base]["terms"], terms)
    row["tied"] = ties
    if not ties:
        del row["tied"]
    return row


def difference(base: str, old: list[list[Any]], terms: list[list[Any]]) -> Entry:
    """Write a head class as its base under a prefix, less some terms, plus some."""
    prefixes = {
        term[0][: -len(each[0])] for each in old[:3] for term in terms if term[0].endswith(each[0])
    } | {""}
    best: Entry | None = None
    size = 0
    for prefix in sorted(prefixes, key=lambda each: (len(each), each)):
        have = [[prefix + term[0], *term[1:]] for term in old]
        minus = [at for at, term in enumerate(have) if term not in terms]
        plus = [term for term in terms if term not in have]
        if best is None or len(minus) + len(plus) < size:
            size = len(minus) + len(plus)
            best = {"of": base, "prefix": prefix, "minus": minus, "plus": plus}
    return best or {}


def _finish(entry: Entry, model_type: str, keys: Keys, studies: list[Study]) -> None:
    """Add the keys that the terms use: defaults, what stands for null, other names."""
    used: set[str] = {"num_labels"} if len(studies) > 1 else set()
    for study in studies:
        used |= names_in(study.rows[0], study.rows[1])
        blind = {name: keys.keys[name].default for name in study.choices.blind()}
        entry.setdefault("unsure", {}).update({**study.choices.unsure, **blind})
    derived = {name: text for name, text in keys.derived.items() if name in used}
    for _ in range(3):
        used |= {name for text in derived.values() for name in tensors.keys_in(text)}
        derived = {name: text for name, text in keys.derived.items() if name in used}
    used |= {name for row in entry["classes"].values() for name in _required(row)}
    defaults = {name: keys.models.get(name) for name in used if name in keys.models}
    plain = used & set(keys.keys) - set(keys.models)
    defaults |= {name: keys.keys[name].default for name in plain}
    defaults |= {name: None for name in used if name in keys.needs or name in keys.fixed}
    entry["type"] = model_type
    entry["library"] = f"transformers {transformers.__version__}"
    entry["defaults"] = dict(sorted(defaults.items()))
    entry["derived"] = {name: _bare(text) for name, text in sorted(derived.items())}
    known = used | set(entry["unsure"])
    entry["aliases"] = {
        alias: name for alias, name in sorted(keys.aliases.items()) if name in known
    }
    entry["unsure"] = dict(sorted(entry["unsure"].items()))


def _required(row: Entry) -> set[str]:
    return {name for text in row.get("requires", ()) for name in tensors.keys_in(text)}


def _bare(text: str) -> str:
    """Take away the parentheses around a whole expression."""
    if not (text.startswith("(") and text.endswith(")")):
        return text
    depth = 0
    for at, letter in enumerate(text):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if not depth and at < len(text) - 1:
            return text
    return text[1:-1]
