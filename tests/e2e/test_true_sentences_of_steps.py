"""True sentences on curves with many points an epoch, of groups whose epochs are not as long.

None is accused, and its twin with another number is seen where it says whose value it is.
"""

# ruff: noqa: E501 -- sentences keep their own lines
from __future__ import annotations

import pytest
from fakes.event_file import write_scalars
from fakes.judged import accusations

LAB = "steps"
LENGTHS = {"wide": 50, "slim": 100}
"""Steps an epoch."""


def curve(start, end, points):
    return [round(end + (start - end) * 0.6**n, 3) for n in range(points)]


LOSS = {group: curve(2.3, 0.2 + 0.1 * n, 20) for n, group in enumerate(LENGTHS)}
NORM = {group: curve(1.8, 6.2, 20) for group in LENGTHS}
ACC = {"wide": [0.42, 0.55, 0.64, 0.66], "slim": [0.39, 0.51, 0.58, 0.6]}
EVERY = {group: length // 5 for group, length in LENGTHS.items()}
W, N = LOSS["wide"], LOSS["slim"]
SENTENCES = (
    (f"The training loss of wide goes from {W[0]:.3f} to {{}}.", f"{W[-1]:.3f}", "0.731"),
    (f"The training loss of wide falls from {W[0]:.3f} to {{}}.", f"{W[-1]:.3f}", "0.731"),
    (f"La perte d'entraînement de slim passe de {N[0]:.2f} à {{}}.".replace(".", ",", 1), f"{N[-1]:.2f}".replace(".", ","), "0,97"),
    (f"The training loss of slim goes from {N[0]:.3f} at step {EVERY['slim']} to {{}} at step {20 * EVERY['slim']}.", f"{N[-1]:.3f}", "0.731"),
    (f"The training loss of wide goes from {W[0]:.3f} at step {EVERY['wide']} to {{}} at step {20 * EVERY['wide']}.", f"{W[-1]:.3f}", "0.731"),
    ("The validation accuracy of slim goes from 39.0 % at step 100 to {} % at step 400.", "60.0", "57.1"),
    (f"The gradient norm of wide rises from {NORM['wide'][0]:.2f} to {{}}.", f"{NORM['wide'][-1]:.2f}", None),
    (f"The training grad norm of wide goes from {NORM['wide'][0]:.2f} to {{}}.", f"{NORM['wide'][-1]:.2f}", None),
)  # fmt: skip


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("labs")
    for group, length in LENGTHS.items():
        dense = [EVERY[group] * n for n in range(1, 21)]
        tags = {
            "train/loss": list(zip(dense, LOSS[group], strict=True)),
            "train/grad_norm": list(zip(dense, NORM[group], strict=True)),
            "val/acc": [(length * n, value) for n, value in enumerate(ACC[group], 1)],
            "epoch": [(step, step / length) for step in dense],
        }
        write_scalars(folder / LAB / group / "seed_0", tags)
    return folder


@pytest.mark.parametrize("sentence", [s.format(right) for s, right, _ in SENTENCES])
def test_a_true_sentence_is_accused_of_nothing(sentence, logs):
    assert accusations(logs, LAB, sentence, "right") == []


@pytest.mark.parametrize("sentence", [s.format(wrong) for s, _, wrong in SENTENCES if wrong])
def test_its_twin_with_another_number_is_seen(sentence, logs):
    assert accusations(logs, LAB, sentence, "wrong") != []
