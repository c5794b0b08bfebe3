// The session's end: warned of before it comes, heard of in every tab, and never put off by what the page does by itself.
import { serverNow } from "./clock.js";
import { ask, hasLeft, leave, meta, redraw, tabs } from "./door.js";

const EVERY_MS = 15000, HIDDEN_MS = 60000;
if (meta("session")) {
  const [seconds, warn] = meta("session").split(" ").map(Number);
  const dialog = document.getElementById("session-ends");
  let ends = serverNow() + seconds * 1000, looked = Date.now(), looking = false;
  const left = () => (ends - serverNow()) / 1000;

  // How the session stands by the server: how long it lasts, and whose it is. Where it has ended, `ask` leaves the page.
  const look = async () => {
    if (looking || hasLeft()) return;
    looking = true;
    looked = Date.now();
    try {
      const answer = await ask("/-/session/");
      if (!answer.ok) return;
      const answeredSession = await answer.json();
      ends = serverNow() + answeredSession.left * 1000;
      if (String(answeredSession.person) !== meta("person")) redraw("/");
      if (dialog.open && left() > warn) dialog.close();
    } catch {
      // Not reached: the next look asks again. What has ended by the clock is taken from the screen all the same.
      if (left() < -5) leave(`/-/account/login/?expired=1&next=${encodeURIComponent(location.pathname)}`);
    } finally {
      looking = false;
    }
  };

  const stay = async () => {
    await ask("/-/alive/").catch(() => null);
    await look();
    tabs?.postMessage("stays");
  };
  dialog.querySelector("[data-stay]").addEventListener("click", stay);
  dialog.addEventListener("cancel", stay);
  tabs?.addEventListener("message", look);
  for (const sign of ["visibilitychange", "online", "focus"]) addEventListener(sign, () => { if (!document.hidden) look(); });
  document.addEventListener("htmx:afterRequest", ({ detail }) => {
    if (detail.successful && !detail.elt.hasAttribute("data-polls") && left() < warn) look();
  });
  setInterval(() => {
    if (hasLeft()) return;
    const whole = Math.max(0, Math.ceil(left()));
    if (left() <= -1 || Date.now() - looked > (document.hidden ? HIDDEN_MS : EVERY_MS)) look();
    if (left() > warn) return;
    if (!dialog.open) dialog.showModal();
    dialog.querySelector("[data-left]").textContent = whole > 60 ? `${Math.ceil(whole / 60)} minutes` : `${whole} seconds`;
  }, 1000);
} else if (document.querySelector('[name="login"]')) {
  // Signed out here: the other tabs look at once.
  tabs?.postMessage("ended");
}

// A page out of the browser's own memory may be somebody else's by now.
addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});
