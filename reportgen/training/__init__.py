"""Fine-tunes: the only package that imports torch, transformers and peft.

Two kinds of plug-in. An engine takes the updates of all members of a job
(`training._engine.Engine`); of classifiers the first takes a model type whose patterns match it. A
log writer writes the curve of a finished run as the runs beside it are written
(`training.logs.write_logs`).
"""

from __future__ import annotations

from reportgen.registry import Entry, Registry

ENGINES = Registry(
    "engine",
    {
        "stacked": Entry(
            "reportgen.training.stacked:classifier_engine",
            "BERT's and RoBERTa's encoders, all members in one pass",
            match=("bert", "camembert", "roberta", "xlm-roberta"),
        ),
        "module": Entry(
            "reportgen.training.module:classifier_engine",
            "any model of transformers, one member after another",
            match=("*",),
        ),
    },
)

LOG_WRITERS = Registry(
    "layout of written logs",
    {
        "fairseq": Entry(
            "reportgen.training.logs_fairseq:write", "a folder a split, bits and percent"
        ),
        "hf_trainer": Entry(
            "reportgen.training.logs_hf_trainer:write", "one event file and a trainer state"
        ),
    },
)
