"""A report that follows its inputs in a browser on this machine."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable

from reportgen.app.building import targets
from reportgen.app.following import BUILDING, CURRENT, WAITING, Pace, Round, Tell, follow
from reportgen.app.live import Board, Shown, serving
from reportgen.app.options import BuildOptions, Notify, silent
from reportgen.records.record import replace

Ready = Callable[[int], None]


def serve(
    options: BuildOptions,
    tell: Tell,
    *,
    stop: threading.Event,
    ready: Ready,
    port: int | None = None,
    writes: bool = True,
    pace: Pace | None = None,
    notify: Notify = silent,
) -> None:
    """Follow the inputs of a report and show it on the loopback interface until `stop` is set.

    Args:
        options: What to build; HTML is always among the formats.
        tell: Called with each round, from this thread.
        stop: Ends it.
        ready: Called with the port once the server answers.
        port: Where to listen; 0 takes any that is free, None the usual one or one of the next.
        writes: Whether the report is written to `options.out` as well.
        pace: How fast changes are followed.
        notify: Called with (stage, done, total) on long work.

    Raises:
        UsageError: The port is taken, or what is asked for cannot be built at all.
        OutputError: The output cannot be written from the beginning.
    """
    _, stem, endings = targets(options)
    if "html" not in endings:
        options = replace(options, formats=(*endings, "html"))
    board = Board()
    window = _Window(board, f"{stem}.html", str(options.settings.get("lang", "")))
    with serving(board, port) as chosen:
        ready(chosen)

        def show(round_: Round) -> None:
            window.show(round_)
            tell(round_)

        follow(options, show, stop=stop, pace=pace, writes=writes, notify=notify)


class _Window:
    """Turns rounds into what the browser is given.

    Args:
        board: Where it is put up.
        main: Name of the page among the report's files.
        lang: Language asked for on the command line, or empty.
    """

    def __init__(self, board: Board, main: str, lang: str) -> None:
        self._board, self._main, self._lang = board, main, lang or "en"
        self._version = ""
        self._time = ""
        self._links: list[str] = []
        self.show(Round(state=WAITING))

    def show(self, round_: Round) -> None:
        """Put a round up; what fails leaves the files of the last good report there."""
        from reportgen.render import live_page, waiting_page

        files = dict(self._board.shown.files)
        # The page comes while the PDF is still being made; until then the one before it stays.
        if page := round_.files.get(self._main):
            self._version = hashlib.sha256(page).hexdigest()[:16]
            self._time = time.strftime("%H:%M:%S")
            files = dict(round_.files) if round_.state == CURRENT else files | dict(round_.files)
            self._lang = _lang_of(page, self._lang)
            self._links = [name for name in files if name.endswith(".pdf") and "/" not in name]
            notice = self._notice(round_)
            text = live_page(page.decode(errors="replace"), self._lang, notice)
            files[""] = text.encode(errors="replace")
        elif not self._version:
            notice = self._notice(round_)
            files = {"": waiting_page(self._lang, notice).encode()}
        self._board.show(Shown(files=files, notice=self._notice(round_)))

    def _notice(self, round_: Round) -> dict[str, object]:
        """Return what the page is told of a round."""
        state = BUILDING if round_.under_way else round_.state
        state = WAITING if state == BUILDING and not self._version else state
        told: dict[str, object] = {"state": state, "version": self._version, "time": self._time}
        told["links"] = self._links
        if round_.fault is not None:
            told["letter"] = str(round_.fault)
        return told


def _lang_of(page: bytes, otherwise: str) -> str:
    """Return the language that a page says it is in, where it is one of ours."""
    import re

    from reportgen.languages import LANGUAGES

    found = re.search(rb'<html[^>]*\blang="([a-z]{2})"', page[:2000])
    lang = found[1].decode() if found else ""
    return lang if lang in LANGUAGES else otherwise
