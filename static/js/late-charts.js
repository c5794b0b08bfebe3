// Charts of a page that is read before they are: they come with parts that are swapped in, and the library with the first of them
// that comes near the window. One at a time, when the browser has nothing better to do.
import { begin, fresh, late } from "./charts.js";

const SOON_MS = 1500;
const idle = window.requestIdleCallback ?? ((work) => setTimeout(work, 60));
const waiting = new Set();
let loading = null;

function load() {
  loading ??= new Promise((done) => {
    const script = document.createElement("script");
    script.onload = script.onerror = done;
    script.src = late.dataset.library;
    document.head.append(script);
  });
  return loading;
}

async function next() {
  await load();
  const [canvas] = waiting;
  waiting.delete(canvas);
  if (canvas) begin(canvas);
  if (waiting.size) idle(next, { timeout: SOON_MS });
}

const near = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue;
    near.unobserve(target);
    waiting.add(target);
    if (waiting.size === 1) idle(next, { timeout: SOON_MS });
  }
}, { rootMargin: "100px" });

const watch = () => fresh().forEach((canvas) => near.observe(canvas));
document.addEventListener("htmx:afterSettle", watch);
addEventListener("load", () => setTimeout(watch, SOON_MS));
// Whoever goes there by keyboard does not wait.
document.addEventListener("focusin", ({ target }) => { if (target.matches("canvas[data-chart]")) load().then(() => begin(target)); });
