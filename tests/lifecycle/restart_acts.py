"""What several people do in a house's demo business while its database restarts: a form that is sent at once, a vote on a
payment, and the confirmation of a proposal. Each is carried out once, however often its form was posted."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import psycopg
import requests

from tests.lifecycle.newcomer import sign_in
from tests.lifecycle.processes import until

if TYPE_CHECKING:
    from tests.lifecycle.test_restarts import Town

GUARD_S = 120
# A person reads these and posts the same form again; the last two where what they did is there already.
AGAIN = {502, 503, 504, 403, 409}
PROPOSAL = """insert into proposals_proposal (business_id, operation, path, body, wallet_id, employee_id, policy_id,
    seen_version, target_type, target_id, seen, about, title, sentences, consequences, reason, key, state, program,
    proposed_by_id, proposed_at, outcome, request_id, may_be_sent)
  values (%s, 'modify_wallet_policy', %s, %s, %s, %s, %s, %s, '', '', '{}', '[]', 'Access', '["Changes"]', '[]', '', %s,
    'WAITING', '', %s, now(), '', '', false) returning id"""


@dataclass
class Posted:
    """A form that somebody posts until it is taken; `arrived` whether what it began is there, `ended` what became of it:
    how often it was carried out at the service, and how the dashboard says it stands."""

    town: Town
    browser: requests.Session
    address: str
    form: dict[str, str]
    arrived: Callable[[], bool]
    ended: Callable[[], tuple[int, str]]
    expected: tuple[int, str]
    statuses: set[int] = field(default_factory=set)

    def post(self) -> None:
        """Posts it, the very same again where it was not taken."""

        def is_taken() -> bool:
            token = next(cookie.value for cookie in self.browser.cookies if "csrf" in cookie.name)
            answer = self.browser.post(
                f"{self.town.house.address}{self.address}", self.form | {"csrfmiddlewaretoken": str(token)},
                allow_redirects=False, timeout=30,
            )  # fmt: skip
            self.statuses.add(answer.status_code)
            return answer.status_code in {200, 302} or (answer.status_code in AGAIN and self._has_arrived())

        until(is_taken, GUARD_S, f"{self.address}: not taken", self.town.work, looks_every_s=0.5)

    def _has_arrived(self) -> bool:
        try:
            return self.arrived()
        except psycopg.OperationalError:
            return False

    def wait_until_done(self) -> None:
        """Carried out once, and said so."""
        until(lambda: self.ended() == self.expected, GUARD_S, f"{self.address}: not done once", self.ended)


def copied(town: Town, statement: str, *values: object) -> tuple[Any, ...]:
    """The first such row of the copy, which a new house fills in the background."""
    until(
        lambda: town.ask("dashboard", statement, *values), GUARD_S, f"not in the copy: {statement}",
        lambda: town.ask("dashboard", "select count(*), max(last_seen) from mirror_expense"),
    )  # fmt: skip
    return town.ask("dashboard", statement, *values)[0]


def customer_change(town: Town) -> Posted:
    """A customer's new name, sent at once."""
    remote_id, name = copied(
        town, "select c.remote_id, c.name from mirror_customer c join access_business b on b.id = c.business_id"
        " where b.slug = %s and c.status = 'ACTIVE' and c.name <> 'WalkIn' order by random() limit 1", town.slug,
    )  # fmt: skip
    version, key = "select version from customers_customer where id = %s", uuid.uuid4().hex
    [(before,)] = town.ask("service", version, remote_id)
    state = "select state from client_outboundoperation where form_key = %s order by id desc limit 1"

    def ended() -> tuple[int, str]:
        rows = town.ask("dashboard", state, key)
        return town.ask("service", version, remote_id)[0][0] - before, rows[0][0] if rows else ""

    return Posted(
        town, town.browser, f"/{town.slug}/customers/{remote_id}/edit/", {"name": f"{name[:60]} Ltd", "key": key},
        lambda: ended()[1] == "CONFIRMED", ended, (1, "CONFIRMED"),
    )  # fmt: skip


def payment_vote(town: Town) -> Posted:
    """A vote on a payout of one payment that an admin has asked for just now."""
    demo = json.loads((town.house.data / "demo.json").read_text())["service"]["businesses"][0]
    service = town.house.service_address
    token = requests.post(
        f"{service}/oauth/token", {"grant_type": "client_credentials"},
        auth=(demo["client_id"], demo["client_secret"]), timeout=30,
    ).json()["access_token"]  # fmt: skip
    admin = next(one["employee_id"] for one in demo["employees"] if one["role"] == "ADMIN")
    payment = {"receiver_name": "Mary Otieno", "channel": "MPESA_SEND_MONEY", "account": "254712345678", "amount": 100}

    def send(method: str, path: str, body: Any = None) -> Any:
        headers = {
            "Authorization": f"Bearer {token}", "business_id": demo["business_id"], "X-Acting-Employee": admin,
            "Idempotency-Key": uuid.uuid4().hex,
        }  # fmt: skip
        answer = requests.request(method, f"{service}/v2{path}", json=body, headers=headers, timeout=30)
        assert answer.ok, answer.text
        return answer.json()

    batch = send("POST", "/payments", {"name": "Restart", "org_wallet_ref": "1", "items": [payment]})["batch_no"]
    approval = send("PATCH", f"/payments/{batch}/initiate")["approvals"][-1]
    copied = "select count(*) from mirror_approval where remote_id = %s and status = 'PENDING'"
    until(
        lambda: town.ask("dashboard", copied, approval) == [(1,)], GUARD_S, "the request did not reach the desk",
        lambda: town.ask("dashboard", "select count(*), max(last_seen) from mirror_approval"),
    )  # fmt: skip
    address, form = town.form(approval, "payment")
    votes = "select count(*) from approvals_vote where approval_id = %s"
    state = "select state from decisions_decision where key = %s"

    def ended() -> tuple[int, str]:
        rows = town.ask("dashboard", state, form["key"])
        return town.ask("service", votes, approval)[0][0], rows[0][0] if rows else ""

    return Posted(town, town.browser, address, form, lambda: bool(ended()[1]), ended, (1, "DONE"))


def confirmation(town: Town) -> Posted:
    """A second admin's confirmation of a change of a wallet policy, which a worker then sends."""
    people = json.loads((town.house.data / "demo.json").read_text())["dashboard"]["people"]
    person = next(one for one in people if one["business"] == town.slug and one["role"] == "SUPER_ADMIN")
    [(business, proposer)] = town.ask(
        "dashboard", "select b.id, m.id from access_membership m join access_business b on b.id = m.business_id"
        " where b.slug = %s and m.role = 'ADMIN' limit 1", town.slug,
    )  # fmt: skip
    policy, held, wallet, holder = copied(
        town, "select p.remote_id, p.permissions, p.wallet_id, p.employee_id from mirror_walletpolicy p"
        " where p.business_id = %s and p.status = 'ACTIVE' and coalesce(p.expires_at > now(), true) and p.employee_id not in"
        " (select employee_id from access_membership where business_id = p.business_id and role = 'SUPER_ADMIN')"
        " order by random() limit 1", business,
    )  # fmt: skip
    key = f"modify_wallet_policy-{uuid.uuid4().hex}"
    there = "select version from wallet_policies_walletpolicy where id = %s"
    [(before,)] = town.ask("service", there, policy)
    # Other ones than it gives now.
    changed = ["WALLET_VIEW", "WALLET_ALLOCATE"] if held == ["WALLET_VIEW"] else ["WALLET_VIEW"]
    path, body = json.dumps({"policyId": policy}), json.dumps({"permissions": changed})
    [(row,)] = town.ask("dashboard", PROPOSAL, business, path, body, wallet, holder, policy, before, key, proposer)
    browser, page = sign_in(town.house.address, person)
    assert page.ok
    state = "select state from proposals_proposal where id = %s"

    def ended() -> tuple[int, str]:
        return town.ask("service", there, policy)[0][0] - before, town.ask("dashboard", state, row)[0][0]

    return Posted(
        town, browser, f"/{town.slug}/wallet-policies/proposals/{row}/confirm/", {"key": uuid.uuid4().hex},
        lambda: ended()[1] != "WAITING", ended, (1, "APPLIED"),
    )  # fmt: skip


def acts(town: Town) -> list[Posted]:
    """One of each, its form open before anything fails."""
    return [customer_change(town), payment_vote(town), confirmation(town)]
