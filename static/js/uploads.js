// Files on their way: each file by itself with its progress, and sent again under the same key where no answer came.
import { isolated } from "./bidi.js";
import { hasLeft, post } from "./door.js";
import { newAttempt } from "./doubts.js";
import { typedIn } from "./drafts.js";

// Longer than the server waits for the service: it answers first, and knows more.
const WAIT_MS = 75000, LARGEST = 10 * 1024 * 1024, MOST = 10;
const DOUBT = "No answer came: it is not known yet whether it was added. Send it again: the same file is kept once.";
const WORDS = { waiting: ["Waiting", ""], sending: ["Uploading", "info"], added: ["Added", "ok"], unknown: ["Not confirmed", "warn"], refused: ["Not added", "bad"], not_sent: ["Not added", "bad"] };
let underWay = 0;

const make = (name, more = {}) => Object.assign(document.createElement(name), more);
const say = (form, text) => { form.querySelector("[data-said]").textContent = text; };
const refusalOf = (file) => (!file.size ? "The file is empty." : file.size > LARGEST ? "The file is larger than 10 MB." : "");

function rowOf(form, file) {
  const row = make("li"), again = make("button", { type: "button", className: "btn small", textContent: "Send again", hidden: true });
  again.setAttribute("aria-label", `Send ${isolated(file.name)} again`);
  const bar = make("progress", { max: 100, value: 0, hidden: true });
  bar.setAttribute("aria-label", `Upload of ${isolated(file.name)}`);
  row.append(make("span", { className: "name", textContent: isolated(file.name) }), make("span", { className: "state" }), bar, make("span", { className: "error" }), again);
  const entry = { form, file, row, bar, again, state: "waiting" };
  again.addEventListener("click", () => { show(entry, "waiting"); run(form, [entry]); });
  form.querySelector("[data-files]").append(row);
  show(entry, "waiting");
  return entry;
}

function show(entry, state, sentence = "") {
  const [word, tone] = WORDS[state], label = entry.row.querySelector(".state");
  entry.state = state;
  label.textContent = word;
  label.className = tone ? `state is-${tone}` : "state";
  entry.row.querySelector(".error").textContent = sentence;
  entry.bar.hidden = state !== "sending";
  // What the file itself is refused for stays so; everything else may be sent again.
  const focused = document.activeElement === entry.again;
  entry.again.hidden = !["unknown", "not_sent"].includes(state);
  if (focused && entry.again.hidden) entry.form.querySelector("[data-choose]").focus();
}

// One sending of one file: {state, sentence}; null where the page is being left.
async function send({ form, file, bar }) {
  const body = new FormData(), field = (name) => form.elements.namedItem(name).value;
  body.set("key", field("key"));
  body.set(form.querySelector("input[type=file]").name, file);
  const headers = { Accept: "application/json", "X-Attempt": newAttempt(), "X-CSRFToken": field("csrfmiddlewaretoken") };
  try {
    const answer = await post(form.action, body, headers, (percent) => { bar.value = percent; }, WAIT_MS);
    return hasLeft() ? null : read(answer);
  } catch {
    return { state: "unknown", sentence: DOUBT };
  }
}

function read({ status, text }) {
  if (status === 401) return { state: "not_sent", sentence: "Your session was renewed at that moment: send it again." };
  try {
    return JSON.parse(text).files[0];
  } catch {
    // A page of ours in place of an answer: who may not, or what broke on our side.
    if (status >= 500) return { state: "unknown", sentence: DOUBT };
    const toast = new DOMParser().parseFromString(text, "text/html").querySelector("[data-toast]");
    return { state: "refused", sentence: toast?.firstChild?.textContent.trim() || `It was refused (${status}).` };
  }
}

async function run(form, entries) {
  underWay += 1;
  let added = 0;
  for (const [place, entry] of entries.entries()) {
    if (entry.state !== "waiting") continue;
    show(entry, "sending");
    say(form, `Uploading ${isolated(entry.file.name)}, ${place + 1} of ${entries.length}.`);
    const outcome = await send(entry);
    if (!outcome) break;
    show(entry, outcome.state, outcome.sentence);
    added += outcome.state === "added" ? 1 : 0;
  }
  underWay -= 1;
  const wrong = entries.filter((entry) => entry.state !== "added");
  say(form, [added && `${added} ${form.dataset.noun}${added === 1 ? "" : "s"} added.`, ...wrong.map((entry) => `${isolated(entry.file.name)}: ${entry.row.querySelector(".error").textContent}`)].filter(Boolean).join(" "));
  if (added) refresh(form.dataset.uploads);
}

// The item as it is now, with its receipts and its thread; what somebody types in it stays.
function refresh(place) {
  const item = document.querySelector(place);
  if (!item || [...item.querySelectorAll("form")].some(typedIn)) return;
  window.htmx?.ajax("GET", location.pathname, { target: item, swap: "outerHTML" }).catch(() => {});
}

function begin(form, files) {
  const chosen = [...files];
  if (!chosen.length) return;
  if (chosen.length > MOST) return say(form, ""), void show(rowOf(form, { name: `${chosen.length} files` }), "refused", `At most ${MOST} files at a time: choose fewer.`);
  const entries = chosen.map((file) => rowOf(form, file));
  for (const entry of entries) if (refusalOf(entry.file)) show(entry, "refused", refusalOf(entry.file));
  run(form, entries);
}

for (const form of document.querySelectorAll("form[data-uploads]")) {
  const input = form.querySelector("input[type=file]"), zone = form.querySelector("[data-drop]");
  const camera = make("input", { type: "file", accept: "image/*", hidden: true });
  camera.setAttribute("capture", "environment");
  form.append(camera);
  for (const chooser of [input, camera]) chooser.addEventListener("change", () => { begin(form, chooser.files); chooser.value = ""; });
  form.querySelector("[data-choose]").addEventListener("click", () => input.click());
  form.querySelector("[data-camera]").addEventListener("click", () => camera.click());
  form.addEventListener("submit", (event) => event.preventDefault());
  for (const kind of ["dragenter", "dragover"]) zone.addEventListener(kind, (event) => { event.preventDefault(); zone.classList.add("over"); });
  for (const kind of ["dragleave", "drop"]) zone.addEventListener(kind, (event) => { event.preventDefault(); zone.classList.remove("over"); });
  zone.addEventListener("drop", ({ dataTransfer }) => begin(form, dataTransfer.files));
}
addEventListener("beforeunload", (event) => { if (underWay) event.preventDefault(); });
