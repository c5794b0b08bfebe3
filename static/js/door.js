// The door: every question of a script goes through here, and whoever has lost the session is led to sign in, from any tab.
import { learnFrom } from "./clock.js";
import { saveTyped } from "./drafts.js";

export const meta = (name) => document.querySelector(`meta[name="${name}"]`)?.content ?? "";
export const tabs = "BroadcastChannel" in window ? new BroadcastChannel("countersign-session") : null;
const OURS = "Countersign", WAIT_MS = 10000, PAUSE_MS = 300, SIGN_IN = "/-/account/login/";
let left = false;

// The page that is shown: with an item open in the desk's pane, the item's own, or what of it is being corrected there.
export function here() {
  const openRowLink = document.querySelector("#rows tr[aria-current] a");
  return openRowLink && !location.pathname.startsWith(openRowLink.pathname) ? openRowLink.href : location.href;
}
export const isOurs = (headers) => Boolean(headers.get(OURS));
export const hasLeft = () => left;

// A question to our own server. Rejects where nothing came, or what came was not ours; 401 leads to the sign-in page.
export async function ask(address, options = {}) {
  const headers = { "HX-Request": "true", "HX-Current-URL": here(), ...options.headers };
  const answer = await fetch(address, { ...options, headers, signal: AbortSignal.timeout(WAIT_MS) });
  learnFrom(answer.headers.get("Server-Timing"));
  if (answer.status === 401) await ended(answer.headers.get("HX-Redirect"));
  else if (!isOurs(answer.headers)) throw new Error(`not ours: ${answer.status}`);
  return answer;
}

// A form with a file, which says how much of it has left: {status, text}. Rejects as `ask` does; a form of an older page
// draws the page anew.
export function post(address, body, headers, progress, wait) {
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    xhr.open("POST", address);
    const all = { "HX-Request": "true", "HX-Current-URL": here(), ...headers };
    for (const [name, value] of Object.entries(all)) xhr.setRequestHeader(name, value);
    xhr.timeout = wait;
    xhr.upload.addEventListener("progress", ({ loaded, total }) => progress(total ? Math.round((loaded / total) * 100) : 0));
    for (const end of ["error", "timeout", "abort"]) xhr.addEventListener(end, () => reject(new Error(end)));
    xhr.addEventListener("load", async () => {
      const elsewhere = xhr.getResponseHeader("HX-Redirect");
      if (xhr.status === 401) await ended(elsewhere);
      else if (xhr.status === 403 && elsewhere) redraw(elsewhere);
      else if (!xhr.getResponseHeader(OURS)) return reject(new Error(`not ours: ${xhr.status}`));
      resolve({ status: xhr.status, text: xhr.responseText });
    });
    xhr.send(body);
  });
}

// One answer of 401 may be of the session's former id, sent just as it was renewed: asked once more before one leaves.
// True where the session has ended, and the page is being left.
export async function ended(address) {
  if (left) return true;
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  const headers = { "HX-Request": "true", "HX-Current-URL": here() };
  const again = await fetch("/-/session/", { headers, signal: AbortSignal.timeout(WAIT_MS) }).catch(() => null);
  if (again?.ok) return false;
  leave(again?.headers.get("HX-Redirect") || address || SIGN_IN);
  return true;
}

// What was typed is kept in this tab, nothing private stays on the screen, and the other tabs hear of it.
export function leave(address, title = "You are signed out", why = "Your session has ended.") {
  if (left) return;
  left = true;
  const typed = saveTyped();
  blank(address, title, `${why}${typed ? " What you typed is kept in this tab; it was not sent." : ""}`);
  tabs?.postMessage("ended");
  location.assign(address);
}

// Another person's session now, or a form of an older page: the page is drawn anew.
export function redraw(address) {
  leave(address, "One moment", "This page is from an older session and is being reloaded.");
}

function blank(address, title, text) {
  document.title = "Countersign";
  const [frame, paper, heading, sentence, link] = ["div", "main", "h1", "p", "a"].map((name) => document.createElement(name));
  frame.className = "entrance";
  paper.className = "paper stack";
  heading.textContent = title;
  sentence.textContent = text;
  sentence.setAttribute("role", "alert");
  link.className = "btn go";
  link.href = address;
  link.textContent = "Continue";
  paper.append(heading, sentence, link);
  frame.append(paper);
  document.body.replaceChildren(frame);
}
