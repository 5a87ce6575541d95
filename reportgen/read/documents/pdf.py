"""PDF: the text of its pages, with exponents, fractions, columns and tables put back.

A PDF is characters at places. Rows are built from baselines, what hangs on a word as exponent or
index is written so (`512^2`, `d_model`), and rows become lines of text in which columns of a
table stand apart, as the reader of plain text expects them.
"""

from __future__ import annotations

import re
import time
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, pairwise
from operator import itemgetter
from pathlib import Path

from reportgen.read.documents._blocks import split_blocks
from reportgen.read.documents._pdf_library import (
    LOCK,
    Box,
    Document,
    Drawings,
    Page,
    PageError,
    open_document,
)
from reportgen.read.documents._pdf_rows import (
    Row,
    build_rows,
    joined,
    read_columns,
    resolve_fractions,
    set_region,
)
from reportgen.read.documents._pdf_words import SOFT_HYPHEN, Word, count_unknown, read_words
from reportgen.read.documents._read import Limits, digest, read_bytes
from reportgen.records.errors import EvidenceError
from reportgen.records.manuscript import Line, Manuscript
from reportgen.records.record import field, record
from reportgen.records.source import Problem

# Text inside figures is left out: numbers at axes are no claims.
#
# As blocks of captions they would be read: every tick of an axis would be a number that nothing
# binds, and "checked k of m numbers" would count them. What the author says about a figure stands
# in its caption and in the text, and both are kept.

_CAPTION = re.compile(r"(?:fig(?:ure)?|table(?:au)?|tab|listing)s?\b", re.IGNORECASE)
_WHOLE = 0.7
"""A drawing that covers more of a page than this is the page."""
_SMALLEST = 1_500.0
"""Square points of a drawing that text is written in, not beside."""
_NEAR = 20.0
_AXIS = 30.0
_AROUND = (36.0, 28.0, 10.0, 14.0)
"""How far labels of axes stand from what is drawn: left, below, right, above."""
_FIGURE_SENTENCE = 7


def without_figures(
    words: list[Word], drawings: Drawings, size: tuple[float, float]
) -> tuple[list[Word], int]:
    """Return the words outside figures, and the number of figures that had words in them.

    A figure is a drawing that was placed as a whole, or one with a line of many pieces in it.
    Lines of seven words and more inside its box are sentences and stay.
    """
    whole = _WHOLE * size[0] * size[1]
    boxes = [(form, (0.0,) * 4) for form in drawings.forms if _area(form) < whole]
    boxes += [(plot, _AROUND) for plot in _plots(drawings, whole)]
    figures = 0
    for box, margin in boxes:
        if _area(box) < _SMALLEST:
            continue
        inside = _inside(words, box, margin)
        if inside:
            figures += 1
            words = [word for word in words if id(word) not in inside]
    return words, figures


def _area(box: Box) -> float:
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])


def _plots(drawings: Drawings, whole: float) -> list[Box]:
    """Return the boxes of drawn plots: lines that lie near each other, and what frames them."""
    if not drawings.plots:
        return []
    frames = [f for f in drawings.frames if _area(f) < whole]
    frames += [rule for rule in drawings.rules if rule[2] - rule[0] > _AXIS]
    found: list[Box] = []
    for box in sorted(drawings.plots, key=_area, reverse=True):
        for i, other in enumerate(found):
            if _meet(box, other, _NEAR):
                found[i] = _union(box, other)
                break
        else:
            found.append(box)
    return [_with_axes(box, frames) for box in found]


def _with_axes(box: Box, frames: Sequence[Box]) -> Box:
    """Return the box of a plot with its axes, grid and frame."""
    whole = box
    for frame in frames:
        fits = frame[2] - frame[0] < 1.5 * (box[2] - box[0])
        if fits and _meet(frame, whole, _AXIS / 2):
            whole = _union(whole, frame)
    return whole


def _meet(one: Box, other: Box, slack: float) -> bool:
    across = one[0] - slack < other[2] and other[0] - slack < one[2]
    return across and one[1] - slack < other[3] and other[1] - slack < one[3]


def _union(one: Box, other: Box) -> Box:
    return (
        min(one[0], other[0]),
        min(one[1], other[1]),
        max(one[2], other[2]),
        max(one[3], other[3]),
    )


def _inside(words: Sequence[Word], box: Box, margin: Sequence[float]) -> set[int]:
    """Return the identities of the words that belong to a figure."""
    wide = (box[0] - margin[0], box[1] - margin[1], box[2] + margin[2], box[3] + margin[3])
    lines: dict[int, list[Word]] = {}
    for word in words:
        if wide[1] <= word.y + 0.3 * word.h <= wide[3]:
            lines.setdefault(round(word.y), []).append(word)
    found: set[int] = set()
    for line in lines.values():
        held = [w for w in line if wide[0] <= (w.x0 + w.x1) / 2 <= wide[2]]
        label = box[1] <= line[0].y <= box[3] or _is_label(line, held)
        if held and label and not _is_sentence(held, box):
            found.update(map(id, held))
    return found


def _is_label(line: Sequence[Word], held: Sequence[Word]) -> bool:
    """Say whether a line above or below a plot is a label of it: short, and nothing beside it."""
    first = min(line, key=lambda word: word.x0)
    return len(line) == len(held) and not _CAPTION.match(first.text)


def _is_sentence(held: Sequence[Word], box: Box) -> bool:
    if len(held) < _FIGURE_SENTENCE:
        return False
    words = sorted(held, key=lambda word: word.x0)
    gaps = [b.x0 - a.x1 for a, b in pairwise(words)]
    filled = words[-1].x1 - words[0].x0 > 0.4 * (box[2] - box[0])
    spoken = sum(word.text[0].isalpha() for word in words) > len(words) / 2
    return filled and spoken and max(gaps) < 1.5 * words[0].h


_MOST = 400
_BEFORE = (0.2, 1.7)
"""How far a mark stands before its text, in ems."""
_ABOVE = (0.05, 0.6)
"""How far its middle stands above the baseline."""
_DASH = (0.2, 0.6)
"""How long an underscore is."""
_TOUCH = 0.16


def with_drawn(words: list[Word], drawings: Drawings) -> list[Word]:
    """Return the words with a bullet for each dot before a line, and the underscores of names.

    TeX's first fonts have no underscore, so it draws a short line: `lora` and `alpha` would be
    two words.
    """
    dots = drawings.dots if len(drawings.dots) <= _MOST else ()
    dashes = [rule for rule in drawings.rules if rule[2] - rule[0] < 10][:_MOST]
    if not dots and not dashes:
        return words
    order = sorted(words, key=lambda word: word.x0)
    starts = [word.x0 for word in order]
    found = [_bullet(order, starts, dot) for dot in dots]
    lines: dict[int, list[Word]] = {}
    for word in words if dashes else ():
        lines.setdefault(round(word.y), []).append(word)
    found += [_underscore(lines, dash) for dash in dashes]
    return words + [word for word in found if word is not None]


def _bullet(order: Sequence[Word], starts: Sequence[float], dot: Box) -> Word | None:
    """Return the bullet that a dot is, if a line of text begins behind it."""
    x0, bottom, x1, top = dot
    middle = (bottom + top) / 2
    for word in order[bisect_left(starts, x1) : bisect_right(starts, x1 + 40)]:
        gap, rise = (word.x0 - x1) / word.h, (middle - word.y) / word.h
        if _BEFORE[0] < gap < _BEFORE[1] and _ABOVE[0] < rise < _ABOVE[1]:
            return None if _follows(order, word, x0) else Word(word.y, x0, x1, word.h, "•")
    return None


def _follows(words: Sequence[Word], word: Word, x: float) -> bool:
    """Say whether text of the same line stands closely before a place."""
    return any(
        abs(other.y - word.y) < 0.2 * word.h and x - 2 * word.h < other.x1 < x + word.h
        for other in words
        if other.x0 < x
    )


def _underscore(lines: Mapping[int, list[Word]], dash: Box) -> Word | None:
    """Return the underscore that a short line on the baseline of a word beside it is."""
    x0, bottom, x1, top = dash
    near = (round(bottom) + step for step in range(-1, 5))
    for word in chain.from_iterable(lines.get(y, ()) for y in near):
        below = (word.y - (bottom + top) / 2) / word.h
        if not (-0.06 < below < 0.25 and _DASH[0] < (x1 - x0) / word.h < _DASH[1]):
            continue
        if min(abs(word.x1 - x0), abs(word.x0 - x1)) < _TOUCH * word.h:
            return Word(word.y, x0, x1, word.h, "_")
    return None


_EDGE = 0.15
"""Share of a page, from above and from below, in which furniture stands."""
_MARGIN = 36.0
"""Nobody's text, but browsers' headers, stands this near to the edge of a page."""
_NUMBERED, _STEP, _SENTENCE, _FLUSH = 3, 10, 7, 1.5
_INTEGER = re.compile(r"(?<![\d.,])\d{1,4}(?![\d.,]\d)")
_PAGE = re.compile(
    r"(?:[-–—]\s?)?(?:page|seite|p\.)?\s?(?:\d{1,4}|[ivxl]{1,6})"
    r"(?:\s?(?:/|of|sur|de|von)\s?\d{1,4})?(?:\s?[-–—])?",
    re.IGNORECASE,
)
_PRINTED = re.compile(r"\b\d{1,4}\s?/\s?\d{1,4}$|\d{1,2}/\d{1,2}/\d{2,4},? \d{1,2}[:h]\d{2}")


@record(kw_only=False, frozen=False)
class Sheet:
    """What is printed on one page.

    Attributes:
        number: From 1.
        height: In points.
        rows: From top to bottom.
        rules: Thin lines.
    """

    number: int
    height: float
    rows: list[Row]
    rules: Sequence[Box] = ()


def drop_furniture(sheets: Sequence[Sheet]) -> None:
    """Take headers, footers and page numbers off the pages.

    A header or footer says the same, but for the number of the page, at the same height of
    several pages. A page number stands alone at an edge, also on a single page.
    """
    for sheet in sheets:
        _drop_line_numbers(sheet)
    edges = [(sheet, row, joined(row.words)) for sheet in sheets for row in _edge_rows(sheet)]
    seen = Counter(key for sheet, row, text in edges for key in _keys(sheet, row, text))
    often = max(2, len(sheets) // 4)
    for sheet, row, text in edges:
        repeated = any(seen[key] >= often for key in _keys(sheet, row, text))
        margin = row.y < _MARGIN or row.y > sheet.height - _MARGIN
        # A browser prints date, address and pages around the page.
        of_browser = margin and _PRINTED.search(text)
        if repeated or of_browser or _is_page_number(sheet, row, text):
            sheet.rows.remove(row)


def _drop_line_numbers(sheet: Sheet) -> None:
    """Take the numbers of lines off, in the margins of templates for reviewers and of code."""
    for side in (0, -1):
        ends = [(row, row.words[side]) for row in sheet.rows if row.words[side].text.isdecimal()]
        # They end at one place, as numbers set flush right do.
        place = Counter(round(word.x1) for _, word in ends).most_common(1)
        ends = [(row, word) for row, word in ends if abs(word.x1 - place[0][0]) < _FLUSH]
        text = any(len(row.words) >= _SENTENCE for row in sheet.rows)
        if len(ends) < _NUMBERED or not text or not _outside(sheet, ends, side):
            continue
        for row, word in _counted(ends):
            row.words.remove(word)
        sheet.rows = [row for row in sheet.rows if row.words]


def _counted(ends: Sequence[tuple[Row, Word]]) -> list[tuple[Row, Word]]:
    """Return the numbers that count up evenly, three of them or more."""
    runs: list[list[tuple[Row, Word]]] = []
    for end in ends:
        value = int(end[1].text[:6])
        last = [int(word.text[:6]) for _, word in runs[-1][-2:]] if runs else []
        step = value - last[-1] if last else 0
        if 0 < step <= _STEP and (len(last) < 2 or step == last[1] - last[0]):
            runs[-1].append(end)
        else:
            runs.append([end])
    return [end for run in runs if len(run) >= _NUMBERED for end in run]


def _outside(sheet: Sheet, ends: Sequence[tuple[Row, Word]], side: int) -> bool:
    """Say whether numbers stand beside everything else on the page."""
    numbers = {id(word) for _, word in ends}
    others = [w for row in sheet.rows for w in row.words if id(w) not in numbers]
    if not others:
        return False
    if side == 0:
        return max(w.x1 for _, w in ends) < min(w.x0 for w in others) - 2
    return min(w.x0 for _, w in ends) > max(w.x1 for w in others) + 2


def _edge_rows(sheet: Sheet) -> list[Row]:
    """Return the first and the last two rows, as far as they stand at the edges."""
    low, high = _EDGE * sheet.height, (1 - _EDGE) * sheet.height
    rows = sheet.rows
    last = [row for row in rows[max(2, len(rows) - 2) :] if row.y < low]
    return [row for row in rows[:2] if row.y > high or row.y < low] + last


def _keys(sheet: Sheet, row: Row, text: str) -> set[tuple[str, int]]:
    """Return what is equal on pages that share a header or footer.

    Its first or its last number may be that of the page, counted from anywhere: `Seed 1` and
    `Seed 2` at the top of pages 3 and 4 would be one, but not at those of pages 3 and 5.
    """
    same = {text}
    found = list(_INTEGER.finditer(text))
    for number in found[:1] + found[-1:]:
        shift = int(number[0]) - sheet.number
        same.add(f"{text[: number.start()]}#{shift}{text[number.end() :]}")
    return {(key, round(row.y / 3)) for key in same}


def _is_page_number(sheet: Sheet, row: Row, text: str) -> bool:
    """Say whether a row is a page number: nothing else, and nothing near it."""
    if len(text) > 20 or not _PAGE.fullmatch(text.strip()):
        return False
    near = min((abs(other.y - row.y) for other in sheet.rows if other is not row), default=999.0)
    return near > 1.5 * row.h


_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_BROKEN = re.compile(rf"([^\W\d_]+)[{SOFT_HYPHEN}-]$")
_REST = re.compile(r"( *)((?=[^\W\d_])\S+)(?: |$)")
_HYPHENS = (SOFT_HYPHEN, "-")
_GAP = re.compile(r" {2,}")
_ASIDE = 6
"""Characters by which a line may be set in differently from the one before."""


def join_words(texts: list[str]) -> list[str]:
    """Return lines in which a word that goes on in the next line stands in the first.

    Whether its hyphen is its own, other places in the text tell: where they write the word
    without, it goes; where they write it with one, or write both halves as words, it stays.

    Example:
        >>> join_words(["we use pre\u00ad", "training, and over-", "fitted runs of it"])
        ['we use pretraining,', 'and overfitted', 'runs of it']
        >>> join_words(["the fine-tuning", "of fine\u00ad", "tuning runs"])
        ['the fine-tuning', 'of fine-tuning', 'runs']
    """
    if not any(text.endswith(_HYPHENS) for text in texts):
        return [text.replace(SOFT_HYPHEN, "-") for text in texts]
    known = _vocabulary(texts)
    out = list(texts)
    for i in range(len(out) - 1):
        if not out[i].endswith(_HYPHENS):
            continue
        broken, rest = _BROKEN.search(out[i][-80:]), _REST.match(out[i + 1])
        if not broken or not rest or not rest[2][0].islower():
            continue
        start = max((gap.end() for gap in _GAP.finditer(out[i])), default=0)
        if abs(len(rest[1]) - start) > _ASIDE:
            continue
        first, second = broken[1], _WORD.match(rest[2])
        hyphen = "-" if second and _keeps_hyphen(first, second[0], known) else ""
        out[i] = out[i][:-1] + hyphen + rest[2]
        left = out[i + 1][rest.end() :]
        out[i + 1] = rest[1] + left if left else ""
    return [text.replace(SOFT_HYPHEN, "-") for text in out]


def _vocabulary(texts: Sequence[str]) -> set[str]:
    """Return the words of a text, without the halves that a line's end made."""
    known = Counter(_WORD.findall("\n".join(texts).lower()))
    for upper, lower in pairwise(texts):
        if not upper.endswith(_HYPHENS):
            continue
        broken, rest = _BROKEN.search(upper[-80:]), _WORD.search(lower)
        if broken and rest:
            known[broken[1].lower()] -= 1
            known[rest[0].lower()] -= 1
    return {word for word, times in known.items() if times > 0}


def _keeps_hyphen(first: str, second: str, known: set[str]) -> bool:
    one, other = first.lower(), second.lower().partition("-")[0]
    if one + other in known:
        return False
    return f"{one}-{other}" in known or (one in known and other in known and len(one) > 2)


_TABLE = 80
"""Characters on their side from which on they are more than labels."""
_UNKNOWN = 0.05
"""Share of characters without a meaning from which on numbers may be missing."""


@record(kw_only=False, frozen=False)
class _Found:
    """What the pages held."""

    sheets: list[Sheet] = field(default_factory=list)
    broken: list[int] = field(default_factory=list)
    characters: int = 0
    unknown: int = 0
    turned: int = 0
    cut: int = 0
    unread: int = 0
    figures: int = 0


def read_pdf(path: Path, limits: Limits) -> Manuscript:
    """Read the text of a PDF.

    Lines are counted from the top of each page, column by column, without empty ones, headers
    and footers.

    Args:
        path: The file.
        limits: How much of it is read; more pages or lines are an error, not a part of a report.

    Raises:
        EvidenceError: It is missing, too large, encrypted, damaged, or has no text.
    """
    content = read_bytes(path, limits)
    deadline = time.thread_time() + limits.seconds
    with LOCK, open_document(content, str(path)) as document:
        if document.pages > limits.pages:
            raise _refused(path, f"more than {limits.pages:,} pages")
        found = _read_pages(document, path, limits, deadline)
        pages = document.pages
    if not found.sheets:
        raise _without_text(path, found)
    drop_furniture(found.sheets)
    lines = list(_lines(found, limits))
    if len(lines) > limits.lines:
        raise _refused(path, f"more than {limits.lines:,} lines")
    return Manuscript(
        path=str(path),
        format="pdf",
        sha256=digest(content),
        blocks=split_blocks(lines),
        pages=pages,
        problems=tuple(_problems(str(path), found, limits)),
    )


def _without_text(path: Path, found: _Found) -> EvidenceError:
    why = "scanned, or printed as images"
    if found.unknown:
        why = "its fonts do not tell which characters they show"
    elif found.figures or found.turned:
        why = "there is some inside figures alone"
    elif found.broken:
        why = "its pages are damaged"
    return EvidenceError(
        f"{path} has no text that can be read: {why}",
        remedy="export the report as a PDF with text that can be copied, or hand in its source",
    )


def _refused(path: Path, reason: str) -> EvidenceError:
    return EvidenceError(
        f"{path} could not be read: {reason}", remedy="hand in the report without its appendices"
    )


def _read_pages(document: Document, path: Path, limits: Limits, deadline: float) -> _Found:
    found = _Found()
    for index in range(document.pages):
        if time.thread_time() > deadline:
            raise _refused(path, f"it took more than {limits.seconds:g} s")
        try:
            with document.page(index, limits.characters - found.characters) as page:
                if page.too_long and not found.sheets:
                    raise _refused(path, f"more than {limits.characters:,} characters")
                if page.too_long:
                    found.unread = index + 1
                    break
                _read_page(page, index + 1, found)
        except PageError:
            found.broken.append(index + 1)
    return found


def _read_page(page: Page, number: int, found: _Found) -> None:
    found.characters += len(page.text)
    found.unknown += count_unknown(page.text)
    turned = _read_side(page, number, found)
    # A table on its side is read as a page of its own; a label at an axis is not.
    quarters, characters = max(turned.items(), key=itemgetter(1), default=(0, 0))
    if quarters and characters >= _TABLE:
        page.turn(4 - quarters)
        del turned[quarters]
        _read_side(page, number, found)
    found.turned += turned.total()


def _read_side(page: Page, number: int, found: _Found) -> Counter[int]:
    """Read what is upright on a page; return how much is not."""
    drawings = page.drawings()
    read = read_words(page)
    words, figures = without_figures(read.upright, drawings, (page.width, page.height))
    words = with_drawn(words, drawings)
    words, rules = resolve_fractions(words, drawings.rules, page.width)
    found.figures += figures
    if words:
        found.sheets.append(Sheet(number, page.height, build_rows(words), rules))
    return read.turned


def _lines(found: _Found, limits: Limits) -> Iterator[Line]:
    """Yield the lines of all pages, with an empty one between the regions of a page."""
    texts: list[str] = []
    pages: list[int] = []
    gutter: float | None = None
    for sheet in found.sheets:
        regions, gutter = read_columns(sheet.rows, sheet.rules, gutter)
        for region in regions:
            for text in set_region(region):
                found.cut += len(text) > limits.line
                texts.append(text[: limits.line])
            texts.append("")
            pages += [sheet.number] * (len(texts) - len(pages))
    number = page = 0
    for text, here in zip(join_words(texts), pages, strict=True):
        number, page = (number if here == page else 0) + bool(text), here
        yield Line(text=text, number=max(number, 1), page=page)


def _problems(name: str, found: _Found, limits: Limits) -> Iterator[Problem]:
    def told(message: str, remedy: str = "", level: str = "warning") -> Problem:
        return Problem(path=name, message=message, remedy=remedy, level=level)

    if found.broken:
        pages = ", ".join(map(str, found.broken[:20]))
        remedy = "open the PDF in a viewer and save it again"
        yield told(f"page {pages} cannot be read", remedy)
    if found.unknown > _UNKNOWN * found.characters:
        share = 100 * found.unknown / found.characters
        yield told(
            f"{share:.0f}% of the characters are in fonts that do not tell what they are",
            "export the PDF with text that can be copied, or hand in its source",
        )
    if found.unread:
        yield told(
            f"has more than {limits.characters:,} characters: pages from {found.unread} on "
            "were not read, and so are not checked",
            "check its parts one by one",
        )
    if found.cut:
        yield told(
            f"lines of more than {limits.line:,} characters were cut off there, "
            f"{found.cut} in all; what follows in them was not checked"
        )
    if found.turned >= _TABLE:
        yield told(
            f"{found.turned:,} characters stand on their side and were not read", level="note"
        )
    if found.figures:
        yield told(f"text inside figures was left out, {found.figures} in all", level="note")
