// How loud the wall is. The controls show what the server says, not what was pressed.
import {Slider} from "./slider.js";
import {element} from "./words.js";

export class Sound {
  #muted = false;
  #volume;

  // `request(method, params, control)` calls the server and shows that it waits.
  constructor(request) {
    element("mute").addEventListener("click", (event) => request("sound", {muted: !this.#muted}, event.currentTarget));
    this.#volume = new Slider(element("volume"), (db) => this.#showLevel(db), (db, input) => request("sound", {gain_db: db}, input));
  }

  // Of a state: absent if no node of the wall plays sound.
  show(sound) {
    element("sound").hidden = !sound;
    if (!sound) return;
    this.#muted = sound.muted;
    const word = this.#muted ? "Unmute" : "Mute";
    const mute = element("mute");
    mute.setAttribute("aria-label", word);
    mute.title = word;
    element("mute-icon").setAttribute("href", this.#muted ? "#icon-muted" : "#icon-volume");
    if (this.#volume.isMoved) return;
    this.#volume.value = sound.gain_db;
    this.#showLevel(sound.gain_db);
  }

  #showLevel(db) {
    const words = `${Math.round(db)} dB${this.#muted ? ", muted" : ""}`;
    element("volume-words").textContent = words;
    element("volume").setAttribute("aria-valuetext", words);
  }
}
