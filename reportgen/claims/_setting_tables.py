"""Tables of hyperparameters: names down the side or along the head, values in the cells."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal

from reportgen.checking.numbers._gated import gated
from reportgen.checking.numbers._numbers import find_numbers
from reportgen.claims._claiming import claim_in_cell
from reportgen.claims._count_columns import read_columns
from reportgen.claims._cues import DOUBTFUL, model_in
from reportgen.claims._passages import Passage
from reportgen.claims._plain import plain
from reportgen.claims._setting_keys import ADAPTER, MODEL, TEXT, SettingKey
from reportgen.claims._setting_numbers import value_of
from reportgen.claims._setting_words import BY_NAME, name_before, unit_behind, words_of
from reportgen.records.claim import Claim, Printed, Setting
from reportgen.records.manuscript import Cell

_ONE, _AGREED = 0.95, 0.85
_WORDY = 4
"""Words of a cell that no value of an adapter's setting has."""
_MOMENTS = frozenset({"num_train_epochs", "max_steps", "seed", "steps_per_epoch"})
_NAME = re.compile(r"[\w.*-]+")
_SWITCHES: dict[str, str | bool] = {"true": True, "false": False}
_DESCRIBES = re.compile(
    r"\W{0,3}(?:meanings?|descriptions?|effects?|comments?|notes?|remarks?|roles?|purposes?"
    r"|explanations?|definitions?|defaults?|what\s|why\b|reasons?|justification|signification"
    r"|rôles?|effets?|remarques?|commentaires?|définitions?|explications?|(?:valeur\s)?par\sdéfaut)",
    re.IGNORECASE,
)
"""Heads of columns that explain a setting and do not state it."""
_ONE_MOMENT = gated(
    r"(?:(?:best|last|final|meilleure?|dernière)\s)?(?:epoch|step|update|[ée]poque|[ée]tape|pas)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One cell that holds the value of a setting."""

    key: SettingKey
    name: str
    row: int
    column: int
    cell: Cell
    group: str


def tables_of_settings(passage: Passage) -> Iterator[Claim]:
    """Yield a claim for every cell of a table that holds the value of a named setting."""
    entries = [*_down_the_side(passage), *_along_the_head(passage)]
    for entry in entries:
        rivals = {
            e.cell.text.strip() for e in entries if e.key is entry.key and e.cell.text.strip()
        }
        several = sum(e.key is entry.key for e in entries)
        sure = _ONE if several == 1 else _AGREED if len(rivals) == 1 else DOUBTFUL
        claim = _claim(passage, entry, sure)
        if claim is not None:
            yield claim


def _down_the_side(passage: Passage) -> Iterator[Entry]:
    """Yield the values behind a name in the first cell of a row."""
    rows, head = passage.block.rows, passage.block.head
    heads = rows[head - 1] if 0 < head <= len(rows) else ()
    read = read_columns(passage.block)
    counts = [read.ledger and bool(kind) for kind in read.kinds]
    for number, row in enumerate(rows):
        if len(row) < 2 or (number < head and not _only_pairs(passage)):
            continue
        if number < head and _is_one(row[0].text):
            continue  # the head of a log of two columns
        key = named_by_cell(row[0].text, adapter=passage.adapter, names=passage.names)
        if key is None:
            continue
        for column, cell in enumerate(row[1:], 1):
            if column < len(heads) and (counts[column] or _DESCRIBES.match(heads[column].text)):
                continue
            group = heads[column].text if len(row) > 2 and column < len(heads) else ""
            yield Entry(key, plain(row[0].text).text.strip(), number, column, cell, group)


def _only_pairs(passage: Passage) -> bool:
    """Say whether a table has two columns, whose first row may be no head after all."""
    return all(len(row) == 2 for row in passage.block.rows)


def _along_the_head(passage: Passage) -> Iterator[Entry]:
    """Yield the values below a name in the head."""
    rows, head = passage.block.rows, passage.block.head
    if not 0 < head < len(rows):
        return
    for column, title in enumerate(rows[head - 1]):
        key = named_by_cell(title.text, adapter=passage.adapter, names=passage.names)
        if key is None or (column == 0 and _only_pairs(passage)):
            continue
        if key.name in _MOMENTS and (len(rows) > head + 1 or _is_one(title.text)):
            continue  # the rows of a log: `Epoch` numbers them
        for number, row in enumerate(rows[head:], head):
            if column < len(row):
                group = row[0].text if column else ""
                yield Entry(key, plain(title.text).text.strip(), number, column, row[column], group)


def _is_one(title: str) -> bool:
    """Say whether a head speaks of one moment: `Epoch` numbers a row, `Epochs` is a setting."""
    return bool(_ONE_MOMENT.fullmatch(plain(title).text.strip()))


def named_by_cell(
    text: str, *, adapter: bool, names: frozenset[str] = frozenset()
) -> SettingKey | None:
    """Return the setting that a cell names and nothing else.

    Example:
        >>> named_by_cell("Learning rate (peak)", adapter=False).name
        'learning_rate'
        >>> named_by_cell("# epochs", adapter=False).name, named_by_cell("Epoch 3", adapter=False)
        ('num_train_epochs', None)
        >>> named_by_cell("random-seed0", adapter=False), named_by_cell("lr5", adapter=False)
        (None, None)
    """
    words = list(words_of(plain(text).text, names))
    words = [word for word in words if word.text not in {":", "#", "*"}]
    opening = next((i for i, word in enumerate(words) if word.text == "("), len(words))
    words = words[:opening] if opening else words
    if not words:
        return None
    symbol = len(words) > 1 and len(words[-1].text) == 1 and words[-1].text.isalpha()  # `Rank $r$`
    for last in (len(words) - 1, len(words) - 2) if symbol else (len(words) - 1,):
        named = name_before(words, last, adapter=adapter)
        if named and named.first == 0 and not _is_numbered(text, named.key, adapter=adapter):
            return named.key
    unit = unit_behind(words, 0, adapter=adapter)
    return unit.key if unit and unit.last == len(words) - 1 else None


def _is_numbered(text: str, key: SettingKey, *, adapter: bool) -> bool:
    """Say whether a name is a setting's with a number of its own: of a run, or a group of runs.

    `random-seed0` is one of the runs, `lr5` one of the groups; `beta2` is a setting.
    """
    bare = text.rstrip().rstrip("0123456789")
    counted = bare != text.rstrip() and not bare[-1:].isspace()
    return counted and named_by_cell(bare.rstrip("_-"), adapter=adapter) is key


def _words(text: str, *, adapter: bool) -> str | bool | tuple[str, ...]:
    """Return a value of words: a list of names and a switch are written as programs do."""
    names = _NAME.findall(text) if text.startswith("[") and text.endswith("]") else []
    if len(names) > 1:
        return tuple(names)
    bare = text.strip("'\"[]")
    return _SWITCHES.get(bare.casefold(), bare) if adapter else bare


def _explains(name: str, value: str) -> bool:
    """Say whether a cell explains a setting: `bias | all biases of the base model` has no value."""
    return name != "target_modules" and len(value.split()) >= _WORDY and "," not in value


def _claim(passage: Passage, entry: Entry, sure: float) -> Claim | None:
    """Return the claim of one cell, None where its text is no value of the setting."""
    read = plain(entry.cell.text)
    numbers = find_numbers(read.text, passage.style)
    number: Printed | None = None
    value: Decimal | str | bool | tuple[str, ...] | None = None
    key = entry.key
    if key.kind == TEXT:
        value = _words(read.text.strip(), adapter=key.scope == ADAPTER) or None
        if isinstance(value, str) and value[0].isdigit():
            value = None  # `Optimizer | 4.17 GiB` is what it takes
        if isinstance(value, str) and key.scope == ADAPTER and _explains(key.name, value):
            return None
    elif numbers:
        number = numbers[0]
        value = value_of(key, number)
        if len(numbers) > 1:
            sure = min(sure, DOUBTFUL)
    if value is None or value in {"-", "–", "—"}:
        return None
    if key.name == "warmup_ratio" and isinstance(value, Decimal) and value >= 1:
        key = BY_NAME["warmup_steps"]
    if number is not None:
        start, end = read.span(number.start, number.end)
        number = replace(number, start=start, end=end)
    hints = {"where": entry.name} | ({"group": entry.group} if entry.group else {})
    if key.scope == MODEL:
        hints |= model_in(entry.group)
    return claim_in_cell(
        passage,
        entry.cell,
        (entry.row, entry.column),
        kind="lora_config" if key.scope == ADAPTER else "hyperparameter",
        number=number,
        content=Setting(name=entry.name, key=key.name, value=value, scope=key.scope),
        confidence=sure,
        hints=hints,
        quote=f"{entry.name} | {entry.cell.text}",
    )
