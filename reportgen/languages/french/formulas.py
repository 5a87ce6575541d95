"""Formulas in words."""

from __future__ import annotations

MESSAGES = {
    "plus": "plus",
    "minus": "moins",
    "times": "fois",
    "divided by": "divisé par",
    "open parenthesis": "ouvrir la parenthèse",
    "close parenthesis": "fermer la parenthèse",
    "{base} squared": "{base} au carré",
    "{base} cubed": "{base} au cube",
    "{base} to the power of {exponent}": "{base} à la puissance {exponent}",
    "equals": "égale",
    "is about": "vaut environ",
    "{name} sub {mark}": "{name} indice {mark}",
    "{above} over {below}": "{above} sur {below}",
    "the square root of {inner}": "la racine carrée de {inner}",
    "the quantity {inner}": "la quantité {inner}",
    "{inner} for {label}": "{inner} pour {label}",
    "{inner} rounded down": "{inner} arrondi à l’entier inférieur",
    "{inner} rounded up": "{inner} arrondi à l’entier supérieur",
}
