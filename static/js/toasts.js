// Toasts: shown in the live region, gone after a while unless someone is looking; a countdown on those that can be undone.
import { serverNow } from "./clock.js";
import { refocus } from "./focus.js";

const region = () => document.getElementById("toasts");
const GOOD_S = 7, BAD_S = 15;

// Says it and shows it; `stays` until it is dismissed or taken away by whoever said it. The same twice is one toast.
export function say(text, bad = false, { stays = false } = {}) {
  const toast = document.createElement("div");
  toast.dataset.toast = "";
  if (stays) toast.dataset.stays = "";
  write(toast, text, bad);
  region()?.append(toast);
  return toast;
}

// What a toast says now; `address` where there is more to see.
export function write(toast, text, bad = false, address = "") {
  toast.className = bad ? "toast bad" : "toast";
  delete toast.dataset.since;
  toast.textContent = text;
  if (address) toast.append(Object.assign(document.createElement("a"), { href: address, textContent: "View" }));
  const close = Object.assign(document.createElement("button"), { type: "button", textContent: "Dismiss" });
  close.dataset.dismiss = "";
  toast.append(close);
}

// By the key, what was decided last.
export function undoLast() {
  const undo = [...document.querySelectorAll("#toasts [data-undo], #result [data-undo]")].at(-1);
  // Pressed the moment the toast is there, before htmx has seen its form: it would be sent as a page of its own.
  if (undo) window.htmx?.process(undo.form);
  undo?.click();
}

function busy(toast) {
  return toast.matches(":hover, :focus-within");
}

function countDown(toast, undo) {
  const form = undo.closest("form"), count = toast.querySelector("[data-count]");
  const left = Math.ceil((Number(undo.dataset.due) - serverNow()) / 1000);
  // An undo on its way keeps its form, and with it the place of its answer.
  if (form.classList.contains("htmx-request")) count.textContent = "undoing…";
  else if (left > 0) count.textContent = `sends in ${left} s`;
  else {
    // Its time is over: what becomes of it is asked for by the toast itself.
    const on = undo === document.activeElement;
    form.remove();
    if (on) refocus({ on: undo });
    count.textContent = "sending…";
  }
}

function tick() {
  const now = Date.now();
  for (const toast of region()?.querySelectorAll("[data-toast]") ?? []) {
    const undo = toast.querySelector("[data-due]");
    if (undo) countDown(toast, undo);
    if (undo || toast.querySelector("[hx-get]") || "stays" in toast.dataset) continue;
    toast.dataset.since ??= String(now);
    const age = (now - Number(toast.dataset.since)) / 1000;
    if (age > (toast.classList.contains("bad") ? BAD_S : GOOD_S) && !busy(toast)) toast.remove();
  }
}

// A poll that is refused each time says so once.
function once(records) {
  for (const added of records.flatMap((record) => [...record.addedNodes])) {
    if (!added.matches?.("[data-toast]:not([data-decision])")) continue;
    for (const other of region().querySelectorAll("[data-toast]:not([data-decision])")) {
      if (other !== added && other.textContent.trim() === added.textContent.trim()) other.remove();
    }
  }
}

setInterval(tick, 250);
if (region()) new MutationObserver(once).observe(region(), { childList: true });
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-dismiss]")) event.target.closest("[data-toast]")?.remove();
});

// On a phone toasts stand above the decisions, however many rows those need and whatever is said above them. Told to the toasts
// alone: of what the whole page inherits the browser works out the style of every element again.
const decisions = new ResizeObserver(([{ target }]) => region()?.style.setProperty("--act", `${target.offsetHeight}px`));

function watch() {
  decisions.disconnect();
  const act = document.querySelector(".act");
  if (act) decisions.observe(act);
  else region()?.style.removeProperty("--act");
}

document.addEventListener("htmx:afterSettle", watch);
watch();
