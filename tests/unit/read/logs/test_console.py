"""What printed lines say: which number is of which name, split and step, and which is of none."""

import pytest

from reportgen.read.logs import load_tree
from reportgen.read.logs.console import load_console

VALUES = [0.51, 0.62, 0.68, 0.71]


def read(tmp_path, lines, name="train.log"):
    """Return the curves of what was printed, its results, and what is said of it."""
    path = tmp_path / name
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    curves, results, told = {}, {}, []
    for log in load_console(path, name):
        curves |= {tag: [v for _, v in s.points()] for tag, s in log.series.items()}
        results |= log.results
        told += [problem.message for problem in log.problems if problem.level == "warning"]
    return {tag: v for tag, v in curves.items() if tag != "epoch"}, results, told


def each(line):
    return [line.format(n=n, v=v, w=v / 2) for n, v in enumerate(VALUES, 1)]


LINES = {
    "fields between bars, as Megatron prints them": (
        """ iteration  {n}00/ 900 | time per iteration (ms): 291.7 | lm loss: {v}E+00 | number \
of skipped iterations:   0 | number of nan iterations:   0 |
 validation loss at iteration {n}00 | lm loss value: {w}E+00 | lm loss PPL: 1.5E+00 | """,
        {"lm_loss": 1, "validation/lm_loss": 0.5},
    ),
    "sums over frames, as icefall prints them": (
        """Epoch {n}, batch 10, loss[loss=0.5, over 2828.00 frames. ], tot_loss[loss={v}, over \
22192.90 frames. ], batch size: 4
Epoch {n}, validation loss={w}, over 18067.00 frames.""",
        {"loss": 1, "validation_loss": 0.5},
    ),
    "a quotient in brackets counts batches": (
        "Epoch {n} loss {w:.3f}  [12864/60000] val_acc {v} (4500/5000)",
        {"loss": 0.5, "val_acc": 1},
    ),
    "a quotient behind a bar counts batches": ("Epoch {n} val_acc {v} | 100/391", {"val_acc": 1}),
    "things of a total are a share": (
        "Epoch {n} loss {w:.3f}, correct {n}00/1000, test acc {v}",
        {"loss": 0.5, "correct": None, "test_acc": 1},
    ),
    "what is no count of things is divided by nothing": (
        "Epoch {n}: val_acc {v:.4f}/0.9000",
        {"val_acc": 1},
    ),
    "two splits and two values": (
        "epoch {n}: train/val loss {v:.4f}/{w:.4f} train/val acc {w:.4f}/{v:.4f}",
        {"train_loss": 1, "val_loss": 0.5, "train_acc": 0.5, "val_acc": 1},
    ),
    "two splits in brackets": (
        "epoch {n}: loss (train/val): {v:.4f}/{w:.4f}",
        {"train_loss": 1, "val_loss": 0.5},
    ),
    "two metrics and two values": ("epoch {n}: loss/acc {w:.4f}/{v:.4f}", {"loss": 0.5, "acc": 1}),
    "a name with a slash is one name": ("epoch {n}: val/acc {v}", {"val/acc": 1}),
    "a line that begins with a counter": ("[{n}/4] loss: {w:.3f} val_acc: {v}", {"val_acc": 1}),
    "a split at the beginning of a line": (
        "epoch {n}\ntrain Loss: {w:.4f} Acc: {w:.4f}\nval Loss: {v} Acc: {v} lr: 0.1",
        {"train_Loss": 0.5, "train/Acc": 0.5, "val_Loss": 1, "val/Acc": 1, "lr": None},
    ),
    "a name that comes again behind another split": (
        "epoch {n}: train loss {w:.4f} acc {w:.4f} val loss {v} acc {v}",
        {"train_loss": 0.5, "train/acc": 0.5, "val_loss": 1, "val/acc": 1},
    ),
    "an evaluation that tells of two splits, and not what": (
        "[train] iter {n}: loss {w:.4f}\n[eval] iter {n}: train {w:.4f} val {v} lr 3e-4",
        {"train/loss": 0.5, "train_loss": 0.5, "val_loss": 1, "lr": None},
    ),
    "how long each split took": (
        "Epoch {n} (train {v}s, val {w:.4f}s)\n  loss: {w:.4f}",
        {"loss": 0.5, "train_time": 1, "val_time": 0.5},
    ),
    "splits alone beside the losses of both": (
        "Epoch {n}: train_loss {w:.4f} val_loss {w:.4f} train {v} val {v}",
        {"train_loss": 0.5, "val_loss": 0.5, "train": 1, "val": 1},
    ),
    "a name that has its clock behind it": ("Cost after iteration {n}: {v}", {"Cost": 1}),
    "a name in brackets with its clock behind it": (
        "Training loss (for one batch) at step {n}: {w:.4f}\nValidation acc: {v}",
        {"Training_loss": 0.5, "Validation_acc": 1},
    ),
    "a name behind those of a program's parts": (
        "06:3{n}:51 [main] INFO org.a.listeners.ScoreListener - Score at iteration {n} is {v}",
        {"Score": 1},
    ),
    "splits alone, and nothing that is measured": (
        "Epoch {n} [9.6 s]\ttrain={w:.4f}, validation={v}, test={v} [5.0 s]",
        {"train_value": 0.5, "validation_value": 1, "test_value": 1},
    ),
    "an iteration at which splits alone are evaluated": (
        "[eval] iter {n}: train {w:.4f} val {v}",
        {"train_value": 0.5, "val_value": 1},
    ),
    "a part of a counter in the plural": ("Episodes: {n}/900 reward={v}", {"reward": 1}),
    "an object over several lines": (
        'epoch {n}\n{{\n  "val_acc": {v},\n  "lr": 0.1\n}}',
        {"val_acc": 1, "lr": None},
    ),
    "headings above the lines of a split": (
        "Epoch {n}\nTraining...\n  loss: {w:.4f}\nRunning Validation:\n  loss: {v}\n  acc: {v}",
        {"training/loss": 0.5, "validation/loss": 1, "validation/acc": 1},
    ),
    "a heading above the lines of an evaluation": (
        "Epoch {n}\n  loss: {w:.4f}\n--> EVAL PERFORMANCE\n  | avg_loss: {v}",
        {"loss": 0.5, "eval/avg_loss": 1},
    ),
    "an evaluation at a step of training": (
        "iter {n} | loss {w:.4f}\n[EVAL] iter {n} | val_loss {v}",
        {"loss": 0.5, "val_loss": 1},
    ),
    "a name that comes once, behind a split that may be another's": (
        "epoch {n}: val loss {w:.4f}, acc {v}",
        {"val_loss": 0.5, "acc": 1},
    ),
}


@pytest.mark.parametrize("name", LINES)
def test_numbers_and_their_names(tmp_path, name):
    line, wanted = LINES[name]
    curves, results, told = read(tmp_path, each(line))
    found = {tag: curves[tag] for tag, share in wanted.items() if share}
    assert found == {
        tag: pytest.approx([v * share for v in VALUES], abs=6e-4)
        for tag, share in wanted.items()
        if share
    }
    assert (set(wanted) <= set(curves), results, told) == (True, {}, [])


def test_a_share_of_a_total(tmp_path):
    curves, *_ = read(tmp_path, each("Epoch {n}: accuracy {n}00/1000, loss {w:.3f}"))
    assert curves["accuracy"] == pytest.approx([0.1, 0.2, 0.3, 0.4])


EPOCH = "Epoch: [{n}][{b}/30]\tLoss 1.{b}e+00 (1.0e+00)\tAcc@1  {v} ( {w})"
BATCH = "{split}: [{b}/30]\tLoss 1.0e+00 (2.0e+00)\tAcc@1  {b}.00 ( {mean})"


def imagenet(split, batches, summary):
    lines = []
    for n, v in enumerate(VALUES):
        lines += [EPOCH.format(n=n, b=b, v=10 * v, w=9 * v) for b in (0, 10, 20)]
        lines += [BATCH.format(split=split, b=b, mean=f"{50 * v:.1f}") for b in batches]
        lines += [f" *   Acc@1 {100 * v:.3f} Acc@5 91.000"] if summary else []
    return lines


@pytest.mark.parametrize("split", ["Test", "Val"])
def test_the_summary_behind_the_batches_of_an_evaluation_is_its_result(tmp_path, split):
    curves, _, told = read(tmp_path, imagenet(split, (0, 10, 20), summary=True))
    name = split.lower()
    assert curves[f"{name}/Acc@1"] == pytest.approx([100 * v for v in VALUES])
    assert curves["Acc@1"] == pytest.approx([10 * v for v in VALUES])
    assert (f"{name}/Loss" in curves, told) == (False, [])


def test_without_a_summary_the_mean_of_all_batches_is(tmp_path):
    curves, _, told = read(tmp_path, imagenet("Test", (0, 10, 29), summary=False))
    assert curves["test/Acc@1"] == pytest.approx([50 * v for v in VALUES])
    assert told == []


def test_batches_of_an_evaluation_are_no_evaluation(tmp_path):
    curves, _, (told,) = read(tmp_path, imagenet("Test", (0, 10, 20), summary=False))
    assert not any(tag.startswith("test") for tag in curves)
    assert "test: of 4 evaluations only batches were logged" in told


def test_a_counter_that_both_splits_have_is_the_clock(tmp_path):
    lines = each("Train: [{n}/4] loss: {w:.3f}\nVal: [{n}/4] loss {w:.3f} acc {v}")
    curves, *_ = read(tmp_path, lines)
    assert curves["val/acc"] == VALUES


KERAS = "Epoch {n}/4\n100/100 [====] - 5s 50ms/step - loss: {w:.4f} - accuracy: {v}"


@pytest.mark.parametrize(
    ("line", "total"),
    [
        (f"{KERAS} - val_loss: {{w:.4f}} - val_accuracy: {{v}}", 313),
        (f"{KERAS} - val_loss: {{w:.4f}} - val_accuracy: {{v}}", 100),
        (KERAS, 313),
    ],
    ids=["behind validation", "with as many batches", "without validation"],
)
def test_what_keras_evaluates_after_training_is_a_result(tmp_path, line, total):
    after = [
        f"{n}/{total} [====] - 1s 2ms/step - loss: 0.4012 - accuracy: 0.8123" for n in (1, total)
    ]
    curves, results, _ = read(tmp_path, [*each(line), *after])
    assert (curves["accuracy"], curves["loss"][-1]) == (VALUES, 0.355)
    assert results == {"loss": 0.4012, "accuracy": 0.8123}


def test_what_is_evaluated_between_epochs_replaces_nothing(tmp_path):
    line = f"{KERAS}\n20/20 [====] - 1s 2ms/step - loss: 9.0 - accuracy: 0.1"
    curves, results, (told,) = read(tmp_path, each(line))
    assert curves["accuracy"] == VALUES
    assert results == {"loss": 9.0, "accuracy": 0.1}
    assert "3 evaluations between epochs name no split" in told


def test_a_decimal_comma(tmp_path):
    lines = [line.replace(".", ",") for line in each("Epoche {n}: loss={w:.4f}, val_acc={v:.4f}")]
    curves, _, told = read(tmp_path, [f"{line}, frames=1.500" for line in lines])
    assert curves["val_acc"] == VALUES
    assert (curves["frames"], told) == ([1500] * 4, [])


def test_a_comma_that_may_be_either_is_named_and_not_read(tmp_path):
    curves, _, (told,) = read(tmp_path, each("Epoch {n}: loss={w:.4f}, val_acc=0,51{n}9"))
    assert set(curves) == {"loss"}
    assert "4 numbers such as '0,5119' are left out" in told


def test_thousands_are_no_decimals(tmp_path):
    lines = [f"step {n},500 loss {1 / n:.4f} (1,200)" for n in range(1, 6)]
    curves, _, told = read(tmp_path, lines)
    assert curves["loss"] == pytest.approx([1 / n for n in range(1, 6)], abs=1e-4)
    assert told == []


def test_a_progress_bar_counts_and_its_percent_is_no_metric(tmp_path):
    line = (
        "Epoch {n}/4 [Train]: 100%|####| 160/160 [00:43<00:00,  3.64it/s]\n"
        "Val:  50%|##  | 5/10 [00:01<00:01, loss=9.0]\n"
        "Epoch {n}/4 | train loss {w:.4f}, val acc {v}"
    )
    again = [one.replace("160/160", "10/10") for one in each(f"{line}\nTest size 20")]
    lines = [*each(f"{line}\nTest size 20"), *again]
    curves, _, told = read(tmp_path, lines)
    assert curves["val_acc"] == VALUES
    assert set(curves) <= {"train_loss", "val_acc", "Test_size"}
    assert all("batches" in one for one in told)


def test_a_progress_bar_without_a_name_is_no_clock(tmp_path):
    line = (
        "  2%|#         | {n}/200 [06:05<10:03:48, 182.97s/it]\nEpoch: {n}, loss: {w:.4f}, acc: {v}"
    )
    assert read(tmp_path, each(line))[0]["acc"] == VALUES
    curves, *_ = read(tmp_path, [each(line)[0], *each(line)[2:]])
    assert curves["acc"] == [VALUES[0], *VALUES[2:]]


def test_by_how_much_a_value_got_better_is_no_value(tmp_path):
    line = "Epoch {n} Validation Loss: {v}\nValidation loss decreased (9.0 --> {v}). Saving ..."
    assert read(tmp_path, each(line)) == ({"Validation_Loss": VALUES}, {}, [])


def test_settings_that_a_script_prints(tmp_path):
    space = "12:00 Namespace(lr={lr}, seed={seed}, betas=(0.9, 0.99), act=None)"
    lines = [
        line
        for seed in (1, 2)
        for line in (space.format(lr=0.1, seed=seed), *each("Epoch {n} loss {w:.4f} val_acc {v}"))
    ]
    path = tmp_path / "slurm-7.out"
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    logs = load_console(path, "slurm-7.out")
    assert [log.config for log in logs] == [
        {"lr": 0.1, "seed": seed, "betas": (0.9, 0.99), "act": None} for seed in (1, 2)
    ]


@pytest.mark.parametrize(
    "lines",
    [
        ["Training fold: {fold}", "Epoch 1 val_loss: 0.{fold}", "Epoch 2 val_loss: 0.5"],
        ["===== FOLD {fold}/3 =====", "Epoch 1 val_loss: 0.{fold}", "Epoch 2 val_loss: 0.5"],
        ["Epoch: 1 Fold: {fold} val_loss: 0.{fold}", "Epoch: 2 Fold: {fold} val_loss: 0.5"],
    ],
    ids=["a line", "a heading", "each line"],
)
def test_each_fold_is_a_run(tmp_path, lines):
    path = tmp_path / "train.log"
    path.write_text("\n".join(line.format(fold=n) for n in (1, 2) for line in lines) + "\n")
    found = {
        log.run_key: list(log.series["val_loss"].points()) for log in load_console(path, path.name)
    }
    assert found == {f"fold{n}": [(1, n / 10), (2, 0.5)] for n in (1, 2)}


def test_the_summary_of_a_model_is_no_measurement(tmp_path):
    model = ["gru (GRU)  (None, 64)  37248", "Total params: 37,248", "Trainable params: 37,248"]
    lines = [line for _ in range(3) for line in (*each("Epoch {n} val_acc {v}"), *model)]
    curves, *_ = read(tmp_path, lines)
    assert set(curves) == {"val_acc"}


def test_trainings_of_several_models_in_one_text_even_at_one_time(tmp_path):
    path = tmp_path / "train.log"
    cnn, mlp = (
        each(f"10:0{{n}}:00 - {name} Epoch {{n}}/4\n- {name} - Batch 0/9, Loss: {{{value}}}")
        for name, value in (("Cnn", "v"), ("Mlp", "w"))
    )
    # The second process began when the first was at its second model.
    mixed = [*mlp[:2], cnn[0], mlp[2], cnn[1], mlp[3], *cnn[2:]]
    path.write_text("\n".join([*cnn, *mixed, *mlp, ""]), encoding="utf-8")
    logs = load_console(path, "train.log")
    found = [(log.run_key, [v for _, v in log.series["Loss"].points()]) for log in logs]
    half = [v / 2 for v in VALUES]
    assert found == [("Cnn", VALUES), ("Cnn", VALUES), ("Mlp", half), ("Mlp", half)]


def test_a_step_that_stands_still_is_a_setting(tmp_path):
    path = tmp_path / "train.log"
    lines = ["Training: 4 epochs, batch=32, lr=0.1", *each("Epoch {n}/4 | val_acc {v}")]
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    (log,) = load_console(path, "train.log")
    assert list(log.series["val_acc"].points()) == [*enumerate(VALUES, 1)]
    assert log.problems == ()


def test_a_program_in_a_text_is_no_log(tmp_path):
    code = [f"step = {n}\n    x.shape = {n}" for n in range(1, 13)]
    code += [f"step = {n}\n    score = 0.5" for n in (5, 4, 3)]
    assert read(tmp_path, code) == ({}, {}, [])


CRASH = ["Traceback (most recent call last):", '  File "t.py", line 10', "RuntimeError: no memory"]


def test_a_run_that_ended_with_an_error_is_a_run_and_told(tmp_path):
    lines = each("Epoch {n}/90 | loss: {w:.4f}, val acc: {v}")[:2]
    curves, _, [told] = read(tmp_path, [*lines, *CRASH])
    assert curves["val_acc"] == VALUES[:2]
    assert told == "the program ended with an error in line 5: RuntimeError: no memory"
    assert read(tmp_path, lines) == ({}, {}, [])


def test_a_program_that_ended_before_its_first_epoch_is_named(tmp_path):
    (tmp_path / "seed3.log").write_text("\n".join(["Using cuda", *CRASH]), encoding="utf-8")
    tree = load_tree(tmp_path)
    told = "the program ended with an error in line 4: RuntimeError: no memory"
    assert [(one.path, one.message) for one in tree.problems] == [("seed3.log", told)]
    assert tree.logs == ()
    assert read(tmp_path, [*CRASH, *["other things happen"] * 20]) == ({}, {}, [])


def test_an_error_after_which_training_went_on_is_no_end(tmp_path):
    line = each("Epoch {n} - loss: {w:.4f}, val acc: {v}")
    assert read(tmp_path, [line[0], *CRASH, *line[1:]])[2] == []


def test_steps_in_the_plural_count_where_something_is_measured(tmp_path):
    # Source: `experiments/train.py` of MADDPG.
    lines = [f"steps: {25 * n}, episodes: {n}, mean episode reward: {n / 8}" for n in range(1, 5)]
    assert read(tmp_path, lines)[0]["mean_episode_reward"] == [0.125, 0.25, 0.375, 0.5]
    (log,) = load_console(tmp_path / "train.log", "train.log")
    assert log.series["mean_episode_reward"].steps.tolist() == [25, 50, 75, 100]
    assert read(tmp_path, [f"steps: {25 * n}, lr: 0.5" for n in range(1, 5)])[0] == {}
