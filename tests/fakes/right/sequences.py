"""Reports of courses on speech, translation and language models."""

# ruff: noqa: E501 -- reports keep their own lines
from __future__ import annotations

from fakes.right._right import (
    Right,
    change,
    comma,
    mean,
    std,
    write_fairseq,
    write_tags,
)

_WER = {
    "wav2vec2-base": {
        0: [31.4, 22.8, 18.9, 17.6],
        1: [32.0, 23.1, 19.3, 17.9],
        2: [31.1, 22.5, 18.6, 17.2],
    },
    "conformer-scratch": {
        0: [58.2, 44.0, 37.5, 34.1],
        1: [59.3, 45.2, 38.0, 34.9],
        2: [57.6, 43.7, 37.1, 33.8],
    },
}
_CER = {
    "wav2vec2-base": {0: [10.2, 7.1, 5.8, 5.3], 1: [10.5, 7.3, 5.9, 5.4], 2: [10.0, 7.0, 5.7, 5.2]},
    "conformer-scratch": {
        0: [22.4, 16.0, 13.1, 11.8],
        1: [23.0, 16.5, 13.4, 12.1],
        2: [22.1, 15.8, 12.9, 11.6],
    },
}


def _parole() -> Right:
    """Speech, in French: lower is better, relative reductions, a range over seeds."""
    pre = [_WER["wav2vec2-base"][s][-1] for s in range(3)]
    scr = [_WER["conformer-scratch"][s][-1] for s in range(3)]
    pre_c = [_CER["wav2vec2-base"][s][-1] for s in range(3)]
    scr_c = [_CER["conformer-scratch"][s][-1] for s in range(3)]
    text = f"""# Projet parole : reconnaissance automatique du français

**Consigne.** Comparer wav2vec 2.0 pré-entraîné à un Conformer entraîné de zéro (`conformer-scratch`) sur
10 heures de Common Voice.

## Taux d'erreur

| Système | WER test (%) | CER test (%) |
|---|---|---|
| wav2vec2-base | {comma(mean(pre), 2)} ± {comma(std(pre), 2)} | {comma(mean(pre_c), 2)} ± {comma(std(pre_c), 2)} |
| conformer-scratch | {comma(mean(scr), 2)} ± {comma(std(scr), 2)} | {comma(mean(scr_c), 2)} ± {comma(std(scr_c), 2)} |

Tableau 1 : moyenne et écart type d'échantillon sur trois graines à la fin de l'entraînement (4 époques).

Le pré-entraînement divise le WER par environ {comma(mean(scr) / mean(pre), 1)} : il passe de {comma(mean(scr), 2)} % à
{comma(mean(pre), 2)} %, soit une réduction relative de {comma(100 * (mean(scr) - mean(pre)) / mean(scr), 1)} %.
Selon la graine, le WER final de wav2vec2-base varie entre 17,2 % et 17,9 %.

Le WER baisse à chaque époque pour les deux systèmes. Après la première époque, wav2vec2-base (graine 0) est
encore à 31,4 % de WER, puis 22,8 % après la deuxième.
"""
    return Right(
        name="parole",
        form="md",
        text=text,
        write=lambda folder: write_tags(folder, {"test/wer": _WER, "test/cer": _CER}, 1000),
        changes=(
            change(
                f"| wav2vec2-base | {comma(mean(pre), 2)}", "| wav2vec2-base | 18,93", "aggregate"
            ),
            change("entre 17,2 % et 17,9 %", "entre 17,4 % et 17,9 %", "range", "unreachable"),
            change("Le WER baisse à chaque", "Le WER augmente à chaque", "trend"),
            change("encore à 31,4 %", "encore à 34,1 %", "value"),
        ),
        share=0.6,
    )


_BLEU = {
    "transformer_base": {1: [14.2, 21.7, 25.1, 26.8, 27.3], 2: [13.8, 21.2, 24.8, 26.5, 27.0]},
    "transformer_small": {1: [10.1, 17.0, 20.9, 22.6, 23.4], 2: [9.7, 16.6, 20.5, 22.3, 23.0]},
}
_PPL = {
    "transformer_base": {1: [18.4, 9.7, 7.4, 6.6, 6.3], 2: [18.9, 9.9, 7.5, 6.7, 6.4]},
    "transformer_small": {1: [26.3, 14.1, 10.8, 9.5, 9.0], 2: [27.0, 14.4, 11.0, 9.7, 9.2]},
}


def _translation() -> Right:
    """Machine translation: two seeds, a table with both in rows, BLEU deltas."""
    rows = "\n".join(
        f"{label} & {s} & {_PPL[g][s][-1]} & {_BLEU[g][s][-1]} \\\\"
        for g, label in (("transformer_base", "Base"), ("transformer_small", "Small"))
        for s in (1, 2)
    )
    base = [_BLEU["transformer_base"][s][-1] for s in (1, 2)]
    small = [_BLEU["transformer_small"][s][-1] for s in (1, 2)]
    text = rf"""\documentclass{{article}}
\begin{{document}}
\section{{Machine translation lab (IWSLT'14 De--En)}}

\paragraph{{Models.}} \emph{{Base}} has $d_{{model}}=512$, 6 layers and 8 heads; \emph{{Small}} has $d_{{model}}=256$ and
4 heads. Both share one BPE vocabulary of 10\,000 types, so the embedding of Base has
$10000 \times 512 = 5.12$M entries and that of Small half as many (2.56M).

\paragraph{{Training.}} 5 epochs of 1100 updates each, two runs per model (seeds 1 and 2).

\begin{{table}}[t]
\centering
\begin{{tabular}}{{llrr}}
\hline
Model & Seed & Valid PPL & Valid BLEU \\
\hline
{rows}
\hline
\end{{tabular}}
\caption{{Perplexity and BLEU on the validation set after the final epoch.}}
\end{{table}}

Averaged over the two seeds, Base reaches {mean(base):.2f} BLEU and Small {mean(small):.2f}, a difference of
{mean(base) - mean(small):.2f} BLEU. The perplexity of Base with seed 1 drops from 18.4 to 6.3 during training. Between epochs
4 and 5, BLEU of Base improves by only 0.5 for seed 1, so both models have nearly converged.
For both seeds, Base is better than Small on both metrics.
\end{{document}}
"""
    return Right(
        name="translation",
        form="tex",
        text=text,
        write=lambda folder: write_fairseq(folder, {"valid": {"bleu": _BLEU, "ppl": _PPL}}, 1100),
        changes=(
            change("Base & 2 & 6.4 & 27.0", "Base & 2 & 6.4 & 27.3", "value"),
            change(f"and Small {mean(small):.2f}", "and Small 24.20", "aggregate"),
            change(
                f"difference of\n{mean(base) - mean(small):.2f}",
                "difference of\n4.15",
                "difference",
            ),
            change("drops from 18.4", "drops from 19.4", "value", "trend"),
            change(
                "10000 \\times 512 = 5.12", "10000 \\times 512 = 5.21", "arithmetic", "substitution"
            ),
        ),
        share=0.6,
    )


_VL = {
    "gpt2-small": {1337: [3.912, 3.641, 3.550, 3.521, 3.519]},
    "gpt2-nodropout": {1337: [3.874, 3.602, 3.548, 3.566, 3.611]},
}
_TL = {
    "gpt2-small": {1337: [4.310, 3.702, 3.548, 3.470, 3.431]},
    "gpt2-nodropout": {1337: [4.188, 3.551, 3.322, 3.171, 3.040]},
}


def _language() -> Right:
    """A blog-like notebook text on language models: losses, overfitting, no table."""
    text = (
        """# Do small language models need dropout?

I trained the same GPT-2 twice on 50 MB of recipes: once with dropout 0.1 (`gpt2-small`) and once without
(`gpt2-nodropout`). Five epochs, seed 1337, one GPU.

**With dropout.** The validation loss falls at every epoch, from 3.912 after the first to 3.519 after the
fifth. It has practically converged after epoch 4: the last epoch brings a mere 0.002. Perplexity, which is
exp(3.519) = 33.75, is still far from good.

**Without dropout.** `gpt2-nodropout` learns faster, and its training loss ends at 3.040 instead of 3.431. But its
validation loss is lowest after epoch 3 (3.548) and rises again to 3.611 by epoch 5, a textbook case of
overfitting. At the end the gap between validation and training loss is 0.571, against 0.088 with dropout.

Bottom line: the best validation loss with dropout (3.519) is 0.029 lower than the best one without (3.548).

| Epoch | train, dropout | val, dropout | train, none | val, none |
|---:|---:|---:|---:|---:|
"""
        + "\n".join(
            f"| {n + 1} | {_TL['gpt2-small'][1337][n]:.3f} | {_VL['gpt2-small'][1337][n]:.3f} | {_TL['gpt2-nodropout'][1337][n]:.3f} | {_VL['gpt2-nodropout'][1337][n]:.3f} |"
            for n in range(5)
        )
        + "\n\nTable: loss after each epoch.\n"
    )
    return Right(
        name="recipes",
        form="md",
        text=text,
        write=lambda folder: write_tags(folder, {"val/loss": _VL, "train/loss": _TL}, 800),
        changes=(
            change("from 3.912 after", "from 3.921 after", "value", "trend"),
            change("to 3.519 after the", "to 3.591 after the", "value", "trend"),
            change("loss falls at every", "loss rises at every", "trend"),
        ),
        share=0.35,
    )


REPORTS = (_parole(), _translation(), _language())
