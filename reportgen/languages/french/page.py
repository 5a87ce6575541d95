"""The page's own words: its headings, its buttons, its hints, and units beside values."""

from __future__ import annotations

MESSAGES = {
    # Around the report.
    "Skip to the report": "Aller au rapport",
    "Contents": "Sommaire",
    "Written by reportgen {version}. This page is one file and loads nothing.": (
        "Écrit par reportgen {version}. Cette page est un seul fichier et ne charge rien."
    ),
    "Point at a number, or select it, to see where it comes from.": (
        "Pointez ou sélectionnez un nombre pour voir d’où il vient."
    ),
    "Back to citation": "Retour à la citation",
    # Downloads.
    "Take it with you:": "À emporter\u00a0:",
    "all numbers with their evidence (report.json, compressed)": (
        "tous les nombres et leur provenance (report.json, compressé)"
    ),
    "the numbers as a table (numbers.csv)": "les nombres en tableau (numbers.csv)",
    "All numbers with their evidence lie beside this page in {file}.": (
        "Tous les nombres et leur provenance se trouvent à côté de cette page, dans {file}."
    ),
    # The evidence at the end of the page.
    "Where the numbers come from": "D’où viennent les nombres",
    "Each printed number, the unrounded value behind it, how it was computed, and the points in "
    "files it was computed from. The checksum tells whether a file is still the same.": (
        "Chaque nombre imprimé, la valeur non arrondie dont il provient, la façon dont elle a été "
        "calculée et les points des fichiers d’où elle est tirée. L’empreinte dit si un fichier "
        "est toujours le même."
    ),
    "Numbers": "Nombres",
    "Sources": "Sources",
    "Number": "Nombre",
    "Source": "Source",
    "Missing": "Absent",
    ":": "\u00a0:",
    "Path": "Chemin",
    "step": "pas",
    # The panel of a number.
    "Evidence of {number}": "Provenance de {number}",
    "Close": "Fermer",
    "Pin": "Épingler",
    "Pinned evidence": "Provenances épinglées",
    "Copy value": "Copier la valeur",
    "Copy id": "Copier l’identifiant",
    "Copy link": "Copier le lien",
    "Copied: {text}": "Copié\u00a0: {text}",
    "Not copied; select it: {text}": "Non copié\u202f; à sélectionner\u00a0: {text}",
    "Id": "Identifiant",
    # Sorting.
    "sorted upwards": "ordre croissant",
    "sorted downwards": "ordre décroissant",
    "in the order of the report": "ordre du rapport",
    "{table} by {column}: {order}": "{table}, {column}\u00a0: {order}",
    # Finding.
    "{place} of {count}": "{place} sur {count}",
    "not in this report": "absent de ce rapport",
    "Next place": "Occurrence suivante",
    "Previous place": "Occurrence précédente",
    "Back to where you were": "Revenir au passage quitté",
    # Curves.
    "{name}, curves to explore": "{name}, courbes à explorer",
    "Arrow keys go from point to point and from curve to curve, plus and minus zoom, Shift with "
    "an arrow moves the view, 0 shows everything.": (
        "Les flèches vont de point en point et de courbe en courbe, plus et moins agrandissent et "
        "réduisent, Maj avec une flèche déplace la vue, 0 montre tout."
    ),
    "Drag to zoom, double-click to see everything; the wheel zooms a chart that was clicked.": (
        "Glissez pour agrandir, double-cliquez pour tout voir\u202f; la molette agrandit une "
        "figure sur laquelle on a cliqué."
    ),
    "As logged": "Brut",
    "Smoothed": "Lissé",
    "Shown": "Affichage",
    "Curves": "Courbes",
    "Zoom in": "Agrandir",
    "Zoom out": "Réduire",
    "Reset": "Tout voir",
    "Values": "Valeurs",
    "Values of {name} in view": "Valeurs visibles de {name}",
    "mean": "moyenne",
    "Drawn are {kept} of {points} points: both ends, and the lowest and the highest of each "
    "stretch.": (
        "{kept} points sur {points} sont tracés\u00a0: les deux extrémités, et le plus bas et le "
        "plus haut de chaque tronçon."
    ),
    "Nothing is switched on.": "Rien n’est affiché.",
    # The copy that a browser follows.
    "Building the report again": "Le rapport est reconstruit",
    "Up to date since {time}": "À jour depuis {time}",
    "Not built; this is the last good report": (
        "Non construit\u202f; ceci est le dernier rapport réussi"
    ),
    "No connection to reportgen; this report may be old": (
        "Pas de connexion à reportgen\u202f; ce rapport peut être ancien"
    ),
    "Waiting for the first point": "En attente du premier point",
    "The report appears here by itself as soon as a point is logged.": (
        "Le rapport apparaît ici de lui-même dès qu’un point est journalisé."
    ),
    "The report could not be built": "Le rapport n’a pas pu être construit",
    # Units beside unrounded values.
    "fraction": "(fraction)",
    "percent": "(pourcentage)",
    "count": "(nombre)",
    "epoch": "(époque)",
    "bytes": "octets",
    "seconds": "secondes",
    "bits": "bits",
}
