"""The page for tablets in a real browser, with and without TLS: a ticket lets it in, fingers play and pause the wall, and pages from
elsewhere get nothing.

Screenshots go to the folder in LW_PICTURES, if it is set."""
import functools
import http.server
import json
import os
import pathlib
import shutil
import sys
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import real_time  # noqa: E402
from browser import Browser  # noqa: E402
from wall import Wall, port_open, program, run, start, stop, wait_until  # noqa: E402

# Controls smaller than a finger, and texts that are cut off, in what is visible. An ellipsis is meant where the style asks for it.
TOO_SMALL = """[...document.querySelectorAll("button, input")].filter((control) => control.checkVisibility())
  .map((control) => [control.id || control.textContent, control.getBoundingClientRect()])
  .filter(([, box]) => box.width < 44 || box.height < 44).map(([name, box]) => `${name} ${box.width}x${box.height}`)"""
WIDTH = "document.documentElement.scrollWidth"
NAMELESS = """[...document.querySelectorAll("button, input")]
  .filter((control) => !(control.getAttribute("aria-label") || control.textContent.trim() || control.labels?.length)).map((control) => control.outerHTML)"""
# A page's attempts to reach the wall: what the WebSocket and the requests said.
ATTEMPTS = """(async (wall) => {
  const socket = await new Promise((resolve) => {
    const socket = new WebSocket(`ws://${wall}/tablet/socket`);
    socket.onopen = () => resolve("open");
    socket.onclose = () => resolve("refused");
  });
  const login = await fetch(`http://${wall}/tablet/login`, {method: "POST", credentials: "include", body: "{}"}).then((reply) => reply.status, () => "refused");
  const session = await fetch(`http://${wall}/tablet/session`, {credentials: "include"}).then((reply) => reply.status, () => "refused");
  return [socket, login, session];
})"""


@unittest.skipUnless(shutil.which("chromium"), "chromium is missing: scripts/install-deps test")
class Tablet(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.wall = Wall(2, 2, tile=(160, 100), bezel=(4, 4), nodes={"left": [(0, 0), (0, 1)], "right": [(1, 0), (1, 1)]}, audio=["left"])
        frames = cls.wall.folder / "frames"
        width, height = cls.wall.picture
        made = run(program("wall-samples"), "--out", frames, "--size", f"{width}x{height}", "--frames", 60, "--particles", 20)
        assert made.returncode == 0, made.stderr
        cls.wall.ingest(frames / "cosmos-2d", "cosmos-2d", "--title", "Cosmic web, whole domain", "--tag", "cosmology")
        cls.wall.ingest(frames / "cosmos-3d", "cosmos-3d", "--title", "Flight through the cosmic web", "--tag", "cosmology")
        cls.wall.ingest(frames / "cosmos-3d", "slow", "--title", "The same flight, slower", "--rate", "10")
        # The server listens on all addresses, and therefore with TLS; on loopback also without.
        cls.port = cls.wall.control.rsplit(":", 1)[1]
        cls.server_file = cls.wall.folder / "server.toml"
        cls.server_file.write_text(cls.wall.file.read_text().replace(cls.wall.control, f"0.0.0.0:{cls.port}"))
        cls.processes = [cls.wall.client("left", "--headless"), cls.wall.client("right", "--headless"), cls.start_server()]
        cls.browser = Browser("--ignore-certificate-errors")
        cls.pictures = pathlib.Path(os.environ.get("LW_PICTURES") or cls.wall.folder / "pictures")
        cls.pictures.mkdir(parents=True, exist_ok=True)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        for process in cls.processes:
            assert stop(process) == 0

    def setUp(self):
        self.browser.forget()
        self.browser.theme("dark")

    @classmethod
    def start_server(cls):
        server = start(program("wall-server"), "--wall", cls.server_file, "--content", cls.wall.content, "--state", cls.wall.folder / "state")
        wait_until(lambda: port_open(cls.wall.control), 10, "the server's control port")
        return server

    @property
    def address(self):
        return f"https://{self.wall.control}/tablet"

    def log_in(self, tls=True, **params):
        """By the link that a QR code would have."""
        ticket = self.wall.call("tablet_ticket", **params)
        self.browser.open(self.link_of(ticket, tls))
        self.browser.wait("document.getElementById('cards')?.children.length === 3", "the library")
        return ticket

    def link_of(self, ticket, tls=True):
        """By the address of loopback: the host's name may lead nowhere without a network."""
        self.assertRegex(ticket["link"], f"^https://[^/]+:{self.port}/tablet#[0-9A-Z]{{8}}$")
        return f"http{'s' if tls else ''}://{self.wall.control}/tablet#{ticket['link'].split('#')[1]}"

    def state(self, *members):
        state = self.wall.call("state")
        return tuple(state.get(member) for member in members)

    def test_a_ticket_lets_a_browser_in_and_fingers_drive_the_wall(self):
        browser = self.browser
        self.wall.call("stop")
        browser.resize(800, 1280)
        browser.open(self.address)
        browser.wait("!document.getElementById('login').hidden", "the login")
        browser.screenshot(self.pictures / "tablet-login.png")
        ticket = self.wall.call("tablet_ticket")
        self.assertRegex(ticket["address"], f"^https://[^/]+:{self.port}/tablet$")
        self.assertRegex(ticket["fingerprint"], "^sha256:[0-9a-f]{64}$")
        browser.tap("#ticket")
        browser.type("0000-0000")
        browser.tap("#login-button")
        browser.wait("document.getElementById('login-problem').textContent.includes('not valid')", "the refusal")
        browser.value("document.getElementById('ticket').value = ''")
        browser.tap("#ticket")
        browser.type(ticket["ticket"].lower())
        browser.tap("#login-button")
        browser.wait("document.getElementById('cards').children.length === 3", "the library")
        self.assertEqual(browser.value("document.cookie"), "")
        self.assertEqual(browser.text("#answer-words"), "Nothing is playing")
        self.assertEqual(browser.text("#role"), "Operator")

        browser.tap("[data-name='cosmos-3d'] button")
        wait_until(lambda: self.state("status", "name") == ("playing", "cosmos-3d"), 5, "the wall to play")
        browser.wait("document.getElementById('play').dataset.status === 'playing'", "the page to see it")
        self.assertEqual(browser.text("#playing-title"), "Flight through the cosmic web")
        browser.tap("#play")
        wait_until(lambda: self.state("status") == ("paused",), 5, "the wall to pause")
        browser.wait("document.getElementById('play').getAttribute('aria-label') === 'Play'", "the button to say so")
        browser.tap("#play")
        wait_until(lambda: self.state("status") == ("playing",), 5, "the wall to play on")
        before = self.state("loop")[0]
        browser.tap("#loop")
        wait_until(lambda: self.state("loop")[0] != before, 5, "the loop to change")
        browser.tap("#loop")
        wait_until(lambda: self.state("loop")[0] == before, 5, "the loop to change back")
        browser.tap("#play")
        wait_until(lambda: self.state("status") == ("paused",), 5, "the wall to pause")
        browser.tap("#seek")
        wait_until(lambda: 20 < self.state("frame")[0] < 40, 5, "the middle")
        # By keyboard.
        browser.value("document.getElementById('to-start').focus()")
        for kind in ("rawKeyDown", "char", "keyUp"):
            browser.page.call("Input.dispatchKeyEvent", type=kind, key="Enter", code="Enter", text="\r", windowsVirtualKeyCode=13)
        wait_until(lambda: self.state("frame") == (0,), 5, "the first frame")

        browser.tap("#mute")
        wait_until(lambda: self.state("sound") == ({"gain_db": 0.0, "muted": True},), 5, "silence")
        browser.wait("document.getElementById('volume-words').textContent === '0 dB, muted'", "the page to say so")
        browser.tap("#mute")
        browser.tap("#volume")
        wait_until(lambda: not self.state("sound")[0]["muted"] and abs(self.state("sound")[0]["gain_db"] + 30) < 3, 5, "the middle of the volume")
        browser.wait("document.getElementById('volume-words').textContent === `${document.getElementById('volume').value} dB`", "the page to see it")

        self.wall.call("playlist", entries=[{"name": "cosmos-2d", "loops": 3}, {"name": "cosmos-3d", "seconds": 60, "transition": "fade", "fade_ms": 2000}], repeat=True)
        browser.wait("document.getElementById('entries').children.length >= 2", "the playlist")
        browser.tap("#next")
        wait_until(lambda: self.state("status", "name") == ("playing", "cosmos-2d"), 5, "the next entry")
        browser.wait("document.getElementById('playing-title').textContent === 'Cosmic web, whole domain'", "the page to see it")
        browser.wait("/^[0-9.]+$/.test(document.querySelector('#figure-skew_us_p99 .value').textContent)", "the figures", 15)
        browser.wait("[...document.images].filter((image) => image.checkVisibility()).every((image) => image.complete && image.naturalWidth > 0)", "the posters")
        self.look("portrait", 800, 1280)
        self.look("landscape", 1280, 800)
        self.look("phone", 412, 915)
        self.look("phone-landscape", 915, 412)
        browser.theme("light")
        self.look("light", 1280, 800)
        browser.theme("dark", contrast="more")
        self.look("contrast", 1280, 800)
        browser.theme("dark")
        browser.resize(800, 1280)

        browser.tap("#stop")
        wait_until(lambda: self.state("status") == ("stopped",), 5, "the wall to stop")
        browser.wait("document.getElementById('answer-words').textContent === 'Nothing is playing'", "the page to see it")
        # The ticket is used up; the session ends when the page logs out, and not before.
        login = f"fetch('/tablet/login', {{method: 'POST', body: JSON.stringify({{ticket: {json.dumps(ticket['ticket'])}}})}}).then((reply) => reply.status)"
        self.assertEqual(browser.value("fetch('/tablet/session').then((reply) => reply.status)"), 204)
        browser.tap("#logout")
        browser.wait("!document.getElementById('login').hidden", "the login")
        self.assertEqual(browser.value("fetch('/tablet/session').then((reply) => reply.status)"), 401)
        self.assertEqual(browser.value(login), 403)

    def look(self, name, width, height):
        """A screenshot, of a page on which nothing is too small to touch, nameless or out of sight."""
        self.browser.resize(width, height)
        self.browser.value("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(true))))")
        self.browser.screenshot(self.pictures / f"tablet-{name}.png")
        self.assertEqual(self.browser.value(TOO_SMALL), [], name)
        self.assertLessEqual(self.browser.value(WIDTH), width, name)
        self.assertEqual(self.browser.value(NAMELESS), [], name)

    def test_a_link_logs_in_once_and_leaves_no_trace(self):
        ticket = self.log_in()
        self.assertEqual(self.browser.value("location.href"), self.address)
        self.browser.open("about:blank")
        self.browser.open(self.address)
        self.browser.wait("!document.getElementById('wall').hidden", "the session to be found again")
        self.browser.open("about:blank")
        self.browser.open(self.link_of(ticket))
        self.browser.wait("document.getElementById('login-problem').textContent.includes('was used')", "the refusal")

    def test_a_viewer_sees_everything_and_can_press_nothing(self):
        self.wall.call("load", name="cosmos-2d")
        self.log_in(tls=False, role="view")
        self.browser.wait("document.getElementById('playing-title').textContent === 'Cosmic web, whole domain'", "what plays")
        self.assertEqual(self.browser.text("#role"), "Viewer")
        self.assertEqual(self.browser.value("[...document.querySelectorAll('[data-needs]')].filter((control) => !control.disabled).length"), 0)
        self.assertEqual(self.browser.value("document.getElementById('play').title"), "Needs the role Operator")
        self.browser.tap("#play")
        self.browser.tap("[data-name='cosmos-3d'] button")
        self.assertEqual(self.state("status", "name"), ("playing", "cosmos-2d"))

    def test_a_page_from_elsewhere_gets_nothing_even_with_the_session(self):
        """Another port of the same host: browsers send it the same cookies, and call it the same site."""
        self.log_in(tls=False)
        self.assertEqual(self.browser.value(f"{ATTEMPTS}({json.dumps(self.wall.control)})"), ["open", 400, 204])
        elsewhere = self.wall.folder / "elsewhere"
        elsewhere.mkdir()
        (elsewhere / "index.html").write_text("<!doctype html><title>elsewhere</title>")
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=elsewhere))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        for name in ("127.0.0.1", "localhost"):
            self.browser.open(f"http://{name}:{server.server_port}/")
            self.assertEqual(self.browser.value(f"{ATTEMPTS}({json.dumps(self.wall.control)})"), ["refused", "refused", "refused"], name)

    def test_titles_are_text_whatever_is_in_them_and_changes_arrive(self):
        self.log_in(role="view")
        title = "<img src=x onerror=\"document.title='script'\"> & more"
        self.wall.call("describe", name="slow", title=title)
        self.browser.wait(f"document.querySelector(\"[data-name='slow'] h3\").textContent === {json.dumps(title)}", "the new title")
        self.wall.call("describe", name="slow", title="The same flight, slower")
        self.browser.wait("document.querySelector(\"[data-name='slow'] h3\").textContent === 'The same flight, slower'", "the old title")
        self.assertEqual(self.browser.value("document.title"), "Lambdawall")

    def test_the_page_says_when_the_connection_is_lost_and_comes_back(self):
        self.log_in()
        self.browser.wait("!document.getElementById('wall').classList.contains('stale')", "the connection")
        server = self.processes[-1]
        self.assertEqual(stop(server), 0)
        self.browser.wait("document.getElementById('answer-words').textContent === 'No connection'", "the page to notice")
        self.assertTrue(self.browser.value("document.getElementById('play').disabled"))
        self.browser.screenshot(self.pictures / "tablet-lost.png")
        self.processes[-1] = self.start_server()
        # Sessions end with the server.
        self.browser.tap("#try-now")
        self.browser.wait("document.getElementById('login-problem').textContent === 'The session has ended.'", "the login", 20)


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


if __name__ == "__main__":
    real_time.main()
