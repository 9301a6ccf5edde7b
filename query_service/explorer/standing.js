// Whether an event stands at a moment, from the stretches of time that came with it. `at` is in milliseconds.

const within = (span, at) => span.start <= at && (span.end === null || at < span.end);

export const STATUSES = ["stands", "doubted", "superseded", "waiting"];

// stands · doubted · superseded · waiting (it has not begun to hold)
export function statusOf(event, at) {
  if (at < event.begins) return "waiting";
  if (!event.holds.some((span) => within(span, at))) return "superseded";
  return event.doubts.some((span) => within(span, at)) ? "doubted" : "stands";
}

export function validity(event, at) {
  const status = statusOf(event, at);
  if (status === "doubted") return event.doubts.find((span) => within(span, at)).valid;
  return status === "superseded" ? 0 : 1;
}

// The edges by which an event is out at a moment: from what has begun by then and is not withdrawn itself.
export function actingUpdates(graph, event, at) {
  return graph.edgesOf(event.id).filter((edge) => {
    if (edge.type !== "updates" || edge.target !== event.id) return false;
    const source = graph.events.get(edge.source);
    return source && source.begins <= at && !source.withdrawn.some((span) => within(span, at));
  });
}

// The event that gave an event's value another one, where one did: of several, the latest.
export function replacedBy(graph, event, at) {
  const acting = actingUpdates(graph, event, at)
    .filter((edge) => edge.mode !== "withdraws")
    .map((edge) => graph.events.get(edge.source));
  return acting.sort((one, other) => one.time - other.time).at(-1) ?? null;
}
