"""The finance service's settings, read top to bottom."""

from config.settings.base import *  # noqa: F403
from config.settings.base import database
from config.settings.env import boolean, env

SECRET_KEY = env("SERVICE_SECRET_KEY")
ROOT_URLCONF = "config.urls.service"
WSGI_APPLICATION = "config.wsgi.service"

INSTALLED_APPS = [
    "django.contrib.contenttypes",
    "django.contrib.auth",
    "django.contrib.staticfiles",
    "ninja",
]

MIDDLEWARE = ["django.middleware.security.SecurityMiddleware"]

DATABASES = {"default": database(env("SERVICE_DATABASE_URL"))}
DATABASE_APP_ROLE = DATABASES["default"]["USER"]

REDIS_URL = env("SERVICE_REDIS_URL", None) or env("REDIS_URL")
REDIS_URL = REDIS_URL.rstrip("/")
CACHES = {"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": f"{REDIS_URL}/2"}}
CELERY_BROKER_URL = f"{REDIS_URL}/3"

# The sandbox (fresh businesses on request, card swipes, top-ups, reading codes) is for tests and demos only.
SANDBOX = env("SERVICE_SANDBOX", False, cast=boolean)

APPEND_SLASH = False
STATIC_URL = "/static/"
