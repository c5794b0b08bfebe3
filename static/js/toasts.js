// Toasts: shown in the live region, gone after a while unless someone is looking; a countdown on those that can be undone.
import { refocus } from "./frame.js";

const region = () => document.getElementById("toasts");

export function say(text, bad = false) {
  const toast = document.createElement("div");
  toast.className = bad ? "toast bad" : "toast";
  toast.dataset.toast = "";
  toast.textContent = text;
  region()?.append(toast);
}

function busy(toast) {
  return toast.matches(":hover, :focus-within");
}

function tick() {
  const now = Date.now();
  for (const toast of region()?.querySelectorAll("[data-toast]") ?? []) {
    toast.dataset.since ??= String(now);
    const age = (now - Number(toast.dataset.since)) / 1000;
    const undo = toast.querySelector("[data-undo-seconds]");
    if (undo) {
      const left = Math.ceil(Number(undo.dataset.undoSeconds) - age);
      const count = toast.querySelector("[data-count]");
      if (count && left > 0) count.textContent = `sends in ${left} s`;
      if (left <= 0) {
        // Its time is over: what becomes of it is asked for by the toast itself.
        const on = undo === document.activeElement;
        undo.closest("form").remove();
        if (on) refocus({ on: undo });
        if (count) count.textContent = "sending…";
      }
    } else if (toast.querySelector("[hx-get]")) {
      continue;
    } else if (age > (toast.classList.contains("bad") ? 15 : 7) && !busy(toast)) {
      toast.remove();
    }
  }
}

setInterval(tick, 250);
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-dismiss]")) event.target.closest("[data-toast]")?.remove();
});
