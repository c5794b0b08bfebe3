// The first paint of a desk: its first rows, and the item that will stand open beside them. Runs in the head, before the list is
// there: the item is asked for at once. Where it comes before htmx, it is put into the page as if it had been sent with it;
// later, what htmx asks for the same item is answered with it.
{
  const root = document.documentElement;
  const address = document.currentScript.dataset.first;
  const wide = matchMedia("(min-width: 1161px)").matches;
  const ask = () => fetch(address, { headers: { "HX-Request": "true", "HX-Target": "pane", "HX-Current-URL": location.href } })
    .then((answer) => (answer.ok && answer.headers.has("Countersign") ? answer.text() : ""))
    .catch(() => "");
  const asked = wide && address ? ask() : null;
  let requests = 0, markup = "", placed = false;

  // The picture of its document is what is painted last: it is asked for before the item is laid out.
  function preload() {
    const source = /<img [^>]*?src="([^"]+)"[^>]*?data-picture/.exec(markup)?.[1];
    if (!source) return;
    const link = Object.assign(document.createElement("link"), { rel: "preload", as: "image", fetchPriority: "high" });
    link.href = source.replaceAll("&amp;", "&");
    document.head.append(link);
  }

  // Only until htmx is there: it looks through the page once, and the scripts after it find the item as on its own page.
  function place() {
    const pane = document.getElementById("pane");
    if (!markup || placed || requests || window.htmx || document.readyState === "loading" || !pane || pane.querySelector("[data-item]")) return;
    placed = true;
    pane.innerHTML = markup;
  }
  document.addEventListener("readystatechange", place);
  asked?.then((answer) => {
    markup = answer;
    preload();
    place();
  });

  // The first request of the pane alone: a later one is somebody's, and takes this one's place.
  document.addEventListener("htmx:beforeRequest", (event) => {
    const { target, requestConfig } = event.detail;
    if (!asked || placed || target.id !== "pane" || ++requests > 1) return;
    if (new URL(requestConfig.path, location.href).href !== new URL(address, location.href).href) return;
    event.preventDefault();
    asked.then(() => {
      if (requests > 1) return;
      if (markup) window.htmx.swap(target, markup, { swapStyle: "innerHTML" }, { eventInfo: event.detail });
      else window.htmx.ajax("GET", address, { source: "#pane", target: "#pane", swap: "innerHTML" });
    });
  });

  // The rows beyond the window wait for the first frame (the rule is in the stylesheet).
  root.classList.add("drawing");
  const drawn = () => root.classList.remove("drawing");
  document.addEventListener("DOMContentLoaded", () => requestAnimationFrame(() => setTimeout(drawn)));
  // A page that is not painted, in a tab behind another, has no frames.
  addEventListener("load", () => setTimeout(drawn, 200));
}
