// What a swap is answered: only what is ours lands in the page. A failure takes nothing away, is said, and where a form
// may have been carried out its outcome is asked for instead of guessed.
import { learnFrom } from "./clock.js";
import { ended, here, redraw } from "./door.js";
import { answered, doubt, hold, newAttempt, sent } from "./doubts.js";
import { say } from "./toasts.js";

const OURS = "Countersign", IN_DOUBT = "in-doubt", ATTEMPT = "X-Attempt";
const PAUSES_MS = [2000, 4000, 8000, 15000, 30000];
const GONE = 401, OLD_PAGE = 403, NOTHING = 204;
const tries = new WeakMap();
let outage = null;

// A form that only asks (what a change would mean, say) carries out nothing, whatever it is sent by.
const mayAct = (elt, verb) => verb !== "get" && !elt.closest("[data-asks]");
const isUnattended = (elt) => elt.hasAttribute("data-polls") || /\b(load|every)\b/.test(elt.getAttribute("hx-trigger") ?? "");

document.addEventListener("htmx:configRequest", ({ detail }) => {
  detail.headers["HX-Current-URL"] = here();
  // Asked while it is typed, it goes where it asks: a button pressed in between says where the browser sends the form.
  if (detail.elt.matches("form[data-asks]")) detail.path = detail.elt.getAttribute(`hx-${detail.verb}`);
  if (mayAct(detail.elt, detail.verb)) detail.headers[ATTEMPT] = newAttempt();
});

// Whatever becomes of the element, the end of its request is seen here.
document.addEventListener("htmx:beforeSend", ({ detail }) => {
  const { xhr, elt, requestConfig } = detail;
  const form = elt.closest("form"), button = requestConfig.triggeringEvent?.submitter ?? form?.querySelector("button");
  const entry = mayAct(elt, requestConfig.verb) ? sent(form, requestConfig.headers[ATTEMPT], button, requestConfig.path) : null;
  if (entry) hold(entry);
  let cut = "";
  xhr.addEventListener("readystatechange", () => { if (xhr.readyState === 2) learnFrom(xhr.getResponseHeader("Server-Timing")); });
  for (const end of ["abort", "error", "timeout"]) xhr.addEventListener(end, () => { cut = end; });
  xhr.addEventListener("loadend", () => finished(elt, xhr, cut, entry));
});

// Why an answer must not land in the page; "" where it may.
function trouble(xhr) {
  if (!xhr.getResponseHeader(OURS)) return xhr.status < 400 ? "the answer did not come from Countersign." : `the answer was an error (${xhr.status}).`;
  if (xhr.status === NOTHING || xhr.getResponseHeader("HX-Redirect")) return "";
  const type = xhr.getResponseHeader("Content-Type") || "";
  // An answer of ours that is empty on purpose empties its place; a failure never does.
  if (!xhr.response && xhr.status < 400) return "";
  if (!xhr.response) return `the answer was empty (${xhr.status}).`;
  if (!type.startsWith("text/html")) return `the answer could not be shown (${xhr.status}).`;
  return /<html[\s>]/i.test(xhr.response.slice(0, 600)) ? `the answer was a whole page (${xhr.status}).` : "";
}

document.addEventListener("htmx:beforeOnLoad", (event) => {
  const { xhr } = event.detail;
  const old = xhr.status === OLD_PAGE && xhr.getResponseHeader(OURS) && xhr.getResponseHeader("HX-Redirect");
  if (xhr.status === GONE || old || trouble(xhr)) event.preventDefault();
  if (old) redraw(old);
});

function finished(elt, xhr, cut, entry) {
  if (xhr.status === GONE) return void gone(elt, xhr, entry);
  const reasons = { error: "the connection failed.", timeout: "no answer came in time.", abort: "it was interrupted." };
  const why = cut ? reasons[cut] : trouble(xhr);
  // A question that another has taken the place of is no trouble; a form may have been carried out all the same.
  if (!why && xhr.getResponseHeader(OURS) !== IN_DOUBT) return void recovered(elt, entry);
  if (cut !== "abort" || entry) failed(elt, why || "it broke on our side.", entry);
}

function failed(elt, why, entry) {
  if (entry) return inDoubt(elt, entry, why);
  if (isUnattended(elt)) return unattended(elt, why);
  say(`That could not be loaded: ${why} Try again.`, true);
}

function inDoubt(elt, entry, why) {
  doubt(entry, why);
  // The look at a decision gave way to its undo: it goes on.
  loadLater(elt.closest("[data-decision]")?.querySelector("[hx-get]"));
}

// What the page asks for by itself: said once for as long as it lasts, and asked again.
function unattended(elt, why) {
  if (!outage?.isConnected) outage = say(`This page is not up to date: ${why} It retries automatically.`, true, { stays: true });
  if (!/\bevery\b/.test(elt.getAttribute("hx-trigger"))) loadLater(elt);
}

function loadLater(elt) {
  if (!elt) return;
  const turn = tries.get(elt) ?? 0;
  tries.set(elt, turn + 1);
  setTimeout(() => {
    if (elt.isConnected) window.htmx.ajax("GET", elt.getAttribute("hx-get"), { source: elt }).catch(() => {});
  }, PAUSES_MS[Math.min(turn, PAUSES_MS.length - 1)]);
}

// A request that was refused at our door has carried out nothing; of another's door that is not known.
async function gone(elt, xhr, entry) {
  const ours = xhr.getResponseHeader(OURS);
  if (entry && ours) answered(entry);
  if (await ended(xhr.getResponseHeader("HX-Redirect"))) return;
  if (!ours) failed(elt, "the answer did not come from Countersign.", entry);
  else if (entry) say(`${entry.label}: your session was renewed at that moment, so it was not done. Try again.`, true);
  else failed(elt, "your session was renewed at that moment.");
}

function recovered(elt, entry) {
  if (entry) answered(entry);
  tries.delete(elt);
  if (!outage || !isUnattended(elt)) return;
  outage.remove();
  outage = null;
}
