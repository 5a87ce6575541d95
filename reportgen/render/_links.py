"""Addresses of the web in running text."""

from __future__ import annotations

import re
from urllib.parse import unquote

from reportgen.records.document import Code, Link, inlines

_WEB = re.compile(r"(?:https?://|mailto:)\S", re.IGNORECASE)
_MAIL = re.compile("mailto:", re.IGNORECASE)


def is_web(url: str) -> bool:
    """Tell whether an address may become a link; one that runs a script may not.

    Example:
        >>> is_web("https://example.org"), is_web("javascript:alert(1)")
        (True, False)
    """
    return _WEB.match(url) is not None


def address_behind(link: Link) -> str:
    """Return the address as it is printed on paper behind the words; empty where they are it.

    Example:
        >>> address_behind(Link(("the paper",), "https://example.org"))
        'https://example.org'
        >>> address_behind(Link(("a@example.org",), "mailto:a@example.org"))
        ''
    """
    address = _MAIL.sub("", link.url, count=1)
    words = "".join(
        node.text if isinstance(node, Code) else node
        for node in inlines(link.content)
        if isinstance(node, str | Code)
    )
    return "" if unquote(words) in {unquote(link.url), unquote(address)} else address
