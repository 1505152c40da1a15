// A slider for a value of the server's. While a finger moves it, it shows where the finger is, and not what the server says.
export class Slider {
  #input;
  #moved = false;

  // `moving(value)` shows a value that is not yet chosen; `chosen(value, input)` asks the server for it.
  constructor(input, moving, chosen) {
    this.#input = input;
    input.addEventListener("input", () => {
      this.#moved = true;
      moving(Number(input.value));
    });
    input.addEventListener("change", () => {
      this.#moved = false;
      chosen(Number(input.value), input);
    });
  }

  get isMoved() {
    return this.#moved;
  }

  set value(value) {
    this.#input.value = value;
  }
}
