// The bell: how many notices are unread, asked for every now and then at no query but the session's, said when there is one more.
import { ask as question } from "./door.js";
import { say } from "./toasts.js";

const pill = document.querySelector("[data-bell]");
if (pill) {
  let known = null;
  const read = async (address) => {
    const answer = await question(address);
    return answer.status === 200 ? (await answer.json()).unread : null;
  };
  const ask = async () => {
    if (document.hidden) return;
    try {
      const unread = (await read(pill.dataset.bell)) ?? (known === null ? await read(pill.dataset.count) : null);
      if (unread === null) return;
      if (known !== null && unread > known) say(unread - known === 1 ? "You have a new notification." : `You have ${unread - known} new notifications.`);
      known = unread;
      pill.firstElementChild.textContent = unread > 99 ? "99+" : String(unread);
      pill.hidden = unread === 0;
    } catch {
      // The next round asks again.
    }
  };
  ask();
  setInterval(ask, 15000);
  document.addEventListener("visibilitychange", ask);
}
