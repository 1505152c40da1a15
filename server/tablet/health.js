// The answer in words, and five figures. States have a shape, a word, and then a colour.
import {count, duration, element, figure, make} from "./words.js";

const shapes = {idle: "idle", healthy: "ok", degraded: "warn", faults: "crit", off: "off"};

// Name, key, and value and unit of a number.
const shown = [
  ["Throughput", "gbit_per_s", (value) => [figure(value), "Gbit/s"], "all flows"],
  ["Packet loss", "lost_per_s", (value) => [figure(value), "packets/s"], "all flows"],
  ["Interarrival jitter", "jitter_us", duration, "worst flow"],
  ["Skew, p99", "skew_us_p99", duration, "between tiles"],
  ["Lateness, p99", "lateness_us_p99", duration, "worst tile"],
];

export class Health {
  #limits = {};
  #tiles = 0;
  #flows = 0;
  #parts = new Map();
  #countdown = 0;

  constructor(tryNow) {
    element("try-now").addEventListener("click", tryNow);
    for (const [name, key] of shown) {
      const value = make("span", {class: "value"}, "–");
      const unit = make("span", {class: "unit"});
      const limit = make("dd", {class: "limit"});
      const box = make("div", {id: `figure-${key}`}, make("dt", {}, name), make("dd", {}, value, " ", unit), limit);
      element("figures").append(box);
      this.#parts.set(key, {box, value, unit, limit});
    }
  }

  setWall(reply) {
    this.#limits = reply.limits;
    this.#tiles = reply.tiles;
    this.#flows = reply.flows;
    this.show(reply.summary);
  }

  show(summary) {
    clearInterval(this.#countdown);
    element("try-now").hidden = true;
    element("wall").classList.remove("stale");
    const beyond = shown.filter(([, key]) => this.#isBeyond(key, summary.figures[key]));
    this.#answer(summary.health, ...this.#words(summary, beyond));
    for (const [name, key, numberOf, of] of shown) this.#showFigure(name, key, numberOf, of, summary.figures[key]);
  }

  showLost(seconds) {
    clearInterval(this.#countdown);
    element("wall").classList.add("stale");
    element("try-now").hidden = false;
    let left = seconds;
    const say = () => this.#answer("off", "No connection", left > 0 ? `The figures are old. Trying again in ${left} s` : "Trying again");
    say();
    this.#countdown = setInterval(() => {
      left -= 1;
      say();
    }, 1000);
  }

  #words(summary, beyond) {
    if (summary.health === "idle") return ["Nothing is playing", "Put a visualization on the wall"];
    if (summary.health === "faults")
      return [`Picture faults on ${count(summary.tiles_faulty, "tile", "tiles")}`, "Rows concealed, frames missing or late, in the last 10 s"];
    const parts = `${count(this.#tiles, "tile", "tiles")} · ${count(this.#flows, "flow", "flows")}`;
    if (summary.health === "healthy") return ["Wall healthy", parts];
    const [name, key, numberOf] = beyond[0] ?? [];
    return ["Degraded, picture intact", name ? `${name} ${numberOf(summary.figures[key]).join(" ")}` : "In the last 10 s, now in limits"];
  }

  #answer(health, words, context) {
    const shape = shapes[health] ?? "off";
    element("answer-shape").setAttribute("href", `#state-${shape}`);
    const answer = element("answer");
    answer.querySelector(".state").setAttribute("class", `state ${shape === "idle" ? "off" : shape}`);
    answer.dataset.health = health;
    // A screen reader speaks what changes.
    for (const [id, text] of [["answer-words", words], ["answer-context", context]])
      if (element(id).textContent !== text) element(id).textContent = text;
  }

  #isBeyond(key, value) {
    return value !== undefined && this.#limits[key] !== undefined && value > this.#limits[key];
  }

  #showFigure(name, key, numberOf, of, value) {
    const part = this.#parts.get(key);
    const [number, unit] = value === undefined ? ["–", ""] : numberOf(value);
    const limit = this.#limits[key];
    const limitText = limit ? `limit ${numberOf(limit).map((text) => text.replace(/\.0+$/, "")).join(" ")}` : "";
    const beyond = this.#isBeyond(key, value);
    part.value.textContent = (beyond ? "▲ " : "") + number;
    part.unit.textContent = unit;
    part.limit.textContent = limitText || of;
    part.box.classList.toggle("beyond", beyond);
    const spoken = [value === undefined ? "not measured" : `${number} ${unit}`, of, limitText, beyond ? "beyond the limit" : ""];
    part.box.setAttribute("aria-label", `${name}: ${spoken.filter((text) => text).join(", ")}`);
    part.box.title = of;
    part.box.setAttribute("role", "group");
  }
}
