// What is told of one event: how it stands and why, what it is linked to, and the messages it was drawn from.

import * as api from "./api.js";
import { element } from "./element.js";
import { withoutSpeaker } from "./graph.js";
import { dateTime, t } from "./language.js";
import { actingUpdates, statusOf, validity } from "./standing.js";

// `hooks`: choose(event id), back() or null
export function eventPanel(graph, event, at, hooks) {
  const status = statusOf(event, at);
  const why = element("div", { class: "why", "aria-busy": "true" }, quiet(t("loading")));
  const said = element("div", { class: "said" }, quiet(t("loading")));
  const panel = element(
    "article",
    { class: "event" },
    hooks.back && element("button", { type: "button", class: "quiet back", onclick: hooks.back }, `‹ ${t("back")}`),
    element("p", { class: `status ${status}` }, element("i", { class: "sign" }), t(status)),
    element("h2", { class: status === "superseded" ? "out" : null }, event.label),
    instead(graph, event, at, status, hooks),
    facts(event, at, status),
    section(t("why"), why),
    links(graph, event, hooks),
    section(t("sources"), said),
  );
  tellWhy(graph, event, at, why, hooks);
  tellSources(graph, event, said);
  return panel;
}

function instead(graph, event, at, status, hooks) {
  if (status !== "superseded") return null;
  return actingUpdates(graph, event, at).map((edge) =>
    element("p", { class: "instead" }, `${t(`is ${edge.mode === "withdraws" ? "withdrawn" : "replaced"} by`)} `,
      eventLink(graph, edge.source, hooks)),
  );
}

function facts(event, at, status) {
  const rows = [
    [t("kind"), t(event.type)],
    event.facet && [t("about"), [event.facet.entity, event.facet.attribute].filter(Boolean).join(" · ")],
    [t("holds"), event.holds.map(stretch).join("; ") || t("never")],
    event.occurs && [t("happens"), event.occurs.words],
    status === "doubted" && [t("value"), String(validity(event, at))],
  ];
  return element(
    "dl",
    {},
    rows.filter(Boolean).flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]),
  );
}

function stretch({ start, end }) {
  if (end === null) return t("from", { start: dateTime(start) });
  return t("fromTo", { start: dateTime(start), end: dateTime(end) });
}

function links(graph, event, hooks) {
  const edges = graph.edgesOf(event.id);
  if (!edges.length) return null;
  const rows = edges.map((edge) => {
    const outgoing = edge.source === event.id;
    const other = eventLink(graph, outgoing ? edge.target : edge.source, hooks);
    const kind = element("span", { class: `kind ${edge.type}` }, t(edge.mode ?? edge.type));
    const arrow = element("span", { class: "arrow", "aria-hidden": "true" }, outgoing ? "→" : "←");
    return element("li", { title: edge.reason || null }, arrow, kind, other);
  });
  return section(t("links"), element("ul", { class: "links" }, rows));
}

async function tellWhy(graph, event, at, into, hooks) {
  try {
    const told = await api.why(event.id, at === Infinity ? null : new Date(at).toISOString());
    const steps = told.steps.map((step) =>
      element(
        "li",
        {},
        step.event === event.id ? null : [eventLink(graph, step.event, hooks), " "],
        element("span", { class: "effect" }, `${t(step.effect)} `),
        eventLink(graph, step.other, hooks),
        step.since && element("small", {}, ` ${t("sinceDate", { date: dateTime(Date.parse(step.since)) })}`),
      ),
    );
    const resting = told.dependents.map((one) => element("li", {}, eventLink(graph, one.event, hooks)));
    into.replaceChildren(
      ...(steps.length ? [element("ol", {}, steps)] : [quiet(t("whyStands"))]),
      ...(resting.length ? [element("h4", {}, t("dependents")), element("ul", {}, resting)] : []),
    );
  } catch (error) {
    into.replaceChildren(quiet(error.status ? t("refused", { detail: error.message }) : t("away")));
  }
  into.removeAttribute("aria-busy");
}

async function tellSources(graph, event, into) {
  try {
    into.replaceChildren(...quotes(await api.messages(graph.subject, event.sources)));
  } catch (error) {
    into.replaceChildren(quiet(error.status ? t("refused", { detail: error.message }) : t("away")));
  }
}

// Messages in their own words.
export function quotes(messages) {
  return messages.map((message) =>
    element(
      "figure",
      {},
      element("blockquote", {}, message.content),
      element("figcaption", { title: message.id },
        t("saidBy", { speaker: message.speaker, date: dateTime(Date.parse(message.sent_at)) })),
    ),
  );
}

export function eventLink(graph, id, hooks) {
  const known = graph.events.get(id);
  const text = known ? known.label || withoutSpeaker(known.description, known.speaker) : id;
  return element("button", { type: "button", class: "link", onclick: () => hooks.choose(id) }, text);
}

export function section(title, ...children) {
  return element("section", {}, element("h3", {}, title), ...children);
}

export function quiet(text) {
  return element("p", { class: "quiet-text" }, text);
}
