"""The GitLab template: its scripts run, here, and every artifact it names is written."""

import json
import re
import subprocess
import xml.etree.ElementTree as ET

import pytest
import yaml
from fakes.ci_runner import COMMAND, settings
from fakes.group_repository import git, make_repository

pytestmark = pytest.mark.integrations


@pytest.fixture(scope="module")
def template(project):
    path = project / "integrations" / "gitlab" / "reportgen.yml"
    return list(yaml.safe_load_all(path.read_text(encoding="utf-8")))


@pytest.fixture(scope="module")
def origin(project, tmp_path_factory):
    return make_repository(project, tmp_path_factory.mktemp("group"))


def filled(value, inputs):
    """Put inputs where GitLab puts them, anywhere below a value."""
    if isinstance(value, dict):
        return {name: filled(one, inputs) for name, one in value.items()}
    if isinstance(value, list):
        return [filled(one, inputs) for one in value]
    if isinstance(value, str):
        return re.sub(r"\$\[\[ inputs\.([\w-]+) \]\]", lambda m: inputs[m[1]], value)
    return value


@pytest.fixture
def run(template, tmp_path):
    """Run the job of a workspace with inputs: the process, and the job as GitLab has it."""

    def start(workspace, *, variables=(), **inputs):
        spec, jobs = template
        declared = spec["spec"]["inputs"]
        given = {name: one.get("default") for name, one in declared.items()}
        given |= {name.replace("_", "-"): value for name, value in inputs.items()}
        assert set(given) == set(declared)
        job = filled(jobs["reportgen"], given | {"source": "/no/such/wheel"})
        script = "\n".join([*job["before_script"], *job["script"]])
        names = {n: v for n, v in job["variables"].items() if n != "REPORTGEN_CACHE"}
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
            cwd=workspace,
            env=settings(
                **{name: str(value) for name, value in names.items()},
                REPORTGEN_CACHE=str(tmp_path / "cache"),
                REPORTGEN_COMMAND=str(COMMAND),
                CI_PROJECT_DIR=str(workspace),
                **dict(variables),
            ),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
            check=False,
        )
        return done, job

    return start


def test_a_merge_request_with_an_error_in_its_paper(run, origin, tmp_path):
    workspace = tmp_path / "work"
    git(tmp_path, "clone", "-q", "-b", "more", str(origin), str(workspace))
    (workspace / "paper.md").write_text("512 × 512 = 262,145\n", encoding="utf-8")
    base = git(workspace, "rev-parse", "origin/main")
    done, job = run(
        workspace,
        study="study.toml",
        report="*.md",
        variables={"CI_MERGE_REQUEST_DIFF_BASE_SHA": base}.items(),
    )
    assert done.returncode == 1, done.stdout
    artifacts = job["artifacts"]
    assert artifacts["when"] == "always"
    named = [*artifacts["paths"], *artifacts["reports"].values()]
    assert all((workspace / path).exists() for path in named), named
    (issue,) = json.loads((workspace / artifacts["reports"]["codequality"]).read_bytes())
    assert (issue["location"]["path"], issue["severity"]) == ("paper.md", "major")
    suites = ET.parse(workspace / artifacts["reports"]["junit"]).getroot()  # noqa: S314
    assert suites.get("failures") == "1"
    page = (workspace / "out" / "summary.md").read_text(encoding="utf-8")
    assert "paper.md: 1 error" in page.replace("&#58;", ":")
    assert "## What changed against the base" in page
    assert len(git(workspace, "worktree", "list").splitlines()) == 1


def test_a_branch_without_papers_and_base(run, origin, tmp_path):
    workspace = tmp_path / "work"
    git(tmp_path, "clone", "-q", "-b", "more", str(origin), str(workspace))
    done, _ = run(workspace, runs="my logs", out="made here", base="$(touch hacked)")
    assert done.returncode == 0, done.stdout
    page = (workspace / "made here" / "summary.md").read_text(encoding="utf-8")
    assert "Not compared with a base: there is no " in page
    assert not list(workspace.rglob("hacked"))


def test_what_cannot_be_built_ends_the_job(run, tmp_path):
    done, _ = run(tmp_path, study="none.toml")
    assert done.returncode == 3, done.stdout


def test_no_script_holds_an_input(template):
    _, jobs = template
    for name in ("before_script", "script"):
        assert "$[[" not in "".join(jobs["reportgen"][name])
