"""The server of a report: its own files to this machine, and nothing else to anybody."""

import http.client
import json
import socket
import threading
import time
from contextlib import ExitStack, contextmanager

import pytest
from fakes.jobs import PATIENCE_S, wait_until

from reportgen.app.live import PORT, Board, Shown, serving
from reportgen.app.live import server as module
from reportgen.records.errors import UsageError

FILES = {
    "": b"<p>live</p>",
    "report.html": b"<p>file</p>",
    "report.pdf": b"%PDF",
    "report_files/a b.svg": b"<svg/>",
    "report.tex": b"x",
}


@pytest.fixture
def board():
    board = Board()
    board.show(Shown(files=FILES, notice={"state": "current", "version": "1"}))
    return board


@pytest.fixture(scope="module")
def port():
    board = Board()
    board.show(Shown(files=FILES, notice={"state": "current", "version": "1"}))
    with serving(board, 0) as port:
        yield port


def ask(port, path="/", method="GET", address="127.0.0.1", **headers):
    connection = http.client.HTTPConnection(address, port, timeout=PATIENCE_S)
    connection.putrequest(method, path, skip_host="host" in headers)
    for name, value in headers.items():
        for one in [value] if isinstance(value, str) else value:
            connection.putheader(name, one)
    connection.endheaders()
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return answer, content


def raw(port, content, seconds=PATIENCE_S):
    """Return all that the server says to some bytes before it hangs up."""
    with socket.create_connection(("127.0.0.1", port), timeout=seconds) as line:
        line.sendall(content)
        found = b""
        while piece := line.recv(1 << 16):
            found += piece
    return found


@pytest.mark.parametrize(
    ("path", "content", "kind"),
    [
        ("/", FILES[""], "text/html; charset=utf-8"),
        ("/?x=1", FILES[""], "text/html; charset=utf-8"),
        ("/report.html", FILES["report.html"], "text/html; charset=utf-8"),
        ("/report.pdf", FILES["report.pdf"], "application/pdf"),
        ("/report_files/a%20b.svg", b"<svg/>", "image/svg+xml"),
        ("/report.tex", b"x", "text/plain; charset=utf-8"),
    ],
)
def test_the_files_of_the_report_are_served(port, path, content, kind):
    answer, found = ask(port, path)
    assert (answer.status, found, answer.headers["Content-Type"]) == (200, content, kind)
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert answer.headers["Cache-Control"] == "no-store"
    assert "Access-Control-Allow-Origin" not in answer.headers
    assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]


def test_asking_for_the_head_alone_gives_the_head_alone(port):
    answer, content = ask(port, "/report.pdf", method="HEAD")
    assert (answer.status, answer.headers["Content-Length"], content) == (200, "4", b"")


@pytest.mark.parametrize(
    "path",
    [
        "/../../../../etc/passwd", "/..%2f..%2fetc%2fpasswd", "/%2e%2e/%2e%2e/etc/passwd",
        "//etc/passwd", "/etc/passwd", "/report_files/", "/report_files/../report.html",
        "/.git/config", "/report.html/", "/report.json", "/%00", "/C:\\Windows\\win.ini",
        "/_live/", "/./report.html", "http://127.0.0.1/etc/passwd", "*",
    ],
)  # fmt: skip
def test_nothing_else_is(port, path):
    answer, content = ask(port, path)
    assert (answer.status, content) == (404, b"This is no file of the report.\n")


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.evil.example",
     "evil.example@127.0.0.1", "192.168.1.1", "", "127.0.0.1:x", "[::1", "127.0.0.2",
     ["localhost", "evil.example"]],
)  # fmt: skip
@pytest.mark.parametrize("path", ["/", "/report.json", "/_live"])
def test_a_name_that_somebody_made_point_here_is_refused(port, host, path):
    answer, content = ask(port, path, host=host)
    assert answer.status == 421
    assert b"live" not in content


def test_a_request_without_a_host_is_refused(port):
    assert b" 421 " in raw(port, b"GET / HTTP/1.0\r\n\r\n")


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:9000", "127.0.0.1:1", "[::1]:8377"])
def test_the_names_of_this_machine_are_known_whatever_the_port(port, host):
    # A tunnel ends at another port than the server's.
    assert ask(port, host=host)[0].status == 200


@pytest.mark.parametrize(
    "method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "BREW"]
)
def test_there_is_nothing_to_write_to(port, method):
    answer, content = ask(port, "/report.html", method=method)
    assert (answer.status, answer.headers["Allow"]) == (405, "GET, HEAD")
    assert content == b"Reports are read: GET or HEAD.\n"


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"nonsense\r\n\r\n", b""),
        (b"GET /<script> HTTP/9.9\r\n\r\n", b"Version Not Supported"),
        (b"GET / HTTP/1.1 <b>\r\n\r\n", b"Bad Request"),
        (b"GET /" + b"a" * 70_000 + b" HTTP/1.0\r\n\r\n", b" 414 "),
        (b"GET / HTTP/1.0\r\n" + b"A: b\r\n" * 200 + b"\r\n", b" 431 "),
    ],
)
def test_what_is_no_request_is_answered_without_repeating_it(port, request_, status):
    answer = raw(port, request_)
    assert status in answer
    assert b"<" not in answer


def test_it_listens_on_the_loopback_interface_alone(board):
    with serving(board, 0) as port:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
            try:
                line.connect(("192.0.2.1", 9))
                own = line.getsockname()[0]
            except OSError:
                pytest.skip("this machine has no other address")
        with pytest.raises(OSError):
            socket.create_connection((own, port), timeout=PATIENCE_S).close()


def test_the_other_loopback_address_answers_too(port):
    try:
        answer, _ = ask(port, address="::1")
    except OSError:
        pytest.skip("this machine has no ::1")
    assert answer.status == 200


def test_notices_come_as_they_are_put_up(board):
    with serving(board, 0) as port:
        stream = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        stream.request("GET", "/_live")
        answer = stream.getresponse()
        assert answer.headers["Content-Type"].startswith("text/event-stream")
        assert next_notice(answer)["version"] == "1"
        board.show(Shown(files=FILES, notice={"state": "failed", "letter": "a\nb"}))
        assert next_notice(answer) == {"state": "failed", "letter": "a\nb"}
        stream.close()


def next_notice(answer):
    while not (line := answer.readline()).startswith(b"data: "):
        assert line
    return json.loads(line[6:])


def test_more_pages_than_anybody_has_open_are_sent_away(board):
    with serving(board, 0) as port:
        _open_too_many(port)


def _open_too_many(port):
    lines = []
    for _ in range(module.MOST_STREAMS):
        line = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)
        line.sendall(b"GET /_live HTTP/1.0\r\nHost: localhost\r\n\r\n")
        assert b" 200 " in line.recv(100)
        lines.append(line)
    assert ask(port, "/_live")[0].status == 503
    assert ask(port, "/")[0].status == 200
    for line in lines:
        line.close()


def test_those_who_say_nothing_are_hung_up_on(board, monkeypatch):
    monkeypatch.setattr(module, "PATIENCE", 0.5)
    with serving(board, 0) as port:
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as line:
            # A byte now and then would keep a limit on each read from ever being met.
            feeder = threading.Thread(target=_trickle, args=(line,), daemon=True)
            feeder.start()
            assert line.recv(1) == b""
        feeder.join()


def _trickle(line):
    try:
        for byte in b"GET / HTTP/1.0\r\nX: " + b"y" * 1000:
            line.sendall(bytes([byte]))
            time.sleep(0.1)
    except OSError:
        pass


@contextmanager
def asking(port, count, *said):
    """Hold connections that have said one of these in turn, and neither say more nor read."""
    with ExitStack() as stack:
        lines = []
        for k in range(count):
            line = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)
            lines.append(stack.enter_context(line))
            line.sendall(said[k % len(said)])
        yield lines


def test_many_who_say_nothing_or_not_all_keep_nobody_away(board, monkeypatch):
    # By themselves the connections would be in the way for an hour.
    monkeypatch.setattr(module, "PATIENCE", 3600)
    begun = b"GET / HTTP/1.0\r\nHost: localho"
    with serving(board, 0) as port, asking(port, 3 * module.MOST_CONNECTIONS, b"", begun) as lines:
        for path in ("/", "/report.pdf", "/report.html"):
            assert ask(port, path)[0].status == 200
        lines[-1].settimeout(0.1)
        with pytest.raises(TimeoutError):
            lines[-1].recv(1)


WHOLE = b"GET /report.pdf HTTP/1.0\r\nHost: localhost\r\n\r\n"


@pytest.mark.parametrize(("slow", "room"), [(0.2, True), (3600, False)])
def test_answers_that_nobody_takes_make_room_in_the_end(board, monkeypatch, slow, room):
    monkeypatch.setattr(module, "MOST_CONNECTIONS", 4)
    monkeypatch.setattr(module, "SLOW", slow)
    board.show(Shown(files={"": b"page", "report.pdf": bytes(40_000_000)}))
    with serving(board, 0) as port, asking(port, 4, WHOLE) as lines:
        for line in lines:
            assert line.recv(1, socket.MSG_PEEK)
        if room:
            wait_until(lambda: ask_safely(port) == 200)
        else:
            assert ask_safely(port) is None


def ask_safely(port):
    try:
        return ask(port)[0].status
    except (OSError, http.client.HTTPException):
        return None


def test_a_port_that_is_taken_is_said(board):
    with serving(board, 0) as port, pytest.raises(UsageError, match=f"port {port}"):
        serving(board, port).__enter__()


@pytest.mark.parametrize("port", [-1, 70_000])
def test_a_port_that_is_none_is_said(board, port):
    with pytest.raises(UsageError, match="cannot listen"):
        serving(board, port).__enter__()


def test_another_port_is_chosen_where_the_usual_one_is_taken(board):
    with serving(Board()) as first, serving(board) as second:
        assert first >= PORT
        assert second != first


def test_the_server_ends_with_its_block_and_streams_with_it(board):
    with serving(board, 0) as port:
        line = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)
        line.sendall(b"GET /_live HTTP/1.0\r\nHost: localhost\r\n\r\n")
        assert b" 200 " in line.recv(100)
    while line.recv(1000):
        pass
    line.close()
    with pytest.raises(OSError):
        socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S).close()
