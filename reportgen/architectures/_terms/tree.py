"""Module trees written from terms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from reportgen.architectures._terms.blueprint import Stack
from reportgen.architectures._terms.model import Node
from reportgen.architectures._terms.sides import without_side
from reportgen.architectures._terms.words import layers_words
from reportgen.languages import message
from reportgen.records.checkpoint import Term

GROUPS = {
    "embeddings": message("Embeddings"),
    "final": message("Behind the last layer"),
    "lm_head": message("Language-model head"),
    "classifier": message("Classification head"),
    "discriminator": message("Head that finds replaced words"),
    "convolution": message("Convolution"),
}
PARTS = {
    "attention": message("Self-attention"),
    "cross": message("Cross-attention"),
    "ffn": message("Feed-forward network"),
    "norm": message("Norms"),
    "router": message("Router"),
    "experts": message("Experts"),
    "shared": message("Shared expert"),
}


def write_nodes(
    title: str, about: str, terms: Iterable[Term], stacks: Mapping[str, Stack]
) -> tuple[Node, ...]:
    """Return the tree: embeddings, layers, norms and heads in the order of the terms.

    Args:
        title: Name of the family.
        about: Sizes of this model, in words.
        terms: The model's terms.
        stacks: Title of each stack of layers ("Decoder") to the stack.
    """
    terms = tuple(terms)
    found = [Node(0, "", title, about)]
    roots = {stack.tree.split(".")[0]: (name, stack) for name, stack in stacks.items()}
    for root in dict.fromkeys(term.module.split(".")[0] for term in terms):
        below = [term for term in terms if term.module.split(".")[0] == root]
        if root in roots:
            found += stack_nodes(*roots[root], terms)
        elif len(below) == 1:
            found.append(Node(1, below[0].module, capital(below[0].label), below[0].note))
        else:
            found.append(Node(1, root, GROUPS.get(root, root)))
            found += [Node(2, t.module, capital(t.label), t.note) for t in below]
    return tuple(found)


def stack_nodes(title: str, stack: Stack, terms: Iterable[Term]) -> Iterator[Node]:
    """Yield the rows of a stack: the whole, what is before, one layer and its parts, the rest."""
    layers, root, start = len(stack.numbers), stack.tree.rpartition(".")[0], f"{stack.tree}."
    yield Node(1, root, title, stack.about or layers_words(layers))
    own = [t for t in terms if t.module.startswith(f"{root}.")]
    first = next(place for place, term in enumerate(own) if term.module.startswith(start))
    yield from leaves(own[:first])
    yield Node(2, stack.tree, message("One layer"), "", layers)
    inner = [t for t in own if t.module.startswith(start)]
    for part in dict.fromkeys(t.module.removeprefix(start).split(".")[0] for t in inner):
        found = [t for t in inner if f"{t.module}.".startswith(f"{start}{part}.")]
        words = PARTS.get(part, capital(part)) if len(found) > 1 else title_of(found[0])
        yield Node(3, f"{start}{part}", words, "", layers)
    yield from leaves(t for t in own[first:] if not t.module.startswith(start))


def leaves(terms: Iterable[Term]) -> Iterator[Node]:
    """Yield what stands in a stack outside of its layers, a row for each term."""
    for term in terms:
        yield Node(2, term.module, title_of(term), term.note)


def title_of(term: Term) -> str:
    """Return a term's label below the row that already says the side."""
    return capital(without_side(term.label))


def capital(label: str) -> str:
    """Return a label with a capital first letter.

    Example:
        >>> capital("word embeddings")
        'Word embeddings'
    """
    return message("{label:cap}", label=label)
