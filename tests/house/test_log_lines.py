"""A line of the log is one JSON object with the ids of what it belongs to, and holds no secret, whatever it was given."""

from __future__ import annotations

import logging

import pytest
import structlog

from telemetry import logs, tracing
from telemetry.trace_context import TraceContext, parse
from tests.log_lines import written_lines

HEADER = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


def test_lines_of_ours_and_of_libraries_have_the_ids_of_their_request_alone() -> None:
    with written_lines() as lines:
        logging.getLogger("library").info("before")
        with logs.correlation("r-1"), tracing.entry_span("GET", tracing.Kind.SERVER, HEADER):
            structlog.get_logger("ours").info("worked", rows=2)
            structlog.contextvars.bind_contextvars(decision_id="d-1")
            logging.getLogger("library").warning("said %s", "this")
        with logs.correlation("r-2"), tracing.entry_span("GET", tracing.Kind.SERVER):
            structlog.get_logger("ours").info("next")
    before, ours, library, following = lines.all()
    assert "request_id" not in before
    assert (ours["event"], ours["rows"], ours["logger"], ours["level"]) == ("worked", 2, "ours", "info")
    assert (ours["request_id"], ours["trace_id"]) == ("r-1", HEADER.split("-")[1])
    assert (library["event"], library["request_id"], library["decision_id"]) == ("said this", "r-1", "d-1")
    assert following["request_id"] == "r-2"
    assert "decision_id" not in following
    assert following["trace_id"] != ours["trace_id"]


def _fail(password: str) -> None:
    raise RuntimeError("a mistake of ours")


def test_a_failure_is_one_line_with_its_traceback_and_without_values() -> None:
    password = "correct horse battery staple"
    with written_lines() as lines:
        try:
            _fail(password)
        except RuntimeError:
            structlog.get_logger("ours").exception("failed")
            logging.getLogger("library").exception("failed, too")
    first, second = lines.all()
    for line in (first, second):
        assert line["exception"].count("RuntimeError: a mistake of ours") == 1
        assert password not in str(line)


@pytest.mark.parametrize(
    "text",
    [
        "Authorization: Bearer eyJhbGciOi.J9eyJzdWIi",
        "postgres://app:sesame@db/books",
        "GET /?token=abcdef12&x=1",
        "{'client_secret': 'sesame', 'a': 1}",
        "DETAIL: Key (account)=(254712345678) already exists.",
        "paid to 0123456789",
        "IBAN GB33BUKB20201555555555 and KE12 3456 7890 1234 5678 90",
        "card 4111 1111 1111 1111, or 4111-1111-1111-1111",
        "key whsec_4fGh7JkL9mNpQr2sTuVwXyZ1",
    ],
)
def test_what_looks_like_a_secret_or_an_account_is_hidden_in_any_text(text: str) -> None:
    hidden = logs.hide(text)
    assert logs.BLOT in hidden
    for secret in (
        "eyJ", "sesame", "abcdef12", "254712345678", "0123456789", "BUKB", "7890", "1111", "4fGh7",
    ):  # fmt: skip
        assert secret not in hidden


@pytest.mark.parametrize(
    "text",
    [
        "request 3f2b1c2e-1111-4222-8333-123456789012 answered 200 in 1234567 ms",
        "trace 4bf92f3577b34da6a3ce929d0e0e4736, object 507f1f77bcf86cd799439011",
        "at 1732550000.123456 on 2026-11-25T16:44:58.472975Z",
        'File "/srv/dashboard/decisions/dispatcher.py", line 1000, in dispatch',
        "KES 1,250,000.00 of dashboard.decisions.send_due",
    ],
)
def test_ids_times_places_and_amounts_stay_readable(text: str) -> None:
    assert logs.hide(text) == text


@pytest.mark.parametrize(
    "field",
    ["password", "client_secret", "access_token", "Authorization", "otp", "pin", "account_number", "iban", "apikey"],
)
def test_a_field_that_is_named_as_a_secret_is_never_written(field: str) -> None:
    with written_lines() as lines:
        structlog.get_logger("ours").info("sent", **{field: "open"}, body={"more": [{field: "open"}]})
    [line] = lines.all()
    assert "open" not in str(line)


def test_each_call_of_a_request_is_told_apart_and_found_with_it() -> None:
    assert logs.call_id() != logs.call_id()
    with logs.correlation("r-1"):
        assert [logs.call_id() for _ in range(3)] == ["r-1", "r-1.2", "r-1.3"]
    with logs.correlation("r-2"):
        assert logs.call_id() == "r-2"


def test_a_trace_goes_on_from_its_header_and_a_strange_header_begins_a_new_one() -> None:
    context = TraceContext.continued(HEADER)
    assert (context.trace_id, context.recorded) == (HEADER.split("-")[1], True)
    assert context.span_id != HEADER.split("-")[2]
    assert parse(context.header) == context
    for strange in ("", "00-0-0-0", HEADER.replace("00-", "ff-", 1), f"00-{'0' * 32}-{'1' * 16}-01", HEADER.upper()):
        assert parse(strange) is None
        assert TraceContext.continued(strange).trace_id != context.trace_id


def test_without_a_receiver_nothing_of_opentelemetry_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    import subprocess
    import sys

    program = (
        "import sys; from telemetry import tracing\n"
        "with tracing.entry_span('GET', tracing.Kind.SERVER), tracing.span('work'):\n"
        "    assert len(tracing.traceparent()) == 55\n"
        "import redis  # which would load it wherever it is installed\n"
        "assert not [name for name, module in sys.modules.items() if name.startswith(('opentelemetry.sdk.', 'opentelemetry.trace')) and module]"
    )
    monkeypatch.delenv("OTEL_EXPORTER_OTLP_ENDPOINT", raising=False)
    subprocess.run([sys.executable, "-c", program], check=True)
