// Push notifications on this device, in the notification settings: asks the browser, and sends its subscription as the form
// that stands there. Whether a device is on is for the server to say; this says what the browser can do.
const room = document.querySelector("[data-push]");
const form = room?.querySelector("[data-push-form]");
const note = room?.querySelector("[data-push-note]");

// The form goes once the browser's subscription stands in it, by a submit event of its own: so it is one of the forms whose
// answer is asked for where it does not come (doubts.js).
let filled = false;

const tell = (text) => {
  note.textContent = text;
  note.hidden = text === "";
};

const bytes = (text) => {
  const plain = atob(text.replace(/-/g, "+").replace(/_/g, "/") + "=".repeat((4 - (text.length % 4)) % 4));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
};

const written = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

const BLOCKED = "Notifications of this site are blocked: allow them in your browser's site settings, then turn them on here.";

// Waits until the worker is at work: a subscription belongs to one that is.
const worker = async () => {
  const registration = await navigator.serviceWorker.register(room.dataset.worker, { scope: room.dataset.scope });
  const coming = registration.installing ?? registration.waiting;
  if (!registration.active && coming) {
    await new Promise((done) => coming.addEventListener("statechange", () => coming.state === "activated" && done()));
  }
  return registration;
};

const subscribe = async () => {
  const registration = await worker();
  const before = await registration.pushManager.getSubscription();
  // One of another key, or of somebody who was here before, is of no use.
  await before?.unsubscribe();
  return registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(room.dataset.key) });
};

const turnOn = async () => {
  if ((await Notification.requestPermission()) !== "granted") return tell(BLOCKED);
  try {
    const subscription = await subscribe();
    form.elements.endpoint.value = subscription.endpoint;
    form.elements.p256dh.value = written(subscription.getKey("p256dh"));
    form.elements.auth.value = written(subscription.getKey("auth"));
  } catch {
    return tell("This browser could not reach its push service. Nothing was turned on; try again later.");
  }
  filled = true;
  // By its button: what becomes of the form is said in the button's words.
  return form.requestSubmit(form.querySelector("button"));
};

const begin = async () => {
  if (!("serviceWorker" in navigator) || !("PushManager" in window) || !("Notification" in window)) {
    return tell("This browser cannot show push notifications. On an iPhone, add Countersign to the home screen first.");
  }
  const registration = await navigator.serviceWorker.getRegistration(room.dataset.scope);
  const subscription = await registration?.pushManager.getSubscription();
  const on = "on" in room.dataset, { state } = await navigator.permissions.query({ name: "notifications" });
  if (on && subscription && state === "granted") return;
  if (!on) await subscription?.unsubscribe();
  form.hidden = false;
  if (state === "denied") tell(BLOCKED);
  else if (on) tell("This browser shows no push notifications any more. Turn them on again.");
};

if (room && form) {
  form.addEventListener("submit", (event) => {
    if (filled) return;
    event.preventDefault();
    turnOn();
  });
  begin();
}
