// The timeline: only what the window shows is in the document, so its cost does not grow with the history.

import { drawn, element } from "./element.js";
import { AXIS, Layout } from "./lanes.js";
import { clock, shortDate, t } from "./language.js";
import { arrowheads, edgeLine, pathLine } from "./lines.js";
import { dressMark, makeMark, markId } from "./marks.js";
import { Scale, lowerBound } from "./scale.js";
import { fitted, widthOf } from "./text_width.js";

const BESIDE = 260; // how far beyond the window a label may begin
const [SMALLEST, LARGEST] = [0.02, 4];
const WIDEST_FIT = 2.4;

export class Timeline {
  // `hooks`: choose(event id or null), open(), moment(time or null), drawn()
  constructor(host, hooks) {
    this.host = host;
    this.hooks = hooks;
    this.zoom = 1;
    this.marks = new Map();
    this.layers = Object.fromEntries(
      ["bands", "lanes", "veil", "marks", "lines", "axis"].map((name) => [
        name,
        drawn("g", { class: name, "aria-hidden": name === "marks" ? null : "true" }),
      ]),
    );
    this.svg = drawn("svg", { class: "timeline", role: "listbox", tabindex: 0 }, arrowheads());
    this.svg.append(...Object.values(this.layers));
    this.spacer = element("div", { class: "spacer" }, this.svg);
    host.replaceChildren(this.spacer);
    host.addEventListener("scroll", () => this.later(), { passive: true });
    host.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    this.svg.addEventListener("click", (event) => this.#click(event));
    new ResizeObserver(() => this.later()).observe(host);
  }

  // Shows a graph. `keep` is a moment that stays where it is on the screen; null shows the end.
  show(graph, view, keep = null) {
    this.graph = graph;
    this.view = view;
    this.scale = new Scale(graph);
    const before = keep !== null && this.layout ? this.layout.x(keep) - this.host.scrollLeft : null;
    if (keep === null) this.zoom = this.#fittingZoom(0.75);
    this.#lay();
    if (before !== null) this.host.scrollLeft = this.layout.x(keep) - before;
    else this.host.scrollTo(this.layout.width, 0);
    this.draw();
  }

  clear() {
    [this.graph, this.layout] = [null, null];
    for (const layer of Object.values(this.layers)) layer.replaceChildren();
    this.marks.clear();
    this.spacer.style.width = this.spacer.style.height = "";
  }

  fit() {
    if (!this.layout) return;
    this.#zoomTo(this.#fittingZoom(SMALLEST), 0);
  }

  zoomBy(factor) {
    this.#zoomTo(this.zoom * factor, this.host.clientWidth / 2);
  }

  // Brings an event into the window.
  reveal(id) {
    const place = this.layout?.places.get(id);
    if (!place) return;
    const { scrollLeft: left, scrollTop: top, clientWidth: width, clientHeight: height } = this.host;
    const room = Math.min(160, width / 3);
    if (place.x < left + 40 || place.x > left + width - room) this.host.scrollLeft = place.x - width / 2;
    if (place.y < top + AXIS + 40) this.host.scrollTop = place.y - AXIS - 60;
    else if (place.y > top + height - 30) this.host.scrollTop = place.y - height + 60;
  }

  later() {
    this.pending ??= requestAnimationFrame(() => this.draw());
  }

  draw() {
    if (this.pending) cancelAnimationFrame(this.pending);
    this.pending = null;
    if (!this.layout) return;
    const window = this.#window();
    this.svg.setAttribute("width", window.width);
    this.svg.setAttribute("height", window.height);
    this.svg.setAttribute("aria-label", t("timelineLabel"));
    this.svg.classList.toggle("dense", this.layout.dense);
    const both = `translate(${-window.left} ${-window.top})`;
    for (const name of ["lines", "marks"]) this.layers[name].setAttribute("transform", both);
    this.#drawBands(window);
    this.#drawLanes(window);
    this.#drawMarks(window);
    this.#drawLines();
    this.#drawVeil(window);
    this.hooks.drawn();
  }

  #lay() {
    this.layout = new Layout(this.graph, this.scale, this.zoom);
    this.spacer.style.width = `${Math.max(this.layout.width, 1)}px`;
    this.spacer.style.height = `${this.layout.height}px`;
  }

  #fittingZoom(least) {
    const fitting = this.host.clientWidth / this.scale.width;
    return Math.min(WIDEST_FIT, Math.max(least, fitting));
  }

  #zoomTo(zoom, x) {
    if (!this.layout) return;
    const middle = (this.host.scrollLeft + x) / this.zoom;
    this.zoom = Math.min(LARGEST, Math.max(SMALLEST, zoom));
    this.#lay();
    this.host.scrollLeft = middle * this.zoom - x;
    this.draw();
  }

  #window() {
    const { scrollLeft: left, scrollTop: top, clientWidth: width, clientHeight: height } = this.host;
    return { left, top, width, height, right: left + width, bottom: top + height };
  }

  #drawBands({ left, right, height }) {
    const bands = [];
    const dates = [];
    let free = -Infinity;
    const sessions = [...this.graph.sessions.values()].sort((one, other) => one.start - other.start);
    for (const session of sessions) {
      const [from, to] = [this.layout.x(session.start) - 8, this.layout.end(session.end)];
      if (to < left || from > right) continue;
      bands.push(drawn("rect", { class: "band", x: from - left, y: 0, width: Math.max(3, to - from), height }));
      const [day, hour] = [shortDate(session.start), clock(session.start)];
      if (from - left < free) continue;
      const x = Math.max(from - left + 6, 6);
      const [wide, narrow] = [widthOf(day) + widthOf(hour) + 16, widthOf(day) + 8];
      dates.push(drawn("text", { x, y: 21 }, drawn("tspan", { class: "day" }, day),
        to - from > wide ? drawn("tspan", { class: "hour", dx: 6 }, hour) : null));
      free = x + (to - from > wide ? wide : narrow);
    }
    this.layers.bands.replaceChildren(...bands);
    this.layers.axis.replaceChildren(
      drawn("rect", { class: "strip", x: 0, y: 0, width: right - left, height: AXIS }),
      drawn("line", { class: "rule", x1: 0, x2: right - left, y1: AXIS - 0.5, y2: AXIS - 0.5 }),
      ...dates,
    );
  }

  #drawLanes({ left, right, top, bottom, width }) {
    const drawnNow = [];
    this.layout.lanes.forEach((lane, index) => {
      const next = this.layout.lanes[index + 1]?.y ?? this.layout.height;
      if (next < top || lane.y > bottom) return;
      const y = lane.y - top;
      if (index) drawnNow.push(drawn("line", { class: "rule", x1: 0, x2: width, y1: y, y2: y }));
      for (const segment of lane.segments) {
        if (segment.to < left || segment.from > right) continue;
        const x = Math.max(segment.from - left, 12);
        const caption = fitted(segment.label || t("otherTopic"), Math.min(width - x - 8, segment.to - left - x));
        drawnNow.push(drawn("text", { class: "caption", x, y: y + 17 }, caption));
      }
    });
    this.layers.lanes.replaceChildren(...drawnNow);
  }

  #drawMarks({ left, right, top, bottom }) {
    const { across, xs } = this.layout;
    const wanted = new Set();
    for (let at = lowerBound(xs, left - BESIDE); at < across.length && xs[at] < right + 20; at += 1) {
      const place = across[at];
      if (place.y < top || place.y > bottom + 20) continue;
      const { id } = place.event;
      wanted.add(id);
      let mark = this.marks.get(id);
      if (!mark) {
        mark = makeMark(place);
        this.marks.set(id, mark);
        this.layers.marks.append(mark);
      }
      dressMark(mark, place, this.graph, this.view.at, this.view.chosen === id);
    }
    for (const [id, mark] of this.marks) {
      if (wanted.has(id)) continue;
      mark.remove();
      this.marks.delete(id);
    }
    const active = this.view.chosen && this.marks.has(this.view.chosen) ? markId(this.view.chosen) : "";
    if (active) this.svg.setAttribute("aria-activedescendant", active);
    else this.svg.removeAttribute("aria-activedescendant");
  }

  #drawLines() {
    const { paths, path: chosenPath, chosen } = this.view;
    const lines = [];
    const { places } = this.layout;
    paths.forEach((path, index) => {
      if (!chosen && (chosenPath === null || chosenPath === index)) {
        lines.push(pathLine(path, places, index + 1, chosenPath === index));
      }
    });
    for (const edge of chosen ? this.graph.edgesOf(chosen) : []) {
      const [from, to] = [places.get(edge.source), places.get(edge.target)];
      if (from && to) lines.push(edgeLine(edge, from, to));
    }
    this.layers.lines.replaceChildren(...lines);
    const shown = this.#inFocus();
    for (const [id, mark] of this.marks) mark.classList.toggle("aside", shown !== null && !shown.has(id));
  }

  // The events that matter to what is chosen, an event or a path; null where nothing is.
  #inFocus() {
    const { paths, path, chosen } = this.view;
    if (chosen) {
      const edges = this.graph.edgesOf(chosen);
      return edges.length ? new Set([chosen, ...edges.flatMap((edge) => [edge.source, edge.target])]) : null;
    }
    const shown = path === null ? paths : [paths[path]];
    return shown.length ? new Set(shown.flatMap((one) => one.events)) : null;
  }

  #drawVeil({ left, width, height }) {
    const { at } = this.view;
    const past = at >= (this.scale.times.at(-1) ?? Infinity);
    const x = this.layout.end(Math.min(at, this.scale.times.at(-1) ?? at)) - left;
    this.layers.veil.replaceChildren(
      ...(past || x > width
        ? []
        : [
            drawn("rect", { class: "after", x: Math.max(0, x), y: 0, width: width - Math.max(0, x), height }),
            drawn("line", { class: "at", x1: x, x2: x, y1: 0, y2: height }),
          ]),
    );
  }

  #click(event) {
    const mark = event.target.closest("[data-event]");
    const box = this.svg.getBoundingClientRect();
    if (mark) this.hooks.choose(mark.dataset.event);
    else if (event.clientY - box.top < AXIS) {
      this.hooks.moment(this.scale.momentAt((event.clientX - box.left + this.host.scrollLeft) / this.zoom));
    } else this.hooks.choose(null);
  }

  #wheel(event) {
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      const box = this.host.getBoundingClientRect();
      this.#zoomTo(this.zoom * Math.exp(-event.deltaY / 300), event.clientX - box.left);
      return;
    }
    const tall = this.host.scrollHeight > this.host.clientHeight + 1;
    if (tall || event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return;
    event.preventDefault();
    this.host.scrollLeft += event.deltaY;
  }
}
