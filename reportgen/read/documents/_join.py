"""What belongs together although something stands between: pages, equations, captions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from reportgen.read.documents import _shapes as shapes
from reportgen.read.documents._cut import Draft
from reportgen.records.manuscript import Block, Line

Part = Line | Block


def page_of(part: Part) -> int | None:
    """Return the page on which a line or block begins."""
    return part.page if isinstance(part, Line) else part.lines[0].page


def without_page_numbers(parts: Sequence[Part]) -> list[Part]:
    """Return lines without the numbers that stand alone at the ends of pages."""
    kept: list[Part] = []
    for i, part in enumerate(parts):
        following = page_of(parts[i + 1]) if i + 1 < len(parts) else None
        kept.append(part)
        if page_of(part) is None or page_of(part) == following:
            continue
        while _is_line_of(kept, part) and shapes.is_blank(_text(kept[-1])):
            kept.pop()
        if _is_line_of(kept, part) and shapes.is_page_number(_text(kept[-1])):
            kept.pop()
        if _is_line_of(kept, part) and isinstance(part, Line):
            kept.append(replace(part, text="", columns=()))
    return kept


def _is_line_of(kept: Sequence[Part], part: Part) -> bool:
    last = kept[-1] if kept else None
    return isinstance(last, Line) and last.page == page_of(part)


def _text(part: Part) -> str:
    return part.text


def join_blocks(blocks: Sequence[Block]) -> list[Block]:
    """Return blocks with the pieces of one sentence, and of one equation, in one block."""
    joined: list[tuple[Block, list[Line]]] = []
    for position, block in enumerate(blocks):
        lines = list(block.lines)
        if joined:
            last, before = joined[-1]
            following = blocks[position + 1] if position + 1 < len(blocks) else None
            open_text = _open_text(joined, block) or _open_item(joined, block, following)
            if open_text is not None:
                open_text.extend(lines)
                continue
            if (
                block.type == "equation"
                and last.type == "paragraph"
                and _opens_equation(before[-1])
            ):
                # `Number of parameters =` above the display belongs to the equation.
                lines.insert(0, before.pop())
                if not before:
                    joined.pop()
        joined.append((block, lines))
    return [
        block if len(lines) == len(block.lines) else replace(block, lines=tuple(lines))
        for block, lines in joined
    ]


def _open_text(joined: Sequence[tuple[Block, list[Line]]], block: Block) -> list[Line] | None:
    """Return the lines of the block that another one continues, or None.

    What a page puts at its head or foot, a figure or a table, may stand between the two.
    """
    for place in reversed(range(len(joined))):
        last, before = joined[place]
        if _goes_on(last, before[-1], block):
            return before
        floats = last.type in _FLOATS or _is_note(joined, place)
        if not floats or block.type != "paragraph":
            return None
    return None


def _is_note(joined: Sequence[tuple[Block, list[Line]]], place: int) -> bool:
    """Say whether a paragraph stands under a table, as its notes do; they are a few at most."""
    for above in range(place, max(0, place - _MOST_NOTES), -1):
        if joined[above][0].type != "paragraph":
            return False
        if joined[above - 1][0].type == "table":
            return True
    return False


_MOST_NOTES = 12
_FLOATS = frozenset(("caption", "table"))
_NO_LAST_WORDS = frozenset(
    (
        *("a", "an", "and", "at", "by", "for", "from", "in", "is", "of", "on", "or", "than"),
        *("that", "the", "to", "with", "à", "au", "aux", "avec", "dans", "de", "des", "du", "en"),
        *("et", "la", "le", "les", "ou", "par", "pour", "que", "sur", "un", "une"),
    )
)

_COUNTED = frozenset(
    (
        *("epoch", "epochs", "step", "steps", "seed", "seeds", "run", "rank", "époque", "pas"),
        *("graine", "table", "tableau", "figure", "section", "±", "−", "="),
    )
)
"""What a number goes on behind, where a page ends between the two."""


def _open_item(
    joined: Sequence[tuple[Block, list[Line]]], block: Block, following: Block | None
) -> list[Line] | None:
    """Return the lines of an item that breaks off at a page's end and goes on in a block, or None.

    After a word that ends no sentence, or the part of a name that ends in `_`, the rest may begin
    with a name, and with a number after a word for what is counted. It stands right before the
    next item of its page, whatever a table above it brings along: its notes are paragraphs too.
    """
    if block.type != "paragraph" or following is None or following.type != "item":
        return None
    for place in reversed(range(len(joined))):
        last, before = joined[place]
        if last.type == "heading":
            return None
        floats = last.type in _FLOATS or _is_note(joined, place)
        if last.lines[0].page == block.lines[0].page or floats:
            continue
        word = before[-1].text.rstrip().rpartition(" ")[2]
        counted = block.text[:1].isdigit() and word.lower() in _COUNTED
        cut = counted or word in _NO_LAST_WORDS or word.endswith("_")
        return before if last.type == "item" and cut else None
    return None


def _goes_on(last: Block, line: Line, block: Block) -> bool:
    """Say whether a block continues an earlier one, which ends in a line."""
    first = block.lines[0]
    if last.type == "equation":
        near = line.file == first.file and (
            first.number - line.number <= 4 or line.page != first.page
        )
        if block.type == "equation":
            return near and shapes.starts_as_continuation(first.text)
        return near and block.type == "paragraph" and shapes.is_tag(block.text)
    texts = last.type in {"paragraph", "item"} and block.type == "paragraph"
    cut_by_page = texts and line.page != first.page
    return cut_by_page and not line.text.endswith((*".:!?;",)) and first.text[:1].islower()


def _opens_equation(line: Line) -> bool:
    return line.text.endswith(("=", "≈")) and len(line.text) < 80


def with_exponents(lines: Sequence[Line]) -> list[Line]:
    """Return the lines of an equation with exponents that stood on lines of their own.

    A layout of columns prints `512²` as a lone `2` above and to the right of `512`.

    Example:
        >>> above = Line(text="            2", number=4)
        >>> line = Line(text="  = 2 × 512    (3)", number=5)
        >>> [line.text.strip() for line in with_exponents([above, line])]
        ['= 2 × 512^2    (3)']
    """
    done: list[Line] = []
    raised: Line | None = None
    for line in lines:
        alone = line.text.strip()
        if raised is not None:
            base = _base_below(raised, line)
            if base is None:
                done.append(raised)
            else:
                draft = Draft(line)
                draft.keep(0, base)
                draft.put("^" + raised.text.strip(), base)
                draft.keep(base, len(line.text))
                line = draft.line()  # noqa: PLW2901
            raised = None
        if alone.isalnum() and len(alone) < 3:
            raised = line
        else:
            done.append(line)
    return [*done, raised] if raised is not None else done


def _base_below(raised: Line, line: Line) -> int | None:
    """Return the end of the word that an exponent stands right above of, or None."""
    at = len(raised.text) - len(raised.text.lstrip())
    end = len(line.text[:at].rstrip())
    free = not line.text[at : at + len(raised.text.strip())].strip()
    return end if free and end and at - end < 5 and line.text[end - 1].isalnum() else None


def attach_captions(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Give every table the caption above or below it: the one that no other table claims."""
    done = list(blocks)
    taken: set[int] = set()
    # Where captions stand in this report is one habit: below, unless more stand above.
    for near in _habits(blocks):
        for i, block in enumerate(done):
            j = i + near
            if block.type != "table" or block.caption or not 0 <= j < len(done) or j in taken:
                continue
            if _is_table_caption(done[j]):
                done[i] = replace(block, caption=" ".join(done[j].text.split()))
                taken.add(j)
    return tuple(done)


def _is_table_caption(block: Block) -> bool:
    found = shapes.caption_of(block.text) if block.type == "caption" else None
    return found is not None and found[0] == "table"


def _habits(blocks: Sequence[Block]) -> tuple[int, int]:
    """Return where to look for captions first: +1 below the table, -1 above."""

    def count(near: int) -> int:
        return sum(
            block.type == "table"
            and 0 <= i + near < len(blocks)
            and _is_table_caption(blocks[i + near])
            for i, block in enumerate(blocks)
        )

    return (1, -1) if count(1) >= count(-1) else (-1, 1)
