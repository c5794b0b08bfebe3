// The keys of every page, and the desk by keyboard and by mouse: rows open beside the list, j/k move, letters decide; never while someone types.
import { typing } from "./focus.js";
import { standBeside, watchRoom } from "./room.js";
import { undoLast } from "./toasts.js";

const rows = () => [...document.querySelectorAll("#rows tr[data-row]")];
const pane = () => document.getElementById("pane");
// The row of what the pane shows: read off the pane, since the row is marked a moment after the pane has changed.
const current = () => {
  const openItem = pane()?.querySelector("[data-item]");
  return openItem ? document.getElementById(`row-${openItem.dataset.item}`) : null;
};
// A request that a later one has taken the place of is rejected without a reason: no trouble. Real failures are said by replies.js.
const overtaken = () => {};
addEventListener("unhandledrejection", (event) => { if (event.reason === undefined) event.preventDefault(); });

function open(link, push = true) {
  if (!link || !window.htmx) return;
  // Asked for by the pane itself, one at a time (its hx-sync): a late answer must not replace what is being decided on.
  const event = new CustomEvent("open", { detail: { address: push ? link.href : "" } });
  window.htmx.ajax("GET", link.href, { source: "#pane", target: "#pane", swap: "innerHTML", event }).catch(overtaken);
}

// The page has the item's address once the item is there: after a failure the address and the pane are as they were.
function arrived(address) {
  if (!address) return;
  history.pushState({}, "", address);
  drawnPlace = place();
}

// The row is brought clear of what sticks over the list (scroll-margin), once the browser has laid the page out: not done twice for it.
const sight = new IntersectionObserver((rows) => {
  sight.disconnect();
  rows.at(-1).target.scrollIntoView({ block: "nearest" });
});

// Tells which row is shown, brings it into view, says it aloud.
function mark() {
  const item = pane()?.querySelector("[data-item]");
  document.getElementById("desk")?.classList.toggle("open", Boolean(item));
  for (const marked of document.querySelectorAll("#rows tr[aria-current]")) marked.removeAttribute("aria-current");
  const row = current();
  if (!row) return;
  row.setAttribute("aria-current", "true");
  sight.observe(row);
  const all = rows();
  document.getElementById("announce").textContent = `${all.indexOf(row) + 1} of ${all.length}: ${item.dataset.label}`;
}

function move(step) {
  const all = rows();
  const at = all.indexOf(current());
  const next = all[at < 0 ? (step > 0 ? 0 : all.length - 1) : at + step];
  // Beyond the rows of this page the item itself knows what stands next to it.
  open(next?.querySelector("a") ?? pane()?.querySelector(step > 0 ? "a[rel=next]" : "a[rel=prev]"));
}

const keys = {
  j: () => move(1), k: () => move(-1),
  o: () => pane()?.querySelector("[data-receipt]")?.click(),
  ...Object.fromEntries([..."ard"].map((letter) => [letter, () => choose(letter)])),
  // What is put right before the decision: its form comes into the pane, with the focus on its first field; or its field is there.
  ...Object.fromEntries([..."ct"].map((letter) => [letter, () => ["focus", "click"].forEach((act) => pane()?.querySelector(`[data-correct=${letter}]`)?.[act]())])),
  x: () => {
    // A click, not a change of the tick alone: whatever else depends on it (all that match) hears of it.
    current()?.querySelector('[name="ids"]')?.click();
  },
  p: () => (document.querySelector(".bulk.some button") ?? document.querySelector("[data-review-all]"))?.focus(),
  z: undoLast,
  "?": () => document.getElementById("help")?.showModal(),
  "/": () => document.querySelector('[data-focus="/"]')?.focus(),
};
const everywhere = "z?/"; // on every page, the others at the desk

// Ticked rows are meant before the open item: their review is opened, as by its button.
const verbs = { a: "approve", r: "reject", d: "ask" };

function choose(letter) {
  const review = document.querySelector(`.bulk.some button[value="${verbs[letter]}"]`);
  if (review) return void review.form.requestSubmit(review);
  const choice = pane()?.querySelector(`[data-choice="${letter}"]`);
  if (choice?.localName === "details") {
    choice.open = true;
    choice.querySelector("textarea").focus();
  } else if (choice?.querySelector("button:enabled")) choice.requestSubmit();
}

document.addEventListener("keydown", (event) => {
  if (typing(event.target)) {
    // The browser's own check holds an empty reason back.
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target.matches("form textarea")) {
      event.preventDefault();
      event.target.form.requestSubmit();
    }
    if (event.key === "Escape") event.target.closest("[data-correction]")?.querySelector("a[data-swaps]").click();
    if (event.key === "Escape" && event.target.matches("textarea")) {
      event.target.closest("details")?.removeAttribute("open");
      event.target.blur();
    }
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const act = keys[event.key.toLowerCase()];
  if (!act || !(everywhere.includes(event.key.toLowerCase()) || document.getElementById("desk"))) return;
  event.preventDefault();
  act();
});

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-help]")) keys["?"]();
  const link = event.target.closest("#rows a, a[data-swaps]");
  if (link && event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    open(link);
  }
});

// What was taken back waits again: the list is asked for anew, the item on the right stays.
function listAgain() {
  const body = document.getElementById("rows");
  const address = document.querySelector("[data-list]")?.dataset.list;
  if (address) window.htmx.ajax("GET", `${address}?${body?.dataset.query ?? location.search.slice(1)}`, { target: "#list", swap: "innerHTML" }).catch(overtaken);
}
document.addEventListener("undone", listAgain);
// What became of a form whose answer was lost: list and item are shown as they are by now.
document.addEventListener("found-out", ({ detail }) => {
  if (!["done", "working"].includes(detail.known)) return;
  open(current()?.querySelector("a"), false);
  listAgain();
});

document.addEventListener("htmx:afterSettle", (event) => {
  if (event.detail.target.id === "list") mark();
  if (event.detail.target.id !== "pane") return;
  mark();
  arrived(event.detail.requestConfig.triggeringEvent?.detail?.address);
  pane().querySelector("[autofocus], [aria-invalid], [data-correction] :is(select, input:not([type=hidden]))")?.focus();
  if (!standBeside()) scrollTo(0, 0);
});
// Back and Forward between items ask the server anew; a jump within the page is none of that.
const place = () => location.pathname + location.search;
let drawnPlace = place();
document.addEventListener("htmx:pushedIntoHistory", () => { drawnPlace = place(); });
addEventListener("popstate", () => { if (place() !== drawnPlace) location.reload(); });

if (document.getElementById("desk")) {
  mark();
  // With room for both the first item opens by itself: here, where the page's head does not ask for it (early.js).
  watchRoom(() => pane().querySelector("[data-item]") || document.querySelector("head > link[as=fetch]") || open(rows()[0]?.querySelector("a"), false));
}
