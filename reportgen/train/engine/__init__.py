"""Fine-tunes: the only package that imports torch, transformers and peft."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportgen.registry import Entry, Registry, lazy_names

if TYPE_CHECKING:
    from reportgen.train.engine.answers import PROMPT, AnswerTokenizer, read_prompt
    from reportgen.train.engine.assembly import Assembled, assemble, build_engine, encode_splits
    from reportgen.train.engine.course import Course, Mean, Point, Track, data_order, learning_rate
    from reportgen.train.engine.device import (
        choose_device,
        describe_device,
        list_versions,
        make_deterministic,
    )
    from reportgen.train.engine.encoded import Encoded
    from reportgen.train.engine.engine import DeviceMemoryError, Engine
    from reportgen.train.engine.examples import (
        Examples,
        name_labels,
        number_labels,
        number_words,
        read_examples,
        read_splits,
        read_values,
    )
    from reportgen.train.engine.fairseq import move_encoder, move_head, read_config, read_fairseq
    from reportgen.train.engine.logs import Scalar, write_events, write_logs
    from reportgen.train.engine.loop import Hooks, StoppedError, catch_signals, train
    from reportgen.train.engine.metrics import measure
    from reportgen.train.engine.models import Adapters, Separate
    from reportgen.train.engine.probe import measure_pace
    from reportgen.train.engine.quick import draw_dropout, pack, quicken
    from reportgen.train.engine.shapes import build_shapes, is_known
    from reportgen.train.engine.stack import Together
    from reportgen.train.engine.starts import Started, build_model, load_start
    from reportgen.train.engine.state import DamagedCheckpointError, read_state, write_state
    from reportgen.train.engine.tasks import Evaluation, Task
    from reportgen.train.engine.tokens import (
        check_fit,
        open_tokenizer,
        read_dictionary,
        tokenise,
        tokenise_words,
    )
    from reportgen.train.engine.worker import ELSEWHERE, FAILED, STOPPED, main, work

LOG_WRITERS = Registry(
    "layout of written logs",
    {
        "fairseq": Entry(
            "reportgen.train.engine.logs:write_fairseq", "a folder a split, bits and percent"
        ),
        "hf_trainer": Entry(
            "reportgen.train.engine.logs:write_hf_trainer", "one event file and a trainer state"
        ),
    },
)

_HOMES = {
    "ELSEWHERE": "worker",
    "FAILED": "worker",
    "PROMPT": "answers",
    "STOPPED": "worker",
    "Adapters": "models",
    "AnswerTokenizer": "answers",
    "Assembled": "assembly",
    "Course": "course",
    "DamagedCheckpointError": "state",
    "DeviceMemoryError": "engine",
    "Encoded": "encoded",
    "Engine": "engine",
    "Evaluation": "tasks",
    "Examples": "examples",
    "Hooks": "loop",
    "Mean": "course",
    "Point": "course",
    "Scalar": "logs",
    "Separate": "models",
    "Started": "starts",
    "StoppedError": "loop",
    "Task": "tasks",
    "Together": "stack",
    "Track": "course",
    "assemble": "assembly",
    "build_engine": "assembly",
    "build_model": "starts",
    "build_shapes": "shapes",
    "catch_signals": "loop",
    "check_fit": "tokens",
    "choose_device": "device",
    "data_order": "course",
    "describe_device": "device",
    "draw_dropout": "quick",
    "encode_splits": "assembly",
    "is_known": "shapes",
    "learning_rate": "course",
    "list_versions": "device",
    "load_start": "starts",
    "main": "worker",
    "make_deterministic": "device",
    "measure": "metrics",
    "measure_pace": "probe",
    "move_encoder": "fairseq",
    "move_head": "fairseq",
    "name_labels": "examples",
    "number_labels": "examples",
    "number_words": "examples",
    "open_tokenizer": "tokens",
    "pack": "quick",
    "quicken": "quick",
    "read_config": "fairseq",
    "read_dictionary": "tokens",
    "read_examples": "examples",
    "read_fairseq": "fairseq",
    "read_prompt": "answers",
    "read_splits": "examples",
    "read_state": "state",
    "read_values": "examples",
    "tokenise": "tokens",
    "tokenise_words": "tokens",
    "train": "loop",
    "work": "worker",
    "write_events": "logs",
    "write_logs": "logs",
    "write_state": "state",
}

__all__ = [
    "ELSEWHERE",
    "FAILED",
    "LOG_WRITERS",
    "PROMPT",
    "STOPPED",
    "Adapters",
    "AnswerTokenizer",
    "Assembled",
    "Course",
    "DamagedCheckpointError",
    "DeviceMemoryError",
    "Encoded",
    "Engine",
    "Evaluation",
    "Examples",
    "Hooks",
    "Mean",
    "Point",
    "Scalar",
    "Separate",
    "Started",
    "StoppedError",
    "Task",
    "Together",
    "Track",
    "assemble",
    "build_engine",
    "build_model",
    "build_shapes",
    "catch_signals",
    "check_fit",
    "choose_device",
    "data_order",
    "describe_device",
    "draw_dropout",
    "encode_splits",
    "is_known",
    "learning_rate",
    "list_versions",
    "load_start",
    "main",
    "make_deterministic",
    "measure",
    "measure_pace",
    "move_encoder",
    "move_head",
    "name_labels",
    "number_labels",
    "number_words",
    "open_tokenizer",
    "pack",
    "quicken",
    "read_config",
    "read_dictionary",
    "read_examples",
    "read_fairseq",
    "read_prompt",
    "read_splits",
    "read_state",
    "read_values",
    "tokenise",
    "tokenise_words",
    "train",
    "work",
    "write_events",
    "write_logs",
    "write_state",
]

__getattr__ = lazy_names(__name__, _HOMES)
