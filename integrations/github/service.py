"""What the action asks of GitHub: one comment on a pull request, findings for code scanning.

    python service.py comment PAGE      post it, or update the comment of an earlier run
    python service.py sarif FILE        upload it

The token and the place come from the variables of the job; nothing is installed for it.
"""

from __future__ import annotations

import base64
import gzip
import json
import os
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SECONDS = 30
PAGES = 30
"""Pages of a hundred comments that are looked through for the one to update."""
PERMISSIONS = {"comment": "pull-requests: write", "sarif": "security-events: write"}


def main(what: str, path: Path) -> int:
    """Do it, or say aloud why it could not be done."""
    try:
        {"comment": comment, "sarif": upload}[what](path)
    except urllib.error.HTTPError as fault:
        said = f"GitHub answered {fault.code} {fault.reason}"
        if fault.code in {401, 403, 404}:
            said += f"; the job needs the permission `{PERMISSIONS[what]}` (a fork never has it)"
        say(what, said)
    except (OSError, KeyError, ValueError) as fault:
        say(what, f"{type(fault).__name__}: {fault}")
    return 0


def say(what: str, why: str) -> None:
    """Print an annotation."""
    done = {"comment": "no comment was posted", "sarif": "nothing was uploaded to code scanning"}
    text = f"{done[what]}: {why}".replace("%", "%25").replace("\r", "").replace("\n", "%0A")
    print(f"::warning title=reportgen::{text}")


def comment(page: Path) -> None:
    """Post a page as the comment of this artifact, or update the one there is."""
    event = json.loads(Path(os.environ["GITHUB_EVENT_PATH"]).read_text(encoding="utf-8"))
    repository = os.environ["GITHUB_REPOSITORY"]
    number = int(event["pull_request"]["number"])
    artifact = os.environ.get("ARTIFACT", "report")
    mark = f"<!-- reportgen: {artifact.replace('-->', '')} -->"
    job = (
        f"{os.environ['GITHUB_SERVER_URL']}/{repository}/actions/runs/{os.environ['GITHUB_RUN_ID']}"
    )
    body = f"{mark}\n{page.read_text(encoding='utf-8')}\n[Job and artifact]({job})\n"
    issue = f"repos/{repository}/issues"
    earlier = next((c for c in comments(f"{issue}/{number}") if is_of(c, mark)), None)
    if earlier is None:
        made = ask("POST", f"{issue}/{number}/comments", {"body": body})
    else:
        made = ask("PATCH", f"{issue}/comments/{int(earlier['id'])}", {"body": body})
    print(f"{'posted' if earlier is None else 'updated'} {made['html_url']}")
    with Path(os.environ["GITHUB_OUTPUT"]).open("a", encoding="utf-8") as outputs:
        outputs.write(f"comment={made['html_url']}\n")


def comments(issue: str) -> Iterator[dict[str, Any]]:
    """Yield the comments of a pull request, the oldest first."""
    for page in range(1, PAGES + 1):
        found = ask("GET", f"{issue}/comments?per_page=100&page={page}")
        yield from found
        if len(found) < 100:
            return


def is_of(one: dict[str, Any], mark: str) -> bool:
    """Say whether a comment is an earlier one of this action, and not somebody's quotation."""
    return str(one.get("body") or "").startswith(mark) and one["user"]["type"] == "Bot"


def upload(sarif: Path) -> None:
    """Upload findings; several submissions have a file each, and code scanning takes one."""
    if not sarif.is_file():
        say("sarif", "the reports are submissions, each with findings of its own")
        return
    packed = base64.b64encode(gzip.compress(sarif.read_bytes())).decode()
    sent = {
        "commit_sha": os.environ["GITHUB_SHA"],
        "ref": os.environ["GITHUB_REF"],
        "sarif": packed,
    }
    ask("POST", f"repos/{os.environ['GITHUB_REPOSITORY']}/code-scanning/sarifs", sent)
    print("uploaded findings.sarif to code scanning")


def ask(method: str, path: str, content: object = None) -> Any:
    """Ask GitHub; what it answers is JSON."""
    request = urllib.request.Request(  # noqa: S310 - the address is the job's own
        f"{os.environ['GITHUB_API_URL']}/{path}",
        method=method,
        data=None if content is None else json.dumps(content).encode(),
        headers={
            "Accept": "application/vnd.github+json",
            "Authorization": f"Bearer {os.environ['TOKEN']}",
            "Content-Type": "application/json",
            "User-Agent": "reportgen",
        },
    )
    with urllib.request.urlopen(request, timeout=SECONDS) as answer:  # noqa: S310
        return json.load(answer)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2])))
