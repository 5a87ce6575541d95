"""Which setting the words before or behind a value name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from reportgen.checking.numbers._kept import kept
from reportgen.claims._model_words import MODEL_KEYS
from reportgen.claims._run_names import spans_of_names
from reportgen.claims._setting_keys import TEXT, SettingKey, condensed
from reportgen.claims._training_words import ADAPTER_KEYS, DATA_KEYS, NEAR_ADAPTER, TRAINING_KEYS

KEYS: tuple[SettingKey, ...] = (*ADAPTER_KEYS, *MODEL_KEYS, *TRAINING_KEYS, *DATA_KEYS)
BY_NAME: Mapping[str, SettingKey] = {key.name: key for key in KEYS}
_NAMES = {condensed(phrase): key for key in reversed(KEYS) for phrase in key.names}
_UNITS = {condensed(phrase): key for key in reversed(KEYS) for phrase in key.units}
_ASSIGNED = {condensed(phrase): key for key in reversed(KEYS) for phrase in key.assigned}
_NEAR = {word: BY_NAME[name] for word, name in NEAR_ADAPTER.items()}
_MOST_WORDS = 9
_DIGITS = "0123456789"
_JOINTS = frozenset({"-", "'", "_", "."})
"""Signs inside a name."""
_WORD = re.compile(r"[^\W\d_]\w*|_+\w+|\d[\d.,]*\d|\d|[^\s\w]|_")


def _ends_of(names: Iterable[str]) -> frozenset[str]:
    """Return every end of every name."""
    return frozenset(name[start:] for name in names for start in range(len(name)))


_ENDS = _ends_of((*_NAMES, *_ASSIGNED, *_NEAR))
_TEXT_ENDS = _ends_of(
    name for names in (_NAMES, _ASSIGNED, _NEAR) for name, key in names.items() if key.kind == TEXT
)
# Nouns that `number of ...` may end in, adjectives between.
_COUNTED = {
    **dict.fromkeys(("head", "heads", "tête", "têtes"), "num_attention_heads"),
    **dict.fromkeys(("layer", "layers", "block", "blocks", "stack", "stacks"), "num_hidden_layers"),
    **dict.fromkeys(("couche", "couches", "bloc", "blocs"), "num_hidden_layers"),
    **dict.fromkeys(
        ("epoch", "epochs", "époque", "époques", "epoque", "epoques"), "num_train_epochs"
    ),
    **dict.fromkeys(("class", "classes", "label", "labels", "étiquettes"), "num_labels"),
    **dict.fromkeys(("update", "updates", "iterations", "itérations"), "max_steps"),
    **dict.fromkeys(("position", "positions"), "max_position_embeddings"),
}
_NUMBER_OF = {"number", "nb", "no", "nombre", "num", "count", "#"}
_BETWEEN_NUMBER_AND_NOUN = frozenset(
    {
        *("in", "per", "for", "each", "by", "with", "and", "to", "from", "on", "into"),
        *("parameters", "params", "weights", "tokens", "examples", "runs", "seeds"),
        *("paramètres", "par", "dans", "pour", "chaque", "et"),
    }
)
_NOT_BEFORE = frozenset({"per", "each", "every", "par", "chaque", "a", "an"})


class Word(NamedTuple):
    """A word, a number or a sign of a plain text, and where it stands.

    Attributes:
        text: As written.
        start: Where it begins.
        end: The position behind it.
        bare: Without marks and capitals.
    """

    text: str
    start: int
    end: int
    bare: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """Words that name a setting.

    Attributes:
        key: The setting.
        first: Index of its first word.
        last: Index of its last word.
        sure: How sure it is that they mean this, 0 to 1.
        assigned: Whether they name it only where `=` or `:` follows.
    """

    key: SettingKey
    first: int
    last: int
    sure: float = 0.95
    assigned: bool = False


@kept
def words_of(text: str, names: frozenset[str] = frozenset()) -> tuple[Word, ...]:
    """Return the words, numbers and signs of a plain text.

    Args:
        text: A plain text.
        names: Of groups and runs, without capitals; each is one word, and of no setting.

    Example:
        >>> [word.text for word in words_of("warm-up: 6 % (d_model=1e-5)")]
        ['warm', '-', 'up', ':', '6', '%', '(', 'd_model', '=', '1', 'e', '-', '5', ')']
        >>> [word.text for word in words_of("lora-r8: n = 3", frozenset({"lora-r8"}))]
        ['lora-r8', ':', 'n', '=', '3']
    """
    words: list[Word] = []
    done = 0
    for start, end in (*spans_of_names(text, names), (len(text), len(text))):
        words += (Word(m[0], *m.span(), _bare(m[0])) for m in _WORD.finditer(text, done, start))
        if end > start:
            # No name of a setting begins with this sign.
            words.append(Word(text[start:end], start, end, f"·{text[start:end].casefold()}"))
        done = end
    return tuple(words)


def _bare(text: str) -> str:
    """Return a word without marks and capitals."""
    return text.casefold() if text.isalnum() else condensed(text)


def name_before(
    words: Sequence[Word],
    last: int,
    *,
    adapter: bool = False,
    symbols: Mapping[str, tuple[str, float]] | None = None,
) -> Named | None:
    """Return the longest name of a setting that ends with a word.

    Args:
        words: Of a plain text.
        last: Index of the last word of the name.
        adapter: Whether an adapter is spoken of, so that `rank` and `alpha` mean its own.
        symbols: What single letters stand for: letter to (key, how sure).

    Example:
        >>> words = words_of("the total number of encoder layers")
        >>> name_before(words, 5).key.name
        'num_hidden_layers'
    """
    bare = None
    for first, name in _spellings(words, last):
        unnumbered = name if words[last].text.isdecimal() else name.rstrip(_DIGITS)
        for spelling in (name, unnumbered):
            near = adapter and spelling in _NEAR and not _compound(words, first)
            # `R` is a space of numbers, `r` a rank.
            if near and (len(spelling) > 1 or spelling == words[last].text):
                return Named(key=_NEAR[spelling], first=first, last=last)
            if spelling in _NAMES:
                return Named(key=_NAMES[spelling], first=first, last=last)
            if spelling in _ASSIGNED and bare is None and not _indexed(words, first):
                bare = Named(key=_ASSIGNED[spelling], first=first, last=last, assigned=True)
    return _counted(words, last) or bare or _symbol(words, last, symbols or {})


def may_end_text(word: Word) -> bool:
    """Say whether a word may be the last of the name of a setting whose value is words.

    Example:
        >>> [word.text for word in words_of("our optimizer was good") if may_end_text(word)]
        ['optimizer']
    """
    return word.bare in _TEXT_ENDS or word.bare.rstrip(_DIGITS) in _TEXT_ENDS


def _spellings(words: Sequence[Word], last: int) -> list[tuple[int, str]]:
    """Return (first word, name without marks) of what may name a setting, the longest first.

    Looks back from the last word only as long as some name ends like that.
    """
    ending = words[last].text
    found: list[tuple[int, str]] = []
    if not _ends_name(ending):
        return found
    numbered, name = ending.isdecimal(), ""
    for first in range(last, max(-1, last - _MOST_WORDS), -1):
        word = words[first]
        if not (word.text[0].isalnum() or word.text in _JOINTS):
            break
        name = word.bare + name
        if name not in _ENDS and (numbered or name.rstrip(_DIGITS) not in _ENDS):
            break
        if word.text[0].isalpha():
            found.append((first, name))
    return found[::-1]


def name_at(words: Sequence[Word], first: int, *, adapter: bool = False) -> Named | None:
    """Return the longest name of a setting that begins with a word, `number of ...` too.

    Example:
        >>> name_at(words_of("maximum length of a sentence and more"), 0).key.name
        'max_length'
    """
    for last in range(min(len(words), first + _MOST_WORDS) - 1, first - 1, -1):
        found = name_before(words, last, adapter=adapter)
        if found and found.first <= first and _may_be_name(words, first, last):
            return found
    return None


def unit_behind(words: Sequence[Word], first: int, *, adapter: bool = False) -> Named | None:
    """Return the longest unit of a setting that begins with a word.

    Example:
        >>> unit_behind(words_of("8-headed attention"), 1).key.name
        'num_attention_heads'
        >>> unit_behind(words_of("5 % dropout"), 2, adapter=True).key.name
        'lora_dropout'
    """
    while first < len(words) and words[first].text in {"-", "%", "–"}:
        first += 1
    for last in range(min(len(words), first + 6) - 1, first - 1, -1):
        if not _may_be_name(words, first, last):
            continue
        unit = "".join(word.bare for word in words[first : last + 1])
        if unit in _UNITS:
            key = _UNITS[unit]
            near = adapter and key.name == "dropout"
            return Named(key=BY_NAME["lora_dropout"] if near else key, first=first, last=last)
    return None


def _may_be_name(words: Sequence[Word], first: int, last: int) -> bool:
    """Say whether words from `first` to `last` hold no sign that parts two things."""
    inside = words[first : last + 1]
    if not inside or not inside[0].text[0].isalpha() or not _ends_name(inside[-1].text):
        return False
    return all(word.text[0].isalnum() or word.text in _JOINTS for word in inside)


def _ends_name(text: str) -> bool:
    return text[0].isalpha() or text.isdecimal()


def _indexed(words: Sequence[Word], first: int) -> bool:
    """Say whether a bare noun is the unit of something else (`parameters per layer`)."""
    return first > 0 and words[first - 1].text.casefold() in _NOT_BEFORE


def _compound(words: Sequence[Word], first: int) -> bool:
    """Say whether a word is half of another (`low-rank`, `full rank`)."""
    before = words[first - 1] if first else None
    if before is None:
        return False
    hyphen = before.text == "-" and before.end == words[first].start
    return hyphen or before.text.casefold() in {"low", "full"}


def _counted(words: Sequence[Word], last: int) -> Named | None:
    """Read `number of`, some adjectives and a noun: `number of transformer unit layers`."""
    noun = words[last].text.casefold()
    if noun not in _COUNTED:
        return None
    for first in range(last - 1, max(-1, last - 8), -1):
        word = words[first].text.casefold()
        if word in _BETWEEN_NUMBER_AND_NOUN or not (word[0].isalpha() or word == "#"):
            return None
        if word in _NUMBER_OF:
            total = first > 0 and words[first - 1].text.casefold() == "total"
            key = BY_NAME[_COUNTED[noun]]
            return Named(key=key, first=first - total, last=last, sure=0.9)
    return None


def _symbol(
    words: Sequence[Word], last: int, symbols: Mapping[str, tuple[str, float]]
) -> Named | None:
    """Read a letter that the report defines."""
    key, sure = symbols.get(words[last].text, ("", 0.0))
    if not key:
        return None
    return Named(key=BY_NAME[key], first=last, last=last, sure=sure, assigned=True)
