"""Who it is that uses the dashboard: passwords, second factors, identity providers, sessions, the cookies of these."""

from config.settings.base import DEVELOPMENT
from config.settings.env import boolean, env, words

AUTHENTICATION_BACKENDS = ["dashboard.web.signin.backend.Backend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
ACCOUNT_ADAPTER = "dashboard.web.signin.accounts.Accounts"
USERSESSIONS_ADAPTER = "dashboard.access.sessions.OwnSessions"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_LOGIN_BY_CODE_ENABLED = False
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_LOGOUT_REDIRECT_URL = "account_login"
ACCOUNT_REAUTHENTICATION_TIMEOUT = 300
ACCOUNT_PREVENT_ENUMERATION = True
# An office comes from one address: its answers by SAML are counted beside the forms that they began with. Those that
# nobody has signed are counted for their business, too: so many an hour come into its audit log, the others into the log.
ACCOUNT_RATE_LIMITS = {
    "login": "60/m/ip", "saml_answer": "60/m/ip", "saml_refused": "20/h/key",
    "login_failed": "30/m/ip,5/300s/key", "reauthenticate": "10/m/user",
}  # fmt: skip
# Behind so many proxies the address of whoever asks is the one that the first of them wrote down (X-Forwarded-For): it is
# what the limits above count by, and what a person's sessions are listed with. Without any nobody's word is taken for it.
ALLAUTH_TRUSTED_PROXY_COUNT = env("TRUSTED_PROXIES", 0, cast=int)
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "http" if DEVELOPMENT else "https"
MFA_ADAPTER = "dashboard.web.signin.factors.Factors"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_FORMS = {
    "add_webauthn": "dashboard.web.signin.forms.AddPasskeyForm",
    "signup_webauthn": "dashboard.web.signin.forms.SignUpPasskeyForm",
    "authenticate_webauthn": "dashboard.web.signin.forms.SecondFactorPasskeyForm",
    "login_webauthn": "dashboard.web.signin.forms.SignInPasskeyForm",
    "reauthenticate_webauthn": "dashboard.web.signin.forms.VerifyPasskeyForm",
}
MFA_TOTP_ISSUER = "Countersign"
MFA_TOTP_TOLERANCE = 1
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = DEVELOPMENT

# An identity provider belongs to one business, which names it in its settings (dashboard/single_sign_on/): its id is the
# business's address. None is named here or in a row of allauth's, where its secret would stand in plain.
SOCIALACCOUNT_ADAPTER = "dashboard.web.signin.providers.Providers"
SOCIALACCOUNT_ONLY = False
SOCIALACCOUNT_EMAIL_AUTHENTICATION = False
SOCIALACCOUNT_EMAIL_AUTHENTICATION_AUTO_CONNECT = False
SOCIALACCOUNT_STORE_TOKENS = False
SOCIALACCOUNT_REQUESTS_TIMEOUT = 5
SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"OAUTH_PKCE_ENABLED": True}}
# Hosts (and all below them) that may be named as an identity provider; any public one where none is named here.
SIGN_ON_HOSTS = env("SIGN_ON_HOSTS", [], cast=words)
SIGN_ON_HTTP_ON_LOOPBACK = env("SIGN_ON_HTTP_ON_LOOPBACK", DEVELOPMENT, cast=boolean)

# In the database alone: deleting its row ends a session at once, and a lost Redis signs nobody out. One look by primary
# key per request, polls included; a cache in front of it would let an ended session on.
SESSION_ENGINE = "dashboard.web.signin.session_store"
SESSION_COOKIE_NAME = "countersign_session"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = not DEVELOPMENT
SESSION_IDLE_SECONDS = env("SESSION_IDLE_SECONDS", 15 * 60, cast=int)
SESSION_WARNING_SECONDS = env("SESSION_WARNING_SECONDS", 120, cast=int)
SESSION_ABSOLUTE_SECONDS = env("SESSION_ABSOLUTE_SECONDS", 12 * 3600, cast=int)
SESSION_COOKIE_AGE = SESSION_ABSOLUTE_SECONDS
# How long a swap waits for its answer before the page says so: an ordinary edit's own 8 s, the token that it may fetch
# first, and a margin; what may take longer says so itself (hx-request).
SWAP_TIMEOUT_S = env("SWAP_TIMEOUT_S", 15.0, cast=float)
CSRF_COOKIE_NAME = "countersign_csrf"
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SECURE = not DEVELOPMENT
CSRF_FAILURE_VIEW = "dashboard.web.errors.csrf_failed"
MESSAGE_STORAGE = "django.contrib.messages.storage.cookie.CookieStorage"
