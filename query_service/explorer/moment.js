// The slider through time: a step of it is a moment at which something was said, began or ceased to hold.

import { byId } from "./element.js";
import { dateTime, t } from "./language.js";
import { lowerBound } from "./scale.js";

export class Moment {
  // `changed(time)` is told each moment that is chosen, in milliseconds; Infinity is now, and beyond.
  constructor(changed) {
    this.changed = changed;
    this.moments = [];
    this.at = Infinity;
    this.slider = byId("moment");
    this.exact = byId("moment-exact");
    this.slider.addEventListener("input", () => this.#step(Number(this.slider.value)));
    byId("moment-before").addEventListener("click", () => this.#step(Number(this.slider.value) - 1));
    byId("moment-after").addEventListener("click", () => this.#step(Number(this.slider.value) + 1));
    byId("moment-now").addEventListener("click", () => this.set(Infinity));
    this.exact.addEventListener("change", () => {
      const time = Date.parse(this.exact.value);
      this.set(Number.isNaN(time) ? Infinity : time);
    });
  }

  // The moments of a graph; the one that is chosen stays.
  show(moments) {
    this.moments = moments;
    this.slider.max = String(moments.length);
    this.tell();
  }

  set(time) {
    this.at = time;
    this.tell();
    this.changed(time);
  }

  // Says in the slider and the field which moment it is.
  tell() {
    const now = this.at === Infinity;
    const index = now ? this.moments.length : Math.max(0, lowerBound(this.moments, this.at + 1) - 1);
    this.slider.value = String(index);
    this.slider.setAttribute("aria-valuetext", now ? t("now") : dateTime(this.at));
    this.exact.value = local(now ? Date.now() : this.at);
    byId("moment-now").setAttribute("aria-pressed", String(now));
  }

  #step(index) {
    const to = Math.max(0, index);
    this.set(to >= this.moments.length ? Infinity : this.moments[to]);
  }
}

// A moment as a field of local time takes it.
function local(time) {
  const shifted = new Date(time - new Date(time).getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 19);
}
