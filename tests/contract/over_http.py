"""A fresh business of a running service, spoken to over HTTP in anybody's name, and many requests at the same moment."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any
from uuid import uuid4

import requests

from tests.sandbox import sandbox_headers

PHONE = "254712345678"
# Below it one vote is enough, from it on two: what a fresh sandbox business of Kenya starts with.
NEEDS_TWO = 150_000
# How long a service that is busy is asked again.
BUSY_GUARD_S = 60


class Business:
    """`by` is a first name of the cast (Carla, Rita, Apollo, Zawadi, Juma, Ada …); `token` that of the sandbox, where it is
    not the one beside the tests."""

    def __init__(self, service: str, token: str = "") -> None:
        self.service, self.play = service, sandbox_headers(token)
        made = requests.post(f"{service}/sandbox/businesses", json={}, headers=self.play, timeout=30)
        assert made.ok, made.text
        self.made: dict[str, Any] = made.json()
        self.people = {one["name"].split()[0]: one["employee_id"] for one in self.made["employees"]}
        token = requests.post(
            f"{service}/oauth/token", {"grant_type": "client_credentials"},
            auth=(self.made["client_id"], self.made["client_secret"]), timeout=30,
        )  # fmt: skip
        self.token = token.json()["access_token"]
        self.wallet_id = next(one["wallet_id"] for one in self.made["wallets"] if one["org_wallet_ref"] == "1")

    def send(self, method: str, path: str, body: Any = None, *, by: str = "Ada", key: str = "") -> requests.Response:
        """A v2 request; a key is minted where none is given. "Try again shortly" is done, under the same key."""
        headers = {
            "Authorization": f"Bearer {self.token}", "business_id": self.made["business_id"],
            "X-Acting-Employee": self.people[by], "Idempotency-Key": key or uuid4().hex,
        }  # fmt: skip
        ends = time.monotonic() + BUSY_GUARD_S
        while True:
            answer = requests.request(method, f"{self.service}/v2{path}", json=body, headers=headers, timeout=60)
            if answer.status_code != 503 or time.monotonic() > ends:
                return answer
            time.sleep(float(answer.headers.get("Retry-After", 1)))

    def ask(self, method: str, path: str, body: Any = None, **options: str) -> Any:
        """Likewise, where success is expected; the answer's body."""
        answer = self.send(method, path, body, **options)
        assert answer.ok, answer.text
        return answer.json()

    def sandbox(self, path: str, **body: Any) -> Any:
        """Something happens in the world: a swipe, a top-up, expenses."""
        address = f"{self.service}/sandbox/businesses/{self.made['business_id']}/{path}"
        answer = requests.post(address, json=body, headers=self.play, timeout=60)
        assert answer.ok, answer.text
        return answer.json()

    def swipe(self, *, by: str, amount: float) -> requests.Response:
        """Somebody pays by card out of the main wallet; whether or not it passes."""
        address = f"{self.service}/sandbox/businesses/{self.made['business_id']}/swipe"
        return requests.post(
            address, json={"employee_id": self.people[by], "amount": amount}, headers=self.play, timeout=60
        )

    def draft(self, amount: float, account: str = PHONE, count: int = 1) -> dict[str, Any]:
        """The body of a payout with so many equal items."""
        one = {"receiver_name": f"Payee {account[-4:]}", "channel": "MPESA_SEND_MONEY", "account": account}
        return {"name": "January", "org_wallet_ref": "1", "items": [{**one, "amount": amount}] * count}

    def payout(self, amount: float, *, account: str = PHONE, count: int = 1) -> tuple[str, dict[str, Any]]:
        """A payout that waits for votes: its number and its request."""
        batch_no = self.ask("POST", "/payments", self.draft(amount, account, count))["batch_no"]
        waiting = self.ask("PATCH", f"/payments/{batch_no}/initiate")["approvals"][-1]
        return batch_no, next(one for one in self.ask("GET", "/approvals/all")["docs"] if one["_id"] == waiting)

    def vote(self, request: dict[str, Any], by: str, key: str = "") -> requests.Response:
        """Somebody approves a payment request."""
        return self.send("POST", "/approvals/approve", {"approval_id": request["_id"]}, by=by, key=key)

    def state(self, batch_no: str) -> dict[str, Any]:
        """The payout with its items, as it is now."""
        found: dict[str, Any] = self.ask("GET", f"/payments?batch_no={batch_no}")["docs"][0]
        return found

    def settled(self, batch_no: str, seconds: float = 60) -> dict[str, Any]:
        """The payout, once nothing moves any more; waits for the worker, as long as it pays."""
        last, paid = time.monotonic(), -1
        while (now := self.state(batch_no))["status"] in {"APPROVED", "PROCESSING"}:
            if now["succeeded_count"] != paid:
                last, paid = time.monotonic(), now["succeeded_count"]
            assert time.monotonic() - last < seconds, f"{batch_no} is still {now['status']}, {paid} of it paid"
            time.sleep(0.2)
        return now

    def balances(self) -> dict[str, int]:
        """Of the main wallet, in minor units."""
        found = self.ask("GET", f"/accounts/{self.wallet_id}/balance")["balances"]
        return {name: value for name, value in found.items() if name.endswith("_minor")}

    def debits(self) -> list[dict[str, Any]]:
        """What left the main wallet."""
        entries = self.ask("GET", f"/accounts/{self.wallet_id}/transactions?limit=1000")["docs"]
        return [one for one in entries if one["debit"]]


def at_once(works: Sequence[Callable[[], requests.Response]]) -> list[requests.Response]:
    """Does all of it at the same moment; the answers in their order."""
    gate, answers = threading.Barrier(len(works)), {}

    def run(place: int) -> None:
        gate.wait(30)
        answers[place] = works[place]()

    threads = [threading.Thread(target=run, args=(place,)) for place in range(len(works))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    return [answers[place] for place in range(len(works))]


def refusal(answer: requests.Response) -> tuple[int, str]:
    """Status and machine code of an answer that said no."""
    return answer.status_code, answer.json().get("code", "")
