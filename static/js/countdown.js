// How long something still holds, such as a quote: counted down where the page printed until when; said once at its end.
import { drawnAt, serverNow } from "./clock.js";
import { say } from "./toasts.js";

for (const place of document.querySelectorAll("[data-seconds]")) {
  const ends = drawnAt + Number(place.dataset.seconds) * 1000;
  const tick = () => {
    const left = Math.max(0, Math.ceil((ends - serverNow()) / 1000));
    place.textContent = left ? `${left} s left` : "expired";
    if (left) return;
    clearInterval(timer);
    place.classList.add("over");
    const focused = document.activeElement;
    for (const button of document.querySelectorAll("[data-while-it-holds]")) button.disabled = true;
    // What can no longer be pressed hands the focus on to what brings a fresh one.
    if (focused?.disabled) place.parentElement.querySelector("a")?.focus();
    say(place.dataset.over, true);
  };
  const timer = setInterval(tick, 1000);
  tick();
}
