// Puts the page together: what is chosen is kept here, and told to the views.

import * as api from "./api.js";
import { byId, element } from "./element.js";
import { forestView } from "./forest.js";
import { listenForKeys } from "./key.js";
import { language, onLanguage, speak, switchLanguage, t } from "./language.js";
import { load, loadAround, loadEarlier } from "./loading.js";
import { Moment } from "./moment.js";
import { neighbour } from "./neighbours.js";
import { answerPanel, shownPaths } from "./panel_answer.js";
import { eventPanel, quiet } from "./panel_event.js";
import { STATUSES, statusOf } from "./standing.js";
import { Timeline } from "./timeline.js";

const view = { at: Infinity, chosen: null, paths: [], path: null };
let graph = null;
let answer = null; // {question, told}
let reading = null; // ends the reads of the subject before
const panel = byId("panel");
const timeline = new Timeline(byId("timeline"), { choose, moment: (time) => moment.set(time ?? view.at), drawn });
const moment = new Moment((time) => {
  view.at = time;
  redraw();
});

function drawn() {
  if (graph?.order.length && !performance.getEntriesByName("stet:first-draw").length) {
    performance.mark("stet:first-draw");
  }
}

function redraw() {
  timeline.draw();
  legend();
  if (view.chosen && panel.dataset.at !== String(view.at)) tellPanel();
}

function legend() {
  const counts = Object.fromEntries(STATUSES.map((status) => [status, 0]));
  for (const event of graph?.order ?? []) counts[statusOf(event, view.at)] += 1;
  byId("legend").replaceChildren(
    ...STATUSES.filter((status) => status !== "waiting" || counts.waiting).map((status) =>
      element("li", { class: status }, element("i", { class: "sign" }), element("b", {}, String(counts[status])),
        t(`count_${status}`)),
    ),
  );
}

function choose(id) {
  view.chosen = id;
  if (id && graph && !graph.events.has(id)) {
    further(graph, loadAround(graph, [id]), () => choose(graph.events.has(id) ? id : null));
    return;
  }
  if (id) timeline.reveal(id);
  timeline.draw();
  tellPanel();
}

function tellPanel() {
  panel.dataset.at = String(view.at);
  const event = view.chosen ? graph?.events.get(view.chosen) : null;
  if (event) {
    const back = answer ? () => choose(null) : null;
    panel.replaceChildren(eventPanel(graph, event, view.at, { choose, back }));
  } else if (answer) {
    panel.replaceChildren(answerPanel(graph, answer.question, answer.told, view.path, { choose, path: choosePath }));
  } else {
    const keys = element("p", { class: "quiet-text keys" }, t("keys"));
    panel.replaceChildren(...(graph ? [quiet(t("chooseEvent")), keys] : [quiet(t("chooseSubject"))]));
  }
}

function choosePath(index) {
  view.path = index;
  if (index !== null) timeline.reveal(view.paths[index].events[0]);
  timeline.draw();
  tellPanel();
}

// Shows what else came of a graph, unless another subject is looked at by then.
async function further(asked, reads, then = () => {}) {
  try {
    await reads;
    if (graph !== asked) return;
    arrived(graph, false);
    then();
  } catch (error) {
    tell(error);
  }
}

function arrived(found, first) {
  const keep = first ? null : (timeline.scale?.times.at(-1) ?? null);
  graph = found;
  moment.show(graph.moments);
  timeline.show(graph, view, keep);
  legend();
  byId("earlier").hidden = !graph.earlier;
  if (first) tellPanel();
  tell(graph.order.length ? null : t("noEvents"));
}

async function show(subject) {
  reading?.abort();
  reading = new AbortController();
  const { signal } = reading;
  Object.assign(view, { at: Infinity, chosen: null, paths: [], path: null });
  [graph, answer, moment.at] = [null, null, Infinity];
  byId("subject").value = subject;
  byId("forest-view").replaceChildren();
  timeline.clear();
  moment.show([]);
  legend();
  tellPanel();
  tell(t("loading"));
  try {
    await load(subject, signal, arrived);
    performance.mark("stet:all-drawn");
  } catch (error) {
    if (error.name !== "AbortError") tell(error, t("noSubject"));
  }
  if (!signal.aborted && !byId("forest-view").hidden) showForest();
}

async function showForest(cursor = null) {
  const into = byId("forest-view");
  if (!graph || (into.firstChild && !cursor)) return;
  const asked = graph;
  try {
    const found = await api.forest(asked.subject, cursor);
    if (graph !== asked) return;
    if (!cursor) into.replaceChildren();
    into.append(forestView(found, () => showForest(found.next)));
  } catch (error) {
    tell(error);
  }
}

async function question(text) {
  if (!graph || !text.trim()) return;
  const asked = graph;
  tab("timeline");
  tell(t("loading"));
  try {
    const at = view.at === Infinity ? null : new Date(view.at).toISOString();
    const told = await api.ask(asked.subject, text, at);
    const paths = shownPaths(told);
    await loadAround(asked, paths.flatMap((path) => path.events));
    if (graph !== asked) return;
    answer = { question: text, told };
    Object.assign(view, { paths, path: paths.length ? 0 : null, chosen: null });
    arrived(graph, false);
    choosePath(view.path);
  } catch (error) {
    tell(error);
  }
}

// Says what went wrong, or what is going on; null takes that away.
function tell(what, missing = null) {
  const notice = byId("notice");
  let text = what;
  if (what instanceof Error) {
    text = what.status ? t("refused", { detail: what.message }) : t("away");
    if (what.status === 404 && missing) text = missing;
    if (what.status === 401) text = null; // the bar for the key says it
  }
  notice.hidden = !text;
  notice.textContent = text ?? "";
}

async function listSubjects() {
  try {
    const { subjects } = await api.subjects();
    byId("subjects").replaceChildren(...subjects.map((name) => element("option", { value: name })));
    return subjects;
  } catch (error) {
    tell(error);
    return null;
  }
}

function tab(name) {
  for (const one of ["timeline", "forest"]) {
    const here = one === name;
    byId(`${one}-view`).hidden = !here;
    byId(`tab-${one}`).setAttribute("aria-selected", String(here));
    byId(`tab-${one}`).tabIndex = here ? 0 : -1;
  }
  document.body.classList.toggle("forest-shown", name === "forest");
  if (name === "forest") showForest();
  else timeline.later();
}

function keys(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") choose(null);
  else if (event.key === "Enter" && view.chosen) panel.focus();
  else if (event.key === "+" || event.key === "-") timeline.zoomBy(event.key === "+" ? 1.3 : 1 / 1.3);
  else if (/^(Arrow\w+|Home|End)$/.test(event.key) && timeline.layout) {
    const next = neighbour(timeline.layout, view.chosen, event.key);
    if (next) choose(next);
  } else return;
  event.preventDefault();
}

// A name from an address; what is no escaped text is taken as it is.
function unescaped(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function fromAddress() {
  const named = unescaped(location.hash.slice(1));
  if (named && named !== graph?.subject) show(named);
}

function named() {
  byId("language").textContent = language() === "en" ? "中文" : "English";
}

function listen() {
  byId("whose").addEventListener("submit", async (event) => {
    event.preventDefault();
    const [tenant, subject] = [byId("tenant").value.trim(), byId("subject").value.trim()];
    const moved = tenant !== api.tenant();
    api.setTenant(tenant);
    if (moved) await listSubjects();
    if (!subject) return;
    const hash = `#${encodeURIComponent(subject)}`;
    if (location.hash === hash) show(subject);
    else location.hash = hash;
  });
  byId("tenant").addEventListener("change", () => {
    api.setTenant(byId("tenant").value.trim());
    listSubjects();
  });
  byId("question").addEventListener("submit", (event) => {
    event.preventDefault();
    question(byId("asked").value);
  });
  for (const one of ["timeline", "forest"]) byId(`tab-${one}`).addEventListener("click", () => tab(one));
  document.querySelector("[role=tablist]").addEventListener("keydown", (event) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    const other = byId("forest-view").hidden ? "forest" : "timeline";
    tab(other);
    byId(`tab-${other}`).focus();
  });
  byId("zoom-in").addEventListener("click", () => timeline.zoomBy(1.4));
  byId("zoom-out").addEventListener("click", () => timeline.zoomBy(1 / 1.4));
  byId("zoom-fit").addEventListener("click", () => timeline.fit());
  byId("earlier").addEventListener("click", () => further(graph, loadEarlier(graph)));
  byId("language").addEventListener("click", switchLanguage);
  timeline.svg.addEventListener("keydown", keys);
  panel.addEventListener("keydown", (event) => {
    if (event.key === "Escape") timeline.svg.focus();
  });
  addEventListener("hashchange", fromAddress);
  onLanguage(() => {
    named();
    moment.tell();
    byId("forest-view").replaceChildren();
    if (!byId("forest-view").hidden) showForest();
    timeline.draw();
    legend();
    tellPanel();
  });
}

// Shows what the address names, or the first subject that there is.
async function arrive() {
  const known = listSubjects();
  if (location.hash.length > 1) show(unescaped(location.hash.slice(1)));
  else {
    const subjects = await known;
    if (subjects?.length === 0) tell(t("noSubjects"));
    if (subjects?.length && !location.hash) location.hash = `#${encodeURIComponent(subjects[0])}`;
  }
}

function begin() {
  speak();
  named();
  listen();
  listenForKeys(arrive);
  legend();
  tellPanel();
  byId("tenant").value = api.tenant();
  arrive();
}

begin();
