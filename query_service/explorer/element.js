// Elements made without markup: text goes in as text, so no word of a message can become an element.

const SVG = "http://www.w3.org/2000/svg";

function filled(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

// An HTML element. Attributes that are null or false are left out; `onclick` and the like listen.
export function element(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

// The same within an SVG.
export function drawn(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

export function byId(id) {
  return document.getElementById(id);
}
