// The requests of the page. All that a request says about who asks is in `headers`.

const ROOT = new URL("../", import.meta.url);
const TENANT = "stet.tenant";
const KEY = "stet.key";
let unauthorized = () => {};

export class Refused extends Error {
  constructor(status, detail) {
    super(detail);
    this.status = status;
  }
}

// The key lies in this tab's storage alone, which ends with the tab, and goes into a header alone: an address is
// remembered, logged and passed on.
export function key() {
  return sessionStorage.getItem(KEY) ?? "";
}

export function setKey(token) {
  if (token) sessionStorage.setItem(KEY, token);
  else sessionStorage.removeItem(KEY);
}

// `act` is called when the service wants a key, or another one.
export function onUnauthorized(act) {
  unauthorized = act;
}

export function tenant() {
  return sessionStorage.getItem(TENANT) ?? "";
}

export function setTenant(name) {
  if (name) sessionStorage.setItem(TENANT, name);
  else sessionStorage.removeItem(TENANT);
}

// A header holds bytes: text goes as UTF-8.
function asHeader(text) {
  return String.fromCharCode(...new TextEncoder().encode(text));
}

// A key has its tenant.
function headers(token) {
  if (token) return { Authorization: `Bearer ${asHeader(token)}` };
  return tenant() ? { "X-Stet-Tenant": asHeader(tenant()) } : {};
}

async function answered(path, options = {}, token = key()) {
  let answer;
  try {
    answer = await fetch(new URL(path, ROOT), { ...options, headers: { ...headers(token), ...options.headers } });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused(0, "");
  }
  const told = await answer.json().catch(() => ({}));
  if (answer.status === 401) unauthorized();
  if (!answer.ok) throw new Refused(answer.status, told.detail ?? answer.statusText);
  return told;
}

function query(values) {
  const given = Object.entries(values).filter(([, value]) => value !== null && value !== undefined);
  return given.length ? `?${new URLSearchParams(given)}` : "";
}

function ofSubject(subject, part) {
  return `v1/subjects/${encodeURIComponent(subject)}/${part}`;
}

// Whose key this is, which need not be the one that is kept.
export function whoami(token) {
  return answered("v1/whoami", {}, token);
}

export function subjects(startsWith = "") {
  return answered(`v1/subjects${query({ limit: 200, starts_with: startsWith || null })}`);
}

export function graph(subject, values, signal) {
  return answered(ofSubject(subject, "graph") + query(values), { signal });
}

export function forest(subject, cursor = null) {
  return answered(ofSubject(subject, "forest") + query({ cursor }));
}

export async function messages(subject, ids) {
  const asked = new URLSearchParams(ids.slice(0, 100).map((id) => ["id", id]));
  return (await answered(`${ofSubject(subject, "messages")}?${asked}`)).messages;
}

export function why(event, at) {
  return answered(`v1/events/${encodeURIComponent(event)}/why${query({ as_of: at })}`);
}

export function ask(subject, question, at) {
  const body = JSON.stringify({ subject, question, ...(at ? { as_of: at } : {}) });
  return answered("v1/ask", { method: "POST", body, headers: { "Content-Type": "application/json" } });
}
