// A form that asks while it is typed into: what was typed before the page's scripts were there is asked about once they are.
import { isTyped } from "./drafts.js";

document.addEventListener("htmx:load", ({ target }) => {
  for (const asking of target.querySelectorAll("[data-asks]")) {
    if ([...asking.querySelectorAll("input, select, textarea")].some(isTyped)) window.htmx.trigger(asking, "change");
  }
});
