"""Which setting some words name: the rows of `words.csv`, and looking them up in a text."""

from __future__ import annotations

import csv
import pkgutil
import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from reportgen.checking.kept import Kept
from reportgen.records.record import field, record, replace

_TOKEN = re.compile(r"[^\W\d_]\w*(?:(?<=_)\{[\w\\ ]{1,30}\})?|_+\w+|\d[\d.,]*\d|\d|[^\s\w]|_")
_MOST_WORDS = 9
_MOST_SILENT = 4096
_INSIDE = frozenset("-'’_./\\")
"""Signs inside a name."""
_COUNT = frozenset({"number", "nb", "no", "num", "nombre", "count", "#"})
_NO_NOUN = frozenset({"per", "in", "for", "each", "by", "with", "and", "to", "par", "pour", "et"})


class Word(NamedTuple):
    """A word, a number or a sign, and where it stands."""

    text: str
    start: int
    end: int
    bare: str


class Named(NamedTuple):
    """Words that name a setting.

    Attributes:
        key: The setting.
        form: How they name it: `name`, `text`, `unit`, `assigned`, `near`.
        first: Index of their first word.
        last: Index of their last word.
        bare: The words without spaces, signs and capitals.
    """

    key: str
    form: str
    first: int
    last: int
    bare: str


@record(kw_only=False)
class Lexicon:
    """Phrases without spaces, signs and capitals, by how they name a setting.

    Attributes:
        forms: Form to phrase to key.
        also: Key to the other keys that its words may rightly mean.
        instead: The same of keys whose own value goes before, where they have one.
        marks: Name of a mark to its words.
        joined: The forms that were asked for together: phrase to key and the first form.
        silent: Texts that state nothing, which are not read again.
    """

    forms: Mapping[str, Mapping[str, str]]
    also: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    instead: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    marks: Mapping[str, frozenset[str]] = field(default_factory=dict)
    joined: dict[tuple[str, ...], dict[str, tuple[str, str]]] = field(
        default_factory=dict, compare=False, repr=False
    )
    silent: Kept[object, None] = field(
        default_factory=lambda: Kept(_MOST_SILENT), compare=False, repr=False
    )

    def key_of(self, phrase: str, forms: tuple[str, ...]) -> tuple[str, str] | None:
        """Return (key, form) of a whole phrase, or None."""
        if forms not in self.joined:
            pairs = ((form, self.forms[form].items()) for form in reversed(forms))
            self.joined[forms] = {one: (key, form) for form, of in pairs for one, key in of}
        return self.joined[forms].get(phrase)

    def with_keys(self, keys: Mapping[str, str]) -> Lexicon:
        """Return it with keys of files that no row knows: they name a setting where assigned."""
        known = {phrase for phrases in self.forms.values() for phrase in phrases}
        more = {
            phrase: key
            for phrase, key in keys.items()
            if phrase not in known and len(phrase) > _SHORT
        }
        assigned = {**self.forms["assigned"], **more}
        return replace(
            self,
            forms={**self.forms, "assigned": assigned},
            joined={},
            silent=Kept(_MOST_SILENT),
        )


_SHORT = 2
"""A key of a file this short is a name of something else in most texts."""


@lru_cache(maxsize=8192)
def condensed(name: str) -> str:
    """Return a name without spaces, signs and capitals.

    Example:
        >>> condensed("$d_{model}$"), condensed("Warm-up steps")
        ('dmodel', 'warmupsteps')
    """
    return re.sub(r"[\W_]+", "", name).casefold()


@cache
def lexicon() -> Lexicon:
    """Return the rows of `words.csv`; the key itself is one of its names.

    Example:
        >>> lexicon().key_of("tauxdapprentissage", ("name",))
        ('learning_rate', 'name')
    """
    text = (pkgutil.get_data(__package__, "words.csv") or b"").decode()
    forms: dict[str, dict[str, str]] = {
        form: {} for form in ("name", "text", "unit", "assigned", "near", "part", "label")
    }
    also: dict[str, dict[str, tuple[str, ...]]] = {"also": {}, "else": {}}
    marks: dict[str, set[str]] = {}
    for row in csv.DictReader(line for line in text.splitlines() if not line.startswith("#")):
        phrases = row["words"].split("|")
        if row["form"] in also:
            also[row["form"]][row["key"]] = tuple(phrases)
        elif row["form"] == "mark":
            marks.setdefault(row["key"], set()).update(phrases)
        else:
            forms[row["form"]].update((condensed(phrase), row["key"]) for phrase in phrases)
    found = {name: frozenset(words) for name, words in marks.items()}
    return Lexicon(forms, also["also"], also["else"], found)


@lru_cache(maxsize=256)
def words_of(text: str) -> tuple[Word, ...]:
    """Return the words, numbers and signs of a text.

    Example:
        >>> [word.text for word in words_of("warm-up: 6 % (d_model=1e-5)")]
        ['warm', '-', 'up', ':', '6', '%', '(', 'd_model', '=', '1', 'e', '-', '5', ')']
    """
    return tuple(Word(m[0], *m.span(), condensed(m[0])) for m in _TOKEN.finditer(text))


def name_before(
    words: Sequence[Word], last: int, forms: tuple[str, ...], lexis: Lexicon
) -> Named | None:
    """Return the longest name of a setting that ends with a word, `number of ...` too.

    Example:
        >>> name_before(words_of("the peak learning rate"), 3, ("name",), lexicon()).key
        'learning_rate'
    """
    found = None
    name = ""
    for first in range(last, max(-1, last - _MOST_WORDS), -1):
        word = words[first]
        if not (word.text[0].isalnum() or word.text in _INSIDE or word.text[0] == "_"):
            break
        name = word.bare + name
        starts = word.text[0].isalpha() or word.text[0] == "_"
        hit = lexis.key_of(name, forms) if name and starts else None
        if hit:
            found = Named(*hit, first, last, name)
    return found or _counted(words, last, lexis)


def _counted(words: Sequence[Word], last: int, lexis: Lexicon) -> Named | None:
    """Read `number of`, some adjectives and a noun that is the unit of a setting."""
    hit = lexis.key_of(words[last].bare, ("unit", "assigned"))
    for first in range(last - 1, max(-1, last - 7), -1) if hit else ():
        bare = words[first].text.casefold()
        if bare in _NO_NOUN or not (bare[0].isalpha() or bare == "#"):
            return None
        if bare in _COUNT and hit:
            return Named(hit[0], "name", first, last, "")
    return None


def unit_behind(words: Sequence[Word], first: int, lexis: Lexicon) -> Named | None:
    """Return the longest unit of a setting that begins with a word.

    Example:
        >>> unit_behind(words_of("8-headed attention"), 1, lexicon()).key
        'num_attention_heads'
    """
    while first < len(words) and words[first].text in {"-", "%", "–", "\\", "full", "complete"}:
        first += 1
    name, found = "", None
    for last in range(first, min(len(words), first + 6)):
        if not (words[last].text[0].isalpha() or words[last].text in _INSIDE):
            break
        name += words[last].bare
        hit = lexis.key_of(name, ("unit",))
        if hit:
            found = Named(*hit, first, last, name)
    return found


def name_of_label(label: str, lexis: Lexicon, *, adapter: bool) -> Named | None:
    """Return the setting that a whole label names, with what stands in brackets or without.

    Example:
        >>> name_of_label("LoRA rank (r)", lexicon(), adapter=False).key
        'r'
    """
    forms = ("near",) * adapter + ("name", "text", "assigned")
    bracketed = re.search(r"[(\[]([^)\]]*)[)\]]", label)
    tries = [label, re.sub(r"[(\[][^)\]]*[)\]]", "", label), bracketed[1] if bracketed else ""]
    tries += re.split(r"[,/:]", label)[:1]
    for text in tries:
        words = words_of(text.strip())
        hit = lexis.key_of(condensed(text), forms) if words else None
        if hit:
            return Named(*hit, 0, len(words) - 1, condensed(text))
        counted = _counted(words, len(words) - 1, lexis) if words else None
        if counted:
            return counted
    return None
