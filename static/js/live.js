// What is new since the page was drawn: learned of every few seconds at no query but the session's, shown, never moved under the reader.
import { ask as question } from "./door.js";

const news = () => document.querySelector("[data-news]");
if (news()) {
  const read = async (address) => {
    const answer = await question(address);
    return answer.status === 200 ? answer.json() : null;
  };
  const ask = async () => {
    const bar = news();
    if (document.hidden || !bar) return;
    try {
      const beat = await read(bar.dataset.news);
      // The first beat of a page is compared with nothing: something may have come in since it was drawn.
      if (!beat || String(beat.pulse) === bar.dataset.pulse) return;
      const since = encodeURIComponent(bar.dataset.since);
      const arrivals = await read(`${bar.dataset.fresh}&since=${since}`);
      if (!arrivals) return;
      bar.dataset.pulse = beat.pulse;
      const link = bar.querySelector("a");
      link.textContent = arrivals.count > 0 ? `${arrivals.count > 99 ? "99+" : arrivals.count} new` : "";
      link.hidden = arrivals.count === 0;
    } catch {
      // The next round asks again; a page that cannot be reached says so when something is done on it.
    }
  };
  setInterval(ask, 3000);
  document.addEventListener("visibilitychange", ask);
}
