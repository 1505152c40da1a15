// The connection to the server: JSON-RPC 2.0 over a WebSocket of this page's origin. It connects again by itself, closes while
// the page is hidden, and reports by events: "open", "closed" (detail: {why, seconds}), "ended" (no session), and each notification.

const retryFirst = 1;
const retryMax = 15;
const callSeconds = 10;

export class Link extends EventTarget {
  #socket = null;
  #calls = new Map();
  #number = 0;
  #retry = retryFirst;
  #timer = 0;
  #wanted = false;

  constructor() {
    super();
    document.addEventListener("visibilitychange", () => {
      if (!this.#wanted) return;
      if (document.hidden) this.#close();
      else this.connectNow();
    });
  }

  get isOpen() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  start() {
    this.#wanted = true;
    this.connectNow();
  }

  stop() {
    this.#wanted = false;
    this.#close();
  }

  connectNow() {
    clearTimeout(this.#timer);
    if (this.#socket || !this.#wanted) return;
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/tablet/socket`);
    this.#socket = socket;
    socket.addEventListener("open", () => {
      this.#retry = retryFirst;
      this.dispatchEvent(new Event("open"));
    });
    socket.addEventListener("message", (event) => this.#take(event.data));
    socket.addEventListener("close", () => {
      if (this.#socket === socket) this.#lost();
    });
  }

  // The result of a method; an Error with the server's text if it refuses.
  call(method, params = {}) {
    if (!this.isOpen) return Promise.reject(new Error("There is no connection to the server."));
    const id = ++this.#number;
    this.#socket.send(JSON.stringify({jsonrpc: "2.0", id, method, params}));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#settle(id, (call) => call.reject(new Error("The server does not answer."))), callSeconds * 1000);
      this.#calls.set(id, {resolve, reject, timer});
    });
  }

  #settle(id, how) {
    const call = this.#calls.get(id);
    if (!call) return;
    this.#calls.delete(id);
    clearTimeout(call.timer);
    how(call);
  }

  #take(text) {
    const message = JSON.parse(text);
    if (message.method) this.dispatchEvent(new CustomEvent(message.method, {detail: message.params}));
    else if (message.error) this.#settle(message.id, (call) => call.reject(new Error(message.error.message)));
    else this.#settle(message.id, (call) => call.resolve(message.result));
  }

  #close() {
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    this.#fail();
  }

  #fail() {
    for (const id of [...this.#calls.keys()]) this.#settle(id, (call) => call.reject(new Error("The connection was lost.")));
  }

  // Browsers do not say why a WebSocket was refused: asks whether there still is a session.
  async #lost() {
    this.#socket = null;
    this.#fail();
    const ended = await fetch("/tablet/session", {cache: "no-store"}).then((reply) => reply.status === 401, () => false);
    if (!this.#wanted || this.#socket) return;
    if (ended) {
      this.#wanted = false;
      this.dispatchEvent(new Event("ended"));
      return;
    }
    const seconds = this.#retry;
    this.#retry = Math.min(retryMax, this.#retry * 2);
    this.#timer = setTimeout(() => this.connectNow(), seconds * 1000);
    this.dispatchEvent(new CustomEvent("closed", {detail: {seconds}}));
  }
}
