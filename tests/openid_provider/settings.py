"""The provider's own settings: what it needs to sign people in and to issue ID tokens, in a folder of its own."""

import os
from pathlib import Path

FOLDER = Path(os.environ["OPENID_FOLDER"])
ORIGIN = os.environ["OPENID_ORIGIN"]

SECRET_KEY = "only for this run"
ALLOWED_HOSTS = ["localhost", "127.0.0.1"]
ROOT_URLCONF = "tests.openid_provider.urls"
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": FOLDER / "provider.sqlite3"}}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
INSTALLED_APPS = ["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "oauth2_provider"]
MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
]
SESSION_COOKIE_NAME = "openid_session"
LOGIN_URL = "/sign-in/"
USE_TZ = True
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
LOGIN_PAGE = (
    "<!doctype html><title>Provider</title><form method=post>{% csrf_token %}<label>Name <input name=username></label>"
    "<label>Password <input name=password type=password></label>"
    '<input type=hidden name=next value="{{ next }}"><button>Sign in</button></form>'
)
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "OPTIONS": {"loaders": [("django.template.loaders.locmem.Loader", {"registration/login.html": LOGIN_PAGE})]},
    }
]
OAUTH2_PROVIDER = {
    "OIDC_ENABLED": True,
    "OIDC_ISS_ENDPOINT": f"{ORIGIN}/o",
    "OIDC_RSA_PRIVATE_KEY": (FOLDER / "key.pem").read_text(),
    "OAUTH2_VALIDATOR_CLASS": "tests.openid_provider.claims.Claims",
    "SCOPES": {"openid": "who it is", "profile": "their name", "email": "their address"},
    "PKCE_REQUIRED": True,
}
