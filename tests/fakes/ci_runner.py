"""What runs the steps of an action or a job, here: their shell is real, what they `use` is not.

Of GitHub's expressions those are known that action.yml is written in; another one is an error, so
that a step never runs with an empty value by accident.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

COMMAND = Path(sys.executable).with_name("reportgen")


def settings(**more: str) -> dict[str, str]:
    """Environment of a step: nothing of the machine's own CI, no Git settings of a person."""
    kept = {k: v for k, v in os.environ.items() if k in {"PATH", "HOME", "LANG", "TMPDIR"}}
    quiet = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    who = {f"GIT_{who}_{what}": "a@example.org" for who in ("AUTHOR", "COMMITTER")
           for what in ("NAME", "EMAIL")}  # fmt: skip
    return {**kept, **quiet, **who, **more}


@dataclass
class Job:
    """A job that ran an action: what its steps said, gave out and left.

    Attributes:
        ran: Names of steps that ran, in order; of those that `use` something, what they use.
        failed: Name of the step that ended the job, or empty.
        log: What they printed.
        outputs: Outputs of the action.
        page: What stands on the page of the job.
    """

    ran: list[str] = field(default_factory=list)
    failed: str = ""
    log: str = ""
    code: int = 0
    outputs: dict[str, str] = field(default_factory=dict)
    page: str = ""
    used: dict[str, dict[str, str]] = field(default_factory=dict)
    steps: dict[str, dict[str, str]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Github:
    """What a job is told of GitHub: the event, and where the service answers.

    Attributes:
        pull_request: Number of the pull request; 0 is a push.
        address: Of the service.
        run: Number of the workflow's run.
    """

    pull_request: int = 0
    address: str = "http://127.0.0.1:9"
    run: int = 1

    def context(self) -> dict[str, str]:
        event = "pull_request" if self.pull_request else "push"
        return {"event_name": event, "token": "a-token", "run_id": str(self.run)}

    def environment(self, temp: Path) -> dict[str, str]:
        event = temp / "event.json"
        event.write_text(json.dumps({"pull_request": {"number": self.pull_request}}))
        return {
            "GITHUB_API_URL": self.address,
            "GITHUB_EVENT_PATH": str(event),
            "GITHUB_REF": f"refs/pull/{self.pull_request}/merge",
            "GITHUB_REPOSITORY": "group/lab",
            "GITHUB_RUN_ID": str(self.run),
            "GITHUB_SERVER_URL": "https://github.com",
            "GITHUB_SHA": "0" * 40,
        }


def restored(given: Mapping[str, str], caches: Path) -> list[tuple[Path, Path]]:
    """Do what `actions/cache` does as a job begins; return what it keeps at its end, and where."""
    caches.mkdir(exist_ok=True)
    place, exact = Path(given["path"]), caches / given["key"]
    beginnings = [given["key"], *given.get("restore-keys", "").split("\n")]
    known = sorted(caches.iterdir(), key=lambda one: one.stat().st_mtime_ns, reverse=True)
    found = [one for start in beginnings if start for one in known if one.name.startswith(start)]
    if found:
        shutil.copytree(found[0], place, symlinks=True)
    return [] if exact.is_dir() else [(place, exact)]


def run_action(
    action: Path,
    workspace: Path,
    temp: Path,
    *,
    only: Sequence[str] = (),
    github: Github | None = None,
    caches: Path | None = None,
    **inputs: str,
) -> Job:
    """Run a composite action in a workspace, with inputs (underscores for their dashes).

    Args:
        action: action.yml, in its folder.
        workspace: The checkout of whoever uses it.
        temp: Folder for what a runner keeps beside it.
        only: Ids of the steps that run; empty runs all.
        github: What the job is told of GitHub; a push, and no service, without one.
        caches: Folder in which `actions/cache` keeps what it is given; none keeps nothing.
        inputs: Inputs of the action; the others have their defaults.
    """
    content = yaml.safe_load(action.read_text(encoding="utf-8"))
    given = {name.replace("_", "-"): value for name, value in inputs.items()}
    assert set(given) <= set(content["inputs"]), "no such input"
    github = github or Github()
    context: dict[str, Any] = {
        "github": github.context(),
        "runner": {"os": "Linux", "temp": str(temp)},
        "steps": {},
    }
    context["inputs"] = {
        name: given.get(name, filled(str(one.get("default", "")), context))
        for name, one in content["inputs"].items()
    }
    job = Job()
    kept: list[tuple[Path, Path]] = []
    temp.mkdir(exist_ok=True)
    page = temp / "page.md"
    page.touch()
    for number, step in enumerate(content["runs"]["steps"]):
        left_out = only and step.get("id") not in only
        if left_out or not holds(step.get("if", "true"), context):
            continue
        job.ran.append(step["name"])
        if "uses" in step:
            name = step["uses"].partition("@")[0]
            given_to = {k: filled(str(v), context) for k, v in step.get("with", {}).items()}
            job.used[name] = given_to
            if name == "actions/cache" and caches is not None:
                kept += restored(given_to, caches)
            continue
        assert step["shell"] == "bash"
        assert "${{" not in step["run"], "an expression in the text of a script"
        output = temp / f"output-{number}"
        output.touch()
        environment = settings(
            **{name: filled(str(value), context) for name, value in step.get("env", {}).items()},
            GITHUB_ACTION_PATH=str(action.parent),
            GITHUB_OUTPUT=str(output),
            GITHUB_ENV=str(temp / "env"),
            GITHUB_STEP_SUMMARY=str(page),
            GITHUB_WORKSPACE=str(workspace),
            RUNNER_TEMP=str(temp),
            **github.environment(temp),
        )
        done = run_bash(step["run"], workspace, environment)
        job.log += done.stdout
        if "id" in step:
            context["steps"][step["id"]] = read_outputs(output.read_text(encoding="utf-8"))
            job.steps = context["steps"]
        if done.returncode:
            job.failed, job.code = step["name"], done.returncode
            break
    for place, store in kept:
        if place.is_dir():
            shutil.copytree(place, store)
    job.outputs = {n: filled(one["value"], context) for n, one in content["outputs"].items()}
    job.page = page.read_text(encoding="utf-8")
    return job


def run_bash(script: str, folder: Path, environment: Mapping[str, str]):
    """Run a script as GitHub does: it ends with the first command that fails."""
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
        cwd=folder,
        env=dict(environment),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=False,
    )


def read_outputs(text: str) -> dict[str, str]:
    """Read the file that `GITHUB_OUTPUT` names, in both of its forms."""
    found: dict[str, str] = {}
    lines = iter(text.split("\n"))
    for line in lines:
        if match := re.fullmatch(r"([\w-]+)<<(.+)", line):
            value = []
            for inner in lines:
                if inner == match[2]:
                    break
                value.append(inner)
            else:
                raise AssertionError(f"no end of {match[1]}")
            found[match[1]] = "\n".join(value)
        elif line:
            name, equals, value = line.partition("=")
            assert equals, line
            found[name] = value
    return found


def filled(text: str, context: Mapping[str, Any]) -> str:
    """Fill in the expressions of a value."""
    return re.sub(r"\$\{\{ (.+?) \}\}", lambda match: looked_up(match[1], context), text)


def looked_up(name: str, context: Mapping[str, Any]) -> str:
    if match := re.fullmatch(r"(inputs|github|runner)\.([\w-]+)", name):
        return context[match[1]][match[2]]
    if match := re.fullmatch(r"steps\.([\w-]+)\.outputs\.([\w-]+)", name):
        return context["steps"].get(match[1], {}).get(match[2], "")
    raise AssertionError(f"an expression that is not known here: {name}")


def holds(condition: str, context: Mapping[str, Any]) -> bool:
    """Say whether comparisons joined by `&&` hold."""
    for part in condition.split(" && "):
        if part == "true":
            continue
        match = re.fullmatch(r"(\S+) (==|!=) '([^']*)'", part)
        assert match, condition
        same = looked_up(match[1], context) == match[3]
        if same != (match[2] == "=="):
            return False
    return True
