// The queue of what has no category: digits choose what is likely, C types another, Enter sets it, U goes back to the last.
import { typing } from "./focus.js";

const form = () => document.querySelector("#pane form[data-categorise]");

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) {
    if (event.key === "Escape" && event.target.matches("[data-category]")) event.target.blur();
    return;
  }
  const letter = event.key.toLowerCase();
  if (/^[1-9]$/.test(letter)) form()?.querySelector(`[data-digit="${letter}"]`)?.click();
  else if (letter === "c") form()?.querySelector("[data-category]")?.focus();
  else if (letter === "u") document.querySelector("#pane [data-last]")?.click();
  else if (letter === "enter" && !event.target.closest("a, button, summary")) form()?.requestSubmit();
  else return;
  event.preventDefault();
});
