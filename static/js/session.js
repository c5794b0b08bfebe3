// The session's end: warned of before it comes, shared between tabs, and never put off by what the page does by itself.
const meta = document.querySelector('meta[name="session"]');
if (meta) {
  const [idle, warn] = meta.content.split(" ").map(Number);
  const dialog = document.getElementById("session-ends");
  const tabs = "BroadcastChannel" in window ? new BroadcastChannel("countersign-session") : null;
  let seen = Date.now();
  const here = (at) => {
    seen = Math.max(seen, at);
    if (dialog.open && left() > warn) dialog.close();
  };
  const left = () => idle - (Date.now() - seen) / 1000;

  tabs?.postMessage(seen);
  tabs?.addEventListener("message", (event) => here(Number(event.data)));
  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.successful && !event.detail.elt.hasAttribute("data-polls")) {
      here(Date.now());
      tabs?.postMessage(seen);
    }
  });
  dialog.addEventListener("close", async () => {
    const answer = await fetch("/-/alive/", { headers: { "HX-Request": "true" } });
    if (answer.ok && !answer.headers.get("HX-Redirect")) {
      here(Date.now());
      tabs?.postMessage(seen);
    } else location.reload();
  });
  // What is typed and not yet sent goes to the server just before the end, to be shown again after signing in.
  let kept = false;
  const keep = () => {
    kept = true;
    const typed = [...document.querySelectorAll("form textarea")].find((field) => field.value !== field.defaultValue);
    if (!typed) return;
    const fields = new FormData(typed.form);
    fields.set("kept_action", typed.form.getAttribute("action"));
    fetch("/-/kept/", { method: "POST", body: fields, keepalive: true });
  };
  setInterval(() => {
    const seconds = left();
    if (seconds < 4 && !kept) keep();
    if (seconds <= -1) location.reload();
    else if (seconds <= warn) {
      if (!dialog.open) dialog.showModal();
      const whole = Math.ceil(seconds);
      dialog.querySelector("[data-left]").textContent = whole > 60 ? `${Math.ceil(whole / 60)} minutes` : `${whole} seconds`;
    }
  }, 1000);
}

// A page out of the browser's own memory may be somebody else's by now.
addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});
