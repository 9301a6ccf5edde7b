// Lines between marks: the typed edges of a chosen event, and the paths of an answer.

import { drawn } from "./element.js";
import { t } from "./language.js";

// Arrowheads by what a line says.
export function arrowheads() {
  const kinds = ["updates", "causes", "enables", "prevents", "temporal_before", "contradicts", "path"];
  return drawn(
    "defs",
    {},
    kinds.map((kind) =>
      drawn(
        "marker",
        { id: `head-${kind}`, class: `head ${kind}`, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7,
          markerHeight: 7, orient: "auto-start-reverse" },
        drawn("path", { d: "M0 0.5L7.5 4L0 7.5z" }),
      ),
    ),
  );
}

// One typed edge between two places; its name stands at its middle.
export function edgeLine(edge, from, to) {
  const kind = edge.type;
  const curve = between(from, to, 11);
  const heads = { "marker-end": `url(#head-${kind})` };
  if (kind === "contradicts") heads["marker-start"] = `url(#head-${kind})`;
  const name = t(edge.mode ?? kind);
  return drawn(
    "g",
    { class: `edge ${kind}` },
    drawn("path", { class: "line", d: curve.d, ...heads }),
    drawn("text", { class: "halo", x: curve.x, y: curve.y, "text-anchor": "middle" }, name),
    drawn("text", { class: "name", x: curve.x, y: curve.y, "text-anchor": "middle" }, name),
  );
}

// A path of an answer, step by step; a step that is no edge is dashed. `number` stands at its first mark.
export function pathLine(path, places, number, chosen) {
  const group = drawn("g", { class: `path${chosen ? " chosen" : ""}` });
  const at = path.events.map((event) => places.get(event));
  path.edges.forEach((step, index) => {
    const [from, to] = [at[index], at[index + 1]];
    if (!from || !to) return;
    const { d } = between(from, to, 9);
    group.append(drawn("path", { class: `line ${step.via === "edge" ? "" : "loose"}`, d }));
  });
  for (const place of at.filter(Boolean)) {
    group.append(drawn("circle", { class: "stop", cx: place.x, cy: place.y, r: 10 }));
  }
  const first = at.find(Boolean);
  if (first) {
    const [x, y] = [first.x - 9, first.y - 9];
    group.append(
      drawn("circle", { class: "badge", cx: x, cy: y, r: 7 }),
      drawn("text", { class: "number", x, y: y + 3.5, "text-anchor": "middle" }, String(number)),
    );
  }
  return group;
}

// A curve from mark to mark that keeps off labels: an arc above neighbours on one row; otherwise down, along
// the middle between the rows, and down again.
function between(from, to, room) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const middle = from.x + dx / 2;
  if (Math.abs(dy) < 4) {
    const top = from.y - room;
    const lift = 5;
    return {
      d: `M${from.x} ${top}C${from.x + dx / 8} ${top - lift} ${to.x - dx / 8} ${top - lift} ${to.x} ${top}`,
      x: middle,
      y: top - lift * 0.75 + 3.5,
    };
  }
  const side = Math.sign(dy);
  const [begin, end] = [from.y + side * room, to.y - side * room];
  const along = (from.y + to.y) / 2;
  return {
    d: `M${from.x} ${begin}C${from.x} ${along} ${from.x} ${along} ${middle} ${along}S${to.x} ${along} ${to.x} ${end}`,
    x: middle,
    y: along + 4,
  };
}
