"""Words of English, French and German by which the shape of a line is told."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(text.split())


def pairs(text: str) -> dict[str, str]:
    """Return names with what stands behind each; in that, `␣` is a blank."""
    found = text.split()
    return {k: v.replace("␣", " ") for k, v in zip(found[::2], found[1::2], strict=True)}


# Titles of the bibliography.
REFERENCES = words(
    """references reference bibliography bibliographie références literature literatur
    literaturverzeichnis bibliografía referencias sources citations"""
) | {"works cited", "references cited", "références bibliographiques"}

# Who meets one of these reads a sentence, no title.
SENTENCE = words(
    """we i our is are was were have has had can could get gets obtain obtained see hold holds
    give gives gave yield yields shows show use used uses do does let let's it's this that these
    those here there be been which add adds becomes
    nous est sont avons ont donne donnent obtient obtenons voit notre nos voici
    wir ist sind haben unser"""
)

# A title begins with none of these.
OPENERS = words(
    """the in for then and so now as with to if when where since because thus hence of by from
    dans pour le la les des avec donc ainsi der die das für mit"""
)

# Words of three letters and more that may stand in a cell beside its number.
UNITS = words(
    """min mins sec secs hour hours hrs day days epoch epochs step steps pts point points percent
    kib mib gib tib flops tokens params heures jours minutes seconds secondes std nan inf"""
)

# What stands in a cell instead of a value.
MARKS = words("- – — -- --- n/a na nan none null tbd oom ✓ ✗ ✔ ✘ × x yes no oui non")
