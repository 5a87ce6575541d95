"""The workflow for GitHub Classroom: its steps run, here, and give the reporter what it reads."""

import base64
import json
import re
import shutil

import pytest
import yaml
from fakes.ci_runner import COMMAND, read_outputs, run_bash, settings

pytestmark = pytest.mark.integrations

RUBRIC = '[[line]]\nid = "sums"\npoints = 4\nrules = ["arithmetic"]\nerror = 1\n'


@pytest.fixture(scope="module")
def workflow(project):
    path = project / "integrations" / "github" / "classroom.yml"
    return yaml.safe_load(path.read_text(encoding="utf-8"))


@pytest.fixture
def push(project, workflow, tmp_path):
    """Run the steps of the job that are shell, from the check on, in a student's repository."""
    evidence = tmp_path / workflow["env"]["EVIDENCE"]
    shutil.copytree(project / "inputs" / "tiny-grid" / "logs", evidence.parent / "logs")
    evidence.write_text('[runs]\npath = "logs"\n', encoding="utf-8")
    (tmp_path / workflow["env"]["RUBRIC"]).write_text(RUBRIC, encoding="utf-8")

    def run(text):
        if text is not None:
            (tmp_path / workflow["env"]["REPORT"]).write_text(text, encoding="utf-8")
        output = tmp_path / "output"
        output.touch()
        environment = settings(
            **workflow["env"], GITHUB_OUTPUT=str(output), REPORTGEN_CACHE=str(tmp_path / "cache")
        )
        environment["PATH"] = f"{COMMAND.parent}:{environment['PATH']}"
        (job,) = workflow["jobs"].values()
        done = []
        for step in job["steps"]:
            assert "${{" not in step.get("run", "")
            if "reportgen check" in step.get("run", ""):
                done.append(run_bash(step["run"], tmp_path, environment))
                if done[-1].returncode:
                    break
        result = read_outputs(output.read_text(encoding="utf-8")).get("result", "")
        return done, result and json.loads(base64.b64decode(result))

    return run


def test_a_finding_costs_points_and_fails_the_job_in_the_reporter(push):
    done, result = push("512 × 512 = 262,145\n")
    assert [one.returncode for one in done] == [0, 0]
    assert (result["status"], result["max_score"]) == ("fail", 4.0)
    assert [test["score"] for test in result["tests"]] == [3.0]
    assert re.search("^::error file=report.md,line=1,", done[1].stdout, re.MULTILINE)


def test_a_report_that_was_not_handed_in_fails_the_step(push):
    (done,), result = push(None)
    assert (done.returncode, result) == (3, "")
    assert "report.md" in done.stdout


def test_the_reporter_gets_what_the_check_gave_out(workflow):
    (job,) = workflow["jobs"].values()
    *_, reporter = job["steps"]
    (name,) = reporter["env"]
    assert name == f"{reporter['with']['runners'].upper()}_RESULTS"
    assert reporter["with"]["runners"] in {step.get("id") for step in job["steps"]}
    uses = [step["uses"] for step in job["steps"] if "uses" in step]
    assert all(re.search(r"@[0-9a-f]{40}$", one) for one in uses)
