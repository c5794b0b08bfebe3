// The server's clock, as well as a page can know it: what is counted down is counted by it, not by the page's own.
const FORGETS_MS = 60000;
const [loaded] = performance.getEntriesByType("navigation");
const stamp = (description) => Number(description) || 0;

// When the page was drawn, by the server's clock where it says so (Server-Timing: now;desc="<ms since 1970>").
export const drawnAt = stamp(loaded?.serverTiming?.find((timing) => timing.name === "now")?.description) || performance.timeOrigin;
let ahead = 0, learned = 0;

export const serverNow = () => Date.now() + ahead;

// Every answer is stamped as it leaves: it was on its way when it is read, so that the largest difference is the truest.
function learn(server, received) {
  if (!server || (server - received < ahead && received - learned < FORGETS_MS)) return;
  ahead = server - received;
  learned = received;
}

export function learnFrom(header, received = Date.now()) {
  learn(stamp(/\bnow;desc="?(\d+)/.exec(header ?? "")?.[1]), received);
}

if (loaded?.serverTiming?.length) learn(drawnAt, performance.timeOrigin + loaded.responseStart);
