// A form whose answer did not come: its key is asked for until it is known what became of it, and then that is shown.
import { ask, hasLeft, meta, redraw } from "./door.js";
import { putBackLater, typedIn } from "./drafts.js";
import { say, write } from "./toasts.js";

const STORE = "countersign-sent", LASTS_MS = 24 * 3600_000;
const PAUSES_MS = [300, 1500, 2000, 4000, 8000, 15000];
// As long as a page that the browser itself asked for may take; after that its form is asked for from here.
const STILL_LOADING_MS = 20000;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const inProgress = new Set();

function pending() {
  try {
    const entries = JSON.parse(sessionStorage.getItem(STORE) ?? "[]");
    return entries.filter((entry) => entry.person === meta("person") && Date.now() - entry.at < LASTS_MS);
  } catch {
    return [];
  }
}

function store(entries) {
  try {
    sessionStorage.setItem(STORE, JSON.stringify(entries));
  } catch {
    // Then it is asked for from this page alone.
  }
}

const forget = (attempt) => store(pending().filter((entry) => entry.attempt !== attempt));

// A form on its way: should its page go before the answer comes, the next one asks for it.
export const hold = (entry) => store([...pending().filter((other) => other.attempt !== entry.attempt), entry]);
export const answered = (entry) => forget(entry.attempt);

// Names one sending of a form, and nothing else: random where the page is not a secure one, too.
export function newAttempt() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// What is known of a form as it leaves: its key, where it goes to (forms of one page may share a key), what its button says.
export function sent(form, attempt, button, address, more = {}) {
  const label = (button?.getAttribute("aria-label") ?? button?.firstChild?.textContent ?? "").trim().replace(/…$/, "") || "What you sent";
  const key = form?.elements?.namedItem("key")?.value ?? "";
  return { attempt, key, path: new URL(address ?? "", location.href).pathname, label, at: Date.now(), page: location.pathname, person: meta("person"), asked: meta("submissions"), ...more };
}

// Nobody knows whether it arrived: it is written down, said, and asked for; a page that comes in between goes on asking.
export function doubt(entry, reason) {
  if (!entry.asked || inProgress.has(entry.attempt)) return;
  hold(entry);
  findOut(entry, `${entry.label}: ${reason} It is not known yet whether it was done; this is being checked.`);
}

async function findOut(entry, sentence) {
  inProgress.add(entry.attempt);
  const toast = say(sentence, false, { stays: true });
  let fate = null;
  for (let turn = 0; !fate; turn += 1) {
    await pause(PAUSES_MS[Math.min(turn, PAUSES_MS.length - 1)]);
    if (hasLeft()) return;
    fate = await askOnce(entry, toast);
    if (hasLeft()) return;
  }
  forget(entry.attempt);
  inProgress.delete(entry.attempt);
  show(entry, fate, toast);
}

// What became of it, where that is final; null where it has to be asked again.
async function askOnce(entry, toast) {
  // Still absent when it is asked for again, it is withdrawn, with each other sending of it that is on its way: from then on it
  // is certain that it was not done.
  const others = entry.absent && entry.key ? pending().filter((other) => other.key === entry.key && other.path === entry.path && other.attempt !== entry.attempt) : [];
  const query = new URLSearchParams([["attempt", entry.attempt], ["path", entry.path ?? ""], ...others.map((other) => ["other", other.attempt])]);
  const address = `${entry.asked.replace(/-\/$/, `${encodeURIComponent(entry.key || "-")}/`)}?${query}`;
  const options = entry.absent ? { method: "POST", headers: { "X-CSRFToken": meta("csrf") } } : {};
  try {
    const answer = await ask(address, options);
    if (answer.status === 401) return null;
    // The token of this page is of a former session: the page that is drawn anew goes on asking.
    const anew = answer.status === 403 && answer.headers.get("HX-Redirect");
    if (anew) return void redraw(anew);
    if (answer.status === 403 || answer.status === 404) return { known: "unknown", sentence: "Its result can no longer be checked from here. Check before you send it again." };
    if (!answer.ok) throw new Error(String(answer.status));
    const fate = await answer.json();
    entry.absent = fate.known === "absent";
    if (entry.absent) return null;
    if (fate.known !== "working" || fate.toast) return fate;
    write(toast, `${entry.label}: ${fate.sentence}`);
  } catch {
    entry.absent = false;
    write(toast, `${entry.label}: it is not known yet whether it was done, and Countersign cannot be reached to ask. It retries automatically.`);
  }
  return null;
}

function show(entry, fate, toast) {
  const bad = ["refused", "unknown", "withdrawn"].includes(fate.known);
  const elsewhere = fate.address && fate.address !== location.pathname + location.search ? fate.address : "";
  write(toast, `${entry.label}: ${fate.sentence}`, bad, elsewhere);
  // What has to be done again, or looked at, stays until it was read.
  if (!bad) delete toast.dataset.stays;
  if (fate.toast && toast.isConnected && window.htmx) window.htmx.ajax("GET", fate.toast, { target: toast, swap: "outerHTML" }).catch(() => {});
  if (entry.typed && ["refused", "withdrawn"].includes(fate.known)) putBackLater(entry.typed, entry.page);
  document.dispatchEvent(new CustomEvent("found-out", { detail: fate }));
}

// A form that the browser itself sends: the page that answers it says so by a cookie; else what became of it is asked.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.getAttribute("method") !== "post" || !meta("person")) return;
  const attempt = newAttempt();
  form.addEventListener("formdata", ({ formData }) => formData.set("attempt", attempt), { once: true });
  const entry = sent(form, attempt, event.submitter, event.submitter?.getAttribute("formaction") ?? form.getAttribute("action"), { typed: typedIn(form) });
  hold(entry);
  // Where the answer is a file, say, the page stays.
  setTimeout(() => { if (!cameBack(entry)) doubt(entry, "no answer has come yet."); }, STILL_LOADING_MS);
});

function cameBack(entry) {
  const cookie = `answered-${entry.attempt}=`;
  if (!document.cookie.includes(cookie)) return false;
  document.cookie = `${cookie}; Max-Age=0; Path=/; SameSite=Lax`;
  answered(entry);
  return true;
}

for (const entry of pending()) {
  if (!cameBack(entry)) doubt(entry, "no answer came.");
}
