// Reading a subject's graph: the latest page first, which is drawn, then earlier ones behind it.

import * as api from "./api.js";
import { Graph } from "./graph.js";

const [FIRST, FURTHER, BESIDE] = [400, 2000, 60];
const BY_ITSELF = 6_000; // messages that are loaded without being asked for

// Reads a subject. `arrived(graph, whether it is the first page)` is called after each page.
export async function load(subject, signal, arrived) {
  const graph = new Graph(subject);
  await page(graph, { limit: FIRST }, signal);
  signal.throwIfAborted();
  arrived(graph, true);
  while (graph.earlier && graph.messages.size < BY_ITSELF) {
    await loadEarlier(graph, signal);
    signal.throwIfAborted();
    arrived(graph, false);
  }
}

// One page further back.
export async function loadEarlier(graph, signal) {
  await page(graph, { limit: FURTHER, cursor: graph.earlier }, signal);
}

// What lies around events that no page so far has; those that are gone stay unknown.
export async function loadAround(graph, events) {
  for (const event of events) {
    if (graph.events.has(event)) continue;
    try {
      graph.merge(await api.graph(graph.subject, { around: event, limit: BESIDE }));
    } catch (error) {
      if (error.status !== 404) throw error;
    }
  }
}

async function page(graph, query, signal) {
  const found = await api.graph(graph.subject, query, signal);
  graph.merge(found);
  graph.earlier = found.earlier;
}
