"""A whole story as an operator sees it: one trace from the click to the ledger, lines that are found by its ids, and no
secret, token or number of an account in either.

The house is that of `up`, with its lines as in production, and a receiver of traces beside it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import requests

from config.dev_stack import House
from tests.contract.over_http import Business
from tests.faults import FaultProxy
from tests.lifecycle.newcomer import Newcomer, bare, sign_in
from tests.lifecycle.otlp_receiver import ReceivedSpan, Receiver
from tests.lifecycle.processes import until
from tests.lifecycle.test_restarts import Town, settled_in

# A house of its own and its story: half a minute on a machine that does nothing else.
pytestmark = pytest.mark.full

ACCOUNT, PHONE, IBAN = "254799887766", "254711335577", "GB33BUKB20201555555555"
WEB, WORKER = "countersign-dashboard web", "countersign-dashboard worker"
SERVICE, SERVICE_WORKER = "countersign-service web", "countersign-service worker"
PROGRAMS = ("dashboard", "service", "dashboard-worker", "decisions-worker", "service-worker")


@dataclass
class Story:
    """What happened in the house, what it wrote, and what it sent to the receiver."""

    town: Town
    receiver: Receiver
    # Where each log ended before: an earlier house wrote it, in another form.
    before: dict[str, int]
    expense_id: str = ""
    secrets: tuple[str, ...] = ()

    def text(self, program: str) -> str:
        file = self.town.house.data / "log" / f"{program}.log"
        return file.read_bytes()[self.before.get(file.name, 0) :].decode() if file.exists() else ""

    def lines(self, program: str) -> list[dict[str, Any]]:
        """What a program or a worker wrote since: each line is one JSON object."""
        text = self.text(program)
        if "SecurityWarning" in text[:500]:
            # Celery's word to root, who runs the tests in a container, comes before anything is set up.
            text = text[text.find("\n{") + 1 :]
        return [json.loads(line) for line in text.splitlines()]

    def decision_trace(self) -> str:
        """The trace that the row of the decision keeps."""
        [(header,)] = self.town.ask(
            "dashboard", "select traceparent from decisions_decision where object_id = %s", self.expense_id
        )
        return str(header).split("-")[1]


@pytest.fixture(scope="module")
def story(at_rest: Newcomer) -> Iterator[Story]:
    before = {file.name: file.stat().st_size for file in (at_rest.data / "log").glob("*.log")}
    with Receiver() as receiver:
        environ = bare(at_rest.home) | {
            "LOG_FORMAT": "json", "LOG_LEVEL": "DEBUG", "OTEL_EXPORTER_OTLP_ENDPOINT": receiver.address,
            "OTEL_BSP_SCHEDULE_DELAY": "200",
        }  # fmt: skip
        house = House(at_rest.data, at_rest.port, at_rest.service_port, durable=True, environ=environ)
        proxy = FaultProxy(house.service_address)
        try:
            house.open()
            with proxy:
                town = settled_in(house, proxy)
                one = Story(town, receiver, before)
                happen(one)
                yield one
                town.connect(house.service_address)
        finally:
            house.close()


def happen(story: Story) -> None:
    """Somebody approves, a payout is paid to an account, webhooks come, the service fails for a while, a password is wrong."""
    town = story.town
    # Its expenses come to the desk by webhook and feed.
    [story.expense_id] = town.new_expenses(1)
    town.approve(story.expense_id)
    town.wait_until_done([story.expense_id])
    people = town.house.data / "demo.json"
    person = json.loads(people.read_text())["dashboard"]["people"][0]
    sign_in(town.house.address, person | {"password": "a wrong Passw0rd of somebody"})
    business = Business(town.house.service_address, town.house.env["SERVICE_SANDBOX_TOKEN"])
    batch_no, request = business.payout(100, account=ACCOUNT, count=2)
    for name in ["Apollo", "Zawadi", "Juma"][: request["approvals_required"]]:
        assert business.vote(request, name).ok
    assert business.settled(batch_no)["status"] == "COMPLETED"
    # Refused with the value in the body, and in an address.
    business.send("POST", "/payments", business.draft(-1, account=PHONE))
    business.send("GET", f"/customers/search?q={PHONE}&iban={IBAN}")
    for mode in ("500", "bad json", "reset"):
        town.proxy.fail(mode, times=3)
        town.browser.get(f"{town.house.address}/{town.slug}/transactions/?q={ACCOUNT}", timeout=60)
        # The worker asks for news every few seconds: whoever asks is answered so.
        until(lambda: not any(left(town.proxy)), 60, f"nobody ran into {mode}", lambda: left(town.proxy))
    town.proxy.heal()
    story.secrets = secrets_of(town.house.data, business, town.browser)
    until(
        lambda: "ledger_post" in {span.name for span in story.receiver.spans},
        30,
        "no posting was traced",
        lambda: len(story.receiver.spans),
    )
    # What is left of the last calls is on its way.
    until(
        lambda: len(processes_of_decision(story)) == 3,
        30,
        "the trace of the decision is not whole",
        lambda: len(story.receiver.spans),
    )


def left(proxy: FaultProxy) -> list[int | None]:
    """How often each fault is still to be run into."""
    return [fault.left for fault in proxy.faults]


def processes_of_decision(story: Story) -> set[str]:
    """The processes that have sent a span of the decision's trace: the click's, the sender's, the service's."""
    return {span.process for span in story.receiver.of_trace(story.decision_trace())}


def secrets_of(data: Path, business: Business, browser: requests.Session) -> tuple[str, ...]:
    """All that must not stand in a line or a span: what the house was made with, and what people and clients have used."""
    demo = json.loads((data / "demo.json").read_text())
    own = json.loads((data / "secrets.json").read_text())
    people = [word for one in demo["dashboard"]["people"] for word in (one["password"], one.get("totp_secret", ""))]
    clients = [word for one in demo["service"]["businesses"] for word in (one["client_secret"], one["api_key"])]
    cookies = [str(cookie.value) for cookie in browser.cookies]
    made = [business.token, business.made["client_secret"], business.made["api_key"]]
    words = [*own.values(), *people, *clients, *cookies, *made, "a wrong Passw0rd", ACCOUNT, PHONE, IBAN]
    return tuple(word for word in words if word)


def test_one_trace_leads_from_the_click_to_the_service(story: Story) -> None:
    spans = story.receiver.of_trace(story.decision_trace())
    by_id = {span.span_id: span for span in spans}

    def above(span: ReceivedSpan) -> list[tuple[str, str]]:
        path = [(span.process, span.name)]
        while span.parent_id in by_id:
            span = by_id[span.parent_id]
            path.append((span.process, span.name))
        assert not span.parent_id, f"the parent of {span.name} was never received"
        return path

    [end] = [span for span in spans if span.process == SERVICE and "approve" in span.name]
    assert above(end) == [
        (SERVICE, end.name), (WORKER, "POST /expenses/approve/{expenseId}"), (WORKER, "gateway approve_expense"),
        (WORKER, "send decision"), (WEB, "submit decision"), (WEB, "POST approvals_approve_expense"),
    ]  # fmt: skip
    assert end.attributes["http.response.status_code"] == 200


def test_the_posting_is_a_span_of_the_request_or_job_that_posts(story: Story) -> None:
    postings = [span for span in story.receiver.spans if span.name == "ledger_post"]
    by_id = {span.span_id: span for span in story.receiver.spans}
    assert postings
    for span in postings:
        parent = by_id[span.parent_id]
        assert parent.process in {SERVICE, SERVICE_WORKER}
        assert parent.trace_id == span.trace_id


def test_the_lines_of_a_click_are_found_by_its_ids_in_both_programs(story: Story) -> None:
    trace = story.decision_trace()
    [click] = [
        line for line in story.lines("dashboard") if line.get("trace_id") == trace and line["event"] == "request"
    ]
    assert click["decision_id"]
    sent = [line for line in story.lines("decisions-worker") if line.get("decision_id") == click["decision_id"]]
    [call] = [line for line in sent if line["event"] == "upstream"]
    assert call["trace_id"] == trace
    # The very id that went along in the header is that of the service's line.
    [served] = [line for line in story.lines("service") if line.get("request_id") == call["request_id"]]
    assert (served["event"], served["trace_id"]) == ("request", trace)


def test_every_line_of_a_request_or_a_job_has_its_ids(story: Story) -> None:
    for program in PROGRAMS:
        ours = [line for line in story.lines(program) if line["logger"].startswith(("dashboard.", "service."))]
        assert [line for line in ours if not line.get("request_id") or not line.get("trace_id")] == [], program
        if program in {"dashboard", "service"}:
            assert len([line for line in ours if line["event"] == "request"]) > 10
        else:
            assert {line["request_id"] for line in ours if not line.get("job") and not line.get("decision_id")} == set()


def test_the_failing_service_is_in_the_lines(story: Story) -> None:
    lines = [line for program in PROGRAMS[:4] for line in story.lines(program) if line["event"] == "upstream"]
    assert {"200", "500", "no answer"} <= {str(line["status"]) for line in lines}


def test_no_line_and_no_span_holds_a_secret_a_token_or_an_account(story: Story) -> None:
    for program in PROGRAMS:
        text = story.text(program)
        assert [word for word in story.secrets if word in text] == [], program
        assert not re.search(r"(?i)bearer (?!\[hidden\])\S", text), program
        assert "whsec_" not in text
    spans = story.receiver.text.decode(errors="replace")
    assert [word for word in story.secrets if word in spans] == []
    values = {str(value) for span in story.receiver.spans for value in span.attributes.values()}
    assert not [value for value in values if re.search(r"\d{9,}", value) and not re.fullmatch(r"[0-9a-f-]{36}", value)]
