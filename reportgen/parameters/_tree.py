"""The module tree of a model, written from its terms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from reportgen.languages import Message, message
from reportgen.parameters._words import LABELS, SIDES, told
from reportgen.records.checkpoint import Term

Row = tuple[int, str, str, int | None]

GROUPS = told("groups")
PARTS = told("parts")


def write_tree(
    title: str, about: str, terms: Iterable[Term], shapes: Mapping[str, str]
) -> tuple[Row, ...]:
    """Return the rows of the tree: depth, title, description, parameters."""
    terms = tuple(terms)
    rows: list[Row] = [(0, title, about, None)]
    for root in dict.fromkeys(term.module.split(".")[0] for term in terms):
        below = [term for term in terms if term.module.split(".")[0] == root]
        inner = [term for term in below if ".layer." in f"{term.module}."]
        if inner:
            rows += stack_rows(root, below, inner, shapes)
        elif len(below) == 1:
            rows.append((1, *leaf(below[0], shapes)[1:]))
        else:
            title = GROUPS.get(root, capital(SIDES.get(root, root)))
            rows.append((1, title, "", sum(term.count for term in below)))
            rows += [leaf(term, shapes) for term in below]
    return tuple(rows)


def stack_rows(
    root: str, below: Sequence[Term], inner: Sequence[Term], shapes: Mapping[str, str]
) -> Iterator[Row]:
    """Yield the rows of layers: the whole, what is before, one layer and its parts, the rest."""
    layers = max(term.repeat for term in inner)
    title = GROUPS.get(root, capital(SIDES.get(root, root)))
    alike = all(term.repeat == layers for term in inner)
    words = message("{layers} layers of several kinds", layers=layers)
    if alike:
        words = message("{layers} identical layers", layers=layers)
    yield 1, title, words, sum(term.count for term in below)
    first = below.index(inner[0])
    yield from (leaf(term, shapes) for term in below[:first])
    one = sum(term.count // term.repeat for term in inner)
    yield 2, message("One layer"), "", one if alike else None
    start = inner[0].module.partition(".layer.")[0] + ".layer."
    for part in dict.fromkeys(term.module.removeprefix(start).split(".")[0] for term in inner):
        found = [t for t in inner if t.module.removeprefix(start).split(".")[0] == part]
        words = title_of(found[0])
        if len(found) > 1:
            words = PARTS.get(part) or capital(LABELS.get(part, LABELS["other"]))
        # What is one formula for unlike layers has no size in one of them.
        whole = layers > 1 and any(term.repeat == 1 for term in found)
        where = message("all layers together") if whole else ""
        counts = (term.count if whole else term.count // term.repeat for term in found)
        yield 3, words, where, sum(counts)
    yield from (leaf(term, shapes) for term in below[first:] if term not in inner)


def leaf(term: Term, shapes: Mapping[str, str]) -> Row:
    """Return the row of what stands outside of layers."""
    return 2, title_of(term), term.note or shapes.get(term.name, ""), term.count


def title_of(term: Term) -> str:
    """Return a term's label below the row that already says the side."""
    label = term.label
    if isinstance(label, Message) and label.pattern.partition(": ")[2] == "{what}":
        what = label.places["what"]
        return capital(what if isinstance(what, str) else str(what))
    return capital(label)


def capital(label: str) -> str:
    """Return a label with a capital first letter."""
    return message("{label:cap}", label=label)


def size_words(layers: int, width: int, heads: int = 0) -> str:
    """Return the size of a model: its layers, their width, and the heads where they are known."""
    if not heads:
        return message("{layers} layers, width {width}", layers=layers, width=width)
    return message(
        "{layers} layers, width {width}, {heads} attention heads",
        layers=layers,
        width=width,
        heads=heads,
    )
