// The ticks of a list: x ticks the row that has the focus; counted again when other rows come, or the page comes back.
import { ask } from "./door.js";
import { typing } from "./focus.js";
import { count } from "./frame.js";

document.addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() !== "x" || event.ctrlKey || event.metaKey || event.altKey) return;
  // At a desk X is the item's, whatever has the focus (keyboard.js).
  if (typing(event.target) || document.getElementById("desk")) return;
  const box = event.target.closest("[data-row]")?.querySelector('[name="ids"][form="ticks"]');
  if (!box) return;
  event.preventDefault();
  box.click();
});

document.addEventListener("htmx:afterSettle", (event) => {
  if (event.detail.target.id === "rows-of-list") count();
});
addEventListener("pageshow", count);

// What the letters mean now is said aloud whenever it changes.
function announceKeys() {
  const selected = document.querySelector(".bulk.some [data-count]")?.textContent;
  document.getElementById("announce").textContent = selected
    ? `${selected}: A reviews their approval, R their rejection, D a request for details.`
    : "Nothing selected: A, R and D decide on the open item.";
}

// All that match: every row that is seen is ticked with it, and untouched rows of other pages are meant as well. What was ticked
// before and does not match is not.
document.addEventListener("change", (event) => {
  if (!event.target.matches('[data-all-matching], [name="ids"], [data-select-all]')) return;
  const whole = document.querySelector("[data-all-matching]");
  if (whole && event.target === whole) for (const box of document.querySelectorAll('[name="ids"]')) box.checked = whole.checked && !box.closest(".kept");
  else if (whole && !event.target.checked) whole.checked = false;
  count();
  if (whole?.checked) document.querySelector(".bulk [data-count]").textContent = `All ${document.getElementById("matching").textContent} selected`;
  if (document.getElementById("desk")) announceKeys();
});

// A list keeps its ticks while one looks at its other pages: told as they are made, and a search or another page waits until they are.
let storing = Promise.resolve(), unstored = 0;
const keeping = () => document.querySelector("form[data-keeps]");

document.addEventListener("change", ({ target }) => {
  const form = target.matches('[name="ids"], [data-select-all]') && keeping();
  if (!form) return;
  const ticked = new FormData(form);
  ticked.delete("key");
  ticked.set("verb", "keep");
  // Where a form sends its ticks elsewhere than to be kept, it says where that is.
  const send = () => ask(form.dataset.keeps || form.action, { method: "POST", body: ticked, keepalive: true });
  unstored += 1;
  storing = storing.then(send).catch(() => {}).then(() => { unstored -= 1; });
});

document.addEventListener("htmx:confirm", (event) => {
  if (event.detail.elt.type !== "search" || !keeping()) return;
  event.preventDefault();
  storing.then(() => event.detail.issueRequest(true));
});

document.addEventListener("submit", (event) => {
  const { target, submitter } = event;
  if (!unstored || target.method !== "get") return;
  event.preventDefault();
  storing.then(() => target.requestSubmit(submitter));
});

document.addEventListener("click", (event) => {
  const link = unstored && !event.ctrlKey && !event.metaKey && event.target.closest('a[rel="next"], a[rel="prev"]');
  if (!link) return;
  event.preventDefault();
  storing.then(() => location.assign(link.href));
});
