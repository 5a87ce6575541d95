"""Words, names and embedded JSON as HTML that nothing can break out of."""

from __future__ import annotations

import html
import json

from reportgen.render._escape import breakable, clean, clean_prose
from reportgen.render._strict_json import Json
from reportgen.render._verbatim import verbatim_lines

# Inside a script element only these could end it, open a comment, or break a line of a
# script; JSON may write any character as an escape.
_SCRIPT_ESCAPES = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}


def escape_html(text: str) -> str:
    """Return plain words as HTML, safe in content and in quoted attributes.

    Example:
        >>> escape_html('<b a="1">')
        '&lt;b a=&quot;1&quot;&gt;'
    """
    return html.escape(clean_prose(text))


def escape_words(text: str) -> str:
    """Return running text as HTML; very long words may be broken.

    Example:
        >>> escape_words("seed < 3")
        'seed &lt; 3'
    """
    return "<wbr>".join(html.escape(piece) for piece in breakable(clean_prose(text)))


def escape_name(text: str) -> str:
    """Return a name as HTML; a long one may be broken after its separators.

    Example:
        >>> escape_name("logs/RoBERTa_small_fr/0")
        'logs/<wbr>RoBERTa_<wbr>small_<wbr>fr/<wbr>0'
    """
    return "<wbr>".join(html.escape(piece) for piece in breakable(clean(text)))


def escape_listing(text: str) -> str:
    """Return verbatim text as HTML, line by line."""
    return "\n".join(html.escape(line) for line in verbatim_lines(text))


def embed_json(content: Json) -> str:
    r"""Return JSON that can stand in a script element.

    Example:
        >>> print(embed_json({"run": "</script>"}))
        {"run":"\u003c/script\u003e"}
    """
    text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.translate(_SCRIPT_ESCAPES)
