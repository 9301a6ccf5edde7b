// The second view: each topic as a tree of turns, as the conversation left and came back to it.

import { element } from "./element.js";
import { clock, shortDate, t } from "./language.js";

// A page of the forest; `older` is called, and the button gone, when the page after it is wanted.
export function forestView(forest, older) {
  const topics = forest.topics.map((topic) => topicTree(topic, forest.labels));
  const wanted = (event) => {
    event.target.remove();
    older();
  };
  const more = forest.next ? element("button", { type: "button", onclick: wanted }, t("moreTopics")) : null;
  return element("div", { class: "forest" }, topics, more);
}

function topicTree(topic, labels) {
  const shown = topic.turns.length;
  const size = { shown, size: topic.size };
  const depths = depthsOf(topic.turns);
  return element(
    "details",
    { open: true },
    element(
      "summary",
      {},
      element("strong", {}, topic.label),
      element("small", {}, `${topic.conversation} · ${t(shown < topic.size ? "lastTurns" : "turns", size)}`),
    ),
    element("ol", {}, topic.turns.map((turn) => turnItem(turn, depths.get(turn.id), labels))),
  );
}

// How many branches deep each turn lies, of those that are shown.
function depthsOf(turns) {
  const depths = new Map();
  const branches = new Map();
  for (const turn of turns) {
    if (!branches.has(turn.branch)) branches.set(turn.branch, turn.parent === null ? 0 : (depths.get(turn.parent) ?? -1) + 1);
    depths.set(turn.id, branches.get(turn.branch));
  }
  return depths;
}

function turnItem(turn, depth, labels) {
  const time = Date.parse(turn.sent_at);
  const item = element(
    "li",
    { class: `turn ${turn.move}` },
    element("i", { class: "sign", "aria-hidden": "true" }),
    element("p", {}, turn.gist),
    element(
      "small",
      {},
      t("saidBy", { speaker: turn.speaker, date: `${shortDate(time)} ${clock(time)}` }),
      turn.move === "continue" ? null : element("span", { class: "move" }, t(turn.move)),
      turn.refers_to.map((root) => element("span", { class: "move" }, t("mentions", { label: labels[root] ?? root }))),
    ),
  );
  item.style.setProperty("--depth", String(Math.min(depth, 6)));
  return item;
}
