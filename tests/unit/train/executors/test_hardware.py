import os
import subprocess
import sys

import pytest

from reportgen.train.executors import base


def test_cores_are_those_this_process_may_use():
    code = (
        "import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})\n"
        "from reportgen.train.executors import count_cores; print(count_cores())"
    )
    assert subprocess.check_output([sys.executable, "-c", code]) == b"1\n"


@pytest.mark.parametrize(
    ("limit", "cores"), [("150000 100000", 1), ("50000 100000", 1), ("max 100000", None)]
)
def test_a_container_may_have_less(limit, cores, tmp_path, monkeypatch):
    file = tmp_path / "cpu.max"
    file.write_text(f"{limit}\n")
    monkeypatch.setattr(base, "CPU_LIMIT", file)
    assert base.count_cores() == (cores or len(os.sched_getaffinity(0)))


def test_without_a_driver_there_is_no_gpu(monkeypatch):
    monkeypatch.setattr(base, "CUDA_LIBRARIES", ("libnosuch.so.1",))
    assert base.count_gpus() == 0
    assert base.best_device() in {"cpu", "mps"}


def test_torch_counts_the_same():
    torch = pytest.importorskip("torch")
    assert base.count_gpus() == torch.cuda.device_count()
