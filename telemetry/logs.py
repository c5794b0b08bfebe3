"""Lines of the log: one event each, as JSON in production, with the ids of the request, the job, the decision and the trace.

What must not stand in a log is not handed to it; whatever gets there all the same, in the text of an error for example,
is blotted out here: secrets by the names of their fields, tokens and numbers of accounts and cards by their form.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import count
from typing import Any
from uuid import uuid4

import structlog
from structlog.contextvars import bound_contextvars, get_contextvars, unbind_contextvars
from structlog.typing import EventDict, WrappedLogger

BLOT = "[hidden]"
# A field whose name ends so is never written, whatever it holds.
SECRET_FIELD = re.compile(
    r"(?:^|_|-)(?:password|passwd|secret|token|authorization|cookie|otp|pin|cvv|pan|iban|api_?key|account_?number|"
    r"session_?key|private_?key|phone)$",
    re.IGNORECASE,
)
# Each form, and what is written in its place.
FORMS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\b(bearer|basic)\s+[\w.~+/=-]+", re.IGNORECASE), rf"\1 {BLOT}"),
    (re.compile(r"(://)[^/\s:@]*:[^/\s@]+@"), rf"\1{BLOT}@"),
    (
        re.compile(
            r"\b([\w-]*(?:password|secret|token|api[_-]?key|authorization|otp|cvv))([\"']?\s*[=:]\s*[\"']?)[^\s\"',;&)}]+",
            re.IGNORECASE,
        ),
        rf"\1\2{BLOT}",
    ),
    # An IBAN, a card's number in groups, and any long run of digits that is no part of an id or of a decimal.
    (re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b"), BLOT),
    (re.compile(r"(?<![\w-])\d{4}(?:[ -]\d{4}){2,3}(?![\w-])"), BLOT),
    (re.compile(r"(?<![\w.-])\+?\d{8,34}(?![\w-]|\.\d)"), BLOT),
    # A random token: long, of small and capital letters and digits. Ids of ours are lower-case and hexadecimal.
    (re.compile(r"(?<![\w-])(?=[\w-]*[a-z])(?=[\w-]*[A-Z])(?=[\w-]*\d)[\w-]{24,}(?![\w-])"), BLOT),
)
# None of the forms: without a digit, a blank or what divides a name from its value. Names of routes, methods and levels.
HARMLESS = re.compile(r"[A-Za-z_./]*")
# Bound by whoever learns them while the request or the job is under way, and gone with it.
LEARNT_LATER = ("decision_id",)
_calls: ContextVar[count[int] | None] = ContextVar("calls", default=None)


@contextmanager
def correlation(request_id: str, **fields: str) -> Iterator[None]:
    """Every line until the end has this request id, and these fields."""
    token = _calls.set(count(1))
    try:
        with bound_contextvars(request_id=request_id, **fields):
            try:
                yield
            finally:
                unbind_contextvars(*LEARNT_LATER)
    finally:
        _calls.reset(token)


def request_id() -> str:
    """The id of the request or job that is under way; "" outside of any."""
    return str(get_contextvars().get("request_id", ""))


def call_id() -> str:
    """The request id that a call to another program takes along: that of the request it is made for, "….2" for its second
    call and so on, so that each is told apart and all are found together. A new one outside of any request."""
    number = next(calls) if (calls := _calls.get()) else 0
    if not (outer := request_id()) or not number:
        return str(uuid4())
    return outer if number == 1 else f"{outer}.{number}"


def redact(logger: WrappedLogger, method: str, event: EventDict) -> EventDict:
    """structlog's processor: the event without what no line may hold."""
    return {name: _redacted(name, value) for name, value in event.items()}


def _redacted(name: str, value: Any) -> Any:
    if SECRET_FIELD.search(name):
        return BLOT
    if isinstance(value, str):
        return hide(value)
    if isinstance(value, Mapping):
        return {str(key): _redacted(str(key), item) for key, item in value.items()}
    if isinstance(value, list | tuple | set):
        return [_redacted("", item) for item in value]
    return value if value is None or isinstance(value, bool | int | float) else hide(str(value))


def hide(text: str) -> str:
    """A text with what looks like a secret or a number of an account blotted out."""
    if HARMLESS.fullmatch(text):
        return text
    for form, instead in FORMS:
        text = form.sub(instead, text)
    return text


def _plain(logger: WrappedLogger, method: str, event: EventDict) -> str:
    """A line for a person who develops: when, how bad, where, what, and the rest as name=value."""
    head = " ".join(str(event.pop(name, "")) for name in ("timestamp", "level", "logger", "event"))
    traceback = event.pop("exception", "")
    rest = "".join(f" {name}={value}" for name, value in event.items())
    return f"{head}{rest}\n{traceback}" if traceback else f"{head}{rest}"


def configuration(*, as_json: bool, level: str) -> dict[str, Any]:
    """What logging.config.dictConfig is given, in both programs, their workers and their web servers; and structlog set up
    to write through it, so that lines of libraries have the same form and the same ids as ours."""
    before: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *before,
            structlog.processors.format_exc_info,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.make_filtering_bound_logger(0),
        cache_logger_on_first_use=True,
    )
    formatter = {
        "()": structlog.stdlib.ProcessorFormatter,
        "processors": [
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            # Tracebacks without the values of variables: a token or a secret could be among them.
            structlog.processors.format_exc_info,
            redact,
            structlog.processors.JSONRenderer() if as_json else _plain,
        ],
        "foreign_pre_chain": before,
    }
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": formatter},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            # These write tokens and secrets at DEBUG.
            **{name: {"level": "INFO"} for name in ("requests_oauthlib", "oauthlib")},
            # Readers of bank statements: one writes the lines that it cannot read, the other a line for each element.
            "mt940": {"level": "CRITICAL"},
            "ofxtools": {"level": "WARNING"},
            # Of each job that it begins and ends; ours say what they do.
            "celery": {"level": "WARNING", "handlers": [], "propagate": True},
            "gunicorn.error": {"level": "INFO", "handlers": [], "propagate": True},
        },
    }
