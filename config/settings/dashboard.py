"""The dashboard's settings, read top to bottom."""

import os
from urllib.parse import urlsplit

from jinja2 import StrictUndefined

from config.settings.base import *  # noqa: F403
from config.settings.base import DEVELOPMENT, ROOT, bucket, database, replica
from config.settings.env import boolean, env, headers, words
from config.settings.sign_in import *  # noqa: F403

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
    "django.contrib.humanize",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "allauth.usersessions",
    "csp",
    "django_htmx",
    "template_partials",
    "dashboard.access",
    "dashboard.audit",
    "dashboard.client",
    "dashboard.mirror",
    "dashboard.bank_statements",
    "dashboard.payout_files",
    "dashboard.signing",
    "dashboard.single_sign_on",
    "dashboard.journal_exports",
    "dashboard.journal_files",
    "dashboard.evidence",
    "dashboard.bulk",
    "dashboard.categorisation",
    "dashboard.decisions",
    "dashboard.lists",
    "dashboard.conversation",
    "dashboard.documents",
    "dashboard.inbound_mail",
    "dashboard.policies",
    "dashboard.proposals",
    "dashboard.delegation",
    "dashboard.notifications",
    "dashboard.offboarding",
    "dashboard.access_reviews",
    "dashboard.top_ups",
    "dashboard.onboarding",
    "dashboard.renewals",
    "dashboard.scim",
    "dashboard.web",
    "dashboard.pages",
]

MIDDLEWARE = [
    "dashboard.web.request_trace.RequestTrace",
    "dashboard.web.metrics.RequestMetrics",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "dashboard.web.compression.Compression",
    "dashboard.web.upload_limit.UploadLimit",
    "dashboard.web.nul.NoNul",
    "dashboard.web.fragment_address.FragmentAddress",
    "dashboard.web.last_write.LastWrite",
    "dashboard.web.signin.sessions.Sessions",
    "django.middleware.common.CommonMiddleware",
    "dashboard.web.same_origin.SameOrigin",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "csp.middleware.CSPMiddleware",
    "dashboard.web.headers.PrivatePages",
    "dashboard.web.signin.sessions.SessionLife",
    "allauth.account.middleware.AccountMiddleware",
    "dashboard.web.signin.middleware.BusinessEntry",
    "dashboard.web.arrivals.Arrivals",
    "dashboard.web.errors.FinanceErrors",
]

# Two roles: the app's, which owns nothing, and for migrations the owner's (DATABASE_OWNER_URL).
DATABASES = {"default": database(env("DATABASE_URL"))}
# A page's statements are the same each time: PostgreSQL reads them once per connection. It plans each anew, though,
# since a plan for any value cannot use the indexes of what waits (docs/performance.md).
DATABASES["default"]["OPTIONS"] |= {"server_side_binding": True, "prepare_threshold": 3}
DATABASES["default"]["OPTIONS"]["options"] += " -c plan_cache_mode=force_custom_plan"
DATABASE_APP_ROLE = env("DATABASE_APP_ROLE", "dashboard_app")
# Lists and exports may be read from a replica, one that lags by at most so many seconds (dashboard/replica.py).
DATABASES |= replica(env("DATABASE_REPLICA_URL", ""), DATABASES["default"])
DATABASE_REPLICA_LAG_S = env("DATABASE_REPLICA_LAG_S", 5.0, cast=float)
DATABASE_ROUTERS = ["dashboard.replica.ReplicaRouter"]

# Who may read /-/metrics/: nobody, unless there is one.
METRICS_TOKEN = env("METRICS_TOKEN", "")

# Where people reach us: in mails, and as the address that webhooks are asked to come to.
DASHBOARD_ADDRESS = env("DASHBOARD_ADDRESS", "http://localhost:8000").rstrip("/")
# The finance service that the demo businesses belong to; a real business names its own in Settings.
DEMO_SERVICE_ADDRESS = env("SERVICE_ADDRESS", "http://localhost:8001").rstrip("/")
# Hosts that a business may name as its finance service; https but for loopback (dashboard/client/address.py).
UPSTREAM_HOSTS = env("UPSTREAM_HOSTS", ["localhost", "127.0.0.1", "::1"] if DEVELOPMENT else [], cast=words)
# A service on the same machine may be called without TLS; oauthlib asks for the same consent in its own variable.
UPSTREAM_HTTP_ON_LOOPBACK = env("UPSTREAM_HTTP_ON_LOOPBACK", DEVELOPMENT, cast=boolean)
if UPSTREAM_HTTP_ON_LOOPBACK:
    os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"

REDIS_URL = env("REDIS_URL").rstrip("/")
CACHES = {
    "default": {
        "BACKEND": "dashboard.web.redis_cache.SharedClientRedisCache",
        "LOCATION": f"{REDIS_URL}/0",
        "KEY_PREFIX": str(DATABASES["default"]["NAME"]),
    }
}
CELERY_BROKER_URL = f"{REDIS_URL}/1"
CELERY_TASK_DEFAULT_QUEUE = "dashboard"
# What a person waits for, and the audit's seals, never stand behind a long read: a queue and a worker of their own.
CELERY_TASK_ROUTES = {"dashboard.decisions.*": {"queue": "decisions"}, "dashboard.audit.*": {"queue": "decisions"}}

# The heads of the audit's chains outside the database: a folder of files that are only appended to, and, where one is
# named, a store that refuses to overwrite and to delete (dashboard/audit/anchors.py).
AUDIT_ANCHOR_FOLDER = env("AUDIT_ANCHOR_FOLDER", str(ROOT / ".data" / "audit-anchors"))
AUDIT_ANCHOR_URL = env("AUDIT_ANCHOR_URL", "")
AUDIT_ANCHOR_HEADERS = env("AUDIT_ANCHOR_HEADERS", {}, cast=headers)

AUTH_USER_MODEL = "access.User"

# Secrets at rest (service accounts, webhook secrets, TOTP): the first key encrypts, all decrypt; rotate by prepending.
ENCRYPTION_KEYS = env("ENCRYPTION_KEYS", cast=words)

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [ROOT / "templates"],
        "OPTIONS": {
            # Ours are read with every printed text isolated; a name with # is a template's partial.
            "loaders": [
                (
                    "template_partials.loader.Loader",
                    [
                        (
                            "django.template.loaders.cached.Loader",
                            ["dashboard.web.loaders.Loader", "django.template.loaders.app_directories.Loader"],
                        )
                    ],
                )
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.messages.context_processors.messages",
                "dashboard.web.context_processors.page_frame",
            ],
            "builtins": [
                "dashboard.web.templatetags.form_tags",
                "dashboard.web.templatetags.bidi_tags",
                "dashboard.web.templatetags.icon_tags",
                "dashboard.web.templatetags.jinja_tags",
                "dashboard.web.templatetags.money_tags",
                "dashboard.web.templatetags.swap_tags",
                "dashboard.web.templatetags.url_tags",
            ],
        },
    },
    {
        # What stands once per row, and nothing else: fifty of them would cost more than all the rest of a page.
        "NAME": "rows",
        "BACKEND": "django.template.backends.jinja2.Jinja2",
        "DIRS": [ROOT / "templates_jinja"],
        "OPTIONS": {
            "environment": "dashboard.web.jinja2.environment",
            "autoescape": True,
            "undefined": StrictUndefined,
            "trim_blocks": True,
            "lstrip_blocks": True,
        },
    },
]

STATIC_URL = "/static/"
# Collected once a release (`manage.py collectstatic`), under names that may be kept for good. In development without a
# folder they are served as they lie in the source.
STATIC_COLLECTED = bool(env("STATIC_FOLDER", "")) or not DEVELOPMENT
STATIC_ROOT = env("STATIC_FOLDER", str(ROOT / "staticfiles"))
STATICFILES_DIRS = [ROOT / "static"]
WHITENOISE_USE_FINDERS = not STATIC_COLLECTED
WHITENOISE_AUTOREFRESH = False

# Finished exports: in a folder, or, past one machine, in a store that speaks S3, which all workers reach.
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "dashboard.web.static_files.BundledStaticFiles"
        if STATIC_COLLECTED
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
    "exports": env("EXPORTS_STORAGE_URL", None, cast=bucket)
    or {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {
            "location": env("EXPORTS_FOLDER", str(ROOT / ".data" / "exports")),
            "file_permissions_mode": 0o600,
            "directory_permissions_mode": 0o700,
        },
    },
}

# Each file of a form is cut at its limit before anything of it is stored (dashboard/web/upload_limit.py).
# The largest forms: a bill of 200 lines that are all split over eight teams has 21 fields a line.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 5_000
FILE_UPLOAD_HANDLERS = [
    "dashboard.web.upload_limit.LimitedUpload",
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]

# Documents and the pages drawn of them: a folder that never grows past its size, and nothing in it is needed.
DOCUMENTS_FOLDER = env("DOCUMENTS_FOLDER", str(ROOT / ".data" / "documents"))
# Whether receipts of what waits are read before anybody opens them: each costs a short program.
DOCUMENTS_READ_IN_BACKGROUND = env("DOCUMENTS_READ_IN_BACKGROUND", True, cast=bool)
DOCUMENTS_CACHE_BYTES = env("DOCUMENTS_CACHE_BYTES", 256 * 1024 * 1024, cast=int)

# ── Bills by e-mail: what a mail provider delivers at /-/mail/bills/, and a folder of messages in development ─────
# The domain after bills+<business>@; the secrets that the provider sends, several while one is rotated out.
INBOUND_MAIL_DOMAIN = env("INBOUND_MAIL_DOMAIN", "mail.localhost" if DEVELOPMENT else "")
INBOUND_MAIL_SECRETS = env("INBOUND_MAIL_SECRETS", [], cast=words)
INBOUND_MAIL_FOLDER = env("INBOUND_MAIL_FOLDER", "")

# ── Push notifications: the key that push services know us by, and where their messages may go ────────────────────
# Without a key nobody is offered any. The contact is an address at which a push service reaches whoever runs this.
VAPID_PRIVATE_KEY = env("VAPID_PRIVATE_KEY", "")
VAPID_CONTACT = env(
    "VAPID_CONTACT",
    f"https://{urlsplit(DASHBOARD_ADDRESS).hostname}" if not DEVELOPMENT else "mailto:no-reply@localhost",
)
# Hosts (and all below them) that push messages may go to; any public one where none is named.
PUSH_HOSTS = env("PUSH_HOSTS", [], cast=words)
PUSH_HTTP_ON_LOOPBACK = env("PUSH_HTTP_ON_LOOPBACK", DEVELOPMENT, cast=boolean)

# ── What a page may load: our own origin, nothing inline ──────────────────────────────────────────────────────────
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'"],
        "connect-src": ["'self'"],
        "form-action": ["'self'"],
        "manifest-src": ["'self'"],
        "worker-src": ["'self'"],
        "base-uri": ["'none'"],
        "frame-ancestors": ["'none'"],
    }
}
# The check asks for X-Frame-Options, which frame-ancestors has replaced.
SILENCED_SYSTEM_CHECKS = ["security.W002"]

# ── Mail: files in development, readable at /-/mail/ ──────────────────────────────────────────────────────────────
EMAIL_FILE_PATH = env("EMAIL_FILE_PATH", str(ROOT / ".data" / "mail"))
EMAIL_BACKEND = f"django.core.mail.backends.{'filebased' if DEVELOPMENT else 'smtp'}.EmailBackend"
EMAIL_HOST = env("EMAIL_HOST", "localhost")
EMAIL_PORT = env("EMAIL_PORT", 25, cast=int)
EMAIL_HOST_USER = env("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = env("EMAIL_HOST_PASSWORD", "")
EMAIL_USE_TLS = env("EMAIL_USE_TLS", False, cast=boolean)
DEFAULT_FROM_EMAIL = env("DEFAULT_FROM_EMAIL", "Countersign <no-reply@localhost>")
