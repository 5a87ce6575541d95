"""Kinds of adapters, their keys and default targets, read from the tables beside this module."""

from __future__ import annotations

import pkgutil
import tomllib
from collections.abc import Mapping
from typing import Any

from reportgen.languages import message
from reportgen.parameters._expressions import draw
from reportgen.records.formula import Expression, Symbol
from reportgen.records.record import record

# PEFT's values where the file is silent.
DEFAULT_RANK = 8
DEFAULT_ALPHA = 8
# Kinds that train rows in front of the inputs, or of every layer.
PROMPTS = frozenset({"PROMPT_TUNING", "PREFIX_TUNING", "P_TUNING"})


@record(kw_only=False)
class Key:
    """One key of a configuration.

    Attributes:
        kind: `"positive"` (whole number from 1), `"count"` (from 0), `"number"`, `"share"`
            (in [0, 1]), `"switch"`, `"choice"`, `"names"` (list, text or null), `"list"`,
            `"patterns"` (name to number), or `"any"`.
        meaning: What it sets, in words.
        choices: Legal texts of a `"choice"`.
        shown: Whether the report lists it even when it has its default value.
    """

    kind: str
    meaning: str
    choices: tuple[str, ...] = ()
    shown: bool = False


@record(kw_only=False)
class Size:
    """Where a size of a formula is read.

    Attributes:
        key: Key of the configuration.
        default: PEFT's value where it is absent.
        pattern: Key of the modules with a size of their own, or empty.
        dotted: Not empty where such a pattern stands behind a dot.
    """

    key: str
    default: int
    pattern: str = ""
    dotted: str = ""


@record
class Kind:
    """One kind of adapter: a row of the table, where its columns are explained."""

    name: str
    title: str
    adds: str
    does: str
    fits: tuple[str, ...]
    tensors: str
    formulas: Mapping[str, str]
    sizes: Mapping[str, Size]
    symbols: Mapping[str, str]
    counted: frozenset[str]
    divides: str
    sparse: bool
    keys: Mapping[str, Key]
    uncounted: tuple[str, ...]
    no_text_with: tuple[str, ...]
    pattern_alone: bool

    def formula(self, name: str = "plain") -> Expression:
        """Return one of its formulas."""
        return draw(self.formulas[name].replace("\n", " ").strip(), self.symbol, {})

    def symbol(self, key: str) -> Symbol:
        """Return a symbol of its formulas by its key."""
        letter, _, below = key.partition("_")
        return Symbol(letter, below, meaning=self.symbols[key])


def role_of_task(task: object) -> str:
    """Return the role of the class that a task type asks for, or an empty string.

    Example:
        >>> role_of_task("SEQ_CLS"), role_of_task(None)
        ('SequenceClassification', '')
    """
    return str(_TABLE["role_of_task"].get(str(task), ""))


def read_table(name: str) -> dict[str, Any]:
    """Read one of the tables beside this module."""
    return tomllib.loads((pkgutil.get_data(__name__, name) or b"").decode("utf-8"))


def read_kind(table: Mapping[str, Any], name: str) -> Kind:
    """Read one row of the table of kinds."""
    row = table["kinds"][name]
    rows = table["keys"] | row.get("own", {})
    if "bias" in row:
        kind, meaning, modes = rows["bias"]
        rows["bias"] = [kind, meaning, [*modes[:2], row["bias"]]]
    sizes = {symbol: Size(*size) for symbol, size in row.get("sizes", {}).items()}
    read = {key for size in sizes.values() for key in (size.key, size.pattern) if key}
    shown = table["shown"].split()
    words = (table["lists"].get(word, word) for word in row["keys"].split())
    return Kind(
        name=name,
        title=row["title"],
        adds=row["adds"],
        does=row.get("does", ""),
        fits=tuple(row.get("fits", "linear").split()),
        tensors=row["tensors"],
        formulas=row["formulas"],
        sizes=sizes,
        symbols=table["symbols"] | row.get("symbols", {}),
        counted=frozenset(read.union(row.get("counted", "").split())),
        divides=row.get("divides", ""),
        sparse=row.get("sparse", False),
        keys={
            key: Key(rows[key][0], message(rows[key][1]), tuple(*rows[key][2:]), key in shown)
            for key in " ".join(words).split()
        },
        uncounted=tuple(row.get("uncounted", "").split()),
        no_text_with=tuple(row.get("no_text_with", "").split()),
        pattern_alone=row.get("pattern_alone", True),
    )


def read_targets(tables: Mapping[str, Any], kind: str) -> dict[str, Any]:
    """Read the default targets of one kind, by model type."""
    rows = dict(tables[kind])
    like, without = rows.pop("like", ""), rows.pop("without", ())
    found = {**(read_targets(tables, like) if like else {}), **rows}
    return {name: value for name, value in found.items() if name not in without}


_TABLE = read_table("kinds.toml")
_TARGETS = read_table("targets.toml")

KINDS: Mapping[str, Kind] = {name: read_kind(_TABLE, name) for name in _TABLE["kinds"]}
OTHER_KINDS: tuple[str, ...] = tuple(_TABLE["others"].split())
STARTS: tuple[str, ...] = tuple(_TABLE["starts"].split())
KEYS_OF_KIND: Mapping[str, Mapping[str, Key]] = {name: kind.keys for name, kind in KINDS.items()}
LORA_KEYS = KEYS_OF_KIND["LORA"]
MISTAKES: Mapping[str, str] = _TABLE["mistakes"]
WANTED: Mapping[str, str] = _TABLE["wanted"]
STARTED_BY: Mapping[str, str] = _TABLE["started_by"]
OUTPUT_EMBEDDINGS: frozenset[str] = frozenset(_TABLE["output_embeddings"].split())
PROMPTS_NEED: Mapping[str, frozenset[str]] = {
    key: frozenset(types.split()) for key, types in _TABLE["prompts_need"].items()
}
OTHER_PREFIXES: frozenset[str] = frozenset(_TABLE["other_prefixes"].split())
HEADS_SAVED: Mapping[str, tuple[str, ...]] = {
    task: tuple(names) for task, names in _TABLE["heads_saved"].items()
}
DEFAULT_TARGETS: Mapping[str, Mapping[str, Any]] = {
    name: read_targets(_TARGETS, name if name in _TARGETS else "LORA") for name in KINDS
}
