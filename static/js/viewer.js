// A document beside the decision: its pages by key, by button and by thumbnail; larger, turned, and where a value stands.
import { typing } from "./focus.js";

const ZOOMS = [1, 1.5, 2, 3];
const viewers = () => [...document.querySelectorAll("[data-viewer]")];
// The document that keys are meant for: the one with the focus, else the first that can be seen.
const chosen = () => document.activeElement?.closest("[data-viewer]")
  ?? viewers().find((viewer) => viewer.querySelector("[data-picture]") && viewer.checkVisibility());

const states = new WeakMap();
function stateOf(viewer) {
  if (!states.has(viewer)) {
    const picture = viewer.querySelector("[data-picture]");
    const sheets = [...viewer.querySelectorAll("[data-sheet-number]")].map((button) => ({ ...button.dataset, button }));
    const only = { shown: picture.getAttribute("src"), width: picture.getAttribute("width"), height: picture.getAttribute("height") };
    only.enlarged = only.shown.replace(/width=\d+/, "width=1800");
    states.set(viewer, { page: 1, zoom: 0, turns: 0, sheets: sheets.length ? sheets : [only] });
  }
  return states.get(viewer);
}

function show(viewer, words) {
  const state = stateOf(viewer);
  const picture = viewer.querySelector("[data-picture]");
  const sheet = state.sheets[state.page - 1];
  const lies = state.turns % 2 === 1;
  const address = `${state.zoom ? sheet.enlarged : sheet.shown}&turns=${state.turns}`;
  if (picture.getAttribute("src") !== address) {
    picture.width = lies ? sheet.height : sheet.width;
    picture.height = lies ? sheet.width : sheet.height;
    picture.src = address;
    picture.alt = `${viewer.getAttribute("aria-label")}, page ${state.page}`;
  }
  viewer.querySelector("[data-sheet]").dataset.zoom = ZOOMS[state.zoom];
  viewer.querySelector("[data-spot]").toggleAttribute("hidden", true);
  for (const { button } of state.sheets) {
    if (!button) continue;
    if (button === sheet.button) {
      button.setAttribute("aria-current", "true");
      button.parentElement.scrollTo({ left: button.offsetLeft - button.parentElement.offsetLeft - 80 });
    } else button.removeAttribute("aria-current");
  }
  const page = viewer.querySelector("[data-page]");
  if (page) page.textContent = state.page;
  able(viewer, '[data-turn-page="-1"]', state.page > 1);
  able(viewer, '[data-turn-page="1"]', state.page < state.sheets.length);
  able(viewer, '[data-zoom-by="-1"]', state.zoom > 0);
  able(viewer, '[data-zoom-by="1"]', state.zoom < ZOOMS.length - 1);
  viewer.querySelector("[data-viewer-status]").textContent = words;
}

function able(viewer, what, can) {
  const button = viewer.querySelector(what);
  if (!button) return;
  // A button that is disabled under the focus loses it: it goes on to the page itself.
  if (!can && button === document.activeElement) viewer.querySelector("[data-sheet]").focus();
  button.disabled = !can;
}

function turnTo(viewer, page) {
  const state = stateOf(viewer);
  const next = Math.min(Math.max(page, 1), state.sheets.length);
  const at = next === state.page ? (page < 1 ? "This is the first page" : "This is the last page") : "";
  state.page = next;
  show(viewer, at || `Page ${next} of ${state.sheets.length}`);
  viewer.querySelector("[data-sheet]").scrollTo(0, 0);
}

function zoomTo(viewer, zoom) {
  const state = stateOf(viewer);
  state.zoom = Math.min(Math.max(zoom, 0), ZOOMS.length - 1);
  show(viewer, `Zoom ${ZOOMS[state.zoom] * 100} %`);
}

function rotate(viewer) {
  const state = stateOf(viewer);
  state.turns = (state.turns + 1) % 4;
  show(viewer, `Rotated by ${state.turns * 90} degrees`);
}

// Where a value stands: its page, upright and whole, with a frame around it.
function find(viewer, { findPage, left, top, across, down }) {
  const state = stateOf(viewer);
  Object.assign(state, { page: Math.min(Number(findPage) || 1, state.sheets.length), zoom: 0, turns: 0 });
  show(viewer, `Shown on page ${state.page}`);
  const spot = viewer.querySelector("[data-spot]");
  const frame = { x: left - 8, y: top - 5, width: Number(across) + 16, height: Number(down) + 10 };
  for (const [name, value] of Object.entries(frame)) spot.firstElementChild.setAttribute(name, value);
  spot.toggleAttribute("hidden", false);
}

const keys = {
  n: (viewer) => turnTo(viewer, stateOf(viewer).page + 1),
  b: (viewer) => turnTo(viewer, stateOf(viewer).page - 1),
  "+": (viewer) => zoomTo(viewer, stateOf(viewer).zoom + 1),
  "=": (viewer) => zoomTo(viewer, stateOf(viewer).zoom + 1),
  "-": (viewer) => zoomTo(viewer, stateOf(viewer).zoom - 1),
  0: (viewer) => zoomTo(viewer, 0),
  w: (viewer) => rotate(viewer),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (typing(event.target)) return;
  const act = keys[event.key.toLowerCase()];
  const viewer = act && chosen();
  if (!viewer?.querySelector("[data-picture]")) return;
  event.preventDefault();
  act(viewer);
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-viewer] button");
  const viewer = button?.closest("[data-viewer]");
  if (!viewer?.querySelector("[data-picture]")) return;
  const { turnPage, zoomBy, sheetNumber, findPage, rotate: turns } = button.dataset;
  if (turnPage) turnTo(viewer, stateOf(viewer).page + Number(turnPage));
  else if (zoomBy) zoomTo(viewer, stateOf(viewer).zoom + Number(zoomBy));
  else if (sheetNumber) turnTo(viewer, Number(sheetNumber));
  else if (findPage) find(viewer, button.dataset);
  else if (turns !== undefined) rotate(viewer);
});
