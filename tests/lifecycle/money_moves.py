"""Every operation that moves money, as requests with keys of their own, and what they come to when each counts once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import requests

from tests.contract.over_http import Business

Send = Callable[[str], requests.Response]
PAYOUT_FEE_MINOR = 1_300
INVESTED = 10_000


@dataclass
class Moves:
    """`works` take a key each. `minor` is what each takes from the wallet, out of what `measure` of its balance says."""

    business: Business
    works: list[Send]
    minor: int
    measure: str = "posted_minor"
    before: int = 0

    def begin(self) -> None:
        self.before = self.business.balances()[self.measure]

    def taken(self) -> int:
        """What has left the wallet since, in minor units."""
        return self.before - self.business.balances()[self.measure]

    @property
    def expected(self) -> int:
        return self.minor * len(self.works)


def by(business: Business, name: str, method: str, path: str, body: Any = None) -> Send:
    """A request in somebody's name that waits for its key."""
    return lambda key: business.send(method, path, body, by=name, key=key)


def allocations(business: Business, count: int) -> Moves:
    body = {"employee_id": business.people["Carla"], "amount": 12.5, "org_wallet_ref": "1"}
    return Moves(business, [by(business, "Apollo", "POST", "/employees/allocate-funds", body)] * count, 1_250)


def old_expenses(business: Business, count: int) -> Moves:
    def post(number: int, key: str) -> requests.Response:
        body = {
            "amount": 7.25, "currency": "KES", "org_wallet_ref": "1", "transaction_ref": f"taxi-{number}",
            "description": "Taxi", "receiver": "Taxi", "payment_type": "CARD",
        }  # fmt: skip
        headers = {"x-api-key": business.made["api_key"], "Idempotency-Key": key}
        return requests.post(f"{business.service}/v1/expenses", json=body, headers=headers, timeout=60)

    return Moves(business, [partial(post, number) for number in range(count)], 725)


def fx_transfers(business: Business, count: int) -> Moves:
    works = []
    for _ in range(count):
        asked = {"from": "USD", "to": "KES", "amount": 20, "side": "SELL"}
        quote = business.ask("POST", "/fx/conversion-rate", asked)["quote_id"]
        body = {"quote_id": quote, "from_org_wallet_ref": "2", "to_org_wallet_ref": "1"}
        works.append(by(business, "Apollo", "POST", "/fx/transfer", body))
    business.wallet_id = next(one["wallet_id"] for one in business.made["wallets"] if one["org_wallet_ref"] == "2")
    return Moves(business, works, 2_000)


def investments(business: Business, count: int) -> Moves:
    funds = business.ask("GET", "/investments/funds")["docs"]
    fund = next(one["_id"] for one in funds if one["currency"] == "KES")
    opened = business.ask("POST", "/investments/opt-in", {"fund_id": fund})
    business.ask("POST", f"/investments/opt-in/{opened['ref']}/approve", by="Apollo")
    path = f"/investments/accounts/{opened['fund_account_id']}/invest"
    work = by(business, "Apollo", "POST", path, {"amount": INVESTED, "org_wallet_ref": "1"})
    # Reserved at once, taken when the fund settles.
    return Moves(business, [work] * count, INVESTED * 100, "available_minor")


def captures(business: Business, count: int) -> Moves:
    # What it takes is the wallet's own, which is what is measured.
    funded = {"funding": "BUSINESS_WALLET", "controls": {"limits": [{"interval": "PER_YEAR", "amount": 10**12}]}}
    card = business.ask("POST", "/cards", {"employee_id": business.people["Carla"], "name": "Fuel", **funded})["_id"]
    works = []
    for _ in range(count):
        swipe = {"card_id": card, "amount": 30, "merchant": "Java House"}
        held = business.ask("POST", "/cards/authorizations", swipe)["_id"]
        works.append(by(business, "Ada", "POST", f"/cards/authorizations/{held}/clearing", {"kind": "CAPTURE"}))
    return Moves(business, works, 3_000)


def manual_transactions(business: Business, count: int) -> Moves:
    works = []
    for _ in range(count):
        body = {"type": "EXPENSE", "org_wallet_ref": "1", "amount": 40, "counterparty": "Duka"}
        made = business.ask("POST", "/transactions/new", body)["_id"]
        works.append(by(business, "Apollo", "PUT", f"/transactions/{made}/approve"))
    return Moves(business, works, 4_000)


def bill_payments(business: Business, count: int) -> Moves:
    """Each approval is a vote, and a worker pays. Vendors of their own: what looks like a duplicate needs more votes."""
    works = []
    for number in range(count):
        account = {"channel": "MPESA_TILL", "account": f"77{number:02d}567"}
        vendor = {"name": f"Vendor {number}", "payment_instructions": [account]}
        payee = business.ask("POST", "/vendors", vendor)["_id"]
        bill = {"bill_no": f"INV-{number}", "vendor_id": payee, "issued_at": "2026-01-05", "subtotal": 50}
        made = business.ask("POST", "/bills", {**bill, "tax_amount": 0})["_id"]
        payment = business.ask("POST", f"/bills/{made}/payments", {"amount": 50})["payment_ref"]
        business.ask("PATCH", f"/bills/{made}/payments/{payment}/request-approval")
        works.append(by(business, "Apollo", "POST", f"/bills/{made}/payments/{payment}/approve"))
    return Moves(business, works, 5_000)


def payouts(business: Business, count: int) -> Moves:
    """Likewise."""
    waiting = [business.payout(60, account=f"254712{number:02d}5678")[1] for number in range(count)]
    works = [partial(business.vote, request, "Apollo") for request in waiting]
    return Moves(business, works, 6_000 + PAYOUT_FEE_MINOR)


OPERATIONS: dict[str, Callable[[Business, int], Moves]] = {
    "allocation": allocations,
    "v1 expense": old_expenses,
    "FX transfer": fx_transfers,
    "investment": investments,
    "card capture": captures,
    "transaction approval": manual_transactions,
    "bill payment": bill_payments,
    "payout": payouts,
}
