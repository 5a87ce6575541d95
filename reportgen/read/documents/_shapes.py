"""What one line of a report looks like: heading, item, caption, display equation."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reportgen.read.documents._vocabulary import OPENERS, REFERENCES, SENTENCE

_NUMBER = r"(?:\d{1,2}(?:\.\d{1,2}){0,4}|[IVX]{1,5}(?=\.)|[A-H](?=\.\s))"
_NUMBERED = re.compile(rf"\s*({_NUMBER})(\.?)\s+(\S.*)")
_CAPTION = re.compile(
    r"\s*(tableau|table|tbl\.?|tabelle|tabla|figure|fig\.?|abbildung|abb\.|listing|algorithme"
    r"|algorithm|plot|graph|graphique|courbe)s?\s*~?\s*"
    r"(\d{1,3}(?:\.\d{1,3}){0,2}[a-z]?|[A-Z]\.?\d{1,2}|[IVX]{1,5})?"
    r"\s*([:.–—|-])?",
    re.IGNORECASE,
)
_BULLET = re.compile(r"(\s*)(?:[•◦▪▫‣⁃∙●○■□◆►▶➢✓·\uf0b7]\s*|[*+–—-]\s+(?!:\s)|-\s)")  # noqa: RUF001
_ORDERED = re.compile(r"(\s*)(?:\(?(\d{1,3})[.)]|\(?([a-z]|[ivx]{1,4})\))\s+")
_ORDINAL = re.compile(r"\s*(\d{1,3})\.\s+")
_TAG = re.compile(
    r"(?:\s{2,}|\s*\\tag\{|\s*\\qquad\s*|\s*\\quad\s*|^\s*)\(?\(\d{1,3}[a-z]?\)\}?\s*$"
)
_PAGE = re.compile(
    r"\s*(?:[-–—]\s*)?(?:page\s*)?\d{1,4}(?:\s*(?:/|of|sur)\s*\d{1,4})?(?:\s*[-–—])?\s*",
    re.IGNORECASE,
)
_OPERATOR = re.compile(
    r"[=×·⋅\u2217*/+−<>≤≥≈±^∈→]|\\(?:times|cdot|frac|approx|pm|sum|left|leq|geq)\b|\s[x-]\s"
)
_STARTS_WITH_OPERATOR = re.compile(
    r"\s*(?:&\s*)?(?:[=≈≃\u223c×·+−≤≥⇒⇔]|\\(?:approx|simeq|times|cdot|Rightarrow)\b)"
)
_SENTENCE_END = re.compile(r"[.!?:…][\"'”’)\]]*\s*$")
_WORD = re.compile(r"[^\W\d_]{2,}")
# Names may begin with a small letter; `3 runs against four` and `2 points against others` are none.
_AGAINST = re.compile(
    r"(?!runs|seeds|points)[^\W\d]\S*\s(?:against|versus|vs\.?|contre)\s[^\W\d]\S*"
)
_SETTING = re.compile(r"\s*[\w\\$][\w .{}\\$'\"-]{0,40}?\s?[=:]\s?\S[^=]{0,40}")


def is_blank(text: str) -> bool:
    """Say whether nothing can be seen in a line."""
    return not text.strip()


def ends_sentence(text: str) -> bool:
    """Say whether a line ends where a sentence does."""
    return bool(_SENTENCE_END.search(text[-20:]))


def is_page_number(text: str) -> bool:
    """Say whether a line holds a page number and nothing else."""
    return len(text) < 400 and bool(_PAGE.fullmatch(text))


def caption_of(text: str) -> tuple[str, bool] | None:
    """Return what a caption stands under (`table` or `figure`) and whether its form is sure.

    Example:
        >>> caption_of("Table 2: Test accuracy")
        ('table', True)
        >>> caption_of("Table 2 Test accuracy"), caption_of("Table 2 shows that"), caption_of("No")
        (('table', False), None, None)
    """
    found = _CAPTION.match(text)
    if not found:
        return None
    kind = "table" if found[1].lower().startswith(("tab", "tbl")) else "figure"
    rest = text[found.end() :].strip()
    if found[3]:
        # `Figure - x` without a number is no caption, and `Table 2-3` no mark behind one.
        sure = found[2] is not None or found[3] == ":"
        return (kind, True) if sure and not (rest[:1].isdigit() and found[3] in ".-–") else None
    if found[2] is None or not rest[:1].isupper() or _speaks(rest):
        return None
    return kind, False


def _speaks(text: str) -> bool:
    """Say whether words of a sentence stand in a text that might be a title."""
    words = [word.strip(".,:;!?").lower() for word in text.split()]
    return any(word in SENTENCE for word in words)


def heading_of(text: str) -> int:
    """Return the depth of a numbered heading, 0 where a line is none.

    Example:
        >>> heading_of("2.1     Using fairseq"), heading_of("3 Task 5"), heading_of("4 of them are")
        (2, 1, 0)
        >>> heading_of("7 nDCG@10 at each epoch"), heading_of("8 bpr against lightgcn")
        (1, 1)
        >>> heading_of("3 runs against four"), heading_of("7 of them against others")
        (0, 0)
    """
    found = _NUMBERED.fullmatch(text.rstrip())
    if not found or len(text.strip()) > 100:
        return 0
    number, title = found[1], found[3]
    words = title.split()
    small = title[0].islower() and not title[1:2].isupper() and not _AGAINST.fullmatch(title)
    if not title[0].isalpha() or small or len(words) > 12 or "://" in title:
        return 0
    if (
        title.endswith((".", ",", ";"))
        or _OPERATOR.search(title.replace("-", ""))
        or "   " in title
    ):
        return 0
    if _speaks(title) and not title.endswith("?"):
        return 0
    return number.count(".") + 1


_APPENDIX = re.compile(
    r"\s*(?:(?i:appendix|annexe?|supplementary)\b.{0,60}|[A-Z]\.?\s{1,6}[A-Z][^.,:\d]{2,60}\??)\s*"
)


def is_appendix(text: str) -> bool:
    """Say whether a line behind the bibliography begins an appendix.

    Example:
        >>> is_appendix("A    Parameter ledger"), is_appendix("A. Smith, B. Jones. Nature, 1999.")
        (True, False)
    """
    return _APPENDIX.fullmatch(text) is not None


def is_title(text: str) -> bool:
    """Say whether a line that stands alone is a heading without a number.

    Example:
        >>> [is_title(t) for t in ("Average Accuracy", "In our case, we have", "then")]
        [True, False, False]
    """
    title = text.strip()
    words = title.split()
    if not words or len(words) > 7 or len(title) > 70 or not title[0].isupper():
        return False
    if title.endswith((".", ",", ";", "=")) or any(c in title for c in "=|\t$,") or _speaks(title):
        return False
    if caption_of(title) or any(char.isdigit() for char in title) or "  " in title:
        return False
    return words[0].lower() not in OPENERS and len(_WORD.findall(title)) >= 1


def is_references(text: str) -> bool:
    """Say whether a heading opens the bibliography."""
    found = _NUMBERED.fullmatch(text.rstrip())
    title = (found[3] if found else text).strip(" \t:.").lower()
    return title in REFERENCES


def bullet_of(text: str) -> tuple[int, int] | None:
    """Return where the mark of a list item begins and where its text does.

    Example:
        >>> bullet_of("    • dff = 512"), bullet_of("2. Second"), bullet_of("-3 points")
        ((4, 6), (0, 3), None)
    """
    found = _BULLET.match(text) or _ORDERED.match(text)
    if not found or found.end() == len(text.rstrip()) or is_blank(text[found.end() :]):
        return None
    return len(found[1]), found.end()


def closes_bracket(before: str, text: str) -> bool:
    """Say whether what looks like a list's mark ends a bracket that the line before opened.

    Example:
        >>> closes_bracket("deviation (denominator n −", "1) over the runs")
        True
        >>> closes_bracket("There are (as said) two:", "1) the mean"), closes_bracket("(", "- a")
        (False, False)
    """
    closed = text.find(")")
    alone = closed >= 0 and "(" not in text[:closed]
    return alone and before.rfind("(") > before.rfind(")") and text[:closed].strip().isalnum()


def goes_on(above: Sequence[str], text: str) -> bool:
    """Say whether the number that a line begins with ends a sentence: `at epoch` above `6. It`.

    As in CommonMark, no list but one from 1 on begins inside a text, unless a colon announces it.

    Args:
        above: The lines before it, in order.
        text: The line.

    Example:
        >>> goes_on(["3.8 at epoch"], "6. The deviation"), goes_on(["5. Five"], "6. Six")
        (True, False)
        >>> goes_on(["", "at epoch", "1"], "1. One"), goes_on(["We ask:"], "2. Two")
        (False, False)
    """
    found = _ORDINAL.match(text)
    if not found or int(found[1]) < 2 or not above or above[-1].rstrip().endswith(":"):
        return False
    numbers = []
    for line in reversed(above):
        if is_blank(line):
            break
        earlier = _ORDINAL.match(line)
        numbers.append(int(earlier[1]) if earlier else 0)
    return bool(numbers) and int(found[1]) - 1 not in numbers


def is_ordered(text: str) -> bool:
    """Say whether a line begins with the number or letter of a list item."""
    return bool(_ORDERED.match(text)) and not _BULLET.match(text)


def is_setting(text: str) -> bool:
    """Say whether a line is one named value and nothing else: `max_positions = 256`."""
    return len(text) < 120 and bool(_SETTING.fullmatch(text)) and not text.rstrip().endswith(".")


def has_tag(text: str) -> bool:
    """Say whether a line ends in the number of an equation, set apart: `... (3)`."""
    closed = len(text) < 1000 and ")" in text.rstrip()[-2:]
    return closed and bool(_TAG.search(text[-60:]))


def is_tag(text: str) -> bool:
    """Say whether a text is the number of an equation and nothing else: `(3)`."""
    return len(text) < 20 and has_tag(text) and not _TAG.sub("", text).strip()


def starts_as_continuation(text: str) -> bool:
    """Say whether a line begins with `=`, `+` or `×`, as the further lines of an equation do."""
    return bool(_STARTS_WITH_OPERATOR.match(text))


def is_display(text: str) -> bool:
    """Say whether a line is a display equation in plain text.

    Example:
        >>> is_display("          = 32000 × 512                 (2)")
        True
        >>> is_display("With 8 attention heads, this becomes:")
        False
    """
    if has_tag(text):
        body = _TAG.sub("", text)
        return bool(_OPERATOR.search(body)) and not body.rstrip().endswith(":")
    if not starts_as_continuation(text) or _speaks(text):
        return False
    # `+ 3 seeds` is an item of a list.
    rest = text.strip()
    listed = rest[0] in "+−·" and not _OPERATOR.search(rest[1:])
    return any(char.isdigit() for char in rest) and not listed


def is_formula(text: str) -> bool:
    """Say whether a line standing alone is arithmetic: `N = 4 × 512 + 3`."""
    body = text.strip()
    if len(body) > 400 or body.endswith((".", ":", ",")) or "=" not in body or _speaks(body):
        return False
    right = body.partition("=")[2]
    digits = any(char.isdigit() for char in right)
    joined = re.search(r"[×·⋅\u2217*/+^]|\s[x−-]\s", right)
    return digits and bool(joined) and len(_WORD.findall(right)) <= 2
