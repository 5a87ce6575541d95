"""Words of the document itself: what its parts are called."""

from __future__ import annotations

MESSAGES = {
    "Section": "Section",
    "Table": "Tableau",
    "Figure": "Figure",
    "Equation": "Équation",
    "Listing": "Listage",
    "Abstract": "Résumé",
    "References": "Références",
    "continued": "suite",
}
