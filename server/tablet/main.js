// Joins the parts of the page: logs in, follows the server, and shows what it says.
import {Health} from "./health.js";
import {Library} from "./library.js";
import {Link} from "./link.js";
import {Playlist} from "./playlist.js";
import {Sound} from "./sound.js";
import {Transport} from "./transport.js";
import {element} from "./words.js";

const waitSeconds = 2;
const toastSeconds = 6;
const names = {play: "play", pause: "pause", stop: "stop", seek: "seek", loop: "loop", load: "load", next: "go to the next entry", sound: "change the sound"};
const roles = {view: "Viewer", operate: "Operator"};

let role = "view";
let revision = -1;
let libraryRevision = -1;
let toastTimer = 0;

const link = new Link();
const health = new Health(() => link.connectNow());
const library = new Library((name, button) => request("load", {name}, button), lock);
const playlist = new Playlist(library);
const transport = new Transport(library, request);
const sound = new Sound(request);

function toast(text) {
  clearTimeout(toastTimer);
  element("toast").textContent = text;
  element("toast").hidden = false;
  toastTimer = setTimeout(() => (element("toast").hidden = true), toastSeconds * 1000);
}

// A control that the role does not permit, that has nothing to act on, or that nobody would hear, is disabled.
function lock(control) {
  const permitted = role === control.dataset.needs;
  const useful = !("nothing" in control.dataset) && !("unfit" in control.dataset);
  control.disabled = !permitted || !useful || !link.isOpen;
  if (!permitted) control.title = "Needs the role Operator";
  else if (control.title.startsWith("Needs ")) control.title = control.getAttribute("aria-label") ?? "";
}

function lockAll() {
  for (const control of document.querySelectorAll("[data-needs]")) lock(control);
}

// Calls the server; the control waits until the server has answered.
async function request(method, params, control) {
  control.setAttribute("aria-busy", "true");
  const waits = setTimeout(() => toast(`Waiting for the server to ${names[method]}`), waitSeconds * 1000);
  try {
    showState(await link.call(method, params));
  } catch (error) {
    toast(error.message);
  } finally {
    clearTimeout(waits);
    control.removeAttribute("aria-busy");
  }
}

function showState(state) {
  revision = state.revision;
  transport.setState(state);
  transport.show(state);
  playlist.show(state);
  sound.show(state.sound);
  library.show(state.name ?? "");
  lockAll();
}

async function follow(summary) {
  health.show(summary);
  transport.show(summary);
  if (summary.library !== libraryRevision) {
    libraryRevision = summary.library;
    await library.read(link);
    revision = -1;  // titles in the playlist may have changed
  }
  if (summary.revision !== revision) {
    revision = summary.revision;
    showState(await link.call("state"));
  }
  lockAll();
}

async function begin() {
  const info = await link.call("info");
  role = info.you.role;
  element("connection").textContent = `${info.wall.name} · ${location.host}`;
  element("role").textContent = roles[role] ?? role;
  libraryRevision = revision = -1;
  const reply = await link.call("summary");
  health.setWall(reply);
  await follow(reply.summary);
}

function showLogin(problem = "") {
  element("wall").hidden = true;
  element("login").hidden = false;
  element("login-problem").textContent = problem;
  element("ticket").focus();
}

function showWall() {
  element("login").hidden = true;
  element("wall").hidden = false;
  link.start();
}

async function logIn(ticket) {
  element("login-button").setAttribute("aria-busy", "true");
  element("login-problem").textContent = "";
  try {
    const reply = await fetch("/tablet/login", {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify({ticket})});
    if (!reply.ok) return showLogin(await reply.text());
    element("ticket").value = "";
    showWall();
  } catch {
    showLogin("No answer from the server.");
  } finally {
    element("login-button").removeAttribute("aria-busy");
  }
}

link.addEventListener("open", () => begin().catch((error) => toast(error.message)));
link.addEventListener("summary", (event) => follow(event.detail).catch((error) => toast(error.message)));
link.addEventListener("closed", (event) => {
  health.showLost(event.detail.seconds);
  lockAll();
});
link.addEventListener("ended", () => showLogin("The session has ended."));
element("next").addEventListener("click", (event) => request("next", {}, event.currentTarget));
element("logout").addEventListener("click", async () => {
  link.stop();
  await fetch("/tablet/logout", {method: "POST"}).catch(() => {});
  showLogin();
});
element("login-form").addEventListener("submit", (event) => {
  event.preventDefault();
  logIn(element("ticket").value);
});

// A scanned ticket stands behind '#'. It leaves the address at once.
const scanned = location.hash.slice(1);
if (scanned) history.replaceState(null, "", location.pathname);
const session = scanned ? false : await fetch("/tablet/session", {cache: "no-store"}).then((reply) => reply.ok, () => false);
if (scanned) await logIn(scanned);
else if (session) showWall();
else showLogin();
