"""Runs in a real S3 server (moto's), through the client that users install, in their own process.

`make objects` installs both; elsewhere these tests say what is not there.
"""

import importlib.util
import json
import logging
import os
import re
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from fakes.command import Finished, reportgen

ABSENT = [
    n for n in ("moto", "flask", "flask_cors", "boto3", "s3fs") if not importlib.util.find_spec(n)
]

pytestmark = [
    pytest.mark.skipif(
        bool(ABSENT) and not os.environ.get("REPORTGEN_S3"),
        reason=f"not installed: {', '.join(ABSENT)}; `make objects` installs it",
    ),
    # boto3 and moto have deprecations of their own.
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning"),
]

BUCKET = "lab-bucket"
KEYS = {"AWS_ACCESS_KEY_ID": "AKIAKEYOFTESTS", "AWS_SECRET_ACCESS_KEY": "hunter22hunter22"}


@dataclass
class Server:
    """An S3 server, what is in it, and what it was asked."""

    endpoint: str
    client: Any
    asked: list[tuple[str, str, str]] = field(default_factory=list)

    @property
    def environment(self) -> dict[str, str]:
        return {**KEYS, "AWS_DEFAULT_REGION": "us-east-1", "AWS_ENDPOINT_URL": self.endpoint}

    def put(self, name: str, content: bytes) -> None:
        self.client.put_object(Bucket=BUCKET, Key=name, Body=content)

    def put_folder(self, folder: Path, below: str) -> None:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                self.put(f"{below}/{path.relative_to(folder).as_posix()}", path.read_bytes())

    def run(self, *arguments: str | Path, cwd: Path, **more: str) -> Finished:
        """Run the program; what it asks is kept."""
        self.asked.clear()
        return reportgen(*arguments, cwd=cwd, **(self.environment | more))

    def reads(self) -> list[tuple[str, str]]:
        """Return name and range of each content that was asked for."""
        return sorted((path, span) for method, path, span in self.asked if method == "GET" and path)

    def listings(self) -> int:
        return sum(method == "GET" and not path for method, path, _ in self.asked)


@pytest.fixture(scope="module")
def started():
    """A server that notes every request on its own side of the wire."""
    import boto3
    from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
    from werkzeug.serving import make_server

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    inner = DomainDispatcherApplication(create_backend_app)
    asked: list[tuple[str, str, str]] = []

    def noting(environ, start_response):
        path = environ["PATH_INFO"].removeprefix(f"/{BUCKET}").removeprefix("/")
        asked.append((environ["REQUEST_METHOD"], path, environ.get("HTTP_RANGE", "")))
        return inner(environ, start_response)

    server = make_server("127.0.0.1", 0, noting, threaded=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    endpoint = f"http://127.0.0.1:{server.server_port}"
    client = boto3.client(
        "s3",
        endpoint_url=endpoint,
        region_name="us-east-1",
        aws_access_key_id=KEYS["AWS_ACCESS_KEY_ID"],
        aws_secret_access_key=KEYS["AWS_SECRET_ACCESS_KEY"],
    )
    client.create_bucket(Bucket=BUCKET)
    yield Server(endpoint=endpoint, client=client, asked=asked)
    server.shutdown()
    thread.join()


@pytest.fixture
def server(started):
    yield started
    while found := started.client.list_objects_v2(Bucket=BUCKET).get("Contents"):
        keys = [{"Key": one["Key"]} for one in found]
        started.client.delete_objects(Bucket=BUCKET, Delete={"Objects": keys})


def test_a_report_from_a_bucket_asks_for_each_object_once(server, lab, tmp_path):
    logs = lab / "logs" / "huggingface"
    server.put_folder(logs, "huggingface")
    place = f"s3://{BUCKET}/huggingface"
    command = ("build", "--runs", place, "--out", "out", "--format", "md,json")

    first = server.run(*command, cwd=tmp_path)

    assert first.code == 0, first.err
    assert server.listings() == 1
    names = [name for name, _ in server.reads()]
    assert len(names) == len(set(names))
    wanted = {f"huggingface/{p.relative_to(logs).as_posix()}" for p in logs.rglob("*tfevents*")}
    assert wanted <= set(names)
    assert all(span for _, span in server.reads())
    assert {method for method, _, _ in server.asked} == {"GET"}

    reportgen("build", "--runs", logs, "--out", "here", "--format", "md,json", cwd=tmp_path)
    for name in ("report.md", "report.json"):
        there, here = ((tmp_path / folder / name).read_bytes() for folder in ("out", "here"))
        assert there == here
        assert not any(secret.encode() in there for secret in KEYS.values())

    second = server.run(*command, "--json", cwd=tmp_path)

    assert json.loads(second.out)["unchanged"] is True
    assert [method for method, _, _ in server.asked] == ["GET"]
    assert server.listings() == 1


def test_more_objects_than_a_page_of_the_listing(server, tmp_path):
    from moto.core import DEFAULT_ACCOUNT_ID
    from moto.s3.models import s3_backends

    for number in range(1100):  # a page has a thousand; each by the wire would take ten seconds
        s3_backends[DEFAULT_ACCOUNT_ID]["aws"].put_object(BUCKET, f"many/{number}/notes.md", b"")
    server.put("many/run/metrics.csv", b"step,loss,val_loss\n1,2,3\n2,1,2\n")
    found = server.run("inspect", f"s3://{BUCKET}/many", "--json", cwd=tmp_path)
    assert len(json.loads(found.out)["runs"]) == 1
    assert server.listings() == 2
    assert [name for name, _ in server.reads()] == ["many/run/metrics.csv"]


def test_objects_that_were_put_in_parts_and_strange_names(server, tmp_path):
    names = ("a b/metrics.csv", "é%20+&=/metrics.csv", "q?x=1#y/metrics.csv")
    for name in names:
        server.put(f"odd/{name}", b"step,loss,val_loss\n1,2,3\n2,1,2\n")
    upload = server.client.create_multipart_upload(Bucket=BUCKET, Key="odd/parts/metrics.csv")
    place = {"Bucket": BUCKET, "Key": "odd/parts/metrics.csv", "UploadId": upload["UploadId"]}
    rows = "".join(f"{n},{n / 7:.6f},{n / 5:.6f},{'x' * 6000}\n" for n in range(1500)).encode()
    content, least = b"step,loss,val_loss,note\n" + rows, 5 << 20  # bytes of any part but the last
    parts = []
    for number, part in enumerate((content[:least], content[least:]), 1):
        tag = server.client.upload_part(**place, PartNumber=number, Body=part)["ETag"]
        parts.append({"PartNumber": number, "ETag": tag})
    server.client.complete_multipart_upload(**place, MultipartUpload={"Parts": parts})

    done = server.run("inspect", f"s3://{BUCKET}/odd", "--json", cwd=tmp_path)

    found = json.loads(done.out)
    assert {run["id"]: run["points"] for run in found["runs"]} == {
        "a b": 4,
        "é%20+&=": 4,
        "q?x=1#y": 4,
        "parts": 3_000,
    }


def test_a_server_that_is_not_there_is_said_without_secrets(server, tmp_path):
    done = server.run(
        *("inspect", f"s3://{BUCKET}/lab"),
        cwd=tmp_path,
        AWS_ENDPOINT_URL="http://127.0.0.1:9",
        AWS_MAX_ATTEMPTS="1",
    )
    assert done.code == 3
    assert "could not be fetched" in done.err
    assert not any(secret in done.out + done.err for secret in KEYS.values())


def test_a_public_bucket_is_read_without_credentials(server, tmp_path):
    server.put("lab/metrics.csv", b"step,loss,val_loss\n1,2,3\n")
    nobody = dict.fromkeys(KEYS, "") | {"AWS_EC2_METADATA_DISABLED": "true", "HOME": str(tmp_path)}
    command = ("inspect", f"s3://{BUCKET}/lab")
    shut = server.run(*command, cwd=tmp_path, **nobody)
    assert shut.code == 3
    assert "access was denied" in shut.err
    assert "FSSPEC_S3_ANON=true" in shut.err
    try:
        server.client.put_bucket_acl(Bucket=BUCKET, ACL="public-read")
        server.client.put_object_acl(Bucket=BUCKET, Key="lab/metrics.csv", ACL="public-read")
        open_ = server.run(*command, cwd=tmp_path, FSSPEC_S3_ANON="true", **nobody)
        assert open_.code == 0, open_.err
    finally:
        server.client.put_bucket_acl(Bucket=BUCKET, ACL="private")


def test_secrets_are_nowhere_in_the_cache(server, tmp_path):
    server.put("lab/metrics.csv", b"step,loss,val_loss\n1,2,3\n")
    server.run("inspect", f"s3://{BUCKET}/lab", cwd=tmp_path)
    texts = [p.read_bytes() for p in (tmp_path / ".cache").rglob("*") if p.is_file()]
    assert texts
    assert not any(secret.encode() in text for secret in KEYS.values() for text in texts)


def test_several_builds_at_one_time_share_the_cache(server, lab, tmp_path):
    server.put_folder(lab / "logs" / "huggingface", "lab")
    command = [sys.executable, "-m", "reportgen", "build", "--runs", f"s3://{BUCKET}/lab"]
    environment = os.environ | server.environment | {"REPORTGEN_CACHE": str(tmp_path / "cache")}
    started = [
        subprocess.Popen(
            [*command, "--out", tmp_path / str(number), "--format", "md", "--quiet"],
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(2)
    ]
    assert [process.communicate(timeout=120)[1] for process in started] == ["", ""]
    assert len({(tmp_path / str(n) / "report.md").read_bytes() for n in range(2)}) == 1
    assert len(list((tmp_path / "cache").glob("mirrors/*/trees/*"))) == 1
    assert not list((tmp_path / "cache").rglob(".new-*"))


def test_an_interrupted_fetch_leaves_nothing_half(server, tmp_path):
    content = os.urandom(24 << 20)
    for number in range(4):
        server.put(f"big/{number}/events.out.tfevents.{number}.host", content)
    server.asked.clear()
    cache = tmp_path / "cache"
    process = subprocess.Popen(
        [sys.executable, "-m", "reportgen", "inspect", f"s3://{BUCKET}/big"],
        env=os.environ | server.environment | {"REPORTGEN_CACHE": str(cache)},
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 60
    while len(server.reads()) < 6 and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert re.search("no file was left half-written", err)
    sizes = {p.stat().st_size for p in cache.rglob("*") if p.is_file()}
    assert sizes <= {len(content)}
