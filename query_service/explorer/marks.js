// The mark of one event and its label. Shape and colour both tell how it stands.

import { drawn } from "./element.js";
import { LABEL_GAP } from "./lanes.js";
import { dateTime, t } from "./language.js";
import { replacedBy, statusOf } from "./standing.js";
import { fitted, widthOf } from "./text_width.js";

const LEAST_ROOM = 26;
const ARROW = 18;

export function makeMark(place) {
  return drawn(
    "g",
    { id: markId(place.event.id), role: "option", "data-event": place.event.id },
    drawn("rect", { class: "reach", x: -9, y: -11, height: 22, rx: 6 }),
    drawn("circle", { class: "ring", r: 9 }),
    drawn("circle", { class: "dot", r: 5 }),
    drawn("path", { class: "half", d: "M0 -5a5 5 0 0 1 0 10z" }),
    drawn("text", { class: "label", x: LABEL_GAP, y: 4 }),
  );
}

export function markId(event) {
  return `mark-${event}`;
}

// Shows an event as it is at a moment.
export function dressMark(mark, place, graph, at, chosen) {
  const { event } = place;
  const status = statusOf(event, at);
  const instead = status === "superseded" ? replacedBy(graph, event, at) : null;
  mark.setAttribute("transform", `translate(${place.x} ${place.y})`);
  mark.setAttribute("class", `mark ${status}${event.time > at ? " unsaid" : ""}${chosen ? " chosen" : ""}`);
  mark.setAttribute("aria-selected", chosen ? "true" : "false");
  mark.setAttribute("aria-label", markLabel(event, status, instead));
  const width = label(mark.lastChild, place, status, instead);
  mark.firstChild.setAttribute("width", 18 + (width ? width + 6 : 0));
}

export function markLabel(event, status, instead) {
  const told = t("eventLabel", {
    label: event.label,
    status: t(status),
    speaker: event.speaker,
    date: dateTime(event.time),
  });
  return instead ? told + t("replacedByLabel", { label: instead.label }) : told;
}

// Fills in a label, and gives its width.
function label(text, place, status, instead) {
  const room = place.room;
  const enough = room >= Math.min(LEAST_ROOM, widthOf(place.event.label));
  const own = enough ? fitted(place.event.label, room) : "";
  const parts = [drawn("tspan", { class: "value" }, own)];
  const left = room - widthOf(own) - ARROW;
  if (instead && own && left > LEAST_ROOM) {
    const other = fitted(instead.label, left);
    if (other) parts.push(drawn("tspan", { class: "instead", dx: 5 }, `→ ${other}`));
  }
  text.replaceChildren(...(own ? parts : []));
  return own ? Math.min(room, widthOf(text.textContent) + 4) : 0;
}
