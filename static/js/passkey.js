// A button that asks for a passkey: allauth's own ceremony, told by data attributes instead of an inline script.
import { say } from "./toasts.js";

const button = document.querySelector("[data-passkey]");
const { authenticate, credential, data } = button.dataset;
window.allauth.webauthn.forms.authenticateForm({ ids: { authenticate, credential, data } });
document.addEventListener("allauth.error", (event) => {
  event.preventDefault();
  say("The passkey did not answer. Try again, or use a code.", true);
});
