// From time to place along the timeline and back.
//
// Conversations are minutes of talk between days of silence, so an even scale would pile all of a session on
// one spot. Here each message takes room by what it states, and a silence takes some by its length's logarithm.
// The scale never runs backwards, and is straight between two neighbouring messages.

export const SLOT = 30; // room of one event
const QUIET = 7; // room of a message that states nothing
const SILENCE = 30 * 60 * 1000; // from here on a gap shows
const MARGIN = 28;

export class Scale {
  constructor(graph) {
    const rooms = new Map();
    const stated = new Map();
    for (const event of graph.order) stated.set(event.message, (stated.get(event.message) ?? 0) + 1);
    for (const message of graph.messages.values()) {
      const room = SLOT * (stated.get(message.id) ?? 0) || QUIET;
      rooms.set(message.time, Math.max(room, rooms.get(message.time) ?? 0));
    }
    this.times = [...rooms.keys()].sort((one, other) => one - other);
    this.places = [];
    this.rooms = this.times.map((time) => rooms.get(time));
    let at = MARGIN;
    this.times.forEach((time, index) => {
      if (index) at += this.rooms[index - 1] + gap(time - this.times[index - 1]);
      this.places.push(at);
    });
    this.width = at + (this.rooms.at(-1) ?? 0) + 5 * MARGIN;
  }

  // Where a moment lies.
  x(time) {
    const next = lowerBound(this.times, time);
    if (next < this.times.length && this.times[next] === time) return this.places[next];
    if (next === 0) return this.places.length ? this.places[0] - MARGIN / 2 : 0;
    const [from, since] = [this.places[next - 1], this.times[next - 1]];
    if (next === this.times.length) return from + this.rooms[next - 1] + MARGIN / 2;
    return from + ((time - since) / (this.times[next] - since)) * (this.places[next] - from);
  }

  // Where what is said at a moment ends.
  end(time) {
    const index = lowerBound(this.times, time);
    return this.times[index] === time ? this.places[index] + this.rooms[index] : this.x(time);
  }

  // The last moment of a message at or before a place; null before the first.
  momentAt(x) {
    const next = lowerBound(this.places, x + 0.5);
    return next ? this.times[next - 1] : null;
  }
}

function gap(silence) {
  return silence <= SILENCE ? 0 : 26 + 7 * Math.log2(silence / SILENCE);
}

// The first index whose value is not below `value`.
export function lowerBound(sorted, value) {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
