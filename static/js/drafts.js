// What was typed and not sent: kept in this tab when its page has to go, and put back where its form stands. Never a secret.
import { say } from "./toasts.js";

const STORE = "countersign-typed", LASTS_MS = 3600_000, GIVES_UP_MS = 6000;
const SECRET = /(^|[_-])(password\d?|oldpassword|code|otp|pin|cvv|pan|secret|token)([_-]|$)/i;
const person = () => document.querySelector('meta[name="person"]')?.content ?? "";
const actionOf = (form) => form.getAttribute("action") ?? location.pathname + location.search;
const forms = () => [...document.querySelectorAll('form[method="post"], form[role="search"]')];
// Of a search its words alone, and only where it is open: its filters stand in the address.
const isDrafted = (field) => (field.form.method === "post" ? !["hidden", "submit", "button"].includes(field.type) : field.type === "search" && !field.closest("dialog:not([open])"));
const fieldsOf = (form) => [...form.elements].filter((field) => field.name && isDrafted(field));
const isSecret = (field) => field.type === "password" || /one-time-code|^cc-/.test(field.autocomplete) || SECRET.test(field.name);

export function isTyped(field) {
  if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked;
  if (field.type === "file") return field.files.length > 0;
  if (field.localName === "select") return [...field.options].some((option) => option.selected !== option.defaultSelected);
  if (field.type === "search") return field.value !== (new URLSearchParams(location.search).get(field.name) ?? field.defaultValue);
  return field.value !== field.defaultValue;
}

// What a form holds that its person put there: [place, name, value, whether it is ticked]. Files and secrets count as lost.
export function typedIn(form) {
  const all = fieldsOf(form), typed = all.filter(isTyped);
  const lost = typed.filter((field) => field.type === "file" || isSecret(field)).length;
  const fields = typed
    .filter((field) => field.type !== "file" && !isSecret(field))
    .map((field) => [all.indexOf(field), field.name, field.value, Boolean(field.checked)]);
  const nth = forms().filter((other) => actionOf(other) === actionOf(form)).indexOf(form);
  return fields.length || lost ? { action: actionOf(form), nth, fields, lost } : null;
}

// Saves all of the page's forms, as the page is left; whether there was anything to keep. From then on it is the next page's.
let isLeft = false;
export function saveTyped() {
  isLeft = true;
  const typed = forms().map(typedIn).filter(Boolean);
  if (typed.length) store({ person: person(), page: location.pathname, at: Date.now(), forms: typed });
  return typed.some((draft) => draft.fields.length);
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
    const drafts = JSON.parse(sessionStorage.getItem(STORE) ?? "null");
    return drafts && Date.now() - drafts.at < LASTS_MS ? drafts : null;
  } catch {
    return null;
  }
}

// Puts one form's fields back where it stands on this page; false where it does not.
export function putBack({ action, nth, fields }) {
  const form = forms().filter((other) => actionOf(other) === action)[nth];
  if (!form) return false;
  const all = fieldsOf(form);
  for (const [place, name, value, ticked] of fields) {
    const field = all[place]?.name === name ? all[place] : all.find((other) => other.name === name);
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
  const form = forms().find((other) => actionOf(other) === action), dialog = form?.closest("dialog:not([open])");
  if (dialog && fields.length) dialog.showModal();
}

function restore() {
  const drafts = held();
  if (isLeft || !drafts || !person()) return;
  // Somebody else has signed in: it is not theirs to see.
  if (drafts.person !== person()) return store(null);
  drafts.forms.forEach(reopen);
  const rest = drafts.forms.filter((draft) => !putBack(draft));
  if (rest.length === drafts.forms.length) return;
  const back = drafts.forms.some((draft) => draft.fields.length), lost = drafts.forms.some((draft) => draft.lost);
  const sentences = [back && "What you typed is here again; it was not sent.", lost && "Codes, passwords and files are not kept: enter them again."];
  say(sentences.filter(Boolean).join(" "));
  store(rest.length ? { ...drafts, forms: rest } : null);
}

// Back on its page, a form that is no longer there gives up its text: shown once, so that it can be copied.
function giveUp() {
  const drafts = held();
  // The page that was left may stand for a while yet, until the next one has come.
  if (isLeft || !drafts || drafts.person !== person() || drafts.page !== location.pathname) return;
  const texts = drafts.forms.flatMap((draft) => draft.fields.map(([, , value]) => value)).filter((text) => text.length > 3);
  if (texts.length) say(`The form that you typed this into is no longer here: “${texts.join("” “")}”`, true, { stays: true });
  store(null);
}

restore();
document.addEventListener("htmx:afterSettle", restore);
setTimeout(giveUp, GIVES_UP_MS);
// The sign-in page says what waits.
for (const note of document.querySelectorAll("[data-typed]")) note.hidden = !held();
