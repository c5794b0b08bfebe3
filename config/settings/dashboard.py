"""The dashboard's settings, read top to bottom."""

from config.settings.base import *  # noqa: F403
from config.settings.base import DEVELOPMENT, ROOT, database
from config.settings.env import env, words

SECRET_KEY = env("SECRET_KEY")
ROOT_URLCONF = "config.urls.dashboard"
WSGI_APPLICATION = "config.wsgi.dashboard"

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.staticfiles",
    "django_htmx",
    "template_partials",
    "dashboard.access",
    "dashboard.audit",
    "dashboard.client",
    "dashboard.mirror",
    "dashboard.decisions",
    "dashboard.jobs",
    "dashboard.web",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

# Two roles: the app's, which owns nothing, and for migrations the owner's (DATABASE_OWNER_URL).
DATABASES = {"default": database(env("DATABASE_URL"))}
DATABASE_APP_ROLE = DATABASES["default"]["USER"]

REDIS_URL = env("REDIS_URL").rstrip("/")
CACHES = {"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": f"{REDIS_URL}/0"}}
CELERY_BROKER_URL = f"{REDIS_URL}/1"

AUTH_USER_MODEL = "access.User"

# Secrets at rest (service accounts, webhook secrets, TOTP): the first key encrypts, all decrypt; rotate by prepending.
ENCRYPTION_KEYS = env("ENCRYPTION_KEYS", cast=words)

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [ROOT / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {"context_processors": ["django.template.context_processors.request"]},
    }
]

STATIC_URL = "/static/"
STATIC_ROOT = ROOT / "staticfiles"
STATICFILES_DIRS = [ROOT / "static"]
