"""Re-runs: the dagger, its notes, and where they come from."""

from __future__ import annotations

MESSAGES = {
    # The dagger.
    "re-run": "réexécution",
    "{mark} Re-run, or a mean with a re-run: {which} ({table}).": (
        "{mark} Réexécution, ou moyenne qui en comprend une\u202f: {which} ({table})."
    ),
    "what is so marked": "ce qui est ainsi marqué",
    "{mark} Re-run, or computed with a re-run: {which}.": (
        "{mark} Réexécution, ou valeur calculée avec une réexécution\u202f: {which}."
    ),
    "{mark} Re-run, or computed with a re-run: {which}; and others, in {table}.": (
        "{mark} Réexécution, ou valeur calculée avec une réexécution\u202f: {which}\u202f; et "
        "d’autres, dans le {table}."
    ),
    "{group}, seed {seeds}": "{group}, graine\u00a0{seeds}",
    "{group}, seeds {seeds}": "{group}, graines\u00a0{seeds}",
    "device unknown": "appareil inconnu",
    "date unknown": "date inconnue",
    "Mean ± std": "Moyenne ± écart type",
    # Where they come from.
    "{cells}: {notes}.": "{cells}\u202f: {notes}.",
    "Group": "Groupe",
    "Seed": "Graine",
    "Device and engine": "Appareil et moteur",
    "Date": "Date",
    "Versions": "Versions",
    "Seconds": "Secondes",
    "{versions} and {count} more": "{versions} et {count} autres",
}
