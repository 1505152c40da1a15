// Texts and numbers as people read them.

export const element = (id) => document.getElementById(id);

// An element with children; texts become text nodes, so that nothing from outside is read as markup.
export function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "class") made.className = value;
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

// Three significant digits.
export function figure(value) {
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 100) return String(Math.round(value));
  return value.toFixed(size >= 10 ? 1 : 2);
}

// Microseconds in the unit that suits them: [number, unit].
export function duration(us) {
  return us >= 1000 ? [figure(us / 1000), "ms"] : [String(Math.round(us)), "µs"];
}

// Frames per second, of "30" or "30000/1001".
export function rate(text) {
  const [above, below = "1"] = String(text).split("/");
  const value = Number(above) / Number(below);
  return Number.isFinite(value) && value > 0 ? value : undefined;
}

// "0:41.3"; without tenths "0:41".
export function mediaTime(seconds, tenths = true) {
  const whole = tenths ? Math.floor(seconds * 10) / 10 : Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  const rest = (whole - minutes * 60).toFixed(tenths ? 1 : 0);
  return `${minutes}:${rest.padStart(tenths ? 4 : 2, "0")}`;
}

export const count = (number, one, many) => `${number} ${number === 1 ? one : many}`;
