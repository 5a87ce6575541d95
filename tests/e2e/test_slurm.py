"""The executor slurm on a real Slurm of two nodes; `make cluster` runs this."""

import os

import pytest
from fakes.jobs import PATIENCE_S, TESTS, a_job, is_alive, run_fake, running, steps_of, wait_until
from fakes.slurm_cluster import PROGRAMS, SlurmCluster, path_of

from reportgen.records.errors import ClusterError, UsageError
from reportgen.train.executors.dask import open_slurm

pytest.importorskip("dask_jobqueue")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        os.environ.get("REPORTGEN_SLURM") != "1", reason="REPORTGEN_SLURM=1 starts a Slurm"
    ),
    pytest.mark.skipif(
        not all(map(path_of, PROGRAMS)),
        reason="needs Debian's slurmctld, slurmd, slurm-client and munge, or the like",
    ),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(scope="module")
def slurm():
    cluster = SlurmCluster()
    yield cluster
    cluster.close()


@pytest.fixture(autouse=True)
def _usual(slurm, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(TESTS))
    monkeypatch.setenv("SLURM_CONF", slurm.environment["SLURM_CONF"])


@pytest.fixture
def store(tmp_path):
    folder = tmp_path / "reruns"
    folder.mkdir()
    return folder


def nodes(slurm):
    return slurm.ask("squeue", "-h", "-t", "RUNNING", "-o", "%N").split()


def opened(folder, **options):
    usual = {"shared": str(folder), "interface": "lo", "memory": "1GB", "queue": "main"}
    return open_slurm(workers=2, gpus=0, options={**usual, **options})


def test_jobs_run_on_both_nodes_and_a_killed_one_runs_again(slurm, store, tmp_path):
    (tmp_path / "logs").mkdir()
    with opened(tmp_path, logs=str(tmp_path / "logs")) as executor:
        assert executor._client.scheduler.address.startswith("tls://")
        names = ("one", "two")
        jobs = [
            executor.submit(run_fake, a_job(n, steps=80, seconds=0.1), str(store)) for n in names
        ]
        wait_until(lambda: all(steps_of(store, name) for name in names))
        assert sorted(nodes(slurm)) == ["n1", "n2"]
        victim = slurm.ask("squeue", "-h", "-w", "n1", "-o", "%i").strip()
        slurm.ask("scancel", "--signal=KILL", "--full", victim)
        assert [job.result(PATIENCE_S) for job in jobs] == [0, 0]
        # In the place of the one that is gone, another was handed in.
        wait_until(lambda: sorted(nodes(slurm)) == ["n1", "n2"])
        assert victim not in slurm.ask("squeue", "-h", "-t", "RUNNING", "-o", "%i").split()
        assert executor.submit(pow, 2, 3).result(PATIENCE_S) == 8
    steps = {name: steps_of(store, name) for name in names}
    assert {len({pid for _, pid, _ in lines}) for lines in steps.values()} == {1, 2}
    wait_until(lambda: not slurm.ask("squeue", "-h").strip())
    assert not running(str(store))
    # The certificates went with the cluster; the workers' logs stayed.
    assert sorted(path.name for path in tmp_path.iterdir()) == ["logs", "reruns"]
    assert list((tmp_path / "logs").glob("*.err"))


def test_an_interrupted_client_leaves_no_job_in_the_queue(slurm, store, tmp_path, monkeypatch):
    def interrupted():
        with opened(tmp_path) as executor:
            executor.submit(run_fake, a_job("one", steps=3000, seconds=0.1), str(store))
            wait_until(lambda: steps_of(store, "one"))
            raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        interrupted()
    wait_until(lambda: not slurm.ask("squeue", "-h").strip())
    wait_until(lambda: not is_alive(int(steps_of(store, "one")[0][1])))
    wait_until(lambda: not running(str(tmp_path)))
    assert [path.name for path in tmp_path.iterdir()] == ["reruns"]


def test_what_slurm_would_refuse_is_told_before(tmp_path):
    with (
        pytest.raises(ClusterError, match=r"Slurm would not take such a job.*partition"),
        opened(tmp_path, queue="nosuch"),
    ):
        pass


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"shared": "here"}, "every node sees"),
        ({"cores": "0"}, "'0' cores"),
        ({"cores": "two"}, "'two' cores"),
        ({"partition": "main"}, "option partition"),
    ],
)
def test_misuse(options, told, tmp_path):
    with pytest.raises(UsageError, match=told), opened(tmp_path, **options):
        pass
