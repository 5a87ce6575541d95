"""Every word of the page that is not the report's own: its headings, its buttons, its hints.

The template prints them, and the script is given the same mapping. Words in braces are places
that the script fills.
"""

from __future__ import annotations

from collections.abc import Mapping

ENGLISH: Mapping[str, str] = {
    # Around the report.
    "skip": "Skip to the report",
    "contents": "Contents",
    "abstract": "Abstract",
    "footer": "Written by reportgen {version}. This page is one file and loads nothing.",
    "hint": "Point at a number, or select it, to see where it comes from.",
    "cited": "Back to citation",
    # Downloads.
    "downloads": "Take it with you:",
    "all_numbers": "all numbers with their evidence (report.json, compressed)",
    "numbers_csv": "the numbers as a table (numbers.csv)",
    "lies_beside": "All numbers with their evidence lie beside this page in {file}.",
    # The evidence at the end of the page.
    "evidence": "Where the numbers come from",
    "evidence_lead": (
        "Each printed number, the unrounded value behind it, how it was computed, and the points "
        "in files it was computed from. The checksum tells whether a file is still the same."
    ),
    "evidence_numbers": "Numbers",
    "evidence_sources": "Sources",
    "evidence_files": "Files",
    "number": "Number",
    "value": "Value",
    "method": "Method",
    "formula": "Formula",
    "runs": "n",
    "ddof": "ddof",
    "source": "Source",
    "missing": "Missing",
    "file": "File",
    "path": "Path",
    "size": "Bytes",
    "sha256": "SHA-256",
    "step": "step",
    # The panel of a number.
    "panel": "Evidence of {number}",
    "close": "Close",
    "pin": "Pin",
    "pinned": "Pinned evidence",
    "copy_value": "Copy value",
    "copy_id": "Copy id",
    "copy_link": "Copy link",
    "copied": "Copied: {text}",
    "not_copied": "Not copied; select it: {text}",
    "id": "Id",
    # Sorting.
    "sort_up": "sorted upwards",
    "sort_down": "sorted downwards",
    "sort_none": "in the order of the report",
    "sort_said": "{table} by {column}: {order}",
    # Finding.
    "find": "Find a number",
    "find_hint": "80.63",
    "found_at": "{place} of {count}",
    "found_none": "not in this report",
    "next": "Next place",
    "previous": "Previous place",
    "back": "Back to where you were",
    # Curves.
    "chart": "{name}, curves to explore",
    "chart_keys": (
        "Arrow keys go from point to point and from curve to curve, plus and minus zoom, "
        "Shift with an arrow moves the view, 0 shows everything."
    ),
    "chart_hint": (
        "Drag to zoom, double-click to see everything; the wheel zooms a chart that was clicked."
    ),
    "raw": "As logged",
    "smoothed": "Smoothed",
    "band": "Mean ± std",
    "layers": "Shown",
    "legend": "Curves",
    "zoom_in": "Zoom in",
    "zoom_out": "Zoom out",
    "zoom_reset": "Reset",
    "values": "Values",
    "values_of": "Values of {name} in view",
    "run": "Run",
    "panel_of": "Split",
    "mean": "mean",
    "thinned": (
        "Drawn are {kept} of {points} points: both ends, and the lowest and the highest of each "
        "stretch."
    ),
    "nothing": "Nothing is switched on.",
    "csv": "CSV",
}


def page_words(lang: str) -> Mapping[str, str]:  # noqa: ARG001 - one language so far
    """Return the words of the page in the language of the report; English where there is none."""
    return ENGLISH
