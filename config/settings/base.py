"""What both programs share: time, language, logs, the shape of a database connection, security headers."""

import os
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from config.settings.database_url import parse
from config.settings.env import boolean, env, words
from telemetry import logs

ROOT = Path(__file__).resolve().parent.parent.parent

# Development is what `manage.py up` runs: plain http on loopback, mail in files, the style guide.
DEVELOPMENT = env("COUNTERSIGN_DEVELOPMENT", False, cast=boolean)
DEBUG = False

# lxml comes with SAML, and openpyxl would read uploaded workbooks by it, document types and all: it stays with defusedxml.
os.environ["OPENPYXL_LXML"] = "False"

USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en"
USE_I18N = True
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

ALLOWED_HOSTS = env("ALLOWED_HOSTS", ["localhost", "127.0.0.1"] if DEVELOPMENT else [], cast=words)

if not DEVELOPMENT:
    SECURE_SSL_REDIRECT = env("SECURE_SSL_REDIRECT", True, cast=boolean)
    SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$", r"^-/metrics/$"]
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = 63_072_000
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    SECURE_HSTS_PRELOAD = True
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"


# What the programs ask of a connection, and not how its server is reached.
READ_AS_PRIMARY = ("options", "server_side_binding", "prepare_threshold")


def database(url: str) -> dict[str, Any]:
    """A Django database entry from a URL: health-checked, with the timeouts that the ledger is written for.

    A connection is looked at before the first statement of a request, and replaced where its server has gone. A statement is
    never sent again by itself: whether its transaction was committed is not known, and who asked repeats it under its key.
    """
    entry: dict[str, Any] = parse(url, conn_max_age=600, conn_health_checks=True)
    # The tests hold a transaction around many requests, on machines where those wait for a core: they set both longer.
    statement, idle = env("DATABASE_STATEMENT_S", 5, cast=int), env("DATABASE_IDLE_S", 10, cast=int)
    entry.setdefault("OPTIONS", {})["options"] = (
        f"-c lock_timeout=2s -c statement_timeout={statement}s -c idle_in_transaction_session_timeout={idle}s"
    )
    return entry


def replica(url: str, primary: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The entry "replica" of DATABASES, read as the primary is; none without an address. One that does not answer is given
    up soon: the primary is read instead.

    How it is reached (TLS, timeouts of the network) is what its own address says. It takes no writes: of several hosts any
    is meant, unless the address says otherwise in `target_session_attrs`.
    """
    if not url:
        return {}
    entry = database(url)
    options: dict[str, Any] = entry["OPTIONS"]
    if "target_session_attrs" not in parse_qs(urlsplit(url).query):
        options.pop("target_session_attrs", None)
    options |= {name: primary["OPTIONS"][name] for name in READ_AS_PRIMARY if name in primary["OPTIONS"]}
    options["connect_timeout"] = 2
    return {"replica": entry}


def bucket(url: str) -> dict[str, Any]:
    """An entry of STORAGES from `s3://key:secret@bucket/prefix?endpoint=https://…&region=…`; without a key and a secret the
    client finds them itself (AWS_ACCESS_KEY_ID, a role of the machine). Both are percent-encoded. ValueError for any other."""
    parts = urlsplit(url)
    query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
    if parts.scheme != "s3" or not parts.hostname or query.keys() - {"endpoint", "region"}:
        raise ValueError("expected s3://key:secret@bucket/prefix?endpoint=https://…&region=…")
    options = {
        "bucket_name": parts.hostname,
        "location": parts.path.strip("/"),
        "access_key": unquote(parts.username or ""),
        "secret_key": unquote(parts.password or ""),
        "endpoint_url": query.get("endpoint", ""),
        "region_name": query.get("region", ""),
    }
    return {"BACKEND": "config.bucket.PrivateBucket", "OPTIONS": {name: text for name, text in options.items() if text}}


# One event a line: as JSON, which a collector reads, or in development as words, which a person does (telemetry/logs.py).
LOGGING = logs.configuration(
    as_json=env("LOG_FORMAT", "words" if DEVELOPMENT else "json") == "json", level=env("LOG_LEVEL", "INFO")
)

# Jobs: a task is taken off the queue when it is done, and comes back if its worker is killed.
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_CONCURRENCY = 2
CELERY_TASK_TIME_LIMIT = 600
CELERY_TASK_SOFT_TIME_LIMIT = 540
CELERY_TASK_IGNORE_RESULT = True
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {
    # How long a worker waits for a job in one question, in seconds: at rest it was woken by each answer that there is none.
    "polling_interval": 5,
    "visibility_timeout": 900,
    "unacked_restore_interval": 10,
    "socket_timeout": 10,
    "socket_keepalive": True,
}
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULER = "config.scheduler:WorkScheduler"
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
