"""A server for one report and one machine: the report's own files, read by nobody else.

It listens on the loopback interface alone and gives out files by their exact names from memory, so
that no request leads to the disk. Requests that name another host are refused: they come from a
page of somebody who made their own name point here.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import socket
import socketserver
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote

from reportgen.app.live import PORT
from reportgen.records.errors import UsageError

TRIED = 20
"""So many ports are tried from the usual one on."""

EVENTS = "_live"
"""Path of the stream of notices; no file of a report begins with an underscore."""

MOST_CONNECTIONS = 64
MOST_STREAMS = 24
"""A browser keeps one stream a tab; the rest is for its files."""

PATIENCE = 10.0
"""Seconds within which a request has to arrive, and between two pieces of an answer."""

SLOW = 2.0
"""Seconds after which an answer that is not taken makes room for others, where all is full."""

HEARTBEAT = 15.0
"""Seconds after which a silent stream says that it is still there."""

_HOST = re.compile(r"(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?", re.IGNORECASE)
_TYPES = {
    ".csv": "text/csv; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".json": "application/json; charset=utf-8",
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".zip": "application/zip",
}
_PLAIN = "text/plain; charset=utf-8"
_POLICIES = {
    # The page states its own policy, by hashes; a PDF is shown by the browser's own viewer.
    ".html": "frame-ancestors 'none'",
    ".pdf": "frame-ancestors 'none'",
    ".svg": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
}
_STRICT = "default-src 'none'; frame-ancestors 'none'"
_COMMON = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class _Handler(BaseHTTPRequestHandler):
    """Answers one request; each connection carries one."""

    server: _Server
    server_version = "reportgen"
    sys_version = ""
    timeout = PATIENCE

    def parse_request(self) -> bool:
        """Read the head of a request, from now on within the time for answers."""
        sound = super().parse_request()
        self.server.arrived(self.connection)
        return sound and self._is_for_us()

    def do_GET(self) -> None:
        """Answer with a file, or with the stream of notices."""
        name = unquote(self.path.partition("?")[0].removeprefix("/"))
        if name == EVENTS:
            self._stream()
            return
        content = self.server.board.shown.files.get(name)
        if content is None:
            self.send_error(HTTPStatus.NOT_FOUND, "This is no file of the report.")
            return
        ending = PurePosixPath(name).suffix if name else ".html"
        kind, policy = _TYPES.get(ending, _PLAIN), _POLICIES.get(ending, _STRICT)
        self._head(HTTPStatus.OK, kind, {"Content-Security-Policy": policy}, len(content))
        if self.command == "GET":
            self.wfile.write(content)

    do_HEAD = do_GET  # noqa: N815 - the base class calls it by this name

    def _is_for_us(self) -> bool:
        """Refuse a request that means another host, or several, or wants to do more than read."""
        hosts = self.headers.get_all("Host") or []
        if len(hosts) == 1 and _HOST.fullmatch(hosts[0].strip()):
            if self.command in {"GET", "HEAD"}:
                return True
            self.send_error(HTTPStatus.METHOD_NOT_ALLOWED, "Reports are read: GET or HEAD.")
            return False
        reason = "This server answers to localhost, 127.0.0.1 and [::1]."
        self.send_error(HTTPStatus.MISDIRECTED_REQUEST, reason)
        return False

    def _stream(self) -> None:
        """Send notices as they come, until either side ends it."""
        if self.command == "HEAD" or not self.server.streams.acquire(blocking=False):
            self.send_error(HTTPStatus.SERVICE_UNAVAILABLE, "Too many pages are open.")
            return
        with contextlib.ExitStack() as stack:
            stack.callback(self.server.streams.release)
            self.server.goes_on(self.connection)
            self._head(HTTPStatus.OK, "text/event-stream; charset=utf-8", {}, None)
            self.wfile.write(b"retry: 1000\n\n")
            board, seen = self.server.board, -1
            while not board.closed:
                number, shown = board.wait(seen, HEARTBEAT)
                line = json.dumps(shown.notice) if number != seen else ""
                self.wfile.write(f"data: {line}\n\n".encode() if line else b": here\n\n")
                self.wfile.flush()
                seen = number

    def _head(
        self, status: HTTPStatus, kind: str, more: Mapping[str, str], length: int | None
    ) -> None:
        self.send_response(status)
        told = {"Content-Type": kind, **_COMMON, **more}
        if length is not None:
            told["Content-Length"] = str(length)
        for name, value in told.items():
            self.send_header(name, value)
        self.end_headers()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer with a sentence; nothing of the request is repeated in it."""
        del explain
        status = HTTPStatus(code)
        content = f"{message if code in _OWN else status.phrase}\n".encode()
        allowed = {"Allow": "GET, HEAD"} if code == HTTPStatus.METHOD_NOT_ALLOWED else {}
        more = {"Content-Security-Policy": _STRICT, **allowed}
        self._head(status, _PLAIN, more, len(content))
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name of the base
        """Say nothing: the terminal is for the report."""


_OWN = frozenset({404, 405, 421, 503})


class _Server(socketserver.ThreadingTCPServer):
    """Listens on one address of the loopback interface."""

    daemon_threads = True
    block_on_close = False
    # Elsewhere it would let another program listen on the same port.
    allow_reuse_address = os.name != "nt"
    request_queue_size = MOST_CONNECTIONS

    def __init__(self, board: Board, address: str, port: int) -> None:
        self.address_family = socket.AF_INET6 if ":" in address else socket.AF_INET
        self.board = board
        self.streams = threading.BoundedSemaphore(MOST_STREAMS)
        self._free = threading.BoundedSemaphore(MOST_CONNECTIONS)
        # Connections whose request or answer is not complete yet, since when; oldest first.
        self._waiting: dict[Any, float] = {}
        self._answering: dict[Any, float] = {}
        super().__init__((address, port), _Handler)

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self.server_address[1])

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer in a thread, while there is room for one."""
        if not (self._free.acquire(blocking=False) or self._made_room()):
            self.shutdown_request(request)
            return
        self._waiting[request] = time.monotonic()
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Answer, and make room."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._waiting.pop(request, None)
            self._answering.pop(request, None)
            self._free.release()

    def arrived(self, request: Any) -> None:
        """Take note that a request has arrived."""
        if self._waiting.pop(request, None) is not None:
            self._answering[request] = time.monotonic()

    def goes_on(self, request: Any) -> None:
        """Take note that an answer is one without an end."""
        self._answering.pop(request, None)

    def service_actions(self) -> None:
        """Hang up on those who take too long to say what they want."""
        late = time.monotonic() - PATIENCE
        for request, begun in list(self._waiting.items()):
            if begun < late:
                self._waiting.pop(request, None)
                _hang_up(request)

    def _made_room(self) -> bool:
        """Hang up on whoever has said nothing for longest, or takes no answer; tell whether it did.

        Whoever asks for a page does so at once: many who say nothing keep nobody away.
        """
        slow = time.monotonic() - SLOW
        idle = [*self._waiting, *(one for one, begun in [*self._answering.items()] if begun < slow)]
        if not idle:
            return False
        self._waiting.pop(idle[0], None)
        self._answering.pop(idle[0], None)
        _hang_up(idle[0])
        return self._free.acquire(timeout=1.0)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing where a browser has gone away amid an answer."""


def _hang_up(request: Any) -> None:
    with contextlib.suppress(OSError):
        request.shutdown(socket.SHUT_RDWR)


@contextlib.contextmanager
def serving(board: Board, port: int | None = None) -> Iterator[int]:
    """Serve what a board shows on 127.0.0.1, and on ::1 where there is one; yield the port.

    Args:
        board: What is shown.
        port: Where to listen; 0 takes any that is free, None the usual one or one of the next.

    Raises:
        UsageError: The port is taken, or cannot be listened on.
    """
    first = _listen(board, port)
    servers = [first]
    # Browsers that take `localhost` for ::1 find it there as well, where the port is free.
    with contextlib.suppress(OSError):
        servers.append(_Server(board, "::1", first.port))
    try:
        for server in servers:
            threading.Thread(target=server.serve_forever, args=(0.25,), daemon=True).start()
        yield first.port
    finally:
        board.close()
        for server in servers:
            server.shutdown()
            server.server_close()


def _listen(board: Board, port: int | None) -> _Server:
    for tried in range(PORT, PORT + TRIED) if port is None else (port,):
        try:
            return _Server(board, "127.0.0.1", tried)
        except (OSError, OverflowError) as error:
            fault = error
    if port is None:
        return _Server(board, "127.0.0.1", 0)
    reason = getattr(fault, "strerror", "") or str(fault)
    raise UsageError(
        f"cannot listen on port {port}: {reason}",
        remedy="--port 0 takes one that is free; ports from 1024 to 65535 need no rights",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What a browser is given.

    Attributes:
        files: Path below the root of the server, without a slash at its begin, to content; the
            empty path is the page itself.
        notice: What the page is told as it happens, ready for JSON.
    """

    files: Mapping[str, bytes] = field(default_factory=dict)
    notice: Mapping[str, object] = field(default_factory=dict)


class Board:
    """One thread puts up what is shown, others wait until it is something else."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._number = 0
        self._shown = Shown()
        self._closed = False

    @property
    def shown(self) -> Shown:
        """What is shown now."""
        with self._changed:
            return self._shown

    @property
    def closed(self) -> bool:
        """Whether nothing more will be shown."""
        return self._closed

    def show(self, shown: Shown) -> None:
        """Put something up, and wake all who wait."""
        with self._changed:
            self._shown, self._number = shown, self._number + 1
            self._changed.notify_all()

    def close(self) -> None:
        """Send everybody home."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def wait(self, seen: int, seconds: float) -> tuple[int, Shown]:
        """Return what is shown with its number, as soon as that is not the number seen.

        Args:
            seen: Number of what was seen last; -1 for nothing.
            seconds: After so many it returns all the same.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._number != seen, seconds)
            return self._number, self._shown
