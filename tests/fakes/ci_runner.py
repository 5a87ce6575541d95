"""What runs the steps of an action or a job, here: their shell is real, what they `use` is not.

Of GitHub's expressions those are known that action.yml is written in; another one is an error, so
that a step never runs with an empty value by accident.
"""

from __future__ import annotations

import os
import re
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


def run_action(
    action: Path, workspace: Path, temp: Path, *, only: Sequence[str] = (), **inputs: str
) -> Job:
    """Run a composite action in a workspace, with inputs (underscores for their dashes).

    Args:
        action: action.yml, in its folder.
        workspace: The checkout of whoever uses it.
        temp: Folder for what a runner keeps beside it.
        only: Ids of the steps that run; empty runs all.
        inputs: Inputs of the action; the others have their defaults.
    """
    content = yaml.safe_load(action.read_text(encoding="utf-8"))
    given = {name.replace("_", "-"): value for name, value in inputs.items()}
    assert set(given) <= set(content["inputs"]), "no such input"
    values = {n: given.get(n, str(one.get("default", ""))) for n, one in content["inputs"].items()}
    context: dict[str, Any] = {"inputs": values, "steps": {}}
    job = Job()
    temp.mkdir(exist_ok=True)
    page = temp / "page.md"
    page.touch()
    for number, step in enumerate(content["runs"]["steps"]):
        left_out = only and step.get("id") not in only
        if left_out or not holds(step.get("if", "true"), context):
            continue
        job.ran.append(step["name"])
        if "uses" in step:
            given_to = step.get("with", {})
            job.used[step["uses"].partition("@")[0]] = {
                key: filled(str(value), context) for key, value in given_to.items()
            }
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
            REPORTGEN_CACHE=str(temp / "cache"),
        )
        done = run_bash(step["run"], workspace, environment)
        job.log += done.stdout
        if "id" in step:
            context["steps"][step["id"]] = read_outputs(output.read_text(encoding="utf-8"))
        if done.returncode:
            job.failed, job.code = step["name"], done.returncode
            break
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
    if match := re.fullmatch(r"inputs\.([\w-]+)", name):
        return context["inputs"][match[1]]
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
