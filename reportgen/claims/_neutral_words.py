"""Words that are as true of every run of a report as of any other: they narrow nothing down."""

from __future__ import annotations

_ENGLISH = """
    a about accuracy addition agent agents algorithm algorithms all almost along an analysis and
    answer any are around as at approach approaches architecture architectures average averaged
    averages averaging be been beginning best better both by can case checkpoint checkpoints
    choosing chosen classification classifier compared comparison complete computed conclusion
    configuration configurations considering contrast convergence couple course curve curves
    data dataset datasets default deviation did different do documents does down each early end
    entire epoch epochs evaluated evaluation every example examples exception experiment
    experiments fact few figure final finally fine-tuning finetuning first five fluctuations
    fold folds following for four from full general had half has have held-out here high higher
    hyper-parameters hyperparameters i images in independent is it iteration iterations its just
    large last later less little looking low lower me mean measured method methods metric
    metrics middle minor model models more moreover nearly network networks next no noise not
    note now number observation of official on only or order oscillations other our outcome over
    overall parameters particular partition per percent performance performances phase point
    points practice previous procedure process question random remaining remark respect rest
    result results reviews run runs same sample samples score scores second section seed seeds
    selected selecting sentences set sets setting settings setup several slight slightly small
    some split splits stage stages standard start std step steps stopping subsequent summary
    system systems table taken taking task ten terms test testing than that the their them then
    there these they third this those three time times to total train trained training turn two
    unseen up updates us use used using validation value values variant variants variation
    variations very warm-up warmup was way we were what which whole will with worse you
"""
_FRENCH = """
    agents algorithmes approche approches architectures analyse au aux bilan cas ce ces cette
    chaque comparaison d de dernier dernière dernières derniers des données du début en
    entraînement est et exemples expérience exécution exécutions fin graine graines jeu jeux l
    la le les leur leurs meilleur meilleure modèle modèles moins méthode méthodes pli plis
    réseaux système systèmes variante variantes moyenne moyennes nos notre ou pas plus premier
    première premières premiers que qui remarque réponse réseau résultat résultats sa ses son
    sont tableau tous toutes un une à époque époques étape étapes
"""
_OTHER_LANGUAGES = """
    beste besten conjunto dados das daten datensatz dati datos dem den der die drei
    durchschnitt ein eine einem einen einer el epoche epochen fünf gli il las letzten lo los
    läufe läufen media mittel modell modelle modello modelo promedio prueba testdaten
    testdatensatz teste testset trainingsdaten und unser unsere unserem validierungsdaten
    vier épocas
"""
NEUTRAL = frozenset(f"{_ENGLISH} {_FRENCH} {_OTHER_LANGUAGES}".split())
"""The words, in lower case."""
