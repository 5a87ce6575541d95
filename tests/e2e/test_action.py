"""action.yml: each of its steps runs, here, in a group's repository."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from fakes.ci_runner import COMMAND, Github, run_action
from fakes.github_service import Service
from fakes.group_repository import git, make_repository

pytestmark = pytest.mark.integrations

BRANCH = "main; touch hacked"


@pytest.fixture(scope="module")
def action(project, tmp_path_factory):
    """A copy of the action, as a runner downloads it."""
    folder = tmp_path_factory.mktemp("action")
    shutil.copy(project / "action.yml", folder)
    shutil.copytree(project / "integrations", folder / "integrations")
    return folder / "action.yml"


@pytest.fixture(scope="module")
def origin(project, tmp_path_factory):
    return make_repository(project, tmp_path_factory.mktemp("group"))


@pytest.fixture(scope="module")
def clone_into(origin):
    """A shallow clone of the branch, as actions/checkout makes one."""

    def clone(folder):
        source = f"file://{origin}"
        git(folder, "clone", "-q", "--depth=1", "-b", "more", source, "work space")
        return folder / "work space"

    return clone


@pytest.fixture(scope="module")
def failed(action, clone_into, tmp_path_factory):
    """The whole action on a paper with an error in it, against main: workspace, temp and job."""
    folder = tmp_path_factory.mktemp("failed")
    workspace = clone_into(folder)
    (workspace / "paper one.md").write_text(
        "The pretrained model reaches 93.47 % test accuracy.\n\n512 × 512 = 262,145\n\n"
        "::error file=x::y\n",
        encoding="utf-8",
    )
    inputs = {"study": "study.toml", "formats": "md", "command": str(COMMAND), "base": "main"}
    job = run_action(action, workspace, folder / "temp", report="  *.md  \n\n", **inputs)
    return workspace, folder / "temp", job


@pytest.fixture
def clone(clone_into, tmp_path):
    return clone_into(tmp_path)


@pytest.fixture
def built_clone(clone, failed):
    """A workspace whose report is built already."""
    shutil.copytree(failed[0] / "out", clone / "out")
    return clone


@pytest.fixture
def run(action, clone, tmp_path):
    def start(**inputs):
        given = {"study": "study.toml", "formats": "json", "command": str(COMMAND), **inputs}
        return run_action(action, clone, tmp_path / "temp", **given)

    return start


def test_the_job_fails_last_of_all(failed):
    _, _, job = failed
    assert job.ran == [
        "Keep the cache of builds",
        "Build the report",
        "Compare with the base",
        "Check the written reports",
        "Sum it up on the page of the job",
        "Upload",
        "Fail where the check did",
    ], job.log
    assert (job.failed, job.code) == ("Fail where the check did", 1)
    assert job.used["actions/upload-artifact"] == {"name": "report", "path": "out"}


def test_errors_are_annotated_with_their_place_and_nothing_else_is(failed):
    workspace, _, job = failed
    found = json.loads((workspace / "out" / "findings" / "findings.json").read_bytes())
    errors = found["totals"]["errors"]
    assert int(job.outputs["errors"]) == errors > 0
    commands = re.findall(r"^::error (.*?)::", job.log, re.MULTILINE)
    assert len(commands) == errors
    assert all(one.startswith("file=paper one.md,line=") for one in commands)


def test_the_page_of_the_job_is_the_summary_and_holds_everything_once(failed):
    workspace, _, job = failed
    assert job.page == (workspace / "out" / "summary.md").read_text(encoding="utf-8")
    assert job.page.startswith("# Of \\`\\`ours\\`\\` &#124; &lt;b&gt;\n")
    assert re.findall("^#+ (.*)$", job.page, re.MULTILINE)[1:4] == [
        "Results",
        "Findings in paper one.md",
        "What changed against the base",
    ]


def test_the_base_is_built_from_its_branch(failed):
    workspace, temp, job = failed
    old = json.loads((temp / "reportgen-base" / "report.json").read_bytes())
    new = json.loads((workspace / "out" / "report.json").read_bytes())
    # The branch has six runs, main has five.
    assert [sum(g["n"] for g in content["groups"]) for content in (old, new)] == [5, 6]
    totals = json.loads((temp / "reportgen-base" / "diff.json").read_bytes())["totals"]
    assert totals["added"] > 0
    counted = sum(totals[name] for name in ("changed", "rounding", "added", "removed"))
    assert job.outputs["changed"] == str(counted)
    assert f"numbers changed {totals['changed']}," in job.page
    left = subprocess.run(
        ["git", "worktree", "list"], cwd=workspace, capture_output=True, text=True, check=True
    )
    assert len(left.stdout.splitlines()) == 1


def test_outputs_name_what_was_written(failed):
    workspace, _, job = failed
    for name in ("report", "findings", "summary"):
        assert (workspace / job.outputs[name]).exists()
    assert {path.name for path in (workspace / job.outputs["findings"]).iterdir()} == {
        *("findings.json", "findings.html", "findings.sarif", "annotations.txt")
    }


def test_a_report_that_agrees_passes(run, clone, failed):
    shutil.copy(failed[0] / "out" / "report.md", clone / "mine.md")
    job = run(report="mine.md", upload="false")
    assert (job.failed, job.ran[-1]) == ("", "Fail where the check did"), job.log
    assert "Upload" not in job.ran
    assert "Compare with the base" not in job.ran
    assert {job.outputs[name] for name in ("errors", "unreadable")} == {"0"}
    assert job.outputs["changed"] == ""
    found = json.loads((clone / "out" / "findings" / "findings.json").read_bytes())
    assert found["totals"]["traced"] > 20


def test_a_base_of_an_artifact(run, built_clone, tmp_path):
    shutil.copytree(built_clone / "out", tmp_path / "artifact")
    job = run(base=str(tmp_path / "artifact"), only=["base"])
    assert (job.failed, job.outputs["changed"]) == ("", "0"), job.log


def test_a_folder_that_is_called_like_the_base_branch_is_not_the_base(run, built_clone):
    """A pull request may bring a folder, and a report in it."""
    (built_clone / "main").mkdir()
    shutil.copy(built_clone / "out" / "report.json", built_clone / "main")
    git(built_clone, "add", "main")
    job = run(base="main", only=["base"])
    # Its report is that of the branch, which has a run less.
    assert job.failed == "", job.log
    assert int(job.outputs["changed"]) > 0, job.log


@pytest.mark.parametrize("linked", [False, True])
def test_a_report_of_the_checkout_itself_is_no_base(run, built_clone, linked):
    brought = built_clone / "brought"
    brought.mkdir()
    shutil.copy(built_clone / "out" / "report.json", brought)
    git(built_clone, "add", "brought")
    if linked:
        (built_clone / "link").symlink_to("brought")
    job = run(base="link/report.json" if linked else "brought", only=["base", "summary"])
    assert (job.failed, job.outputs["changed"]) == ("", ""), job.log
    assert "belongs to the checkout" in job.log
    assert "Not compared with a base: there is no " in job.page


def test_a_base_that_is_committed(run, built_clone):
    git(built_clone, "add", "-A")
    git(built_clone, "commit", "-qm", "c")
    job = run(base="HEAD", only=["base"])
    assert (job.failed, job.outputs["changed"]) == ("", "0"), job.log


@pytest.mark.parametrize("base", [BRANCH, "--upload-pack=touch hacked", "$(touch hacked)"])
def test_a_base_that_is_not_there_is_said_and_is_no_failure(run, built_clone, base):
    job = run(base=base, only=["base", "summary"])
    assert (job.failed, job.outputs["changed"]) == ("", ""), job.log
    assert "::warning title=reportgen::not compared with a base: " in job.log
    assert "could not be fetched: " in job.log
    assert "Not compared with a base: there is no " in job.page
    assert not list(built_clone.rglob("hacked"))


def test_a_base_without_a_report_is_said(run, built_clone, origin):
    git(origin, "switch", "-qc", "empty", "main")
    git(origin, "rm", "-q", "study.toml")
    git(origin, "commit", "-qm", "c")
    git(origin, "switch", "-q", "more")
    job = run(base="empty", only=["base", "summary"])
    assert job.failed == "", job.log
    assert "empty holds no out/report.json, and none can be built there: " in job.log
    assert (
        "Not compared with a base: there is no report.json at empty&#58;out/report.json."
        in job.page
    )


def test_a_report_that_is_not_there_ends_the_check(run):
    job = run(report="no such.md", only=["check"])
    assert (job.failed, job.code) == ("Check the written reports", 3)
    assert "no such.md" in job.log


def test_a_report_that_is_not_there_is_named_and_the_others_are_checked(run, clone):
    (clone / "paper.md").write_text("512 × 512 = 262,145\n", encoding="utf-8")
    job = run(report="gone/*.md\npaper.md\nno such.md", fail_on="never", upload="false")
    assert (job.failed, job.code) == ("Fail where the check did", 3), job.log
    for missing in ("gone/*.md", "no such.md"):
        assert f"::error title=reportgen::no such report: {missing}\n" in job.log
    assert job.outputs["errors"] == "1"
    assert "262,145" in job.page


def test_inputs_are_words_and_no_commands(run, clone):
    evil = "$(touch hacked)`touch hacked`; touch hacked"
    job = run(report=evil, out=evil, only=["build", "check"])
    assert not list(clone.rglob("hacked"))
    assert job.failed == "Check the written reports"
    assert (clone / evil / "report.json").is_file()
    assert job.outputs["report"] == f"{evil}/report.json"


def test_a_study_that_looks_like_an_option_is_a_file(run, clone):
    shutil.move(clone / "study.toml", clone / "--help")
    assert run(study="--help", only=["build"]).failed == ""
    assert (clone / "out" / "report.json").is_file()


def test_without_study_and_runs_there_is_a_sentence(run):
    job = run(study="")
    assert (job.failed, job.code) == ("Build the report", 2)
    assert job.log.startswith("::error title=reportgen::nothing to build a report from")


def test_why_a_base_cannot_be_fetched_is_said(run, built_clone):
    job = run(base="gone", only=["base"])
    assert "fatal: couldn't find remote ref gone" in job.log
    git(built_clone, "remote", "set-url", "origin", "file:///no such repository")
    job = run(base="gone", only=["base"])
    assert re.search("gone is no file here and could not be fetched: fatal: .*no such", job.log)
    # Another server is never sent the job's token.
    git(built_clone, "remote", "set-url", "origin", "http://127.0.0.1:9/lab")
    job = run(base="gone", only=["base"])
    assert "could not be fetched: fatal: " in job.log
    assert "a-token" not in job.log + (built_clone / ".git" / "config").read_text("utf-8")


@pytest.fixture
def service():
    with Service() as started:
        yield started


@pytest.fixture
def comment(run, built_clone, service):
    """Run the step that comments on pull request 7."""

    def start(number=7, **inputs):
        github = Github(pull_request=number, address=service.address)
        return run(only=["summary", "comment"], github=github, **inputs)

    return start


def test_a_pull_request_has_one_comment_which_is_updated(comment, built_clone, service):
    service.comments += [service.made(n, "Nice.", "User") for n in range(1, 131)]
    quoted = service.made(131, "<!-- reportgen: report -->\nquoted", "User")
    service.comments.append(quoted)
    first = comment()
    assert first.outputs["comment"].endswith("#issuecomment-132"), first.log
    assert service.comments[131]["body"].startswith("<!-- reportgen: report -->\n# Of ")
    assert "/group/lab/actions/runs/1)" in service.comments[131]["body"]
    report = built_clone / "out" / "report.json"
    report.write_text(report.read_text("utf-8").replace("``ours``", "``theirs``"), "utf-8")
    second = comment()
    assert second.outputs["comment"] == first.outputs["comment"]
    assert len(service.comments) == 132
    assert "theirs" in service.comments[131]["body"]
    assert quoted["body"].endswith("quoted")
    # Another job's report has a comment of its own.
    comment(artifact_name="other")
    assert len(service.comments) == 133


def test_a_push_has_no_comment(comment, service):
    job = comment(number=0)
    assert "Comment on the pull request" not in job.ran
    assert service.asked == []


def test_a_comment_that_may_not_be_posted_is_said_and_is_no_failure(comment, service):
    service.refuses = True
    job = comment()
    assert job.failed == ""
    assert "::warning title=reportgen::no comment was posted: GitHub answered 403" in job.log
    assert "`pull-requests: write`" in job.log
    assert "a-token" not in job.log
    assert job.outputs["comment"] == ""


def test_findings_are_uploaded_to_code_scanning_on_request(run, clone, service):
    (clone / "paper.md").write_text("512 × 512 = 262,145\n", encoding="utf-8")
    github = Github(address=service.address)
    given = {"report": "paper.md", "fail_on": "never", "upload": "false", "github": github}
    job = run(**given)
    assert service.sarifs == []
    job = run(sarif="true", **given)
    assert "uploaded findings.sarif" in job.log
    [sarif] = service.sarifs
    assert sarif["runs"][0]["results"][0]["level"] == "error"
    service.refuses = True
    assert "`security-events: write`" in run(sarif="true", **given).log


def test_a_build_is_kept_from_run_to_run(action, clone_into, tmp_path):
    """Each run has a fresh checkout, at the same path; what did not change is known again."""
    caches, runner = tmp_path / "caches", tmp_path / "runner"
    for number in (1, 2):
        runner.mkdir()
        shutil.move(clone_into(runner), runner / "work")
        job = run_action(
            action, runner / "work", runner / "temp", github=Github(run=number), caches=caches,
            study="study.toml", formats="md", command=str(COMMAND), only=["build", "kept-builds"],
        )  # fmt: skip
        assert job.failed == "", job.log
        shutil.rmtree(runner)
    first, second = (caches / f"reportgen-builds-Linux-{number}" / "builds" for number in (1, 2))
    builds = {path.name for path in first.iterdir()}
    assert builds
    assert {path.name for path in second.iterdir()} == builds


def test_an_environment_is_named_by_all_that_decides_it(run, action):
    keys = []
    for extras, change in (("", ""), ("", ""), ("s3", ""), ("", "x")):
        constraints = action.parent / "constraints.txt"
        constraints.write_text(change, encoding="utf-8")
        (action.parent / "pyproject.toml").touch()
        job = run(only=["environment"], command="", extras=extras)
        assert job.failed == "", job.log
        keys.append(job.steps["environment"]["key"])
    assert keys[0] == keys[1]
    assert len(set(keys)) == 3


def test_without_a_command_it_sets_up_keeps_and_installs(project):
    content = yaml.safe_load((project / "action.yml").read_text(encoding="utf-8"))
    steps = content["runs"]["steps"]
    assert [step["name"] for step in steps[:5]] == [
        "Set up Python",
        "Name the environment",
        "Keep the environment",
        "Keep the cache of builds",
        "Install reportgen",
    ]
    assert steps[4]["run"].endswith('/install.sh"')


def test_everything_is_pinned_and_no_script_holds_an_expression(project):
    content = yaml.safe_load((project / "action.yml").read_text(encoding="utf-8"))
    for step in content["runs"]["steps"]:
        assert re.search(r"@[0-9a-f]{40}$", step["uses"]) if "uses" in step else True
        assert "${{" not in step.get("run", "")
    known = set(re.findall(r"inputs\.([\w-]+)", (project / "action.yml").read_text("utf-8")))
    assert all(one["description"].endswith(".") for one in content["inputs"].values())
    assert known == set(content["inputs"])
    for script in Path(project / "integrations" / "github").glob("*.sh"):
        assert "${{" not in script.read_text(encoding="utf-8")
