"""The payee changes that hold a payment back, each with the place where a second person decides on it: for every page that a refusal,
or a hold, stands on."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.urls import reverse

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.commands.vendors import KnownPayeeAccount, accounts_of
from dashboard.errors import FinanceError
from dashboard.mirror.models import ApprovalRequest
from dashboard.mirror.scopes import visible_vendors
from dashboard.payee_accounts import payee_key

# What the service says of a payment to an account that waits for a second person: its refusal, and why it is on hold.
PAYEE_WAITS = "payee_quarantined"
# A batch may hold more; the page of all of them is named beside these.
MAX_LINKS = 5


@dataclass(frozen=True, slots=True)
class PayeeChangeLink:
    """An account that waits for a second person, or all of them, as a link says it; and the address."""

    text: str
    address: str


def is_held(payment: ApprovalRequest) -> bool:
    """Whether a payout, or a payment of a bill, is on hold since an account that it pays to waits for a second person."""
    return payment.status == "ON_HOLD" and payment.payload.get("hold_reason") == PAYEE_WAITS


def is_payee_refusal(refusal: FinanceError | None) -> bool:
    """Whether something was refused since an account that it pays to waits for a second person: as a whole, or at a field."""
    return refusal is not None and PAYEE_WAITS in {refusal.code, *(problem.code for problem in refusal.fields)}


def payee_change_links(actor: Actor, paid: Iterable[tuple[str, str]]) -> list[PayeeChangeLink]:
    """The changes of accounts that these payments, by channel and account, go to, and the page of all changes where none is found
    or there are more; [] for whoever sees no vendors.

    The copy knows the last characters of an account alone: what ends as it does and is paid the same way is that account, or one
    that may be.
    """
    if not can_open(actor, operations.LIST_VENDORS):
        return []
    accounts = {(payee_key(channel, "")[0], account) for channel, account in paid}
    rows = visible_vendors(actor).filter(quarantined=True, status="ACTIVE").order_by("sort_name", "pk")
    waiting = [
        known for vendor in rows for known in accounts_of(vendor) if known.is_waiting and _is_paid(known, accounts)
    ]
    return _links(actor, waiting, names_all=not waiting)


def vendor_change_links(actor: Actor, vendor_id: str, refusal: FinanceError | None = None) -> list[PayeeChangeLink]:
    """The changes that wait of this vendor's accounts; the page of all changes where the copy knows of none, but something was refused
    for that. [] for whoever sees no vendors."""
    if not can_open(actor, operations.LIST_VENDORS):
        return []
    vendor = visible_vendors(actor).filter(remote_id=vendor_id, quarantined=True).first() if vendor_id else None
    waiting = [known for known in accounts_of(vendor) if known.is_waiting] if vendor is not None else []
    return _links(actor, waiting, names_all=not waiting and is_payee_refusal(refusal))


def links_by_vendor(actor: Actor, vendor_ids: Iterable[str]) -> dict[str, list[PayeeChangeLink]]:
    """The changes that wait of the accounts of each of these vendors, by the vendor's id, in one query; the page of all changes for one
    of whom the copy knows none. {} for whoever sees no vendors."""
    ids = {vendor_id for vendor_id in vendor_ids if vendor_id}
    if not ids or not can_open(actor, operations.LIST_VENDORS):
        return {}
    vendors = {row.remote_id: row for row in visible_vendors(actor).filter(remote_id__in=ids, quarantined=True)}
    waiting = {
        vendor_id: [known for known in accounts_of(vendors[vendor_id]) if known.is_waiting]
        if vendor_id in vendors
        else []
        for vendor_id in ids
    }
    return {vendor_id: _links(actor, known, names_all=not known) for vendor_id, known in waiting.items()}


def _links(actor: Actor, waiting: Sequence[KnownPayeeAccount], *, names_all: bool) -> list[PayeeChangeLink]:
    every = reverse("vendors_payee_changes", args=[actor.business.slug])
    links = [
        PayeeChangeLink(f"Payee change: {known.vendor.name} ···{known.last}", f"{every}#change-{known.id}")
        for known in waiting[:MAX_LINKS]
    ]
    if names_all or len(waiting) > MAX_LINKS:
        links.append(PayeeChangeLink("All payee changes", every))
    return links


def _is_paid(waiting_account: KnownPayeeAccount, accounts: Iterable[tuple[str, str]]) -> bool:
    sort = payee_key(waiting_account.channel, "")[0]
    return any(sort == other and account.endswith(waiting_account.last) for other, account in accounts)
