"""Settings that are known: the words that name each (`words.csv`), and what the evidence has."""

from __future__ import annotations

import csv
import pkgutil
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from functools import cache, lru_cache
from typing import NamedTuple

from reportgen.checking.kept import Kept
from reportgen.records.facts import Facts, ModelFacts
from reportgen.records.record import field, record, replace
from reportgen.records.run import Run
from reportgen.records.verdict import Evidence, Trace

# Which setting some words name: the rows of `words.csv`, and looking them up in a text.

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


# What the evidence has for each setting: configurations, adapters, ledgers, files, counters.

Plain = Decimal | str | tuple[str, ...]

_FORMS = ("name", "text", "assigned", "near")
_GENERIC = frozenset({"value", "default", "val", "setting"})
"""Keys of files that say that what stands above them is the name."""
_CONFIGURATIONS = (".yaml", ".yml", ".json", ".toml")
_LARGEST = 10**15
"""Programs write their largest integer where nothing was set."""
_MOST_COUNTED = 1000
_SYMBOLS = {
    "d": "hidden_size",
    "E": "hidden_size",
    "H": "num_attention_heads",
    "V": "vocab_size",
    "L": "num_hidden_layers",
    "L_enc": "num_hidden_layers",
    "L_dec": "num_hidden_layers",
    "d_ff": "intermediate_size",
    "d_enc": "intermediate_size",
    "d_dec": "intermediate_size",
    "P": "max_position_embeddings",
}
"""Letters of a ledger's formulas, for sizes that a configuration leaves to its family."""
_PADDED = frozenset({"roberta", "camembert", "xlm-roberta", "bart", "mbart", "opt"})
"""Families whose table of positions has two rows more than there are positions."""
_IN_NAME = re.compile(r"([A-Za-z]+(?:_[A-Za-z]+)*)[-_=]?(\d+(?:\.\d+)?(?:e-?\d+)?)(?![\dA-Za-z])")
_CLOCKS = {"runtime": 1, "seconds": 1, "minutes": 60, "hours": 3600, "duration": 1}
"""Ends of keys that hold how long something took, and how many seconds one of them is."""
_UNITS_OF_TIME = {"seconds_spent": 1, "minutes_spent": 60, "hours_spent": 3600}
_REACHED = {"epoch": "epochs_reached", "globalstep": "steps_reached", "step": "steps_reached"}
"""Counters that a program writes beside its settings."""


@record(kw_only=False)
class Known:
    """One value that the evidence has for a setting.

    Attributes:
        key: The setting; the file's own key without signs where no word is known for it.
        value: Number, text or names.
        owner: Whose it is: `run`, `adapter`, `model` or `file` with a name.
        tag: The key as the file spells it, or what was counted.
        path: The file.
        run: Id of the run, or empty.
        derived: Whether it was counted or computed, and not set by anybody.
    """

    key: str
    value: Plain
    owner: str
    tag: str
    path: str = ""
    run: str = ""
    derived: bool = False

    @property
    def trace(self) -> Trace:
        """The same for whoever reads the verdict."""
        number = float(self.value) if isinstance(self.value, Decimal) else None
        what = f"{self.tag} = {shown(self.value)}"
        return Trace(what=what, value=number, path=self.path, tag=self.tag, run=self.run)


def shown(value: Plain) -> str:
    """Return a value as a file has it.

    Example:
        >>> shown(Decimal("0.0002")), shown(("q_proj", "v_proj"))
        ('0.0002', 'q_proj, v_proj')
    """
    if isinstance(value, tuple):
        return ", ".join(value)
    if isinstance(value, Decimal) and value == value.to_integral_value():
        return f"{value:.0f}"
    return f"{value.normalize():f}" if isinstance(value, Decimal) else value


def plain(value: object) -> Plain | None:
    """Return a value of a file as a number, a text or names; None for what is none of them."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        number = Decimal(str(value))
        return number if number.is_finite() and abs(number) < _LARGEST else None
    if isinstance(value, str):
        try:
            number = Decimal(value.strip())
        except InvalidOperation:
            return value[:200] or None
        return number if number.is_finite() else value[:200]
    if isinstance(value, list | tuple) and value and all(isinstance(v, str) for v in value):
        return tuple(value[:100])
    if isinstance(value, list | tuple) and len(value) == 1:
        return plain(value[0])
    return None


def known_of(evidence: Evidence, lexis: Lexicon) -> tuple[Known, ...]:
    """Return every value that the evidence has for a setting, each once an owner."""
    found = [*_of_files(evidence, lexis)]
    if evidence.facts is not None:
        found = [*_of_facts(evidence.facts, lexis), *found]
    found += _products(found)
    return tuple(dict.fromkeys(found))


_LETTERS = frozenset({"r"})
"""Names of one letter that files of settings have; others are classes, symbols, axes."""


def _named(keys: tuple[str, ...], lexis: Lexicon) -> str:
    """Return the setting that the keys to a value name: the last, or the last two together."""
    parts = [part for key in keys for part in key.split(".")]
    while len(parts) > 1 and condensed(parts[-1]) in _GENERIC:
        parts.pop()
    name = condensed(parts[-1])
    if len(name) == 1 and name not in _LETTERS:
        return ""
    hit = lexis.key_of(name, _FORMS)
    if hit is None and len(parts) > 1:
        hit = lexis.key_of(condensed(parts[-2]) + name, _FORMS)
    return hit[0] if hit else name


def _read(
    values: Iterable[tuple[tuple[str, ...], object]],
    lexis: Lexicon,
    owner: str,
    path: str,
    run: str = "",
) -> Iterator[Known]:
    for keys, raw in values:
        value = plain(raw)
        key = _named(keys, lexis)
        unset = key in {"max_steps", "seed"} and isinstance(value, Decimal) and value < 0
        if value is not None and key and not unset:
            reached = _REACHED.get(condensed(keys[-1]), "")
            last = condensed(keys[-1].rpartition(".")[2])
            seconds = next((n for end, n in _CLOCKS.items() if last.endswith(end)), 0)
            for unit, length in _UNITS_OF_TIME.items() if seconds else ():
                if isinstance(value, Decimal):
                    spent = value * seconds / length
                    yield Known(unit, spent, owner, ".".join(keys), path, run, derived=True)
            yield Known(reached or key, value, owner, ".".join(keys), path, run, bool(reached))


def _of_facts(facts: Facts, lexis: Lexicon) -> Iterator[Known]:
    for adapter in facts.adapters:
        path = adapter.config.source.path
        pairs = (((key,), value) for key, value in adapter.config.values.items())
        mine = [*_read(pairs, lexis, f"adapter {path}", path)]
        yield from mine
        yield from _scaling(mine, path)
    models = [facts.model, *(adapter.base for adapter in facts.adapters)]
    for model in models:
        if model is not None:
            yield from _of_model(model, lexis)
    for run in facts.runs:
        paths = [source.path for source in run.sources] or [run.id]
        path = next((p for p in paths if p.endswith(_CONFIGURATIONS)), paths[0])
        pairs = (((key,), value) for key, value in run.config.items())
        yield from _read(pairs, lexis, f"run {run.id}", path, run.id)
        yield from _of_progress(run, path)
        yield from _of_name(run, lexis, path)
    yield from _of_many(facts)


def _scaling(adapter: Iterable[Known], path: str) -> Iterator[Known]:
    values = {one.key: one.value for one in adapter}
    alpha, rank = values.get("lora_alpha"), values.get("r")
    if isinstance(alpha, Decimal) and isinstance(rank, Decimal) and rank:
        tag = "lora_alpha / r"
        yield Known("lora_scaling", alpha / rank, f"adapter {path}", tag, path, derived=True)


def _of_model(model: ModelFacts, lexis: Lexicon) -> Iterator[Known]:
    """Yield a configuration's values, and the sizes that follow from it."""
    path = model.config.source.path
    owner = f"model {path}"
    mine = [*_read((((k,), v) for k, v in model.config.values.items()), lexis, owner, path)]
    yield from mine
    sizes: dict[str, Decimal] = {}
    for one in mine:
        if isinstance(one.value, Decimal):
            sizes.setdefault(one.key, one.value)
    sides = []
    for symbol, (meaning, size) in model.ledger.symbols.items():
        key = _SYMBOLS.get(symbol, "")
        if key:
            sizes.setdefault(key, Decimal(str(size)))
            yield Known(key, Decimal(str(size)), owner, meaning, path, derived=True)
        if symbol in {"L_enc", "L_dec"}:
            sides.append(Decimal(str(size)))
    if len(sides) > 1:
        yield Known(
            "num_hidden_layers", sum(sides, Decimal(0)), owner, "both sides", path, "", True
        )
    positions = sizes.get("max_position_embeddings")
    if positions is not None and model.config.model_type in _PADDED:
        tag = "positions without the two rows of padding"
        yield Known("max_position_embeddings", positions - 2, owner, tag, path, "", True)
    width, heads = sizes.get("hidden_size"), sizes.get("num_attention_heads")
    if width and heads and "head_dim" not in sizes:
        yield Known("head_dim", width / heads, owner, "hidden size / heads", path, "", True)


def _of_files(evidence: Evidence, lexis: Lexicon) -> Iterator[Known]:
    """Yield values of plain files; of lists only lists of names."""
    lists: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for one in evidence.stored:
        numbered = [position for position, key in enumerate(one.keys) if key.isdigit()]
        if numbered == [len(one.keys) - 1] and isinstance(one.value, str) and numbered[0]:
            lists.setdefault((one.path, one.keys[:-1]), []).append(one.value)
        elif not numbered:
            yield from _read([(one.keys, one.value)], lexis, f"file {one.path}", one.path)
    for (path, keys), names in lists.items():
        yield from _read([(keys, names)], lexis, f"file {path}", path)


def _of_progress(run: Run, path: str) -> Iterator[Known]:
    """Yield how far a run came: epochs, steps, and the steps between two evaluations."""
    counted: dict[tuple[str, Decimal], str] = {}

    def add(key: str, value: float, what: str) -> None:
        counted.setdefault((key, Decimal(str(value))), what)

    clock = run.clock
    if clock is not None and len(clock.epochs):
        add("epochs_reached", float(clock.epochs[-1]), "epochs reached")
        if clock.steps_per_epoch > 1:
            add("steps_per_epoch", clock.steps_per_epoch, "steps per epoch")
    for tag, series in run.scalars.items():
        steps = series.steps
        if not len(steps):
            continue
        last = int(steps[-1])
        for value in (last, last + 1):
            add("steps_reached", value, f"last step of {tag}")
        by_epoch = series.clock == "epoch" or (clock is not None and clock.counts_epochs)
        if by_epoch or (clock is None and series.split != "train"):
            for value in {len(steps), *((last, last + 1) if by_epoch else ())}:
                if value <= _MOST_COUNTED:
                    add("epochs_reached", value, f"points of {tag}")
        if len(steps) > 1 and int(steps[1] - steps[0]) > 1:
            add("eval_steps", int(steps[1] - steps[0]), f"steps between points of {tag}")
    for (key, count), what in counted.items():
        yield Known(key, count, f"run {run.id}", what, path, run.id, derived=True)


def _of_name(run: Run, lexis: Lexicon, path: str) -> Iterator[Known]:
    """Yield the settings that a run's name and its own seed tell (`lr1e-3`)."""
    for name, digits in _IN_NAME.findall(run.id.rpartition("/")[2]):
        parts = name.split("_")
        tails = ("".join(parts[first:]).casefold() for first in range(len(parts)))
        hit = next(filter(None, (lexis.key_of(tail, _FORMS) for tail in tails)), None)
        if hit:
            value = Decimal(digits)
            yield Known(hit[0], value, f"run {run.id}", run.id, path, run.id, derived=True)
    if run.seed is not None:
        yield Known("seed", Decimal(run.seed), f"run {run.id}", "seed", path, run.id, True)


def _of_many(facts: Facts) -> Iterator[Known]:
    """Yield how many runs, groups and seeds there are, in all and in a group."""
    groups = facts.runs.groups()
    counts = {len(facts.runs), len(groups), *(len(runs) for runs in groups.values())}
    counts.add(len({run.seed for run in facts.runs if run.seed is not None}))
    for count in sorted(counts - {0}):
        yield Known("num_runs", Decimal(count), "runs", "number of runs", derived=True)


def _products(found: Iterable[Known]) -> Iterator[Known]:
    """Yield the batch of all devices and accumulated steps, an owner at a time."""
    owners: dict[str, dict[str, Known]] = {}
    for one in found:
        if isinstance(one.value, Decimal):
            owners.setdefault(one.owner, {}).setdefault(one.key, one)
    for values in owners.values():
        batch = values.get("batch_size")
        product: Plain | None = batch.value if batch else None
        for name in ("gradient_accumulation_steps", "num_devices"):
            factor = values[name].value if name in values else None
            if batch and isinstance(product, Decimal) and isinstance(factor, Decimal):
                product = product * factor
                tag = "batch size of all steps and devices"
                path, run = batch.path, batch.run
                yield Known("effective_batch_size", product, batch.owner, tag, path, run, True)


def by_key(found: Iterable[Known]) -> Mapping[str, tuple[Known, ...]]:
    """Return the values of each setting."""
    keys: dict[str, list[Known]] = {}
    for one in found:
        keys.setdefault(one.key, []).append(one)
    return {key: tuple(values) for key, values in keys.items()}


def sizes_of(found: Iterable[Known]) -> Mapping[str, Decimal]:
    """Return the sizes of the model: of each setting the first value, as it was configured."""
    sizes: dict[str, Decimal] = {}
    for one in found:
        if one.owner.startswith("model ") and isinstance(one.value, Decimal):
            sizes.setdefault(one.key, one.value)
    return sizes
