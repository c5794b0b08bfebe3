// The queue of what has no category: digits choose what is likely, Enter sets it, U goes back to the last; C is the desk's (keyboard.js).
import { typing } from "./focus.js";

const form = () => document.querySelector("#pane form[data-categorise]");

const keys = {
  ...Object.fromEntries([..."123456789"].map((digit) => [digit, () => form()?.querySelector(`[data-digit="${digit}"]`)?.click()])),
  u: () => document.querySelector("#pane [data-last]")?.click(),
  enter: () => form()?.requestSubmit(),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) {
    if (event.key === "Escape" && event.target.matches("[data-category]")) event.target.blur();
    return;
  }
  const act = keys[event.key.toLowerCase()];
  if (!act || (event.key === "Enter" && event.target.closest("a, button, summary"))) return;
  event.preventDefault();
  act();
});
