"""The keys of a study file: one table that reader, messages and `init` share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from reportgen.languages import LANGUAGES
from reportgen.records.run import SPLITS
from reportgen.records.study import DETAILS, POSITIONS


@dataclass(frozen=True, slots=True)
class Key:
    """One legal key: its type, its meaning, and the values it may take.

    Attributes:
        kind: `"text"`, `"whole"`, `"number"`, `"texts"` (a list), `"wholes"` or `"pairs"`
            (a table of texts).
        about: What it does; becomes the comment that `init` writes.
        choices: Legal values of a text or a whole number; empty allows any.
        regions: Whether a choice may go on with a region, as `fr-CA` does.
        low, high: Range of a number.
    """

    kind: str
    about: str
    choices: tuple[str | int, ...] = ()
    regions: bool = False
    low: float | None = None
    high: float | None = None


TABLES: Mapping[str, Mapping[str, Key]] = {
    "report": {
        "title": Key("text", "title of the report"),
        "authors": Key("texts", "who signs it"),
        "abstract": Key("text", "replaces the generated abstract"),
        "course": Key("text", "course it is handed in for"),
        "assignment": Key("text", "assignment it is handed in for"),
        "detail": Key("text", "brief is one page; full prints all there is", choices=DETAILS),
        "theme": Key("text", "what the pages look like: plain, acl, neurips, or a folder"),
        "paper": Key("text", "paper; empty takes the theme's", choices=("", "a4", "letter")),
        "columns": Key("whole", "columns of a page; 0 takes the theme's", choices=(0, 1, 2)),
        "lang": Key("text", "language of the report", choices=tuple(LANGUAGES), regions=True),
    },
    "question": {
        "id": Key("text", "what the question is called, e.g. Task 3"),
        "title": Key("text", "the question in a few words"),
        "answers": Key("texts", "topics that answer it, e.g. comparison; `build` lists them"),
    },
    "prose": {
        "section": Key("text", "section it belongs to (curves); or name a title"),
        "position": Key(
            "text",
            "where in it: before or after what is generated, or in place of its first paragraphs",
            choices=POSITIONS,
        ),
        "title": Key("text", "title of a section of its own"),
        "after": Key("text", "section it follows; empty puts it last"),
        "text": Key("text", "Markdown, with {{ number:ID }} and {{ ref:ID }}"),
        "file": Key("text", "Markdown file, relative to this file"),
    },
    "section": {
        "file": Key("text", "Python file in this folder with build(facts); it is run"),
        "after": Key("text", "section it follows; empty puts it last"),
    },
    "runs": {
        "path": Key("text", "folder with the logs, relative to this file, or its URL"),
        "pattern": Key("text", "regular expression with named groups: group, seed, split"),
        "layout": Key("text", "name of the layout; empty recognises it"),
        "repeats": Key(
            "text",
            "which runs repeat one another: seeds, numbers (and clocks) too, or none",
            choices=("", "seeds", "numbers", "none"),
        ),
    },
    "logs.tables": {
        "match": Key("text", "pattern on the file's path, * and ? as in a shell"),
        "format": Key("text", "what it is; empty goes by its name", choices=("", "csv", "jsonl")),
        "delimiter": Key("text", "between the columns of a CSV file; empty goes by its header"),
        "step": Key("text", "column of the step"),
        "epoch": Key("text", "column of the epoch; the step where none is named"),
        "time": Key("text", "column of the time: seconds since 1970, or ISO 8601"),
        "split": Key("text", "column that names the split of a row"),
        "runs": Key("texts", 'columns that tell the runs of one file apart: ["model", "seed"]'),
        "tag": Key("text", "column that names what is measured, where a row has one value"),
        "value": Key("text", "column of that value"),
        "columns": Key("pairs", "column = tag; empty takes every number under its column's name"),
    },
    "groups": {
        "label": Key("text", "what the report calls the group"),
        "short": Key("text", "a shorter name, for figures and sentences"),
        "match": Key("text", "pattern on the run's path, * and ? as in a shell"),
        "seeds": Key(
            "wholes", "seeds that should exist; a missing one is reported", low=0, high=2**32 - 1
        ),
        "start": Key("text", 'what its fine-tunes start from: model folder, fairseq .pt, "random"'),
        "adapter": Key("text", "adapter_config.json of the adapter its fine-tunes train"),
        "place": Key("text", "path of a run's logs, with {seed}; empty follows those found"),
    },
    "grid": {
        "groups": Key("texts", "groups that should have every seed; empty takes all"),
        "seeds": Key(
            "wholes", "seeds of each; empty takes those of any of them", low=0, high=2**32 - 1
        ),
    },
    "comparison": {
        "groups": Key("texts", "the two groups of the headline, first minus second"),
    },
    "metric": {
        "name": Key("text", "metric that decides, in one spelling (accuracy)"),
        "direction": Key("text", "which is better", choices=("higher", "lower")),
        "unit": Key("text", "unit in the logs", choices=("percent", "fraction", "")),
        "select_on": Key("text", "split that chooses the best step", choices=SPLITS),
        "report_on": Key("text", "split whose value at that step is reported", choices=SPLITS),
        "ties": Key("text", "which of equal best steps", choices=("first", "last")),
        "tags": Key(
            "texts", "which tags measure it, where several of a split do (valid1/accuracy)"
        ),
        "others": Key(
            "texts", "metrics shown beside it at the same steps; * takes all, [] shows none"
        ),
        "chance": Key("number", "what guessing reaches: 0.5 or 50 for two classes"),
    },
    "statistics": {
        "ddof": Key("whole", "1: sample, 0: population standard deviation", choices=(0, 1)),
        "confidence": Key("number", "level of the intervals", low=0.5, high=0.9999),
        "smoothing": Key("number", "weight of the smoothed curves", low=0.0, high=0.999),
    },
    "splits.names": {},
    "splits.tags": {},
    "splits.sizes": {
        split: Key("whole", "number of examples", low=1, high=1e12) for split in SPLITS
    },
    "epochs": {
        "steps_per_epoch": Key(
            "whole",
            "optimizer steps in one epoch, for runs that log no epochs; 0 infers it",
            low=0,
            high=1e12,
        ),
    },
    "train": {
        "task": Key("text", "what is learnt", choices=("classification", "causal_lm")),
        "tokenizer": Key("text", "Hugging Face folder or sentencepiece model"),
        "dictionary": Key("text", "fairseq's dict.txt, beside a sentencepiece model"),
        "config": Key("text", "config.json of a group whose start is random"),
        "batch_size": Key("whole", "examples of one update", low=1, high=65536),
        "epochs": Key("whole", "passes over the training split", low=1, high=10000),
        "learning_rate": Key("number", "peak learning rate", low=0.0, high=1000.0),
        "warmup": Key("number", "share of all updates over which the rate rises", low=0, high=1),
        "schedule": Key("text", "what the rate does then", choices=("linear", "constant")),
        "weight_decay": Key("number", "decoupled weight decay", low=0.0, high=100.0),
        "beta1": Key("number", "Adam's first decay", low=0.0, high=0.9999999),
        "beta2": Key("number", "Adam's second decay", low=0.0, high=0.9999999),
        "epsilon": Key("number", "Adam's epsilon", low=0.0, high=1.0),
        "clip_norm": Key("number", "largest norm of the gradient; 0 leaves it", low=0, high=1e9),
        "dropout": Key("number", "share of activations dropped", low=0.0, high=0.95),
        "max_length": Key("whole", "tokens of an example; longer ones are cut", low=2, high=1e6),
        "precision": Key("text", "arithmetic on a GPU", choices=("auto", "float32")),
        "quantize": Key("text", "base of an adapter", choices=("none", "nf4")),
        "layout": Key(
            "text", "layout of the logs; empty: as beside", choices=("", "fairseq", "hf_trainer")
        ),
        "reruns": Key("text", "folder in which finished runs appear"),
        "keep": Key("text", "weights that are kept", choices=("best", "none")),
    },
    "train.data": {
        "text": Key("text", "column or key of the text"),
        "label": Key("text", "column or key of the label, or of the answer"),
        "prompt": Key("text", "template of a training text with {text} and {label}"),
    },
    "train.data.files": {
        split: Key("text", "examples: .csv, .tsv, .jsonl, or texts, one a line") for split in SPLITS
    },
    "train.data.labels": {
        split: Key("text", "labels, one a line, beside a file of texts") for split in SPLITS
    },
    "model": {
        "name": Key("text", "what the report calls the model"),
        "config": Key("text", "config.json, relative to this file"),
        "checkpoint": Key("text", "checkpoint or tensors.json to reconcile the count with"),
    },
    "adapter": {
        "name": Key("text", "what the report calls the adapter"),
        "config": Key("text", "adapter_config.json, relative to this file"),
        "base": Key("text", "config.json or checkpoint of the base model"),
    },
}
