"""The table of families: what every tensor of a model type is, by the keys of its configuration.

`tools/families` derives the table from the library's own classes and proves it on random
configurations; `families.zip` holds it, a line a model type and some of them a member, each
packed with a dictionary of words that most of them share.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from zipimport import zipimporter

from reportgen.records.record import field, record

TABLE = Path(__file__).with_name("families.zip")
# The member that holds the words which all others are packed with.
WORDS = "dictionary"
# The member that says which types are in which member: a line each.
NAMES = "names"
# What stands behind the kind of a row that is a weight and its bias.
WITH_BIAS = "+"
# Suffixes of a class's name to the role of the class, the longer first.
BASE = "base"


@record(kw_only=False)
class Template:
    """Tensors of one kind, one of them where nothing repeats.

    Attributes:
        name: Name of the parameter, `*` for each number that repeats.
        sides: Expressions of its sides, as stored.
        loops: Bound of each `*`.
        kind: Class of the module that owns it, or `"buffer"`.
        conditions: What must hold for it to exist.
    """

    name: str
    sides: tuple[str, ...]
    loops: tuple[str, ...]
    kind: str
    conditions: tuple[str, ...] = ()


@record
class ModelClass:
    """One class of a family.

    Attributes:
        name: As `architectures` in a configuration has it.
        role: `base`, or what its head is for (`CausalLM`, `SequenceClassification`, ...).
        prefix: Name of the backbone inside this class, with its dot; empty in the base class.
        templates: Its tensors.
        tied: (second name, first name, conditions) of tensors that are one storage.
        requires: What a configuration must have for the templates to hold.
        withheld: Why its total is not given; empty where it was proven.
    """

    name: str
    role: str
    prefix: str = ""
    templates: tuple[Template, ...] = ()
    tied: tuple[tuple[str, ...], ...] = ()
    requires: tuple[str, ...] = ()
    withheld: str = ""


@record
class Family:
    """A model type.

    Attributes:
        name: The model type.
        library: Whose classes the table was derived from, with its version.
        defaults: Value of every key that some expression uses, where a file lacks it; for a part
            of a composite model, the keys that are set where the file lacks the whole part.
        derived: Expression of a key that is null or lacking.
        aliases: Other spellings of keys.
        unsure: Keys that other templates would depend on, with the only value that is covered.
        written: Expression of what the library's own class writes out under a key that would
            be a doubt: stated so, it is none.
        classes: By name, the base class first.
    """

    name: str
    library: str
    defaults: Mapping[str, object]
    derived: Mapping[str, str] = field(default_factory=dict)
    aliases: Mapping[str, str] = field(default_factory=dict)
    unsure: Mapping[str, object] = field(default_factory=dict)
    written: Mapping[str, str] = field(default_factory=dict)
    classes: Mapping[str, ModelClass]

    @property
    def base(self) -> ModelClass:
        """The class without a head."""
        found = next((c for c in self.classes.values() if c.role == BASE), None)
        return found or next(iter(self.classes.values()))


@cache
def known_types() -> frozenset[str]:
    """Return the model types of the table."""
    return frozenset(places())


@cache
def places() -> Mapping[str, tuple[int, int]]:
    """Return the member of every model type, and its line there."""
    lines = zlib.decompress(opened().get_data(NAMES)).decode("utf-8").split("\n")
    return {
        name: (member, place)
        for member, line in enumerate(lines)
        for place, name in enumerate(line.split(" "))
    }


@cache
def opened() -> zipimporter:
    """Open the table with what Python opens archives with itself: it is there before any import."""
    return zipimporter(str(TABLE))


@cache
def load_family(model_type: str) -> Family | None:
    """Read one model type; None where the table has no such type.

    Example:
        >>> load_family("llama").base.name
        'LlamaModel'
        >>> load_family("no such type") is None
        True
    """
    if model_type not in places():
        return None
    member, place = places()[model_type]
    words = zlib.decompress(opened().get_data(WORDS))
    packed = opened().get_data(str(member))
    body = zlib.decompressobj(-zlib.MAX_WBITS, words).decompress(packed)
    return family_of_entry(json.loads(body.split(b"\n")[place]))


def family_of_entry(entry: Mapping[str, object]) -> Family:
    """Return an entry of the table as a family; classes with heads get their whole lists."""
    found: dict[str, ModelClass] = {}
    for name, own in dict(entry["classes"]).items():  # type: ignore[call-overload]
        found[name] = ModelClass(
            name=name,
            role=role_of(name, own["role"]),
            prefix=own.get("prefix", ""),
            templates=tuple(templates_of(own, found)),
            tied=tuple(tuple(each) for each in own.get("tied", ())),
            requires=tuple(own.get("requires", ())),
            withheld=own.get("withheld", ""),
        )
    return Family(
        name=str(entry["type"]),
        library=str(entry["library"]),
        defaults=entry.get("defaults", {}),  # type: ignore[arg-type]
        derived=entry.get("derived", {}),  # type: ignore[arg-type]
        aliases=entry.get("aliases", {}),  # type: ignore[arg-type]
        unsure=entry.get("unsure", {}),  # type: ignore[arg-type]
        written=entry.get("written", {}),  # type: ignore[arg-type]
        classes=found,
    )


def role_of(name: str, role: str) -> str:
    """Return what the head of a class is for; one that writes from an encoder's output is one role.

    Example:
        >>> role_of("BartForConditionalGeneration", "MaskedLM")
        'Seq2SeqLM'
    """
    if name.endswith("ForCausalLM") and role == "ImageTextToText":
        return "CausalLM"
    writes = name.endswith("ForConditionalGeneration") and role in {"MaskedLM", "SpeechSeq2Seq"}
    return "Seq2SeqLM" if writes else role


def templates_of(
    own: Mapping[str, Sequence[object]], known: Mapping[str, ModelClass]
) -> Iterator[Template]:
    """Yield the templates of a class: those of its base under a prefix, then its own."""
    if "of" in own:
        gone = set(own.get("minus", ()))
        prefix = str(own.get("prefix", ""))
        for place, each in enumerate(known[str(own["of"])].templates):
            if place not in gone:
                name = prefix + each.name
                yield Template(name, each.sides, each.loops, each.kind, each.conditions)
    for row in own.get("terms", own.get("plus", ())):
        words = [str(word) for word in row]  # type: ignore[attr-defined]
        sides = tuple(filter(None, words[1].split("|")))
        loops = tuple(filter(None, words[2].split("|")))
        kind, conditions = words[3].removesuffix(WITH_BIAS), tuple(words[4:])
        yield Template(words[0], sides, loops, kind, conditions)
        if kind != words[3]:
            bias = f"{words[0].removesuffix('weight')}bias"
            yield Template(bias, sides[:1], loops, kind, conditions)
