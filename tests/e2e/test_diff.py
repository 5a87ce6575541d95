"""`reportgen diff` in a process of its own: exit codes, forms of input, what a terminal shows."""

import json
import re
import shutil

import jsonschema
import pytest
from fakes.command import reportgen


@pytest.fixture(scope="module")
def pair(built, lab, tmp_path_factory):
    """The report of the lab, and of the lab with another standard deviation."""
    home = tmp_path_factory.mktemp("diff")
    shutil.copytree(built, home / "old")
    done = reportgen(
        *("build", lab / "study.toml", "--ddof", "0", "--out", "new", "--format", "json"), cwd=home
    )
    assert done.code == 0, done.err
    return home


def test_another_ddof_changes_standard_deviations_alone(pair, project):
    done = reportgen("diff", "old", "new", "--json", cwd=pair)
    found = json.loads(done.out)
    schema = json.loads((project / "docs/reference/diff.schema.json").read_text("utf-8"))
    jsonschema.validate(found, schema)

    assert done.code == 1
    changed = {one["id"]: one for one in found["numbers"]}
    std = changed["glance.pretrained.std"]
    assert (std["old"], std["new"]) == ("0.68", "0.56")
    # 0.680686 for three runs is 0.680686 * sqrt(2 / 3) under the other denominator.
    assert std["difference"] == pytest.approx(0.680686 * ((2 / 3) ** 0.5 - 1), abs=1e-5)
    assert not [name for name in changed if name.endswith(".mean")]
    assert found["files"] == []


def less(match):
    """Return a share that is a point less."""
    return str(float(match[0]) - 0.01)


def test_without_a_group_only_what_it_had_a_part_in_changes(project, tmp_path):
    """Ids name runs, files and groups: what is left is compared with itself."""
    shutil.copytree(project / "inputs" / "tiny-reviews-hf" / "logs", tmp_path / "logs")
    for run in sorted((tmp_path / "logs").glob("*lr1e-3*")):
        other = tmp_path / "logs" / run.name.replace("lr1e-3", "lr0-first")
        shutil.copytree(run, other, ignore=shutil.ignore_patterns("runs"))
        for path in other.glob("*.json"):
            # Equal values would be copies.
            path.write_text(re.sub(r'(?<=_accuracy": )0\.\d+', less, path.read_text()))
    build = ("build", "--runs", "logs", "--format", "json", "--out")
    assert reportgen(*build, "old", cwd=tmp_path).code == 0
    for run in sorted((tmp_path / "logs").glob("*lr0-first*")):
        shutil.rmtree(run)
    assert reportgen(*build, "new", cwd=tmp_path).code == 0
    found = json.loads(reportgen("diff", "old", "new", "--json", cwd=tmp_path).out)

    own = [r["id"] for r in found["removed"] if r["id"].startswith("files.runs.")]
    assert any("lr0-first" in name for name in own)
    told = {one["id"] for one in found["numbers"] if one["id"].startswith("files.")}
    assert {name.rpartition(".")[0] for name in told} <= {"files.n", "files.fates", "files.digests"}
    left = [one["id"] for one in found["numbers"] if one["id"].startswith("best_step.")]
    assert left == []
