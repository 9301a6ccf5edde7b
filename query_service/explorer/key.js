// The key that requests are sent with: asked for when the service wants one, or when who looks wants to give one.

import * as api from "./api.js";
import { byId } from "./element.js";
import { t } from "./language.js";

function say(word, values = {}) {
  const told = byId("key-told");
  told.textContent = t(word, values);
  // What has no values in it is told anew when the language changes.
  if (Object.keys(values).length) delete told.dataset.t;
  else told.dataset.t = word;
}

function ask(word) {
  say(word);
  byId("key-bar").hidden = false;
  byId("key").focus();
}

function ofKey(tenant) {
  if (tenant !== null) {
    api.setTenant(tenant);
    byId("tenant").value = tenant;
  }
  byId("tenant").readOnly = Boolean(api.key());
  byId("key-forget").hidden = !api.key();
}

async function use(given, changed) {
  say("loading");
  try {
    const { tenant } = await api.whoami(given);
    api.setKey(given);
    byId("key").value = "";
    byId("key-bar").hidden = true;
    ofKey(tenant);
    changed();
  } catch (error) {
    if (error.status === 401) say("keyRefused");
    else if (error.status) say("refused", { detail: error.message });
    else say("away");
  }
}

// `changed` is called when other things may be seen than before.
export function listenForKeys(changed) {
  api.onUnauthorized(() => ask(api.key() ? "keyRefused" : "keyWanted"));
  byId("key-open").addEventListener("click", () => {
    if (byId("key-bar").hidden) ask("keyKept");
    else byId("key-bar").hidden = true;
  });
  byId("key-bar").addEventListener("submit", (event) => {
    event.preventDefault();
    const given = byId("key").value.trim();
    if (given) use(given, changed);
  });
  byId("key-forget").addEventListener("click", () => {
    api.setKey("");
    byId("key-bar").hidden = true;
    ofKey(null);
    changed();
  });
  ofKey(null);
}
