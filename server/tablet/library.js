// The visualizations: posters, titles, lengths, and a button that puts one on the wall.
import {count, element, make, mediaTime, rate} from "./words.js";

export function posterOf(entry) {
  if (!entry?.poster) return "";
  const image = make("img", {src: `/tablet/poster/${encodeURIComponent(entry.name)}`, alt: "", loading: "lazy"});
  image.addEventListener("error", () => image.remove());
  return image;
}

export class Library {
  #entries = [];
  #cards = new Map();
  #onWall = "";
  #load;
  #lock;

  // `load(name, button)` puts one on the wall; `lock(button)` disables a button if the role does not permit it.
  constructor(load, lock) {
    this.#load = load;
    this.#lock = lock;
    element("search").addEventListener("input", () => this.#filter());
  }

  find(name) {
    return this.#entries.find((entry) => entry.name === name);
  }

  title(name) {
    return this.find(name)?.title || name;
  }

  async read(link) {
    const entries = [];
    for (let after; ;) {
      const reply = await link.call("list", after === undefined ? {} : {after});
      entries.push(...reply.visualizations);
      if (!reply.more) break;
      after = entries.at(-1).name;
    }
    entries.sort((a, b) => (a.title || a.name).localeCompare(b.title || b.name));
    this.#entries = entries;
    this.#cards = new Map(entries.map((entry) => [entry.name, this.#card(entry)]));
    element("cards").replaceChildren(...this.#cards.values());
    this.#filter();
    this.show(this.#onWall);
  }

  // What is on the wall now.
  show(name) {
    this.#onWall = name;
    for (const [own, card] of this.#cards) {
      card.classList.toggle("on-wall", own === name);
      card.querySelector(".badge")?.remove();
      const entry = this.find(own);
      const badge = own === name ? "On the wall" : entry.fits ? "" : "Does not fit";
      if (badge) card.querySelector(".poster").append(make("span", {class: "badge"}, badge));
    }
  }

  #card(entry) {
    const title = entry.title || entry.name;
    const fps = rate(entry.frame_rate);
    const length = fps && entry.frames ? `${mediaTime(entry.frames / fps, false)}${entry.growing ? " so far" : ""} · ${Math.round(fps * 100) / 100} fps` : "";
    const button = make("button", {type: "button", "aria-label": `Put ${title} on the wall`, "data-needs": "operate", "data-unfit": !entry.fits}, "Put on wall");
    this.#lock(button);
    button.addEventListener("click", () => this.#load(entry.name, button));
    const card = make("li", {"data-name": entry.name}, make("div", {class: "poster"}, posterOf(entry)), make("h3", {}, title),
      make("p", {}, entry.fits ? length : entry.reason), button);
    card.dataset.text = [title, entry.name, ...(entry.tags ?? [])].join(" ").toLowerCase();
    return card;
  }

  #filter() {
    const words = element("search").value.toLowerCase().split(/\s+/);
    let visible = 0;
    for (const card of this.#cards.values()) {
      card.hidden = !words.every((word) => card.dataset.text.includes(word));
      visible += card.hidden ? 0 : 1;
    }
    element("library-count").textContent = visible === this.#cards.size ? count(visible, "visualization", "visualizations") : `${visible} of ${this.#cards.size}`;
    element("cards").hidden = visible === 0;
    const empty = element("library-empty");
    empty.hidden = visible > 0;
    empty.textContent = this.#cards.size > 0 ? "No title or tag matches the search." : "The library is empty. Import a video with the control room.";
  }
}
