"""Every word of the page that is not the report's own: its headings, its buttons, its hints.

The template prints them, and the script is given the same mapping. Words in braces are places
that the script fills.
"""

from __future__ import annotations

from collections.abc import Mapping

from reportgen.languages import language_of, message

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
