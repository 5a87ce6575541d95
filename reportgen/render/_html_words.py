"""Words of the page that are not the report's own, and the copy that a browser follows."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping
from typing import Any

from reportgen.languages import language_of
from reportgen.records.rows import read_data, read_rows
from reportgen.render._escape import embed_json, escape_html
from reportgen.render._inline import Raw
from reportgen.render._templates import make_environment, render_template


def _words(kind: str, lang: str) -> dict[str, str]:
    """Return the words of a kind of page in a language."""
    said = language_of(lang).messages
    rows = read_rows("reportgen.render", "messages.ini")
    return {
        code.removeprefix(kind): said.get(text, text)
        for section in rows.values()
        for code, text in section.items()
        if code.startswith(kind)
    }


def page_words(lang: str) -> Mapping[str, str]:
    """Return the words of the page in a language, and the marks of its numbers for the script.

    Raises:
        UnknownNameError: Reports cannot be written in this language.

    Example:
        >>> words = page_words("fr")
        >>> words["panel"], words["find"], words["decimal_mark"]
        ('Provenance de {number}', 'Chercher mots ou nombres', ',')
    """
    language = language_of(lang)
    marks = {"decimal_mark": language.decimal_mark, "group_mark": language.group_mark}
    return {**_words("page.", lang), **marks}


# --- the copy that is followed --------------------------------------------------------

_POLICY = re.compile(r'(<meta http-equiv="Content-Security-Policy" content=")([^"]*)(">)')
_END = "</body>"


def live_page(page: str, lang: str, notice: Mapping[str, Any]) -> str:
    """Return the copy of a page that is followed.

    Args:
        page: The page; one whose template states no policy gets none.
        lang: Language of the report.
        notice: What the page is told at first: its `version`, its `state`, and `links`.
    """
    environment = make_environment("html", escape_html, braces=True)
    style, script = (
        render_template(environment.get_template(name), name, {})
        for name in ("live.css", "live.js")
    )
    told = embed_json({"words": _words("live.", lang), **notice})
    variables = {"style": style, "script": script, "notice": Raw(told)}
    more = render_template(environment.get_template("live.j2"), "live", variables)
    page = _POLICY.sub(lambda found: _widened(found, str(style), str(script)), page, count=1)
    before, end, behind = page.rpartition(_END)
    return f"{before}{more}\n{end}{behind}" if end else f"{page}{more}\n"


def waiting_page(lang: str, notice: Mapping[str, Any]) -> str:
    """Return the page that is shown before there is a report."""
    environment = make_environment("html", escape_html, braces=True)
    look = render_template(environment.get_template("report.css"), "report.css", shared_look())
    variables = {
        "lang": lang,
        "words": _words("live.", lang),
        "look": look,
        "look_hash": policy_hash(look),
    }
    page = render_template(environment.get_template("waiting.j2"), "waiting", variables)
    return live_page(str(page), lang, notice)


def shared_look() -> dict[str, object]:
    """Return what the style sheet of a page begins with: the look that pages of checks have too."""
    return {"look": Raw(read_data("reportgen.records", "look.css"))}


def policy_hash(content: str) -> Raw:
    """Return what the page's policy calls a style sheet or a script that it allows."""
    digest = hashlib.sha256(content.encode()).digest()
    return Raw("sha256-" + base64.b64encode(digest).decode())


def _widened(found: re.Match[str], style: str, script: str) -> str:
    """Return a policy that allows one style sheet, one script, and news from its own server.

    Example:
        >>> text = '''<meta http-equiv="Content-Security-Policy" content="default-src 'none'">'''
        >>> "connect-src 'self'" in _widened(_POLICY.match(text), "", "")
        True
    """
    parts = [part.split() for part in found[2].split(";") if part.strip()]
    rules = {name: sources for name, *sources in parts}
    fallback = rules.get("default-src", [])
    wanted = {
        "style-src": f"'{policy_hash(style)}'",
        "script-src": f"'{policy_hash(script)}'",
        "connect-src": "'self'",
    }
    for name, source in wanted.items():
        sources = [one for one in rules.get(name, fallback) if one != "'none'"]
        rules[name] = [*sources, source]
    text = "; ".join(" ".join((name, *sources)) for name, sources in rules.items())
    return f"{found[1]}{text}{found[3]}"
