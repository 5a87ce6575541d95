"""The part of GitHub that the action asks: comments and code scanning, on this machine."""

import base64
import gzip
import json
import re
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit


@dataclass
class Service:
    """A service in a `with` block.

    Attributes:
        comments: Comments of the pull request, the oldest first; one may put others there.
        sarifs: What was uploaded to code scanning, unpacked.
        refuses: Whether the token may only read.
        asked: What was asked for, as method and path.
    """

    comments: list[dict[str, Any]] = field(default_factory=list)
    sarifs: list[Any] = field(default_factory=list)
    refuses: bool = False
    asked: list[str] = field(default_factory=list)

    def __enter__(self) -> Self:
        service = self

        class Handler(BaseHTTPRequestHandler):
            def answer(self) -> None:
                size = int(self.headers.get("Content-Length") or 0)
                sent = json.loads(self.rfile.read(size)) if size else None
                code, content = service.answer(self.command, self.path, sent, self.headers)
                body = json.dumps(content).encode()
                self.send_response(code)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_POST = do_PATCH = answer  # noqa: N815

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def answer(self, method: str, path: str, sent: Any, headers: Any) -> tuple[int, Any]:
        self.asked.append(f"{method} {path}")
        if headers["Authorization"] != "Bearer a-token":
            return 401, {}
        if self.refuses and method != "GET":
            return 403, {"message": "Resource not accessible by integration"}
        parts = urlsplit(path)
        match method, parts.path:
            case "GET", "/repos/group/lab/issues/7/comments":
                page = int(parse_qs(parts.query)["page"][0])
                return 200, self.comments[100 * (page - 1) : 100 * page]
            case "POST", "/repos/group/lab/issues/7/comments":
                self.comments.append(self.made(len(self.comments) + 1, sent["body"]))
                return 201, self.comments[-1]
            case "POST", "/repos/group/lab/code-scanning/sarifs":
                self.sarifs.append(json.loads(gzip.decompress(base64.b64decode(sent["sarif"]))))
                return 202, {}
        if method == "PATCH" and (found := re.fullmatch(r".*/issues/comments/(\d+)", parts.path)):
            self.comments[int(found[1]) - 1]["body"] = sent["body"]
            return 200, self.comments[int(found[1]) - 1]
        return 404, {}

    def made(self, number: int, body: str, kind: str = "Bot") -> dict[str, Any]:
        """Return a comment as GitHub tells it."""
        address = f"https://github.com/group/lab/pull/7#issuecomment-{number}"
        return {"id": number, "body": body, "user": {"type": kind}, "html_url": address}
