// Where the focus is after a swap, and on a form that was refused; whether the keys belong to what has it.

// A letter is a letter there. What has just closed (a dialog with its field) keeps the focus until the next frame, and no
// longer has the keys: nobody types into what is not on the screen.
const TYPED_IN = "input:not([type=checkbox]), textarea, select, [contenteditable], dialog[open], [data-correction] input";
export const typing = (target) => Boolean(target.closest(TYPED_IN)?.checkVisibility());

// Focus is never lost to a swap: it goes back to what it was on, else to the heading of what came, else to the content.
const held = new WeakMap();
document.addEventListener("htmx:beforeRequest", ({ detail }) => {
  const on = document.activeElement;
  if (on && on !== document.body) held.set(detail.xhr, { on, html: on.outerHTML });
});
export function refocus(was, place = null) {
  if (!was || document.activeElement !== document.body) return;
  const twins = [...(place?.querySelectorAll(was.on.localName) ?? [])].filter((twin) => twin.outerHTML === was.html);
  const came = place?.querySelector("[data-heading]") ?? (twins.length === 1 ? twins[0] : null);
  const next = was.on.isConnected ? was.on : came ?? document.querySelector("#pane [data-heading]");
  (next ?? document.getElementById("main"))?.focus({ preventScroll: true });
}
document.addEventListener("htmx:afterSettle", ({ detail }) => refocus(held.get(detail.xhr), document.getElementById(detail.target.id)));
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  const was = held.get(detail.xhr);
  if (was?.on.isConnected) refocus(was);
});

// A form that came back as a page of its own: the first field that is wrong is where one goes on.
if (!document.querySelector("[autofocus]")) document.querySelector('main [aria-invalid="true"]')?.focus();
