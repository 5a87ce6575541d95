"""A job of several members, as a GPU gets them: canaries, publication, what is withheld."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from fakes.grid_study import small_grid

from reportgen.app.grid import GridOptions, survey
from reportgen.records.job import Job
from reportgen.train.engine import main
from reportgen.train.engine.worker import ELSEWHERE, FAILED, STOPPED, work
from reportgen.train.plan import make_jobs
from reportgen.train.store import RunStore


def make_stack(folder: Path) -> Job:
    """Return both groups of a small grid as one job, as a GPU gets them; but on this CPU."""
    found = survey(GridOptions(study=small_grid(folder / "grid", seeds=2, epochs=1)))
    [job] = make_jobs(
        found.plan,
        found.study,
        found.runs,
        keys=found.keys,
        home=found.home.as_posix(),
        device="cuda",
        shapes={"pretrained": "one", "random": "one"},
    )
    assert [(m.group, m.seed) for m in job.members] == [
        ("pretrained", 0),
        ("pretrained", 1),
        ("random", 0),
        ("random", 1),
    ]
    return replace(job, device="cpu", tolerance=0.01)


@pytest.fixture
def stack(tmp_path: Path) -> Job:
    return make_stack(tmp_path)


@pytest.fixture
def store(tmp_path: Path) -> RunStore:
    return RunStore(tmp_path / "reruns")


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[Job, RunStore]:
    """A job that was trained from beginning to end, and the store that holds its runs."""
    home = tmp_path_factory.mktemp("trained")
    job, store = make_stack(home), RunStore(home / "reruns")
    assert work(job, store) == 0
    return job, store


@pytest.fixture
def copy(trained: tuple[Job, RunStore], store: RunStore) -> tuple[Job, RunStore]:
    """The same, in a store of its own."""
    shutil.copytree(trained[1].root, store.root)
    return trained[0], store


def with_canary(job: Job, reference: float) -> Job:
    """Let the first member be a found cell that is only repeated."""
    first = replace(job.members[0], publish=False, reference=reference)
    return replace(job, members=(first, *job.members[1:]))


def states(job: Job, store: RunStore) -> list[str]:
    return [result["state"] for result in (store.read_progress(job.id) or {})["results"]]


def value_of(job: Job, store: RunStore, member: int) -> float:
    return float((store.read_progress(job.id) or {})["results"][member]["value"])


def test_all_members_are_published_at_their_places(trained):
    stack, store = trained
    assert [place for place, _ in store.published()] == sorted(m.place for m in stack.members)
    assert {rerun.engine for _, rerun in store.published()} == {"one by one, 4 members"}
    assert states(stack, store) == ["published"] * 4


def test_a_second_attempt_trains_nothing(copy):
    stack, store = copy
    before = [rerun.date for _, rerun in store.published()]
    assert work(stack, store) == 0
    assert [rerun.date for _, rerun in store.published()] == before


def test_members_are_published_when_the_canary_agrees(trained, store):
    stack, value, other = trained[0], value_of(*trained, 0), store
    assert work(with_canary(stack, value), other) == 0
    assert states(stack, other) == ["repeated", *["published"] * 3]
    assert other.canary(stack.members[0].key) == {
        "value": value,
        "reference": value,
        "drift": 0.0,
        "within": True,
    }


def test_no_member_is_published_when_the_canary_drifts(stack, store):
    job = with_canary(stack, 0.0)
    work(job, store)
    assert states(job, store) == ["withheld"] * 4
    assert store.published() == ()
    assert (store.canary(job.members[0].key) or {})["within"] is False


def test_a_drift_may_be_accepted(stack, store):
    job = replace(with_canary(stack, 0.0), tolerance=None)
    assert work(job, store) == 0
    assert states(job, store) == ["repeated", *["published"] * 3]
    notes = store.published()[0][1].notes
    assert any("drifted by" in note for note in notes)


def test_a_stop_leaves_a_checkpoint_to_go_on_from(trained, store):
    stack, whole = trained
    assert work(stack, store, stop=lambda: True) == STOPPED
    assert store.checkpoints(stack.id)
    assert store.published() == ()
    work(stack, store)
    for member in stack.members:
        name = f"{member.place}/model.safetensors"
        assert (store.root / name).read_bytes() == (whole.root / name).read_bytes()


def test_a_job_that_somebody_trains_is_left_to_them(stack, store):
    lease = store.claim([stack.members[1].key])
    assert lease is not None
    with lease:
        assert work(stack, store) == ELSEWHERE
    assert states(stack, store) == ["elsewhere"] * 4


def test_missing_data_fail_every_member_with_a_reason(stack, store):
    Path(stack.train.data.files["test"]).unlink()
    assert work(stack, store) == FAILED
    reasons = {failure.reason for failure in store.failures().values()}
    assert len(store.failures()) == 4
    assert len(reasons) == 1
    assert "test.csv" in reasons.pop()


def test_models_of_two_shapes_are_not_stacked(stack, store):
    config = Path(stack.train.config)
    values = json.loads(config.read_text(encoding="utf-8"))
    config.write_text(json.dumps({**values, "intermediate_size": 48}), encoding="utf-8")
    assert work(stack, store) == FAILED
    assert all("intermediate_size" in f.reason for f in store.failures().values())


def test_several_jobs_are_trained_one_after_another(stack, store, tmp_path):
    jobs = [replace(stack, id=f"job-{m.seed}-{m.group}", members=(m,)) for m in stack.members[:2]]
    path = tmp_path / "jobs.json"
    path.write_text(f"[{', '.join(job.to_json() for job in jobs)}]", encoding="utf-8")
    assert main([str(path), str(store.root)]) == 0
    assert len(store.published()) == 2


def test_a_fault_that_nobody_foresaw_has_a_reason_and_stops_no_other_job(stack, store, tmp_path):
    # A number that no generator takes: the fault comes from deep inside a library.
    odd = replace(stack, id="odd", members=(replace(stack.members[0], seed=2**70),))
    fine = replace(stack, id="fine", members=stack.members[1:2])
    both = tmp_path / "jobs.json"
    both.write_text(f"[{odd.to_json()}, {fine.to_json()}]", encoding="utf-8")
    assert main([str(both), str(store.root)]) == FAILED
    assert states(odd, store) == ["failed"]
    assert "Error: " in store.failures()[odd.members[0].key].reason
    assert states(fine, store) == ["published"]


def test_a_re_run_that_lost_its_logs_is_not_done_and_not_overwritten(copy):
    stack, store = copy
    [lost, *_] = (store.root / stack.members[0].place).glob("runs/*/events*")
    lost.unlink()
    assert len(store.published()) == 3
    assert "not there any more" in store.read_all().problems[0].message
    assert work(stack, store) == FAILED
    assert "--restart" in (store.read_progress(stack.id) or {})["results"][0]["reason"]
    assert work(replace(stack, fresh=True), store) == 0
    assert len(store.published()) == 4


def test_weights_may_be_removed_to_make_room(copy):
    stack, store = copy
    (store.root / stack.members[0].place / "model.safetensors").unlink()
    assert len(store.published()) == 4
