"""The finance service's settings, read top to bottom."""

from datetime import date
from pathlib import Path

from config.settings.base import *  # noqa: F403
from config.settings.base import DEVELOPMENT, ROOT, bucket, database
from config.settings.env import boolean, env
from service.scopes import READ_SCOPES, SCOPES

SECRET_KEY = env("SERVICE_SECRET_KEY")
ROOT_URLCONF = "config.urls.service"
WSGI_APPLICATION = "config.wsgi.service"

INSTALLED_APPS = [
    "django.contrib.contenttypes",
    "django.contrib.auth",
    "django.contrib.staticfiles",
    "oauth2_provider",
    "ninja",
    "service.businesses",
    "service.teams",
    "service.employees",
    "service.categories",
    "service.customers",
    "service.expenses",
    "service.cards",
    "service.events",
    "service.webhooks",
    "service.sandbox",
    "service.ledger",
    "service.accounts",
    "service.rails",
    "service.approvals",
    "service.payments",
    "service.vendors",
    "service.taxes",
    "service.budgets",
    "service.bills",
    "service.credit_notes",
    "service.bill_schedules",
    "service.subscriptions",
    "service.wallet_policies",
    "service.permissions",
    "service.business_policies",
    "service.journal",
    "service.transactions",
    "service.fx",
    "service.investments",
    "service.accounting",
    "service.risk",
    "service.publishing",
]

MIDDLEWARE = [
    "service.middleware.Tracing",
    "service.metrics.RequestMetrics",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "service.middleware.Refusals",
]
# No CSRF middleware: the service knows no cookies, and every request carries its own token.
SILENCED_SYSTEM_CHECKS = ["security.W003"]

DATABASES = {"default": database(env("SERVICE_DATABASE_URL"))}
# psycopg itself prepares nothing (Django's default): after each rollback it would forget what service/sql.py has prepared.
DATABASES["default"]["OPTIONS"]["prepare_threshold"] = None
# Who is refused UPDATE and DELETE on the ledger: the role that the program runs as, named for the migrations.
DATABASE_APP_ROLE = env("SERVICE_DATABASE_APP_ROLE", "service_app")

# Who may read /metrics: nobody, unless there is one.
METRICS_TOKEN = env("SERVICE_METRICS_TOKEN", "")

REDIS_URL = env("SERVICE_REDIS_URL", None) or env("REDIS_URL")
REDIS_URL = REDIS_URL.rstrip("/")
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": f"{REDIS_URL}/2",
        "KEY_PREFIX": str(DATABASES["default"]["NAME"]),
    }
}
CELERY_BROKER_URL = f"{REDIS_URL}/3"
CELERY_TASK_DEFAULT_QUEUE = "service"

# Client credentials only: random opaque tokens, stored hashed, an hour long, never renewed (decisions B.5).
OAUTH2_PROVIDER_APPLICATION_MODEL = "businesses.Client"
OAUTH2_PROVIDER = {
    "SCOPES": SCOPES,
    "DEFAULT_SCOPES": list(READ_SCOPES),
    "SCOPES_BACKEND_CLASS": "service.oauth.ClientScopes",
    "OAUTH2_VALIDATOR_CLASS": "service.oauth.EitherSecret",
    "OAUTH2_SERVER_CLASS": "service.oauth.ClientCredentialsServer",
    "CLIENT_SECRET_HASHER": "random_sha256",
    "ACCESS_TOKEN_EXPIRE_SECONDS": 3600,
    # RFC 9700 throughout: nothing but this one grant, so what the other flags forbid is not there anyway.
    "ALLOWED_REDIRECT_URI_SCHEMES": ["https"],
    "REFRESH_TOKEN_REUSE_PROTECTION": True,
    **{
        f"COMPLIANT_BCP_RFC9700_{rule}": True
        for rule in (
            "TOKEN_STORAGE",
            "IMPLICIT_GRANT",
            "PASSWORD_GRANT",
            "PKCE_METHOD",
            "PKCE_REQUIRED",
            "ACCESS_TOKEN_TRANSPORT",
            "AUTHZ_RESPONSE_ISS",
            "REFRESH_TOKEN",
            "REDIRECT_URI_SCHEME",
            "REDIRECT_URI_MATCHING",
        )
    },
}
# The service keeps no human password: every secret is random and long (service/businesses/secrets.py).
PASSWORD_HASHERS = ["service.businesses.secrets.RandomSecretHasher"]

# The sandbox (fresh businesses on request, card swipes, top-ups, reading codes) is for tests and demos only.
SANDBOX = env("SERVICE_SANDBOX", False, cast=boolean)
# Who may ask it for anything: nobody, unless there is one.
SANDBOX_TOKEN = env("SERVICE_SANDBOX_TOKEN", "")

# Since when the old interface is deprecated and until when it is there: said in its answers once they are set.
V1_DEPRECATED_ON = env("SERVICE_V1_DEPRECATED_ON", None, cast=date.fromisoformat)
V1_SUNSET_ON = env("SERVICE_V1_SUNSET_ON", None, cast=date.fromisoformat)

# Receipts, documents and exports: in a folder, or in a store that speaks S3 (service/storage.py).
MEDIA_ROOT = Path(env("SERVICE_MEDIA_ROOT", str(ROOT / ".data" / "service-media")))
STORAGES = {
    "default": env("SERVICE_STORAGE_URL", None, cast=bucket)
    or {"BACKEND": "service.storage.WholeFiles", "OPTIONS": {"allow_overwrite": True}},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}

# Webhooks go to public https addresses alone; a dashboard beside the service is on loopback.
WEBHOOK_ALLOW_LOOPBACK = env("SERVICE_WEBHOOK_ALLOW_LOOPBACK", DEVELOPMENT, cast=boolean)

APPEND_SLASH = False
STATIC_URL = "/static/"
WHITENOISE_USE_FINDERS = True

# The docs page at /v2/docs is a template of django-ninja.
TEMPLATES = [{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True, "OPTIONS": {}}]

# No body of the interface is larger, save a file, which has its own limit.
DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
