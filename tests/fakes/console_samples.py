"""Consoles, as their programs print them, and what is read of each."""

from __future__ import annotations

from fakes.sampled import ONE, TWO, Case, one

CONSOLES = [
    Case(
        "nnU-Net, `nnUNetTrainer.py`",
        "fold_0/training_log_2026_1_1.txt",
        b"2026-01-01 10:00:00.1:  \n2026-01-01 10:00:00.1: Epoch 0 \n"
        b"2026-01-01 10:00:01.1: Current learning rate: 0.01 \n"
        b"2026-01-01 10:00:02.1: train_loss -0.1 \n2026-01-01 10:00:02.1: val_loss -0.25 \n"
        b"2026-01-01 10:00:02.1: Pseudo dice [np.float32(0.5), np.float32(0.75)] \n"
        b"2026-01-01 10:00:03.1: Epoch time: 3.0 s\n2026-01-01 10:00:03.1: Epoch 1 \n"
        b"2026-01-01 10:00:04.1: train_loss -0.2 \n2026-01-01 10:00:04.1: val_loss -0.5 \n"
        b"2026-01-01 10:00:05.1: Pseudo dice [np.float32(0.25), np.float32(1.0)] \n"
        b"2026-01-01 10:00:05.1: Epoch time: 4.0 s\n",
        {
            ONE: {
                "epoch": ("", [(0, 0.0), (1, 1.0)]),
                "train_loss": ("", [(0, -0.1), (1, -0.2)]),
                "val_loss": ("", [(0, -0.25), (1, -0.5)]),
                "Pseudo_dice_1": ("", [(0, 0.5), (1, 0.25)]),
                "Pseudo_dice_2": ("", [(0, 0.75), (1, 1.0)]),
                "Epoch_time": ("", [(0, 3.0), (1, 4.0)]),
            }
        },
        "nnunet",
    ),
    Case(
        "PaddleOCR, `tools/program.py`",
        "output/train.log",
        b"[2026/01/01 10:00:00] ppocr INFO: epoch: [1/9], global_step: 10, lr: 0.001, loss: 3.5\n"
        b"[2026/01/01 10:00:01] ppocr INFO: cur metric, acc: 0.5, fps: 90.0\n"
        b"[2026/01/01 10:00:01] ppocr INFO: best metric, acc: 0.9\n"
        b"[2026/01/01 10:00:02] ppocr INFO: epoch: [2/9], global_step: 20, lr: 0.001, loss: 2.5\n"
        b"[2026/01/01 10:00:03] ppocr INFO: cur metric, acc: 0.75, fps: 80.0\n",
        one(
            epoch=[(10, 1.0), (20, 2.0)],
            lr=[(10, 0.001), (20, 0.001)],
            loss=[(10, 3.5), (20, 2.5)],
            eval__acc=[(10, 0.5), (20, 0.75)],
            eval__fps=[(10, 90.0), (20, 80.0)],
        ),
        "paddle",
    ),
    Case(
        "CycleGAN and pix2pix, `util/visualizer.py`",
        "checkpoints/maps/loss_log.txt",
        b"================ Training Loss (Thu Jan  1 10:00:00 2026) ================\n"
        b"(epoch: 1, iters: 100, time: 0.3, data: 0.2) G_GAN: 1.5 G_L1: 9.0 D_real: 0.5 \n"
        b"(epoch: 1, iters: 200, time: 0.3, data: 0.1) G_GAN: 1.25 G_L1: 8.0 D_real: 0.25 \n",
        one(
            epoch=[(100, 1.0), (200, 1.0)],
            time=[(100, 0.3), (200, 0.3)],
            data=[(100, 0.2), (200, 0.1)],
            G_GAN=[(100, 1.5), (200, 1.25)],
            G_L1=[(100, 9.0), (200, 8.0)],
            D_real=[(100, 0.5), (200, 0.25)],
        ),
        "pix2pix",
    ),
    Case(
        "torchtune, `training/metric_logging.py`",
        "log_1700000000.txt",
        b"Step 1 | loss:2.5 lr:1e-05 tokens_per_second_per_gpu:100 \n"
        b"Step 2 | loss:1.5 lr:2e-05 tokens_per_second_per_gpu:110 \n",
        one(
            loss=[(1, 2.5), (2, 1.5)],
            lr=[(1, 1e-5), (2, 2e-5)],
            tokens_per_second_per_gpu=[(1, 100.0), (2, 110.0)],
        ),
        "torchtune",
    ),
    Case(
        "nanoGPT, `train.py`",
        "slurm-7.out",
        b"step 0: train loss 4.5, val loss 4.25\niter 0: loss 4.5, time 900.00ms, mfu -100.00%\n"
        b"iter 10: loss 3.5, time 20.00ms, mfu 3.50%\nstep 20: train loss 2.5, val loss 2.75\n",
        one(
            train_loss=[(0, 4.5), (20, 2.5)],
            val_loss=[(0, 4.25), (20, 2.75)],
            loss=[(0, 4.5), (10, 3.5)],
            time=[(0, 900.0), (10, 20.0)],
            mfu=[(0, -100.0), (10, 3.5)],
        ),
        "nanogpt",
    ),
    Case(
        "ESPnet, `train/reporter.py`",
        "exp/train.log",
        b"[h] 2026-01-01 10:00:00 (trainer:338) INFO: 1epoch results: [train] "
        b"loss=30.5, acc=0.25, time=1 minute, [valid] loss=20.5, acc=0.5\n"
        b"[h] 2026-01-01 10:00:00 (trainer:338) INFO: 2epoch results: [train] loss=10.5, "
        b"acc=0.5, [valid] loss=9.5, acc=0.75\n",
        one(
            epoch=[(1, 1.0), (2, 2.0)],
            train__loss=[(1, 30.5), (2, 10.5)],
            train__acc=[(1, 0.25), (2, 0.5)],
            valid__loss=[(1, 20.5), (2, 9.5)],
            valid__acc=[(1, 0.5), (2, 0.75)],
        ),
        "espnet",
    ),
    Case(
        "keras 3.15.1, progress bars in a console",
        "job.err",
        b"Epoch 1/2\n\r5/9 [=>] - ETA: 1s - loss: 9.9\r9/9 [==] - 1s - loss: 2.5 - val_loss: 3.5\n"
        b"Epoch 2/2\n9/9 [===] - 1s 3ms/step - loss: 1.5 - val_loss: 2.75\n",
        one(epoch=[(1, 1.0), (2, 2.0)], loss=[(1, 2.5), (2, 1.5)], val_loss=[(1, 3.5), (2, 2.75)]),
        "keras",
    ),
    Case(
        "a program of one's own: epoch and split in words, a settings dump, a best value so far",
        "run/log.txt",
        b"2026-01-01 10:00:00,398 INFO:width=8, depth: 3\n"
        b"2026-01-01 10:00:01,398 INFO:Epoch 1: Train Loss=0.5, Val F1=50.5%\n"
        b"Epoch 00001: val_f1 improved from -inf to 50.5, saving model to best.pt\n"
        b"2026-01-01 10:00:02,398 INFO:Epoch 2: Train Loss=0.25, Val F1=75.5%\n"
        b"width=8, depth: 3, best Val F1 so far 75.5\n"
        b"2026-01-01 10:00:03,398 INFO:Epoch 3: Train Loss=2e-1, Val F1=nan%\n",
        one(
            epoch=[(1, 1.0), (2, 2.0), (3, 3.0)],
            Train_Loss=[(1, 0.5), (2, 0.25), (3, 0.2)],
            Val_F1=[(1, 50.5), (2, 75.5)],
        ),
    ),
    Case(
        "PyTorch's examples, `imagenet/main.py`: means in brackets, the summary of the test",
        "slurm-3.out",
        b"".join(
            b"Epoch: [%d][ 0/40]\tTime  0.5 ( 0.5)\tLoss 6.%de+00 (6.9e+00)\n"
            b"Test: [ 0/10]\tTime  0.25 ( 0.5)\tAcc@1  1%d.00 ( 9.00)\n *   Acc@1 2%d.5\n"
            % (n, n, n, n)
            for n in range(3)
        ),
        one(
            epoch=[(0, 0.0), (1, 1.0), (2, 2.0)],
            Time=[(0, 0.5), (1, 0.5), (2, 0.5)],
            Loss=[(0, 6.0), (1, 6.1), (2, 6.2)],
            **{"test__Acc@1": [(0, 20.5), (1, 21.5), (2, 22.5)]},
        ),
    ),
    Case(
        "PyTorch's examples, `mnist/main.py`: a share for an accuracy, steps that begin anew",
        "mnist.log",
        b"".join(
            b"Train Epoch: %d [0/60 (0%%)]\tLoss: 2.%d\n\n"
            b"Test set: Average loss: 0.%d, Accuracy: %d/10 (99%%)\n" % (n, n, n, n)
            for n in (1, 2, 3)
        ),
        one(
            epoch=[(1, 1.0), (2, 2.0), (3, 3.0)],
            train__Loss=[(1, 2.1), (2, 2.2), (3, 2.3)],
            test__Average_loss=[(1, 0.1), (2, 0.2), (3, 0.3)],
            test__Accuracy=[(1, 0.1), (2, 0.2), (3, 0.3)],
        ),
    ),
    Case(
        "XGBoost, `callback.py`: the round in brackets",
        "boost.log",
        b"".join(b"[%d]\ttrain-rmse:0.%d\tval-rmse:0.%d5\n" % (n, n, n) for n in (10, 20, 30)),
        {
            ONE: {
                "train-rmse": ("", [(10, 0.1), (20, 0.2), (30, 0.3)]),
                "val-rmse": ("", [(10, 0.105), (20, 0.205), (30, 0.305)]),
            }
        },
    ),
    Case(
        "dictionaries behind a logger's name, a second start, and no end of the last line",
        "job.err",
        b"".join(
            b'10:00 [%s] {"iteration": %d, "%s_loss": "0.%d"}\n' % (split, n, split, n)
            for n in (100, 200, 300, 100, 200)
            for split in (b"train", b"dev")
        )
        + b"[train] {",
        {
            ONE: {
                "train/loss": ("", [(100, 0.1), (200, 0.2), (300, 0.3)]),
                "dev/loss": ("", [(100, 0.1), (200, 0.2), (300, 0.3)]),
            },
            TWO: {
                "train/loss": ("", [(100, 0.1), (200, 0.2)]),
                "dev/loss": ("", [(100, 0.1), (200, 0.2)]),
            },
        },
    ),
    Case(
        "fairseq under Hydra: JSON of texts behind a logger",
        "hydra_train.log",
        b'[2026-01-01 10:00:00,5][train_inner][INFO] - {"loss": "4.5", "num_updates": "5"}\n'
        b'[2026-01-01 10:00:01,5][valid][INFO] - {"epoch": 1, "valid_loss": "3.5", '
        b'"valid_num_updates": "9"}\n',
        one(
            train_inner__loss=[(5, 4.5)],
            valid__epoch=[(9, 1.0)],
            valid__loss=[(9, 3.5)],
        ),
    ),
]
