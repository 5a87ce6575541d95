"""Words of the page that are not the report's own, and the copy that a browser follows."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping
from typing import Any

from reportgen.languages import language_of, message
from reportgen.render._escape import embed_json, escape_html
from reportgen.render._inline import Raw
from reportgen.render._templates import make_environment, render_template

ENGLISH: Mapping[str, str] = {
    # Around the report.
    "skip": message("Skip to the report"),
    "contents": message("Contents"),
    "abstract": message("Abstract"),
    "glance": message("Answers at a glance"),
    "theme": message("Light or dark"),
    "footer": message("Written by reportgen {version}. This page is one file and loads nothing."),
    "hint": message("Point at a number, or select it, to see where it comes from."),
    "cited": message("Back to citation"),
    # Downloads.
    "downloads": message("Take it with you:"),
    "all_numbers": message("all numbers with their evidence (report.json, compressed)"),
    "numbers_csv": message("the numbers as a table (numbers.csv)"),
    "lies_beside": message("All numbers with their evidence lie beside this page in {file}."),
    # The evidence at the end of the page.
    "evidence": message("Where the numbers come from"),
    "evidence_lead": message(
        "Each printed number, the unrounded value behind it, how it was computed, and the points "
        "in files it was computed from. The checksum tells whether a file is still the same."
    ),
    "evidence_numbers": message("Numbers"),
    "evidence_sources": message("Sources"),
    "evidence_files": message("Files"),
    "number": message("Number"),
    "value": message("Value"),
    "method": message("Method"),
    "formula": message("Formula"),
    "runs": "n",
    "ddof": "ddof",
    "source": message("Source"),
    "missing": message("Missing"),
    "colon": message(":"),
    "file": message("File"),
    "path": message("Path"),
    "size": message("Bytes"),
    "sha256": "SHA-256",
    "step": message("step"),
    # The panel of a number.
    "panel": message("Evidence of {number}"),
    "close": message("Close"),
    "pin": message("Pin"),
    "pinned": message("Pinned evidence"),
    "copy_value": message("Copy value"),
    "copy_id": message("Copy id"),
    "copy_link": message("Copy link"),
    "copied": message("Copied: {text}"),
    "not_copied": message("Not copied; select it: {text}"),
    "id": message("Id"),
    # Sorting.
    "sort_up": message("sorted upwards"),
    "sort_down": message("sorted downwards"),
    "sort_none": message("in the order of the report"),
    "sort_said": message("{table} by {column}: {order}"),
    # Finding.
    "find": message("Find words or numbers"),
    "found_at": message("{place} of {count}"),
    "found_none": message("not in this report"),
    "next": message("Next place"),
    "previous": message("Previous place"),
    "back": message("Back to where you were"),
    # Curves.
    "chart": message("{name}, curves to explore"),
    "chart_keys": message(
        "Arrow keys go from point to point and from curve to curve, plus and minus zoom, "
        "Shift with an arrow moves the view, 0 shows everything."
    ),
    "chart_hint": message(
        "Drag to zoom, double-click to see everything; the wheel zooms a chart that was clicked."
    ),
    "raw": message("As logged"),
    "smoothed": message("Smoothed"),
    "band": message("Mean ± std"),
    "layers": message("Shown"),
    "legend": message("Curves"),
    "zoom_in": message("Zoom in"),
    "zoom_out": message("Zoom out"),
    "zoom_reset": message("Reset"),
    "values": message("Values"),
    "values_of": message("Values of {name} in view"),
    "run": message("Run"),
    "panel_of": message("Split"),
    "mean": message("mean"),
    "thinned": message(
        "Drawn are {kept} of {points} points: both ends, and the lowest and the highest of each "
        "stretch."
    ),
    "nothing": message("Nothing is switched on."),
    "csv": "CSV",
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
    said = {key: language.messages.get(text, str(text)) for key, text in ENGLISH.items()}
    marks = {"decimal_mark": language.decimal_mark, "group_mark": language.group_mark}
    return {**said, **marks}


# --- the copy of the html page that a browser follows; the file i ---------------------

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
