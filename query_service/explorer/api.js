// The requests of the page. All that a request says about who asks is in `headers`.

const ROOT = new URL("../", import.meta.url);
const TENANT = "stet.tenant";

export class Refused extends Error {
  constructor(status, detail) {
    super(detail);
    this.status = status;
  }
}

export function tenant() {
  return sessionStorage.getItem(TENANT) ?? "";
}

export function setTenant(name) {
  if (name) sessionStorage.setItem(TENANT, name);
  else sessionStorage.removeItem(TENANT);
}

// A header holds bytes: a tenant's name goes as UTF-8.
function asHeader(text) {
  return String.fromCharCode(...new TextEncoder().encode(text));
}

function headers() {
  return tenant() ? { "X-Stet-Tenant": asHeader(tenant()) } : {};
}

async function answered(path, options = {}) {
  let answer;
  try {
    answer = await fetch(new URL(path, ROOT), { ...options, headers: { ...headers(), ...options.headers } });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused(0, "");
  }
  const told = await answer.json().catch(() => ({}));
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

export function subjects(startsWith = "") {
  return answered(`v1/subjects${query({ limit: 200, starts_with: startsWith || null })}`);
}

export function graph(subject, values, signal) {
  return answered(ofSubject(subject, "graph") + query(values), { signal });
}

export function forest(subject) {
  return answered(ofSubject(subject, "forest"));
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
