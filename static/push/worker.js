// Push notifications: shows what a message says, and opens the page that it names. Nothing else: it hears no fetch, stores
// nothing, and its scope (/-/push/) holds no page, so none is ever shown from a store.
const NAME = "Countersign";

const within = (path) => {
  try {
    const place = new URL(path, self.location.origin);
    if (typeof path === "string" && place.origin === self.location.origin) return place.href;
  } catch {
    // No address: the first page.
  }
  return `${self.location.origin}/`;
};

self.addEventListener("push", (event) => {
  let message = {};
  try {
    message = event.data?.json() ?? {};
  } catch {
    // What cannot be read still has to be shown as something: a browser takes the permission away otherwise.
  }
  const body = typeof message.text === "string" ? message.text : "Open Countersign to see what is new";
  const href = within(message.path);
  const icon = "/static/icons/any-192.png";
  event.waitUntil(self.registration.showNotification(NAME, { body, icon, tag: href, data: { href } }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { href } = event.notification.data ?? { href: within("/") };
  const open = async () => {
    const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    const there = windows.find((page) => page.url === href);
    return there ? there.focus() : self.clients.openWindow(href);
  };
  event.waitUntil(open());
});
