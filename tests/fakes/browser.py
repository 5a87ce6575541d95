"""A real browser, driven by its own protocol over a pipe: real keys, a real pointer, no ports."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any, Self

BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), ""
)
_FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--disable-extensions", "--force-color-profile=srgb", "--hide-scrollbars"),
)
_PATIENCE = 120.0  # seconds without a word after which something is wrong
# What the browser answers for a page that another one replaces while it is asked.
_REPLACED = ("Inspected target navigated", "Execution context was destroyed", "Cannot find context")
_CODES = {"Enter": 13, "Escape": 27, "Tab": 9, " ": 32, "ArrowLeft": 37, "ArrowUp": 38,
          "ArrowRight": 39, "ArrowDown": 40}  # fmt: skip


class ReplacedError(AssertionError):
    """The page that was asked has gone: another one, or itself once more, comes in its place."""


class Browser:
    """One browser with one page, used in a `with` block."""

    def __enter__(self) -> Self:
        self._profile = tempfile.TemporaryDirectory(
            prefix="reportgen-browser-", ignore_cleanup_errors=True
        )
        theirs_in, self._out = os.pipe()
        self._in, theirs_out = os.pipe()
        # The browser reads from descriptor 3 and writes to 4, whatever ours are called.
        wiring = f'exec "$@" 3<&{theirs_in} 4>&{theirs_out}'
        self._process = subprocess.Popen(
            ["bash", "-c", wiring, "browser", BROWSER, *_FLAGS,
             f"--user-data-dir={self._profile.name}", "about:blank"],
            pass_fds=(theirs_in, theirs_out),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(theirs_in)
        os.close(theirs_out)
        self._buffer, self._last, self._session = b"", 0, ""
        self._scripts = True
        self.said: list[str] = []
        self.asked: list[str] = []
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        attached = self.send("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")
        return self

    def __exit__(self, *error: object) -> None:
        self._session = ""
        try:
            self.send("Browser.close")
        except (OSError, EOFError):
            self._process.kill()
        self._process.wait(timeout=30)
        os.close(self._out)
        os.close(self._in)
        self._profile.cleanup()

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a command and return its result; what is reported meanwhile is kept."""
        self._last += 1
        message = {"id": self._last, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while (answer := self._receive()).get("id") != message["id"]:
            self._note(answer)
        if "error" in answer:
            replaced = answer["error"]["message"].startswith(_REPLACED)
            raise (ReplacedError if replaced else AssertionError)(method, answer["error"])
        return answer["result"]

    def open(
        self, path: Path | str, fragment: str = "", *, width: int = 1200, height: int = 900
    ) -> None:
        """Open a file, or an address, and wait until it is loaded and drawn."""
        self.size(width, height)
        self.said.clear()
        self.asked.clear()
        self._loaded = False
        self.send("Page.navigate", url="about:blank")
        while not self._loaded:
            self._note(self._receive())
        self._loaded = False
        self.asked.clear()
        address = path if isinstance(path, str) else path.as_uri()
        self.send("Page.navigate", url=f"{address}{fragment}")
        while not self._loaded:
            self._note(self._receive())
        self.settle()

    def size(self, width: int, height: int) -> None:
        """Give the window a size."""
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)  # fmt: skip

    def media(self, medium: str = "", **features: str) -> None:
        """Pretend to be paper (`print`) or to prefer something (`prefers_color_scheme="dark"`)."""
        chosen = [{"name": k.replace("_", "-"), "value": v} for k, v in features.items()]
        self.send("Emulation.setEmulatedMedia", media=medium, features=chosen)

    def scripts(self, *, allowed: bool) -> None:
        """Let pages run their scripts, or not; ours run all the same, but wait for nothing."""
        self._scripts = allowed
        self.send("Emulation.setScriptExecutionDisabled", value=not allowed)

    def run(self, script: str) -> Any:
        """Return the value of an expression in the page; promises are awaited.

        Asked while it reloads itself, the page that comes is asked again.
        """
        try:
            result = self.send("Runtime.evaluate", expression=script, returnByValue=True,
                               awaitPromise=True, userGesture=True)  # fmt: skip
        except ReplacedError:
            return self.run(script)
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"].get("value")

    def settle(self) -> None:
        """Wait until the page has drawn what it was told, twice over."""
        if not self._scripts:
            return
        self.run("new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))")

    def wait(self, condition: str, seconds: float = 5.0) -> None:
        """Wait until an expression is true in the page."""
        end = time.monotonic() + seconds
        while not self.run(f"Boolean({condition})"):
            assert time.monotonic() < end, f"never came true: {condition}"
            time.sleep(0.02)

    def key(self, key: str, *, shift: bool = False) -> None:
        """Press and release a key."""
        code = _CODES.get(key, ord(key.upper()[0]))
        text = {"Enter": "\r", " ": " "}.get(key, key if len(key) == 1 else "")
        common = {"key": key, "code": key, "windowsVirtualKeyCode": code, "modifiers": 8 * shift}
        self.send("Input.dispatchKeyEvent", type="keyDown", text=text, **common)
        self.send("Input.dispatchKeyEvent", type="keyUp", **common)

    def write(self, text: str) -> None:
        """Write into the field that has the focus."""
        self.send("Input.insertText", text=text)

    def centre(self, selector: str) -> tuple[float, float]:
        """Bring an element into view and return where its middle is."""
        box = self.run(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
            " e.scrollIntoView({ block: 'center', behavior: 'instant' });"
            " const b = e.getBoundingClientRect();"
            " return [b.x + b.width / 2, b.y + b.height / 2]; })()"
        )
        return box[0], box[1]

    def point(self, x: float, y: float, kind: str = "mouseMoved", **more: Any) -> None:
        """Move, press or release the mouse, or turn its wheel."""
        self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def hover(self, selector: str) -> None:
        """Put the pointer on an element."""
        self.point(*self.centre(selector))

    def click(self, selector: str) -> None:
        """Click an element where it is."""
        self.press(*self.centre(selector))

    def press(self, x: float, y: float, times: int = 1) -> None:
        """Click a place."""
        self.point(x, y)
        for count in range(1, times + 1):
            for kind in ("mousePressed", "mouseReleased"):
                self.point(x, y, kind, button="left", buttons=1, clickCount=count)

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Drag from one place to another."""
        self.point(*start)
        self.point(*start, "mousePressed", button="left", buttons=1, clickCount=1)
        for share in (0.3, 0.6, 1.0):
            x, y = (a + (b - a) * share for a, b in zip(start, end, strict=True))
            self.point(x, y, button="left", buttons=1)
        self.point(*end, "mouseReleased", button="left", buttons=0, clickCount=1)

    def picture(self, path: Path, *, whole: bool = False) -> None:
        """Write what the window shows, or the whole page, as PNG."""
        shot = self.send("Page.captureScreenshot", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(shot["data"]))

    def paper(self) -> bytes:
        """Return the page as it is printed, in PDF."""
        printed = self.send("Page.printToPDF", preferCSSPageSize=True)
        return base64.b64decode(printed["data"])

    def _receive(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            assert select.select([self._in], [], [], _PATIENCE)[0], "the browser does not answer"
            piece = os.read(self._in, 1 << 20)
            if not piece:
                raise EOFError("the browser has closed its pipe")
            self._buffer += piece
        message, self._buffer = self._buffer.split(b"\0", 1)
        return json.loads(message)

    def _note(self, message: dict[str, Any]) -> None:
        """Keep what the page says and what it asks of the network."""
        method, params = message.get("method", ""), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.said.append(json.dumps(params["exceptionDetails"]))
        elif method == "Runtime.consoleAPICalled":
            self.said.append(json.dumps(params["args"]))
        elif method == "Log.entryAdded":
            self.said.append(params["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.asked.append(params["request"]["url"])
        elif method == "Page.loadEventFired":
            self._loaded = True
