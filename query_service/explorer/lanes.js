// Where everything lies: a lane a topic, and in it rows, so that labels do not cover each other.

import { SLOT } from "./scale.js";
import { widthOf } from "./text_width.js";

export const AXIS = 34; // height of the strip of dates
export const LABEL_GAP = 11; // from a mark's middle to its label
const [CAPTION, ROW, FOOT] = [26, 26, 12];
const MOST_ROWS = 8;
const [MOST_LABEL, MOST_BESIDE] = [230, 150];
const LEAST_LABEL = 64; // so much of a label may be left of one whose value was replaced
const APART = 16;

export class Layout {
  constructor(graph, scale, zoom) {
    this.zoom = zoom;
    this.scale = scale;
    this.places = new Map(); // event id → {event, x, y, room}
    this.lanes = [];
    const seen = new Map();
    for (const event of graph.order) {
      const slot = seen.get(event.message) ?? 0;
      seen.set(event.message, slot + 1);
      const x = (scale.x(event.time) + (slot + 0.5) * SLOT) * zoom;
      this.places.set(event.id, { event, x, y: 0, row: 0, room: 0 });
    }
    let y = AXIS;
    for (const [topic, places] of byTopic(this.places)) {
      const rows = rowsOf(graph, places, this.places);
      const height = CAPTION + rows * ROW + FOOT;
      for (const place of places) place.y = y + CAPTION + (place.row + 0.5) * ROW;
      this.lanes.push({ id: topic, label: graph.topics.get(topic)?.label ?? "", y, height, places });
      y += height;
    }
    this.height = y;
    this.width = scale.width * zoom;
    this.across = [...this.places.values()].sort((one, other) => one.x - other.x);
    this.xs = this.across.map((place) => place.x);
  }

  x(time) {
    return this.scale.x(time) * this.zoom;
  }

  end(time) {
    return this.scale.end(time) * this.zoom;
  }
}

// Topics that state something, the one spoken of last on top: what is loaded later, being earlier, goes below.
function byTopic(places) {
  const found = new Map();
  for (const place of places.values()) {
    const lane = found.get(place.event.topic);
    if (lane) lane.push(place);
    else found.set(place.event.topic, [place]);
  }
  return [...found].sort(([, one], [, other]) => other.at(-1).event.time - one.at(-1).event.time);
}

// Gives each place its row and the room of its label; says how many rows there are. A row whose last event is
// going to be replaced is kept for what replaces it, so that a value's history reads along one line.
function rowsOf(graph, places, all) {
  const last = [];
  for (const place of places) {
    const inherited = rowReplaced(graph, place, all, last);
    const free = (other) => endOf(other) <= place.x && !isReplacedLater(graph, other, all);
    let row = inherited ?? last.findIndex(free);
    if (row < 0) row = last.length < MOST_ROWS ? last.length : leastHarm(last);
    if (last[row]) last[row].room = Math.min(last[row].room, place.x - last[row].x - LABEL_GAP - APART);
    place.row = row;
    place.room = wish(graph, place.event);
    last[row] = place;
  }
  return last.length;
}

function endOf(place) {
  return place.x + LABEL_GAP + place.room + APART;
}

// The row of what an event replaces, where that is the last on its row and lies far enough back.
function rowReplaced(graph, place, all, last) {
  for (const edge of graph.edgesOf(place.event.id)) {
    if (edge.type !== "updates" || edge.source !== place.event.id) continue;
    const old = all.get(edge.target);
    if (old && last[old.row] === old && place.x - old.x >= LEAST_LABEL) return old.row;
  }
  return null;
}

function isReplacedLater(graph, place, all) {
  return updatesOf(graph, place.event).some((edge) => {
    const source = all.get(edge.source);
    return source?.event.topic === place.event.topic && source.x - place.x >= LEAST_LABEL;
  });
}

function updatesOf(graph, event) {
  return graph.edgesOf(event.id).filter((edge) => edge.type === "updates" && edge.target === event.id);
}

// The row whose last event lies furthest back.
function leastHarm(last) {
  let best = 0;
  last.forEach((place, row) => {
    if (place.x < last[best].x) best = row;
  });
  return best;
}

// A label has its value, and where that is replaced some day, what by.
function wish(graph, event) {
  const instead = updatesOf(graph, event).map((edge) => widthOf(graph.events.get(edge.source)?.label ?? ""));
  const beside = instead.length ? Math.max(...instead) + 30 : 0;
  return Math.min(MOST_LABEL, widthOf(event.label) + 4) + Math.min(MOST_BESIDE, beside);
}
