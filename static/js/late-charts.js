// When charts are drawn: after the page is there, each when it comes near the window, a part of its work at a time, when the browser
// has nothing better to do. The library comes with the first of them.
import { answers, fresh, isDrawn, leave, parts, press } from "./charts.js";

// Home opens with what it showed last, which is about to be replaced.
const REPLACED_MS = 1500;
const SOON_MS = 300;
const page = document.querySelector("script[data-library]");
const idle = window.requestIdleCallback ?? ((work) => setTimeout(work, 60));
const CHART = "canvas[data-chart]";
// The work that is left of each canvas that is near; the first of them is the one that is being drawn.
const waiting = new Map();
let loading = null, working = false;

function load() {
  loading ??= new Promise((done) => {
    const script = document.createElement("script");
    script.onload = script.onerror = done;
    script.src = page.dataset.library;
    document.head.append(script);
  });
  return loading;
}

// A part of it; false once there is none left.
function advance(canvas) {
  // Without the library the table says it alone.
  if (!window.Chart) canvas.closest("figure").hidden = true;
  const left = window.Chart && canvas.isConnected && waiting.has(canvas) && !waiting.get(canvas).next().done;
  if (!left) waiting.delete(canvas);
  return left;
}

function work() {
  const [canvas] = waiting.keys();
  if (canvas) advance(canvas);
  working = waiting.size > 0;
  if (working) idle(work, { timeout: SOON_MS });
}

function begin(canvas) {
  waiting.set(canvas, parts(canvas));
  if (working) return;
  working = true;
  load().then(() => idle(work, { timeout: SOON_MS }));
}

const near = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue;
    near.unobserve(target);
    if (!waiting.has(target) && !isDrawn(target)) begin(target);
  }
}, { rootMargin: "100px" });

const watch = () => fresh().forEach((canvas) => near.observe(canvas));
document.addEventListener("htmx:afterSettle", watch);
const begun = () => setTimeout(watch, "late" in page.dataset ? REPLACED_MS : 0);
if (document.readyState === "complete") begun(); else addEventListener("load", begun);

// Whoever goes there by keyboard does not wait.
async function atOnce(canvas) {
  await load();
  if (!isDrawn(canvas) && !waiting.has(canvas)) waiting.set(canvas, parts(canvas));
  while (advance(canvas));
}

document.addEventListener("focusin", ({ target }) => { if (target.matches(CHART)) atOnce(target); });
document.addEventListener("focusout", ({ target }) => { if (target.matches(CHART)) leave(target); });
document.addEventListener("keydown", (event) => {
  if (!event.target.matches?.(CHART) || !answers(event)) return;
  if (event.key !== "Escape") {
    event.preventDefault();
    event.stopPropagation();
  }
  atOnce(event.target).then(() => press(event.target, event.key));
}, { capture: true });
