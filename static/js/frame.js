// The frame: the menu on a phone, the person's menu and drop-downs that close, rows that are as clickable as their link, the count of ticks.
import { say } from "./toasts.js";

const OPEN = "details.chip[open], details.own[open]";

document.addEventListener("click", (event) => {
  const toggle = event.target.closest(".menu-toggle");
  if (toggle) toggle.setAttribute("aria-expanded", String(toggle.getAttribute("aria-expanded") !== "true"));
  for (const open of document.querySelectorAll(OPEN)) {
    if (!open.contains(event.target)) open.open = false;
  }
  const row = event.target.closest("tr[data-row]");
  if (row && !event.target.closest("a, button, input, label, summary") && !String(getSelection())) {
    row.querySelector("a")?.click();
  }
  const all = event.target.closest("[data-select-all]");
  if (all) {
    for (const box of document.querySelectorAll(`[name="${all.dataset.selectAll}"]`)) box.checked = all.checked;
    count();
  }
  const copy = event.target.closest("[data-copy]");
  if (copy) navigator.clipboard?.writeText(document.getElementById(copy.dataset.copy).textContent.trim()).then(() => say("Copied"));
  if (event.target.closest("[data-print]")) print();
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const open of document.querySelectorAll(OPEN)) {
    open.open = false;
    open.querySelector("summary").focus();
  }
});

// A drop-down that would open beyond the window opens the other way.
document.addEventListener("toggle", ({ target }) => {
  const drop = target.open ? target.querySelector?.(":scope > .drop") : null;
  if (drop) drop.classList.toggle("leftwards", drop.getBoundingClientRect().right > innerWidth);
}, true);

// What the reader closes once stays closed: the server reads it, so that nothing moves when the page comes. Written with the click,
// before it opens or closes: the event that tells afterwards comes too late for whoever goes on at once.
document.addEventListener("click", ({ target }) => {
  const details = target.closest?.("summary")?.parentElement;
  if (details?.dataset.stays) document.cookie = `${details.dataset.stays}=${details.open ? "closed" : "open"}; path=/; max-age=31536000; samesite=lax`;
});

document.addEventListener("change", (event) => {
  if (event.target.matches('[name="ids"], [name="pick"]')) count();
  if (event.target.matches("[data-submits]")) event.target.form.requestSubmit();
});

export function count() {
  const picked = document.querySelector("[data-count=pick]");
  if (picked) picked.textContent = `${document.querySelectorAll('[name="pick"]:checked').length} selected`;
  const bulk = document.querySelector(".bulk");
  if (!bulk) return;
  const chosen = document.querySelectorAll('[name="ids"]:checked').length;
  bulk.classList.toggle("some", chosen > 0);
  const label = bulk.querySelector("[data-count]");
  if (label) label.textContent = chosen === 1 ? "1 selected" : `${chosen} selected`;
}

// A row that was decided on leaves, and its tick with it.
const rows = document.querySelector("#rows");
if (rows) new MutationObserver(count).observe(rows, { childList: true });
