// What plays, where it is, and the buttons. They show what the server says, not what was pressed.
import {Slider} from "./slider.js";
import {element, mediaTime, rate} from "./words.js";

export class Transport {
  #library;
  #summary = {status: "stopped"};
  #loops = false;
  #seek;

  // `request(method, params, button)` calls the server and shows that it waits.
  constructor(library, request) {
    this.#library = library;
    element("play").addEventListener("click", (event) => request(this.#summary.status === "playing" ? "pause" : "play", {}, event.currentTarget));
    element("stop").addEventListener("click", (event) => request("stop", {}, event.currentTarget));
    element("to-start").addEventListener("click", (event) => request("seek", {frame: Number(element("seek").min)}, event.currentTarget));
    element("loop").addEventListener("click", (event) => request("loop", {loop: !this.#loops}, event.currentTarget));
    this.#seek = new Slider(element("seek"), (frame) => this.#showTime(frame), (frame, input) => request("seek", {frame}, input));
  }

  // Of a state, which has more than a summary.
  setState(state) {
    this.#loops = state.loop;
    element("loop").setAttribute("aria-pressed", String(state.loop));
    element("seek").min = state.in ?? 0;
    element("seek").max = state.out ?? Math.max(0, (state.frames ?? 1) - 1);
  }

  show(summary) {
    this.#summary = summary;
    const playing = summary.status === "playing";
    const stopped = summary.status === "stopped";
    const word = playing ? "Pause" : "Play";
    const play = element("play");
    play.setAttribute("aria-label", word);
    play.title = word;
    play.dataset.status = summary.status;
    element("play-icon").setAttribute("href", playing ? "#icon-pause" : "#icon-play");
    for (const id of ["play", "stop", "to-start", "loop", "seek"]) element(id).toggleAttribute("data-nothing", stopped);
    element("playing-title").textContent = stopped ? "Nothing is playing" : this.#library.title(summary.name);
    if (this.#seek.isMoved) return;
    if (!stopped) this.#seek.value = summary.frame;
    this.#showTime(summary.frame);
  }

  #showTime(frame) {
    const {status, frames, frame_rate: text} = this.#summary;
    const fps = rate(text);
    const time = element("playing-time");
    if (status === "stopped" || !fps) {
      time.textContent = "";
      return;
    }
    time.textContent = `${mediaTime(frame / fps)} / ${mediaTime(frames / fps)}${status === "paused" ? " · paused" : ""}`;
    element("seek").setAttribute("aria-valuetext", `${mediaTime(frame / fps)} of ${mediaTime(frames / fps)}`);
  }
}
