"""Payments posted per second out of one wallet: those of one payout, against payouts of one payment each, and against
POST /v1/expenses, the published operation that posts while its caller waits (no server between, its key and answer kept).

Payouts go the whole way that a worker goes with what POST /v2/payments took in: rails, ledger, transactions, events,
the payout's own record. Making and initiating them is not counted. `--rows` says how many payments each side posts.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from typing import Any
from uuid import uuid4

from measure import house, in_turn, report

LARGEST = 5_000


class Payer:
    """A business in which nobody must vote, spoken to over HTTP without a server."""

    def __init__(self) -> None:
        from django.test import Client

        from service.approvals.models import Mandate
        from service.sandbox.businesses import BusinessSpec, open_business

        self.made = open_business(BusinessSpec(name="Payer"))
        Mandate.objects.filter(business=self.made.business).update(active=False)
        self.browser = Client()
        form = {"client_id": self.made.client.client_id, "client_secret": self.made.client_secret}
        answer = self.browser.post("/oauth/token", {"grant_type": "client_credentials", **form})
        self.headers = {
            "Authorization": f"Bearer {answer.json()['access_token']}",
            "business-id": self.made.business.id,
        }
        self.headers["X-Acting-Employee"] = next(each.id for each in self.made.employees if each.role == "ADMIN")

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """An answer that says yes."""
        from service.respond import to_json

        answer = self.browser.generic(
            method, f"/v2/payments{path}", to_json(body) if body else b"", "application/json",
            headers={**self.headers, "Idempotency-Key": uuid4().hex},
        )  # fmt: skip
        assert answer.status_code < 300, answer.content
        return answer.json()

    def initiated(self, count: int) -> str:
        """A payout of so many payments, ready for a worker; its id."""
        items = [
            {
                "receiver_name": f"Till {n}",
                "channel": "MPESA_TILL",
                "account": f"7{n % 9}{5000 + n % 4000}",
                "amount": 15,
            }
            for n in range(count)
        ]
        made = self.ask("POST", "", {"name": "January", "org_wallet_ref": "1", "items": items})
        ready: dict[str, Any] = self.ask("PATCH", f"/{made['batch_no']}/initiate")
        return str(ready["_id"])


def per_second(payer: Payer, payouts: int, each: int) -> float:
    """Payments posted per second, over so many payouts."""
    from service.payments import execution
    from service.payments.models import Item, ItemStatus

    ready = [payer.initiated(each) for _ in range(payouts)]
    began = time.perf_counter()
    for payout in ready:
        execution.execute(payout)
    took = time.perf_counter() - began
    paid = Item.objects.filter(batch_id__in=ready, status=ItemStatus.SUCCEEDED).count()
    assert paid == payouts * each, (paid, payouts, each)
    return paid / took


def expenses_per_second(payer: Payer, count: int) -> float:
    """Expenses of the old interface posted per second, each a posting of its own."""
    from service.respond import to_json

    began = time.perf_counter()
    for _ in range(count):
        body = {
            "amount": 15, "currency": "KES", "org_wallet_ref": "1", "transaction_ref": uuid4().hex, "description": "Taxi",
            "receiver": "Taxi", "payment_type": "CARD",
        }  # fmt: skip
        headers = {"x-api-key": payer.made.api_key, "Idempotency-Key": uuid4().hex}
        answer = payer.browser.generic("POST", "/v1/expenses", to_json(body), "application/json", headers=headers)
        assert answer.status_code == 201, answer.content
    return count / (time.perf_counter() - began)


def main() -> int:
    """The exit code says whether the goal is met and the ledger holds."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rows", type=int, default=LARGEST)
    options.add_argument("--rounds", type=int, default=5)
    given = options.parse_args()
    assert 0 < given.rows <= LARGEST, f"a payout holds at most {LARGEST} payments"
    with house("service") as made:
        os.environ.update(
            made.program_env("service") | {"DJANGO_SETTINGS_MODULE": "config.settings.service", "LOG_LEVEL": "ERROR"}
        )
        import django

        django.setup()
        from service import enqueue
        from service.ledger.invariants import breaches

        enqueue.send = lambda *_: None  # type: ignore[assignment]  # nobody else pays them
        payer = Payer()
        singles = max(1, given.rows // 10)
        figures = [0.0, 0.0, 0.0]

        def batch() -> float:
            figures[0] = per_second(payer, 1, given.rows)
            return figures[0]

        def single() -> float:
            figures[1] = per_second(payer, singles, 1)
            return figures[1]

        def expense() -> float:
            figures[2] = expenses_per_second(payer, singles)
            return figures[2]

        apart, beside = in_turn(batch, single, given.rounds), in_turn(batch, expense, given.rounds)
        print(
            f"a second: {figures[0]:,.0f} in one payout, {figures[1]:,.0f} in payouts of one, {figures[2]:,.0f} expenses"
        )
        good = report("posting in a batch / payouts of one, one wallet", apart, 3.0, at_most=False)
        good &= report("posting in a batch / POST /v1/expenses, one wallet", beside, 3.0, at_most=False)
        good &= not breaches(sealed=False)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
