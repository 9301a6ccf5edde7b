// What a question was answered with: paths with their scores, and the messages that bear them out.

import * as api from "./api.js";
import { element } from "./element.js";
import { dateTime, t } from "./language.js";
import { eventLink, quiet, quotes, section } from "./panel_event.js";

const PATHS = 5; // that are shown
const MESSAGES = 6;

export function shownPaths(answer) {
  return answer.paths.slice(0, PATHS);
}

// `hooks`: choose(event id), path(index or null); `chosen` is the path that is singled out.
export function answerPanel(graph, question, answer, chosen, hooks) {
  const said = element("div", { class: "said" }, quiet(t("loading")));
  const paths = shownPaths(answer);
  tellEvidence(graph.subject, answer, said);
  return element(
    "article",
    { class: "answer" },
    element("h2", {}, question),
    element("p", { class: "quiet-text" },
      [t("shape", { shape: answer.plan.shape }), t("answeredAt", { date: dateTime(Date.parse(answer.plan.at)) })].join(" · ")),
    section(
      t("answer"),
      paths.length
        ? element("ol", { class: "paths" }, paths.map((path, index) => pathItem(graph, path, index, chosen, hooks)))
        : quiet(t("noPaths")),
    ),
    section(t("bestMessages"), said),
  );
}

function pathItem(graph, path, index, chosen, hooks) {
  const parts = Object.fromEntries(Object.entries(path.parts).map(([name, value]) => [name, value.toFixed(2)]));
  const steps = path.events.flatMap((event, at) => {
    const step = path.edges[at - 1];
    const link = eventLink(graph, event, hooks);
    return step ? [element("span", { class: "via" }, viaText(step, path.events[at])), link] : [link];
  });
  const pressed = chosen === index;
  return element(
    "li",
    { class: pressed ? "chosen" : null },
    element(
      "button",
      { type: "button", class: "score", "aria-pressed": String(pressed), onclick: () => hooks.path(pressed ? null : index) },
      element("b", {}, String(index + 1)),
      element("span", { class: "meter", "aria-hidden": "true" }, meter(path.score)),
      t("score", { score: path.score.toFixed(2) }),
    ),
    element("p", { class: "steps" }, steps),
    element("small", {}, t("parts", parts)),
  );
}

function meter(score) {
  const bar = element("i");
  bar.style.width = `${Math.round(Math.max(0, Math.min(1, score)) * 100)}%`;
  return bar;
}

// A step is told from left to right, whichever way its edge points.
function viaText(step, next) {
  if (step.via !== "edge") return ` ${t(`via_${step.via}`)} · `;
  const name = t(step.mode ?? step.type);
  return step.target === next ? ` ${name} → ` : ` ← ${name} `;
}

async function tellEvidence(subject, answer, into) {
  const best = answer.evidence.slice(0, MESSAGES);
  try {
    const found = best.length ? await api.messages(subject, best) : [];
    into.replaceChildren(...quotes(found));
  } catch (error) {
    into.replaceChildren(quiet(error.status ? t("refused", { detail: error.message }) : t("away")));
  }
}
