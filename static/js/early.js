// The first paint of a desk: its first rows, and the item that will stand open beside them; of Home its first window. Runs in the
// head, before the list is there: the item is on its way (a preload above), and is put into the page as soon as both are there.
// Scripts look at it after it is painted.
{
  const root = document.documentElement;
  const first = document.querySelector("head > link[as=fetch]");
  // What has not come by then is asked for by htmx, through the door, which says it where that does not come either.
  const WAIT_MS = 5000;
  // In the way of the preload, or it would be asked for twice.
  const ask = () => fetch(first.href, { signal: AbortSignal.timeout?.(WAIT_MS) })
    .then((answer) => (answer.ok && answer.headers.has("Countersign") ? answer.text() : ""))
    .catch(() => "");
  const preloaded = first && matchMedia(first.media).matches ? ask() : null;
  const comes = (event) => new Promise((come) => document.addEventListener(event, come, { once: true }));
  // To its end, before the first of the scripts that wait for that; then with those. The first frame waits for the whole desk.
  const parsed = comes("readystatechange"), ready = comes("DOMContentLoaded");
  const begun = Promise.race([parsed, new Promise(requestAnimationFrame)]);
  // A page that is not painted, in a tab behind another, has no frames.
  const painted = () => new Promise((paint) => { requestAnimationFrame(() => setTimeout(paint)); setTimeout(paint, 200); });

  // The picture of its document is what is painted last: it is asked for before the item is laid out.
  function preload(markup) {
    const source = /<img [^>]*?src="([^"]+)"[^>]*?data-picture/.exec(markup)?.[1];
    if (!source) return;
    const link = Object.assign(document.createElement("link"), { rel: "preload", as: "image", fetchPriority: "high" });
    link.href = source.replaceAll("&amp;", "&");
    document.head.append(link);
  }

  // Another item of somebody's choice takes this one's place.
  let overtaken = false;
  document.addEventListener("htmx:beforeRequest", ({ detail }) => { overtaken ||= detail.target.id === "pane"; });

  async function openFirst() {
    const markup = await preloaded;
    preload(markup);
    await begun;
    if (!document.getElementById("announce")) await parsed;
    if (overtaken) return;
    const pane = document.getElementById("pane"), late = Boolean(window.htmx);
    if (markup) pane.innerHTML = markup;
    // Whoever presses one of its buttons before it is painted is answered by a swap already; this lays nothing out.
    if (late && markup) window.htmx.process(pane);
    await painted();
    // Where it came before htmx, htmx and the scripts after it find it in the page, as on the item's own.
    if (markup && !late) return;
    await ready;
    if (overtaken) return;
    if (!markup) return void window.htmx.ajax("GET", first.href, { source: "#pane", target: "#pane", swap: "innerHTML" }).catch(() => {});
    for (const name of ["htmx:load", "htmx:afterSettle"]) window.htmx.trigger(pane, name, { target: pane, requestConfig: {} });
  }

  // What lies beyond the window waits for that (the rules are in the stylesheet), or for the first frame.
  root.classList.add("drawing");
  const drawn = () => root.classList.remove("drawing");
  (preloaded ? openFirst() : ready.then(painted)).finally(drawn);
  addEventListener("load", () => setTimeout(drawn, 200));
}
