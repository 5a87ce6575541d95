"""What runs on GitHub and GitLab is what their published schemas and two linters allow."""

import re
import shutil
import sys
from pathlib import Path

import pytest
import yaml
from fakes.command import run_to_end

pytestmark = pytest.mark.integrations

WORKFLOWS = (
    *(f".github/workflows/{name}.yml" for name in ("ci", "pages", "release")),
    "integrations/github/classroom.yml",
)


def tool(name):
    """A program of the extra `workflows`, which `make integrations` installs."""
    found = shutil.which(name, path=Path(sys.executable).parent)
    if found is None:
        pytest.skip(f"{name} is not installed (extra: workflows)")
    return found


def told(*command, cwd=None):
    done = run_to_end(command, cwd=cwd, timeout=120)
    return done.returncode, done.stdout + done.stderr


def by_schema(name, *paths):
    return told(tool("check-jsonschema"), "--builtin-schema", f"vendor.{name}", *paths)


def documented(project, words):
    """YAML blocks of the how-to pages that have all of some lines."""
    for page in sorted((project / "docs" / "how-to").glob("*.md")):
        for block in re.findall(r"```ya?ml\n(.*?)```", page.read_text("utf-8"), re.DOTALL):
            if all(re.search(rf"^{word}:", block, re.MULTILINE) for word in words):
                yield page.stem, block


def test_workflows_are_by_the_schema(project):
    code, said = by_schema("github-workflows", *(project / name for name in WORKFLOWS))
    assert code == 0, said


def test_workflows_of_the_documentation_are_by_the_schema(project, tmp_path):
    blocks = list(documented(project, ("on", "jobs")))
    assert blocks
    for number, (page, block) in enumerate(blocks):
        (tmp_path / f"{page}-{number}.yml").write_text(block, encoding="utf-8")
    code, said = by_schema("github-workflows", *tmp_path.iterdir())
    assert code == 0, said


def test_the_action_is_by_the_schema(project):
    code, said = by_schema("github-actions", project / "action.yml")
    assert code == 0, said


def test_the_gitlab_template_is_by_the_schema(project, tmp_path):
    text = (project / "integrations" / "gitlab" / "reportgen.yml").read_text(encoding="utf-8")
    # Its first document declares inputs, of which the schema knows nothing.
    _, jobs = yaml.safe_load_all(text)
    (tmp_path / "jobs.yml").write_text(yaml.safe_dump(jobs), encoding="utf-8")
    code, said = by_schema("gitlab-ci", tmp_path / "jobs.yml")
    assert code == 0, said


def test_workflows_have_no_weakness_that_zizmor_knows(project):
    paths = [project / name for name in (*WORKFLOWS, "action.yml")]
    command = (tool("zizmor"), "--offline", "--no-progress", "--min-severity", "medium", *paths)
    code, said = told(*command)
    assert code == 0, said
    assert "No findings to report" in said


def test_shell_is_as_shellcheck_wants_it(project):
    scripts = [*(project / "integrations").rglob("*.sh"), project / ".ci" / "run"]
    scripts += (project / "reportgen" / "app").glob("*.sh")
    assert len(scripts) > 6
    code, said = told(
        *(tool("shellcheck"), "--external-sources", "--source-path=SCRIPTDIR"), *scripts
    )
    assert code == 0, said
