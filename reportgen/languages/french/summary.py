"""The page for CI: what was found, what changed, what had no room."""

from __future__ import annotations

MESSAGES = {
    # How it stands.
    "Report": "Rapport",
    "title and status": "titre et état",
    "{report} could not be checked: {reason}": "{report} n’a pas pu être vérifié\u00a0: {reason}",
    "{report}: {tally}; {checked} of {numbers} numbers could be checked.": (
        "{report}\u00a0: {tally}\u202f; nombres vérifiés\u00a0: {checked} sur {numbers}."
    ),
    "Not compared with a base: {reason}.": "Pas de comparaison avec une base\u00a0: {reason}.",
    "No printed number differs from the base.": "Aucun nombre imprimé ne diffère de la base.",
    "Against the base: numbers changed {changed}, changed within rounding {rounding}, "
    "added {added}, removed {removed}, unchanged {unchanged}.": (
        "Par rapport à la base\u00a0: nombres changés {changed}, changés à l’arrondi près "
        "{rounding}, ajoutés {added}, supprimés {removed}, inchangés {unchanged}."
    ),
    "{count} run has no reported value.": "{count} exécution n’a pas de valeur rapportée.",
    "{count} runs have no reported value.": "{count} exécutions n’ont pas de valeur rapportée.",
    "No run has a best step: what each logged last is no test result.": (
        "Aucune exécution n’a de meilleur pas\u00a0: ce que chacune a enregistré en dernier n’est "
        "pas un résultat de test."
    ),
    "{group}, seed {seed}": "{group}, graine\u00a0{seed}",
    "missing: {reason}": "manque\u202f: {reason}",
    # Room.
    "And {count} more.": "Et {count} de plus.",
    "Left out, as {limit} KiB have no room for it: {parts}.": (
        "Omis, faute de place dans {limit} Kio\u00a0: {parts}."
    ),
    # Parts.
    "Results": "Résultats",
    "results": "résultats",
    "What is missing": "Ce qui manque",
    "what is missing": "ce qui manque",
    "findings": "constats",
    "charts": "graphiques",
    "What changed against the base": "Ce qui a changé par rapport à la base",
    "what changed against the base": "ce qui a changé par rapport à la base",
    # Findings.
    "Findings in {report}": "Constats dans {report}",
    "Place": "Emplacement",
    "Level": "Niveau",
    "Check": "Vérification",
    "Finding": "Constat",
    "error": "erreur",
    "warning": "avertissement",
    "note": "remarque",
    "{count} error": "{count} erreur",
    "{count} errors": "{count} erreurs",
    "{count} warning": "{count} avertissement",
    "{count} warnings": "{count} avertissements",
    "{count} note": "{count} remarque",
    "{count} notes": "{count} remarques",
    "page {page}": "page {page}",
    "line {line}": "ligne {line}",
    # Changes.
    "Before": "Avant",
    "Now": "Maintenant",
    "Numbers added": "Nombres ajoutés",
    "Numbers removed": "Nombres supprimés",
    "Groups": "Groupes",
    "Runs": "Exécutions",
    "What was inferred": "Ce qui a été déduit",
    "Problems": "Problèmes",
    "Evidence files": "Fichiers de preuve",
    # Charts.
    "Mean over the runs after each epoch: {axis}": (
        "Moyenne des exécutions après chaque époque\u00a0: {axis}"
    ),
    "Mean over the runs at each evaluation: {axis}": (
        "Moyenne des exécutions à chaque évaluation\u00a0: {axis}"
    ),
    "{metric} ({split})": "{metric} ({split})",
    "{metric} in percent ({split})": "{metric} en pourcentage ({split})",
    "Charts that are not drawn here, too many or too long: {count}.": (
        "Graphiques non tracés ici, trop nombreux ou trop longs\u00a0: {count}."
    ),
    "{colour}: {group}": "{colour}\u00a0: {group}",
    "blue": "bleu",
    "orange": "orange",
    "black": "noir",
    "green": "vert",
    "pink": "rose",
    "vermilion": "vermillon",
    "sky blue": "bleu ciel",
}
