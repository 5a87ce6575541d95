"""Where a number comes from, in a terminal."""

from __future__ import annotations

MESSAGES = {
    "{printed}  (value {value})": "{printed}  (valeur {value})",
    "{printed}  (value missing)": "{printed}  (valeur absente)",
    "printed as {id}": "imprimé comme {id}",
    "printed as {id}  in {where}": "imprimé comme {id}  dans {where}",
    "method: {words}": "méthode\u00a0: {words}",
    "formula: {words}": "formule\u00a0: {words}",
    "reason: {words}": "raison\u00a0: {words}",
    "equation {number}": "équation {number}",
    "from {path}: {read}": "de {path}\u00a0: {read}",
    "matches": "conforme",
    "  remedy: say where the files lie, with --runs DIR or --study FILE": (
        "  remède\u00a0: dire où se trouvent les fichiers, avec --runs DOSSIER ou --study FICHIER"
    ),
    "NO LONGER MATCHES": "NE CORRESPOND PLUS",
    "not found": "introuvable",
    "{count} files: {states}": "{count} fichiers\u00a0: {states}",
}
