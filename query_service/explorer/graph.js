// What is known of one subject's graph: pages of it, put together.

const milliseconds = (text) => (text === null ? null : Date.parse(text));

function spans(list) {
  return list.map((span) => ({ ...span, start: milliseconds(span.start), end: milliseconds(span.end) }));
}

export class Graph {
  constructor(subject) {
    this.subject = subject;
    this.messages = new Map();
    this.sessions = new Map();
    this.topics = new Map();
    this.events = new Map();
    this.edges = new Map();
    this.touching = new Map();
    this.order = []; // events in the order of saying
    this.moments = []; // all times at which anything is said, begins or ceases to hold
    this.earlier = null; // the cursor of the page before the first
  }

  // Takes in a page; of what is there already nothing changes.
  merge(page) {
    for (const message of page.messages) {
      this.messages.set(message.id, { ...message, time: milliseconds(message.sent_at) });
    }
    for (const session of page.sessions) {
      const [start, end] = [milliseconds(session.start), milliseconds(session.end)];
      this.sessions.set(session.id, { ...session, start, end });
    }
    for (const topic of page.topics) this.topics.set(topic.id, topic);
    const fresh = page.events.filter((event) => !this.events.has(event.id)).map((event) => this.#event(event));
    for (const event of fresh) this.events.set(event.id, event);
    this.order = [...fresh, ...this.order].sort((one, other) => one.time - other.time);
    for (const edge of page.edges) this.#edge(edge);
    this.#findMoments();
  }

  edgesOf(event) {
    return this.touching.get(event) ?? [];
  }

  #event(event) {
    const message = this.messages.get(event.message);
    return {
      ...event,
      time: milliseconds(event.stated_at),
      begins: milliseconds(event.valid_from),
      topic: message?.topic ?? "",
      session: message?.session ?? "",
      speaker: message?.speaker ?? "",
      label: event.facet?.value || withoutSpeaker(event.description, message?.speaker),
      holds: spans(event.holds),
      doubts: spans(event.doubts),
      withdrawn: spans(event.withdrawn),
    };
  }

  #edge(edge) {
    if (this.edges.has(edge.id)) return;
    this.edges.set(edge.id, edge);
    for (const end of new Set([edge.source, edge.target])) {
      const known = this.touching.get(end);
      if (known) known.push(edge);
      else this.touching.set(end, [edge]);
    }
  }

  #findMoments() {
    const found = new Set();
    for (const message of this.messages.values()) found.add(message.time);
    for (const event of this.order) {
      for (const span of [...event.holds, ...event.doubts]) {
        found.add(span.start);
        if (span.end !== null) found.add(span.end);
      }
    }
    this.moments = [...found].sort((one, other) => one - other);
  }
}

// Descriptions begin with who says it, which the page tells elsewhere.
export function withoutSpeaker(description, speaker) {
  const named = `${speaker}: `;
  return speaker && description.startsWith(named) ? description.slice(named.length) : description;
}
