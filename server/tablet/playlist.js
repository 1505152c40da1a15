// The playlist: what plays, and what follows.
import {count, element, make, mediaTime, rate} from "./words.js";
import {posterOf} from "./library.js";

function rule(entry) {
  const how = entry.loops ? count(entry.loops, "pass", "passes") : entry.seconds ? `${entry.seconds} s` : "Plays once";
  return entry.transition === "fade" ? `${how} · fade ${entry.fade_ms / 1000} s` : how;
}

function length(entry, visualization) {
  if (entry.seconds) return mediaTime(entry.seconds, false);
  const fps = rate(visualization?.frame_rate);
  return fps && visualization.frames ? mediaTime(((entry.loops ?? 1) * visualization.frames) / fps, false) : "";
}

export class Playlist {
  #library;

  constructor(library) {
    this.#library = library;
  }

  show(state) {
    const rows = state.entry ? [this.#row(state.entry, true)] : [];
    rows.push(...state.playlist.map((entry) => this.#row(entry, false)));
    element("entries").replaceChildren(...rows);
    element("entries").hidden = rows.length === 0;
    element("playlist-empty").hidden = rows.length > 0;
    element("playlist-count").textContent = rows.length > 0 ? count(rows.length, "entry", "entries") + (state.repeat ? " · repeats" : "") : "";
    element("next").toggleAttribute("data-nothing", state.playlist.length === 0);
  }

  #row(entry, plays) {
    const visualization = this.#library.find(entry.name);
    return make("li", {class: plays ? "on-wall" : "", "aria-current": plays ? "true" : undefined}, make("div", {class: "poster"}, posterOf(visualization)),
      make("div", {}, make("h3", {}, this.#library.title(entry.name)), make("p", {}, plays ? `Playing · ${rule(entry)}` : rule(entry))),
      make("p", {}, length(entry, visualization)));
  }
}
