"""Texts and tables that look like logs or results, and are none."""

import pytest

from reportgen.read.logs import LOADERS

NO_LOGS = {
    "an essay": b"At step 1 the loss was 0.5.\nAt step 2 the loss was 0.4.\nAt step 3 it was 0.\n",
    "findings of a report": b"In epoch 1 we reach an accuracy of 50%, in epoch 2 of 60%.\n" * 4,
    "one epoch again and again": b"epoch 1: loss 0.5\n" * 5,
    "two lines": b"epoch 1: loss 0.5\nepoch 2: loss 0.25\n",
    "counters without a metric": b"step 1: width 8\nstep 2: width 8\nstep 3: width 8\n",
    "the best of several runs": b"".join(
        b"Namespace(lr=0.1)\nEpoch %d, training loss 0.5\nAvg test Loss: 0.5\n" % n
        for n in (21, 48, 50, 28, 25, 30)
    ),
    "an installation": b"Collecting torch==2.0\n  Downloading torch-2.0 (75 MB)\nStep 1/3 : FROM\n",
    "a program": b"for epoch in range(3):\n    loss = 0.5\n    print('epoch', epoch, loss)\n" * 3,
    "settings": b"epochs: 3\nlearning_rate: 0.1\nloss_weight: 0.5\nval_loss: 1\n" * 3,
    "classes of a report": b"accuracy 0.5\nprecision: 0.5\nrecall: 0.25\nloss: 0.5\n" * 4,
}


def test_measures_without_a_clock_are_named(tmp_path):
    path = tmp_path / "train.log"
    path.write_text("".join(f"10:0{n}:00 - recall: 0.{n}5, f1: 0.{n} ||\n" for n in range(3)))
    (log,) = LOADERS.load("console")(path, "train.log")
    (problem,) = log.problems
    assert problem.message == "prints 'recall', 'f1' without a step or an epoch: not read"
    assert not log.series


@pytest.mark.parametrize("about", NO_LOGS)
def test_other_texts_are_no_logs(tmp_path, about):
    path = tmp_path / "out.txt"
    path.write_bytes(NO_LOGS[about])
    assert LOADERS.load("console")(path, "out.txt") == ()


NO_RESULTS = {
    "scores of people": b"name,score\nAda,5\nBob,6\n",
    "a name twice": b"run,test_acc\na,0.5\na,0.75\n",
    "numbers of runs": b"run,test_acc\n1,0.5\n2,0.75\n",
    "means of runs": b"run_name,val/loss_mean,val/loss_std\na,0.5,0.1\nb,0.75,0.1\n",
    "no name": b"m,r,test_error\n0,0,0.5\n0,1,0.75\n",
}


@pytest.mark.parametrize("about", NO_RESULTS)
def test_other_tables_are_no_results(tmp_path, about):
    path = tmp_path / "table.csv"
    path.write_bytes(NO_RESULTS[about])
    assert not any(log.results for log in LOADERS.load("metrics_csv")(path, "table.csv"))
