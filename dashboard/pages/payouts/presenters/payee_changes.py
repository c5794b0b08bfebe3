"""The payee changes that hold a payment back, each with the place where a second person decides on it."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.urls import reverse

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.commands.vendors import KnownPayeeAccount, accounts_of
from dashboard.mirror.models import ApprovalRequest
from dashboard.mirror.scopes import visible_vendors
from dashboard.payee_accounts import payee_key

# What the service says of a payout with an account that waits for a second person: its refusal, and why it is on hold.
PAYEE_WAITS = "payee_quarantined"
# A batch may hold more; the page of all of them is named beside these.
MAX_LINKS = 5


@dataclass(frozen=True, slots=True)
class PayeeChangeLink:
    """An account that waits for a second person, or all of them, as a link says it; and the address."""

    text: str
    address: str


def is_held(payout: ApprovalRequest) -> bool:
    """Whether a payout is on hold since an account in it waits for a second person."""
    return payout.status == "ON_HOLD" and payout.payload.get("hold_reason") == PAYEE_WAITS


def payee_change_links(actor: Actor, paid: Iterable[tuple[str, str]]) -> list[PayeeChangeLink]:
    """The changes of accounts that these payments, by channel and account, go to, and the page of all changes where none is found
    or there are more; [] for whoever sees no vendors.

    The copy knows the last characters of an account alone: what ends as it does and is paid the same way is that account, or one
    that may be.
    """
    if not can_open(actor, operations.LIST_VENDORS):
        return []
    every = reverse("vendors_payee_changes", args=[actor.business.slug])
    accounts = {(payee_key(channel, "")[0], account) for channel, account in paid}
    rows = visible_vendors(actor).filter(quarantined=True, status="ACTIVE").order_by("sort_name", "pk")
    waiting = [
        known for vendor in rows for known in accounts_of(vendor) if known.is_waiting and _is_paid(known, accounts)
    ]
    links = [
        PayeeChangeLink(f"Payee change: {known.vendor.name} ···{known.last}", f"{every}#change-{known.id}")
        for known in waiting[:MAX_LINKS]
    ]
    if not links or len(waiting) > MAX_LINKS:
        links.append(PayeeChangeLink("All payee changes", every))
    return links


def _is_paid(waiting_account: KnownPayeeAccount, accounts: Iterable[tuple[str, str]]) -> bool:
    sort = payee_key(waiting_account.channel, "")[0]
    return any(sort == other and account.endswith(waiting_account.last) for other, account in accounts)
