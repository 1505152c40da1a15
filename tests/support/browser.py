"""Chromium without a window, driven by its DevTools protocol: opens pages, touches them, reads them, and takes screenshots."""
import base64
import contextlib
import json
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.request

from wall import Control, start, wait_until

# Nothing but the pages of the test: no sandbox (tests run as root), no updates, no look at other hosts.
OPTIONS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-extensions", "--disable-background-networking", "--disable-component-update",
           "--disable-sync", "--disable-default-apps", "--disable-dev-shm-usage", "--hide-scrollbars", "--remote-debugging-port=0"]


class _Page(Control):
    """A page's connection of the DevTools protocol: JSON messages like JSON-RPC's, with notifications in between."""

    def __init__(self, address, path):
        self.path = path
        super().__init__(address)

    def call(self, method, **params):
        self.id += 1
        self.send(json.dumps({"id": self.id, "method": method, "params": params}))
        while True:
            message = self.receive()
            if message.get("id") == self.id:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]


class Browser:
    """One page. Leave it by `close`."""

    def __init__(self, *options):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="lambdawall-browser-"))
        self.process = start("chromium", *OPTIONS, *options, f"--user-data-dir={self.folder}", "about:blank", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                             start_new_session=True)
        port = self.folder / "DevToolsActivePort"
        wait_until(lambda: (port.exists() and "\n" in port.read_text()) or self.process.poll() is not None, 30, "Chromium to start")
        assert self.process.poll() is None, f"Chromium ended with {self.process.returncode}"
        address = f"127.0.0.1:{port.read_text().splitlines()[0]}"
        with urllib.request.urlopen(f"http://{address}/json/list", timeout=10) as reply:
            page = next(target for target in json.load(reply) if target["type"] == "page")
        self.page = _Page(address, page["webSocketDebuggerUrl"].split(address, 1)[1])
        self.page.call("Page.enable")
        self.page.call("Emulation.setTouchEmulationEnabled", enabled=True)

    def close(self):
        with contextlib.suppress(OSError):
            self.page.call("Browser.close")
        with contextlib.suppress(OSError):
            self.page.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait(10)
        shutil.rmtree(self.folder, ignore_errors=True)

    def forget(self):
        """Cookies, which are sessions, and what a page shows."""
        self.page.call("Network.clearBrowserCookies")
        self.open("about:blank")

    def resize(self, width, height):
        self.page.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=True)

    def theme(self, name, contrast="no-preference"):
        self.page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}, {"name": "prefers-contrast", "value": contrast}])

    def open(self, address):
        result = self.page.call("Page.navigate", url=address)
        assert "errorText" not in result, result
        self.wait("document.readyState === 'complete'", "the page to be loaded")

    def value(self, script):
        """Of a script, or of the promise that it returns."""
        result = self.page.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def wait(self, script, what, seconds=10):
        wait_until(lambda: self.value(script), seconds, what)

    def text(self, element):
        return self.value(f"document.querySelector({json.dumps(element)}).textContent")

    def tap(self, element):
        """With a finger, in the middle of an element, wherever that is on the screen."""
        place = self.value(f"""(() => {{ const found = document.querySelector({json.dumps(element)}); found.scrollIntoView({{block: "nearest"}});
          const box = found.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()""")
        point = {"x": place[0], "y": place[1]}
        self.page.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[point])
        time.sleep(0.05)
        self.page.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def type(self, text):
        self.page.call("Input.insertText", text=text)

    def screenshot(self, path):
        pathlib.Path(path).write_bytes(base64.b64decode(self.page.call("Page.captureScreenshot", format="png")["data"]))
