// A form that asks while it is typed into: what was typed before the page's scripts were there is asked about once they are.
import { isTyped } from "./drafts.js";

document.addEventListener("htmx:load", ({ target }) => {
  for (const form of target.querySelectorAll("[data-asks]")) {
    if ([...form.querySelectorAll("input, select, textarea")].some(isTyped)) window.htmx.trigger(form, "change");
  }
});
