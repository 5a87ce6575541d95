"""The copy of the HTML page that a browser follows; the file itself stays as it is.

The copy has one style sheet and one script more. Its policy allows these by their hashes, and to
ask the server it came from for news; everything else is refused as before.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from reportgen.languages import language_of, message
from reportgen.render._environment import make_environment, render_template
from reportgen.render._escape_html import embed_json, escape_html
from reportgen.render._inline import Raw
from reportgen.render.html import policy_hash

WORDS: Mapping[str, str] = {
    "building": message("Building the report again"),
    "current": message("Up to date since {time}"),
    "failed": message("Not built; this is the last good report"),
    "lost": message("No connection to reportgen; this report may be old"),
    "waiting": message("Waiting for the first point"),
    "waiting_more": message("The report appears here by itself as soon as a point is logged."),
    "fault": message("The report could not be built"),
    "close": message("Close"),
}

_POLICY = re.compile(r'(<meta http-equiv="Content-Security-Policy" content=")([^"]*)(">)')
_END = "</body>"


def live_words(lang: str) -> Mapping[str, str]:
    """Return what the copy says, in a language.

    Raises:
        UnknownNameError: Reports cannot be written in this language.
    """
    messages = language_of(lang).messages
    return {key: messages.get(text, str(text)) for key, text in WORDS.items()}


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
    told = embed_json({"words": dict(live_words(lang)), **notice})
    variables = {"style": style, "script": script, "notice": Raw(told)}
    more = render_template(environment.get_template("live.j2"), "live", variables)
    page = _POLICY.sub(lambda found: _widened(found, str(style), str(script)), page, count=1)
    before, end, behind = page.rpartition(_END)
    return f"{before}{more}\n{end}{behind}" if end else f"{page}{more}\n"


def waiting_page(lang: str, notice: Mapping[str, Any]) -> str:
    """Return the page that is shown before there is a report."""
    environment = make_environment("html", escape_html, braces=True)
    look = render_template(environment.get_template("report.css"), "report.css", {})
    variables = {
        "lang": lang,
        "words": live_words(lang),
        "look": look,
        "look_hash": policy_hash(look),
    }
    page = render_template(environment.get_template("waiting.j2"), "waiting", variables)
    return live_page(str(page), lang, notice)


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
