// The command palette: Ctrl-K or the sidebar's link opens it, arrows walk through what was found, Enter goes to the first.
const palette = document.getElementById("palette");
const input = palette?.querySelector("input");
const links = () => [...palette.querySelectorAll("#found a")];

function open() {
  if (palette.open) return;
  palette.showModal();
  input.select();
  // The pages stand there before anything is typed.
  if (window.htmx) window.htmx.trigger(input, "open");
}

function walk(step) {
  const stops = [input, ...links()];
  const at = stops.indexOf(document.activeElement);
  stops[(at + step + stops.length) % stops.length].focus();
}

if (palette) {
  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    open();
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-find]") || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open();
  });
  palette.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    walk(step);
  });
  // Only what was found for these very words is gone to; otherwise the form asks for the whole page.
  let answered = "";
  palette.addEventListener("htmx:afterSwap", () => { answered = input.value; });
  palette.addEventListener("submit", (event) => {
    const first = links()[0];
    if (!first || answered !== input.value) return;
    event.preventDefault();
    first.click();
  });
  // A link may lead to a part of the very page one is on: nothing is loaded then, and the palette would stay before it.
  palette.addEventListener("click", (event) => {
    const link = event.target.closest("#found a");
    const here = link && link.pathname === location.pathname && link.search === location.search && link.hash;
    if (event.target === palette || here) palette.close();
  });
}
