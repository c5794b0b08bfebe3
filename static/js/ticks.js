// The ticks of a list: x ticks the row that has the focus; counted again when other rows come, or the page comes back.
import { count } from "./frame.js";

document.addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() !== "x" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input:not([type=checkbox]), textarea, select, [contenteditable], dialog")) return;
  const box = event.target.closest("[data-row]")?.querySelector('[name="ids"][form="ticks"]');
  if (!box) return;
  event.preventDefault();
  box.click();
});

document.addEventListener("htmx:afterSettle", (event) => {
  if (event.detail.target.id === "rows-of-list") count();
});
addEventListener("pageshow", count);
