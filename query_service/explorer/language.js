// In which language the page speaks, and how it tells times.

import { LANGUAGES, WORDS } from "./words.js";

const KEPT = "stet.language";
const changed = [];
let chosen = remembered();

function remembered() {
  const kept = localStorage.getItem(KEPT);
  if (LANGUAGES.includes(kept)) return kept;
  return navigator.language?.toLowerCase().startsWith("zh") ? "zh" : "en";
}

export function language() {
  return chosen;
}

// The page's words for a key, with `{name}` filled in. A key that has none is told as it is.
export function t(key, values = {}) {
  const words = WORDS[key];
  const text = words ? words[LANGUAGES.indexOf(chosen)] : key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

export function onLanguage(act) {
  changed.push(act);
}

export function switchLanguage() {
  chosen = chosen === "en" ? "zh" : "en";
  localStorage.setItem(KEPT, chosen);
  speak();
  for (const act of changed) act();
}

// Puts the page's own words into what stands in the document.
export function speak(root = document) {
  document.documentElement.lang = chosen === "zh" ? "zh-Hans" : "en";
  document.title = t("title");
  for (const one of root.querySelectorAll("[data-t]")) one.textContent = t(one.dataset.t);
  for (const one of root.querySelectorAll("[data-t-label]")) {
    one.setAttribute("aria-label", t(one.dataset.tLabel));
    if (one.tagName === "BUTTON") one.title = t(one.dataset.tLabel);
  }
  for (const one of root.querySelectorAll("[data-t-placeholder]")) {
    one.placeholder = t(one.dataset.tPlaceholder);
  }
}

const formats = new Map();

function format(options) {
  const key = chosen + JSON.stringify(options);
  if (!formats.has(key)) formats.set(key, new Intl.DateTimeFormat(chosen === "zh" ? "zh-CN" : "en-GB", options));
  return formats.get(key);
}

const DAY = { day: "numeric", month: "short" };
const CLOCK = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };

export function dateTime(time) {
  return format({ ...DAY, year: "numeric", ...CLOCK }).format(time);
}

// A date as short as it can be told beside others of the same year.
export function shortDate(time) {
  const year = new Date(time).getFullYear() === new Date().getFullYear() ? {} : { year: "numeric" };
  return format({ ...DAY, ...year }).format(time);
}

export function clock(time) {
  return format(CLOCK).format(time);
}
