// Where everything lies: topics in lanes, and in a topic rows, so that labels do not cover each other. Topics that
// do not meet in time share a lane, for a history has more of them than a screen has room.

import { SLOT } from "./scale.js";
import { widthOf } from "./text_width.js";

export const AXIS = 34; // height of the strip of dates
export const LABEL_GAP = 11; // from a mark's middle to its label
export const DENSE = 0.35; // below this zoom marks are small and have no labels
const [CAPTION, ROW, FOOT] = [26, 26, 12];
const MOST_ROWS = 8;
const [MOST_LABEL, MOST_BESIDE] = [230, 150];
const LEAST_LABEL = 64; // so much of a label may be left of one whose value was replaced
const APART = 16;
const [CAPTION_ROOM, BETWEEN] = [190, 24];

export class Layout {
  constructor(graph, scale, zoom) {
    this.zoom = zoom;
    this.scale = scale;
    this.dense = zoom < DENSE;
    this.places = new Map(); // event id → {event, x, y, row, room, lane}
    const seen = new Map();
    for (const event of graph.order) {
      const slot = seen.get(event.message) ?? 0;
      seen.set(event.message, slot + 1);
      const x = (scale.x(event.time) + (slot + 0.5) * SLOT) * zoom;
      this.places.set(event.id, { event, x, y: 0, row: 0, room: 0, lane: 0 });
    }
    this.lanes = packed(segments(graph, this.places, this.dense));
    const [caption, row] = this.dense ? [12, 14] : [CAPTION, ROW];
    let y = AXIS;
    this.lanes.forEach((lane, index) => {
      lane.y = y;
      lane.places = lane.segments.flatMap((segment) => segment.places);
      for (const place of lane.places) {
        place.lane = index;
        place.y = y + caption + (place.row + 0.5) * row;
      }
      y += caption + lane.rows * row + FOOT;
    });
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

// One stretch a topic that states something: its marks, from `from` to `to`.
function segments(graph, places, dense) {
  const byTopic = new Map();
  for (const place of places.values()) {
    const there = byTopic.get(place.event.topic);
    if (there) there.push(place);
    else byTopic.set(place.event.topic, [place]);
  }
  return [...byTopic].map(([topic, there]) => {
    const rows = rowsOf(graph, there, places, dense);
    const from = there[0].x - LABEL_GAP;
    const ends = Math.max(...there.map(endOf), dense ? 0 : from + CAPTION_ROOM);
    return { id: topic, label: graph.topics.get(topic)?.label ?? "", from, to: ends, rows, places: there };
  });
}

// Puts stretches into lanes, the one spoken of last first: what is loaded later, being earlier, moves nothing.
function packed(all) {
  const lanes = [];
  for (const segment of all.sort((one, other) => other.to - one.to)) {
    let lane = lanes.find((one) => segment.to + BETWEEN <= one.segments.at(-1).from);
    if (!lane) lanes.push((lane = { y: 0, rows: 0, segments: [], places: [] }));
    lane.segments.push(segment);
    lane.rows = Math.max(lane.rows, segment.rows);
  }
  return lanes;
}

// Gives each place its row and the room of its label; says how many rows there are. A row whose last event is
// going to be replaced is kept for what replaces it, so that a value's history reads along one line.
function rowsOf(graph, places, all, dense) {
  const last = [];
  for (const place of places) {
    const inherited = dense ? null : rowReplaced(graph, place, all, last);
    const free = (other) => endOf(other) <= place.x && (dense || !isReplacedLater(graph, other, all));
    let row = inherited ?? last.findIndex(free);
    if (row < 0) row = last.length < MOST_ROWS ? last.length : leastHarm(last);
    if (last[row]) last[row].room = Math.min(last[row].room, place.x - last[row].x - LABEL_GAP - APART);
    place.row = row;
    place.room = dense ? 1 - APART : wish(graph, place.event);
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
