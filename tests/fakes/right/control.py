"""Reports of courses on reinforcement learning and on regression."""

# ruff: noqa: E501, RUF001 -- reports keep their own lines
from __future__ import annotations

from fakes.right._right import Right, change, mean, shown, std, write_tags

_RET = {
    "ppo": {
        0: [112, 340, 455, 480],
        1: [98, 322, 461, 492],
        2: [120, 351, 449, 475],
        3: [105, 333, 470, 488],
        4: [110, 345, 458, 470],
    },
    "reinforce": {
        0: [45, 130, 210, 262],
        1: [39, 141, 223, 240],
        2: [51, 118, 198, 281],
        3: [47, 125, 205, 233],
        4: [42, 137, 214, 254],
    },
}


def _cartpole() -> Right:
    """Reinforcement learning: returns, environment steps, standard errors, five seeds."""
    ppo = [_RET["ppo"][s][-1] for s in range(5)]
    rei = [_RET["reinforce"][s][-1] for s in range(5)]
    text = (
        """# HW3: policy gradients on CartPole-v1

## Experiment 1

We ran PPO and REINFORCE with five seeds (0-4) for 100,000 environment steps and evaluated every 25,000
steps over 20 episodes. γ = 0.99, λ = 0.95, clip range 0.2.

| steps | PPO | REINFORCE |
|---|---|---|
"""
        + "\n".join(
            f"| {25_000 * (n + 1):,} | {mean([_RET['ppo'][s][n] for s in range(5)]):.1f} | {mean([_RET['reinforce'][s][n] for s in range(5)]):.1f} |"
            for n in range(4)
        )
        + f"""

Table 1: Average evaluation return over five seeds.

The final average return of PPO is {mean(ppo):.1f} ± {std(ppo) / 5**0.5:.1f} (standard error over 5 seeds) and that of
REINFORCE {mean(rei):.1f} ± {std(rei) / 5**0.5:.1f}. PPO learns faster and is more stable across seeds: its final returns lie
between 470 and 492, those of REINFORCE between 233 and 281. The best seed of PPO is seed 1 with a final return
of 492; no run reaches the maximum of 500. PPO's average return is {mean(ppo) / mean(rei):.2f} times that of REINFORCE.
Both agents improve monotonically.
"""
    )
    return Right(
        name="cartpole",
        form="md",
        text=text,
        write=lambda folder: write_tags(folder, {"eval/mean_return": _RET}, 25_000),
        changes=(
            change(
                f"| 75,000 | {mean([_RET['ppo'][s][2] for s in range(5)]):.1f}",
                "| 75,000 | 465.8",
                "aggregate",
            ),
            change(f"PPO is {mean(ppo):.1f} ±", "PPO is 488.0 ±", "aggregate"),
            change("a final return\nof 492", "a final return\nof 482", "value", "superlative"),
            change("more stable across seeds", "less stable across seeds", "ordering"),
        ),
        share=0.5,
    )


_RMSE = {
    "lstm": {
        10: [0.412, 0.331, 0.298, 0.291],
        11: [0.420, 0.338, 0.301, 0.287],
        12: [0.409, 0.329, 0.296, 0.294],
    },
    "linear": {
        10: [0.455, 0.430, 0.425, 0.424],
        11: [0.457, 0.431, 0.426, 0.424],
        12: [0.454, 0.429, 0.425, 0.423],
    },
    "tcn": {
        10: [0.398, 0.312, 0.284, 0.279],
        11: [0.403, 0.316, 0.281, 0.277],
        12: [0.395, 0.309, 0.286, 0.283],
    },
}
_R2 = {
    g: {s: [round(1 - v * v / 0.29, 3) for v in c] for s, c in seeds.items()}
    for g, seeds in _RMSE.items()
}


def _energy() -> Right:
    """Regression: a transposed table, three models, median and extremes."""
    labels = (("linear", "Linear"), ("lstm", "LSTM"), ("tcn", "TCN"))
    last = {g: [_RMSE[g][s][-1] for s in (10, 11, 12)] for g, _ in labels}
    r2 = {g: [_R2[g][s][-1] for s in (10, 11, 12)] for g, _ in labels}
    import statistics

    text = f"""Forecasting household energy use
=================================

Time series course, mini-project. Three models, seeds 10, 11, 12, four epochs, standardised target.

Validation scores after four epochs (mean over seeds):

|            | Linear | LSTM | TCN |
|------------|-------:|-----:|----:|
| RMSE       | {" | ".join(shown(mean(last[g]), 3) for g, _ in labels)} |
| R²         | {" | ".join(shown(mean(r2[g]), 3) for g, _ in labels)} |

Worst and best seed by validation RMSE: LSTM {max(last["lstm"]):.3f} and {min(last["lstm"]):.3f}, TCN {max(last["tcn"]):.3f} and
{min(last["tcn"]):.3f}. The median validation RMSE of the TCN is {statistics.median(last["tcn"]):.3f}.

The TCN has the lowest RMSE of the three models. It is {100 * (mean(last["linear"]) - mean(last["tcn"])) / mean(last["linear"]):.0f}% lower than that
of the linear model. RMSE decreases at every epoch for all models and seeds. The LSTM of seed 11 ends at 0.287, the one of seed
12 at 0.294.
"""
    return Right(
        name="energy",
        form="md",
        text=text,
        write=lambda folder: write_tags(folder, {"val/rmse": _RMSE, "val/r2": _R2}, 150),
        changes=(
            change(
                f"| RMSE       | {shown(mean(last['linear']), 3)}",
                "| RMSE       | 0.442",
                "aggregate",
            ),
            change(
                f"the TCN is {statistics.median(last['tcn']):.3f}",
                "the TCN is 0.297",
                "aggregate",
                "value",
            ),
            change("The TCN has the lowest RMSE", "The LSTM has the lowest RMSE", "superlative"),
            change("of seed 11 ends at 0.287", "of seed 11 ends at 0.278", "value"),
        ),
        share=0.6,
    )


REPORTS = (_cartpole(), _energy())
