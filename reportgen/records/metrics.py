"""Metrics by name: how their field writes them, which end is better, what values they can have.

This is the one table of them; layouts read tags by it, sections and figures print by it, checks
read reports by it. A metric stands under the name that layouts give it: small letters, words
joined by `_`, and without its cut-off (`ndcg@10` is `ndcg` at 10).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from reportgen.records.record import record


@record
class KnownMetric:
    """What is known of a metric by its name alone.

    Attributes:
        written: As its field writes it: `mIoU`.
        better: `"higher"`, `"lower"`, or empty where a name does not tell.
        least: The smallest value it can have; None where there is none.
        most: The largest, as a fraction where it is a share; None where there is none.
        also: Other names that programs give it, in small letters without `_`.
        alone: The name has to stand at the end of a tag: before another word it is an English
            one (`per_class`).
        cut: The name is a metric only with a cut-off (`p@5`).
    """

    written: str
    better: str
    least: float | None = 0.0
    most: float | None = None
    also: tuple[str, ...] = ()
    alone: bool = False
    cut: bool = False


def _up(written: str, *also: str, most: float | None = 1.0) -> KnownMetric:
    return KnownMetric(written=written, better="higher", most=most, also=also)


def _down(written: str, *also: str, most: float | None = None) -> KnownMetric:
    return KnownMetric(written=written, better="lower", most=most, also=also)


def _signed(written: str, *also: str) -> KnownMetric:
    return KnownMetric(written=written, better="higher", least=-1.0, most=1.0, also=also)


def _cut(written: str, *also: str) -> KnownMetric:
    return KnownMetric(written=written, better="higher", most=1.0, also=also, cut=True)


_CLASSES: Mapping[str, KnownMetric] = {
    # Van Rijsbergen, Information Retrieval (1979), ch. 7; Fawcett (2006) for the two areas.
    "f1": _up("F1"),
    "auc": _up("AUC"),
    "auroc": _up("AUROC"),
    "roc_auc": _up("ROC AUC"),
    "auprc": _up("AUPRC"),
    "pr_auc": _up("PR AUC"),
    # Matthews (1975); Cohen (1960).
    "matthews_correlation": _signed("Matthews correlation"),
    "kappa": _signed("kappa", "cohenkappa"),
    "exact_match": _up("exact match"),
    # Guo et al., On Calibration of Modern Neural Networks (2017); Brier (1950).
    "ece": _down("ECE", most=1.0),
    "brier": _down("Brier"),
}
_OVERLAP: Mapping[str, KnownMetric] = {
    # Everingham et al., The PASCAL VOC Challenge (2010); Long et al. (2015) for its mean.
    "iou": _up("IoU"),
    "mean_iou": _up("mIoU", "miou", "meaniou"),
    "giou": _signed("GIoU"),
    "jaccard": _up("Jaccard"),
    # Dice (1945); Huttenlocher et al. (1993) and its 95th percentile; Nikolov et al. (2018).
    "dice": _up("Dice", "dsc"),
    "hd95": _down("HD95"),
    "assd": _down("ASSD"),
    "asd": _down("ASD"),
    "nsd": _up("NSD"),
    # Kirillov et al., Panoptic Segmentation (2019).
    "pq": _up("PQ"),
    # Lin et al., Microsoft COCO (2014).
    "map": _up("mAP", "meanap", "meanaverageprecision"),
    "ap": _up("AP"),
    # Eigen et al., Depth Map Prediction (2014): relative errors.
    "abs_rel": _down("AbsRel", "absrel"),
    "sq_rel": _down("SqRel", "sqrel"),
}
_RANKING: Mapping[str, KnownMetric] = {
    # Järvelin and Kekäläinen, Cumulated Gain-Based Evaluation (2002); Voorhees (1999).
    "ndcg": _up("nDCG"),
    "mrr": _up("MRR"),
    # Bordes et al. (2013): the share of hits among the first k; Deshpande and Karypis (2004).
    "hits": _cut("Hits"),
    "hit": _cut("Hit"),
    "hit_rate": _up("hit rate", "hitrate"),
    "hr": _cut("HR"),
    "r": _cut("R"),
    "p": _cut("P"),
    "pass": _cut("pass"),  # Chen et al., Evaluating Large Language Models Trained on Code (2021).
}
_SPEECH: Mapping[str, KnownMetric] = {
    # Levenshtein distance over the length of the reference: words, characters, phones; over 1
    # where much is inserted. Morris et al., From WER and RIL to MER and WIL (2004).
    "wer": _down("WER"),
    "cer": _down("CER"),
    "per": KnownMetric(written="PER", better="lower", alone=True),
    "mer": _down("MER", most=1.0),
    "wil": _down("WIL", most=1.0),
    "ser": _down("SER"),
    # Martin et al. (1997); NIST Speaker Recognition Evaluation plan (2016).
    "eer": _down("EER"),
    "min_dcf": _down("minDCF", "mindcf", "dcf"),
    "der": KnownMetric(written="DER", better="lower", alone=True),
    # Rix et al. (2001); Taal et al. (2011); ITU-T P.800; Le Roux et al. (2019).
    "pesq": _up("PESQ", most=None),
    "stoi": _signed("STOI"),
    "mos": _up("MOS", most=5.0),
    "si_sdr": KnownMetric(written="SI-SDR", better="higher", least=None, also=("sisdr",)),
}
_TEXT: Mapping[str, KnownMetric] = {
    # Scores of which some programs count up to 1, others up to 100 have no most here.
    # Papineni et al. (2002); Post (2018); Snover et al. (2006); Popović (2015, 2017).
    "bleu": _up("BLEU", most=None),
    **{f"bleu{order}": _up(f"BLEU-{order}", most=None) for order in range(1, 5)},
    "sacrebleu": _up("SacreBLEU", most=None),
    "ter": _down("TER"),
    "chrf": _up("chrF", most=None),
    "chrf++": _up("chrF++", most=None),
    # Lin (2004); Banerjee and Lavie (2005); Zhang et al. (2020); Rei et al. (2020).
    "rouge": _up("ROUGE", most=None),
    "rouge1": _up("ROUGE-1", most=None),
    "rouge2": _up("ROUGE-2", most=None),
    "rouge_l": _up("ROUGE-L", "rougel", most=None),
    "rouge_lsum": _up("ROUGE-Lsum", "rougelsum", most=None),
    "meteor": _up("METEOR", most=None),
    "bertscore": KnownMetric(written="BERTScore", better="higher", least=None),
    "bleurt": KnownMetric(written="BLEURT", better="higher", least=None),
    "comet": KnownMetric(written="COMET", better="higher", least=None),
    "sari": _up("SARI", most=None),
    # Vedantam et al. (2015); Anderson et al. (2016).
    "cider": _up("CIDEr", most=None),
    "spice": _up("SPICE"),
    "perplexity": KnownMetric(written="perplexity", better="lower", least=1.0, also=("ppl",)),
    "bpc": KnownMetric(written="BPC", better="lower", least=None),
    "bpd": KnownMetric(written="BPD", better="lower", least=None),
}
_PICTURES: Mapping[str, KnownMetric] = {
    # Heusel et al. (2017); Bińkowski et al. (2018), whose estimate may be below 0; Salimans et
    # al. (2016); Zhang et al. (2018); Wang et al. (2004); Unterthiner et al. (2018).
    "fid": _down("FID"),
    "kid": KnownMetric(written="KID", better="lower", least=None),
    "inception_score": KnownMetric(
        written="Inception score", better="higher", least=1.0, also=("inceptionscore",)
    ),
    "lpips": _down("LPIPS"),
    "psnr": KnownMetric(written="PSNR", better="higher", least=None),
    "ssim": _signed("SSIM"),
    "ms_ssim": KnownMetric(
        written="MS-SSIM", better="higher", least=None, most=1.0, also=("msssim",)
    ),
    "fvd": _down("FVD"),
    # Hessel et al., CLIPScore (2021): a cosine, cut at 0 and stretched.
    "clip_score": _up("CLIPScore", "clipscore", most=None),
}
_AMOUNTS: Mapping[str, KnownMetric] = {
    # Squares, absolute values and their roots: distances, none below 0.
    "log_loss": _down("log loss", "mlogloss"),
    "mse": _down("MSE"),
    "rmse": _down("RMSE"),
    "mae": _down("MAE"),
    "mape": _down("MAPE"),
    "smape": _down("sMAPE"),
    "nrmse": _down("NRMSE"),
    "rmsle": _down("RMSLE"),
    "r2": KnownMetric(written="R²", better="higher", least=None, most=1.0),
    # Matheson and Winkler (1976).
    "crps": _down("CRPS"),
}
_RETURNS: Mapping[str, KnownMetric] = {
    # Stable-Baselines3 writes it so: rewards of an episode added up, their mean over the last ones.
    "ep_rew_mean": KnownMetric(
        written="mean episode reward", better="higher", least=None, also=("meanepisodereward",)
    ),
}
_WORDS: Mapping[str, KnownMetric] = {
    "accuracy": _up("accuracy"),
    "precision": _up("precision"),
    "recall": _up("recall"),
    "error_rate": _down("error rate", "err", most=1.0),
    "top1_error": _down("top-1 error", "err1", "top1err", "errtop1", most=1.0),
    "top5_error": _down("top-5 error", "err5", "top5err", "errtop5", most=1.0),
    "top1": _up("top-1"),
    "top5": _up("top-5"),
}

KNOWN_METRICS: Mapping[str, KnownMetric] = MappingProxyType(
    {
        **_CLASSES,
        **_OVERLAP,
        **_RANKING,
        **_SPEECH,
        **_TEXT,
        **_PICTURES,
        **_AMOUNTS,
        **_RETURNS,
        **_WORDS,
    }
)
"""Metric in the spelling of the layouts to what is known of it; the sources say what it measures,
and with that which end is better."""

CUT_OFF = r"@(?:\d*\.)?\d+(?:[:-](?:\d*\.)?\d+)?"
"""What stands behind a metric that is cut off: at 10 results, at an overlap of 0.5, at 0.5:0.95."""

_WITH_CUT_OFF = re.compile(
    rf"(?P<name>[^@]+?)(?P<overlap>(?<=ap)(?:50-95|50|75))?(?P<cut>{CUT_OFF})?"
)
_LONGEST = 3
"""Words of the longest name: `rouge_l_sum`."""


_BY_PLAIN: Mapping[str, str] = {
    plain: name
    for name, known in KNOWN_METRICS.items()
    for plain in (name.replace("_", ""), *known.also)
}


@record
class Found:
    """A metric of the table among the words of a tag.

    Attributes:
        start: Place of its first word.
        end: The place behind its last one.
        name: In the spelling of the layouts, without what it is cut off at.
        cut: What it is cut off at (`@10`), or the overlap that detection writes (`50`); or empty.
    """

    start: int
    end: int
    name: str
    cut: str

    @property
    def known(self) -> KnownMetric:
        """What is known of it."""
        return KNOWN_METRICS[self.name]

    @property
    def written(self) -> str:
        """The metric as its field writes it.

        Example:
            >>> [found_metrics([word])[0].written for word in ("NDCG@10", "recall@5", "map50-95")]
            ['nDCG@10', 'Recall@5', 'mAP50-95']
        """
        written = self.known.written
        return (written.capitalize() if self.cut and self.name in _WORDS else written) + self.cut


def found_metrics(words: Sequence[str]) -> list[Found]:
    """Return the metrics of the table that the words of a tag name, in order, the longest first.

    Args:
        words: In letters of any case.

    Example:
        >>> [(m.name, m.cut) for m in found_metrics(["macro", "Rouge", "L", "NDCG@10", "mFooB"])]
        [('rouge_l', ''), ('ndcg', '@10')]
    """
    found: list[Found] = []
    start = 0
    while start < len(words):
        one = next(filter(None, (_at(words, start, n) for n in range(_LONGEST, 0, -1))), None)
        if one is not None:
            found.append(one)
        start = one.end if one is not None else start + 1
    return found


def _at(words: Sequence[str], start: int, length: int) -> Found | None:
    """Return the metric that some words joined are, None where they are none."""
    end = start + length
    match = _WITH_CUT_OFF.fullmatch("".join(words[start:end]).lower())
    if match is None or end > len(words):
        return None
    name, cut = _BY_PLAIN.get(match["name"], ""), (match["overlap"] or "") + (match["cut"] or "")
    if not name or (KNOWN_METRICS[name].cut and not cut):
        return None
    if KNOWN_METRICS[name].alone and end != len(words):
        return None
    return Found(start=start, end=end, name=name, cut=cut)


def known_metric(metric: str) -> KnownMetric | None:
    """Return what is known of a metric, None where its name is none of the table.

    Words before it tell of which class or how it was averaged, words behind it of what.

    Args:
        metric: In the spelling of the layouts.

    Example:
        >>> known_metric("iou_car").written, known_metric("macro_f1").better
        ('IoU', 'higher')
        >>> known_metric("ndcg@10").most, known_metric("samples_per_second")
        (1.0, None)
    """
    found = found_metrics(metric.split("_"))
    return found[-1].known if found else None


# Where programs of reinforcement learning put their curves; it says nothing of what they are.
_FOLDERS = re.compile(r"^(rollout|charts|losses)_(?=.)")
# A range of overlaps keeps its dash: `map50-95`.
_JOINTS = re.compile(r"_|-(?!\d)|(?<!\d)-")


def metric_words(metric: str) -> str:
    """Return the name of a metric as words of a sentence, known ones as their field writes them.

    Example:
        >>> [metric_words(name) for name in ("macro_f1", "accuracy", "wer", "rouge-l", "bleu_4")]
        ['macro F1', 'accuracy', 'WER', 'ROUGE-L', 'BLEU-4']
        >>> [metric_words(name) for name in ("mean_iou", "iou_car", "ndcg@10", "mFooB")]
        ['mIoU', 'IoU car', 'nDCG@10', 'mFooB']
        >>> metric_words("charts_episodic_return")
        'episodic return'
    """
    words = _JOINTS.sub(" ", _FOLDERS.sub("", metric, count=1)).split()
    text, start = [], 0
    for found in found_metrics(words):
        text += [*words[start : found.start], found.written]
        start = found.end
    return " ".join((*text, *words[start:]))
