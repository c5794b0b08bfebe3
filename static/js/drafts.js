// What was typed and not sent: kept in this tab when its page has to go, and put back where its form stands. Never a secret.
import { say } from "./toasts.js";

const STORE = "countersign-typed", LASTS_MS = 3600_000, GIVES_UP_MS = 6000;
const SECRET = /(^|[_-])(password\d?|oldpassword|code|otp|pin|cvv|pan|secret|token)([_-]|$)/i;
const person = () => document.querySelector('meta[name="person"]')?.content ?? "";
const actionOf = (form) => form.getAttribute("action") ?? location.pathname + location.search;
const forms = () => [...document.querySelectorAll('form[method="post"], form[role="search"]')];
// Of a search its words alone, and only where it is open: its filters stand in the address.
const isKept = (one) => (one.form.method === "post" ? !["hidden", "submit", "button"].includes(one.type) : one.type === "search" && !one.closest("dialog:not([open])"));
const fieldsOf = (form) => [...form.elements].filter((one) => one.name && isKept(one));
const isSecret = (field) => field.type === "password" || /one-time-code|^cc-/.test(field.autocomplete) || SECRET.test(field.name);

export function isTyped(field) {
  if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked;
  if (field.type === "file") return field.files.length > 0;
  if (field.localName === "select") return [...field.options].some((one) => one.selected !== one.defaultSelected);
  if (field.type === "search") return field.value !== (new URLSearchParams(location.search).get(field.name) ?? field.defaultValue);
  return field.value !== field.defaultValue;
}

// What a form holds that its person put there: [place, name, value, whether it is ticked]. Files and secrets count as lost.
export function typedIn(form) {
  const all = fieldsOf(form), typed = all.filter(isTyped);
  const lost = typed.filter((one) => one.type === "file" || isSecret(one)).length;
  const fields = typed
    .filter((one) => one.type !== "file" && !isSecret(one))
    .map((one) => [all.indexOf(one), one.name, one.value, Boolean(one.checked)]);
  const nth = forms().filter((one) => actionOf(one) === actionOf(form)).indexOf(form);
  return fields.length || lost ? { action: actionOf(form), nth, fields, lost } : null;
}

// Saves all of the page's forms; whether there was anything to keep.
export function saveTyped() {
  const typed = forms().map(typedIn).filter(Boolean);
  if (typed.length) store({ person: person(), page: location.pathname, at: Date.now(), forms: typed });
  return typed.some((one) => one.fields.length);
}

function store(held) {
  try {
    if (held) sessionStorage.setItem(STORE, JSON.stringify(held));
    else sessionStorage.removeItem(STORE);
  } catch {
    // A full or forbidden store: what was typed is lost, and nothing says that it is kept.
  }
}

export function held() {
  try {
    const found = JSON.parse(sessionStorage.getItem(STORE) ?? "null");
    return found && Date.now() - found.at < LASTS_MS ? found : null;
  } catch {
    return null;
  }
}

// Puts one form's fields back where it stands on this page; false where it does not.
export function putBack({ action, nth, fields }) {
  const form = forms().filter((one) => actionOf(one) === action)[nth];
  if (!form) return false;
  const all = fieldsOf(form);
  for (const [place, name, value, ticked] of fields) {
    const field = all[place]?.name === name ? all[place] : all.find((one) => one.name === name);
    if (!field || isSecret(field) || isTyped(field)) continue;
    if (field.type === "checkbox" || field.type === "radio") field.checked = ticked;
    else field.value = value;
    for (let on = field.closest("details"); on; on = on.parentElement.closest("details")) on.open = true;
  }
  return true;
}

// One form that was not carried out: put back here, or once its page is open again.
export function putBackLater(form, page) {
  if (putBack(form)) return;
  store({ person: person(), page, at: Date.now(), forms: [...(held()?.forms ?? []), form] });
}

// The palette opens again with what was searched in it.
function reopen({ action, fields }) {
  const form = forms().find((one) => actionOf(one) === action), dialog = form?.closest("dialog:not([open])");
  if (dialog && fields.length) dialog.showModal();
}

function restore() {
  const found = held();
  if (!found || !person()) return;
  // Somebody else has signed in: it is not theirs to see.
  if (found.person !== person()) return store(null);
  found.forms.forEach(reopen);
  const rest = found.forms.filter((one) => !putBack(one));
  if (rest.length === found.forms.length) return;
  const back = found.forms.some((one) => one.fields.length), lost = found.forms.some((one) => one.lost);
  const sentences = [back && "What you typed is here again; it was not sent.", lost && "Codes, passwords and files are not kept: enter them again."];
  say(sentences.filter(Boolean).join(" "));
  store(rest.length ? { ...found, forms: rest } : null);
}

// Back on its page, a form that is no longer there gives up its text: shown once, so that it can be copied.
function giveUp() {
  const found = held();
  if (!found || found.person !== person() || found.page !== location.pathname) return;
  const texts = found.forms.flatMap((one) => one.fields.map(([, , value]) => value)).filter((one) => one.length > 3);
  if (texts.length) say(`The form that you typed this into is no longer here: “${texts.join("” “")}”`, true, { stays: true });
  store(null);
}

restore();
document.addEventListener("htmx:afterSettle", restore);
setTimeout(giveUp, GIVES_UP_MS);
// The sign-in page says what waits.
for (const note of document.querySelectorAll("[data-typed]")) note.hidden = !held();
