"""What is read to enter a bill or to pay one: what its form offers, what a dropped file says, and bills that may be the same."""

import hashlib
import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import date, timedelta
from uuid import UUID

from django.db.models import Q
from django.http import Http404

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.client.page import read_page, typed
from dashboard.client.reads import Ok, ReadCall, read_together
from dashboard.documents.looks import near_pictures
from dashboard.documents.opening import opened
from dashboard.documents.readings import Opened
from dashboard.documents.sources import Document, content_of
from dashboard.inbound_mail.models import ReceivedAttachment
from dashboard.inbound_mail.selectors import get_attachment
from dashboard.inputs import Choices
from dashboard.mirror.choices import categories_of, teams_of
from dashboard.mirror.mappers.bills import number_key
from dashboard.mirror.models import Bill, Vendor
from dashboard.mirror.schedule import is_filled
from dashboard.mirror.scopes import visible_bills, visible_vendors
from dashboard.money import text
from dashboard.pages.bills.selectors.bills import uploaded_file
from dashboard.schemas.bills import BillBudget
from dashboard.schemas.taxes import Tax

LIVE_S = 2.0
MAX_VENDORS = 2000
MAX_DUPLICATES = 5
WINDOW = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class EntryChoices:
    """What the form of a bill offers, each as (id, name); `problem` says what could not be read, `has_more_vendors` that not
    all vendors are among them."""

    vendors: Choices
    categories: Choices
    teams: Choices
    budgets: Choices
    taxes: Choices
    problem: str = ""
    has_more_vendors: bool = False


def entry_choices(actor: Actor, *, chosen: str = "", term: str = "") -> EntryChoices:
    """Vendors, categories and teams from the copy, budgets with what is left of them and taxes as they are now.

    Of the vendors the first MAX_VENDORS by name, of those that the `term` names where there is one; `chosen` is the id of one
    that is among them in any case.
    """
    reads = {"budgets": ReadCall(operations.LIST_BUDGETS, query={"limit": 200}, deadline=LIVE_S)}
    reads["taxes"] = ReadCall(operations.LIST_TAXES, query={"limit": 200, "status": "ACTIVE"}, deadline=LIVE_S)
    results = read_together(actor, reads)
    rows = {name: read_page(result.answer.data).rows for name, result in results.items() if isinstance(result, Ok)}
    missing = " and ".join(name for name in reads if name not in rows)
    vendors, has_more = _vendors(actor, chosen, term)
    locale = actor.business.locale
    return EntryChoices(
        vendors=vendors,
        categories=categories_of(actor),
        teams=list(teams_of(actor)),
        budgets=[
            (row.id, f"{row.name}: {text(row.available_minor, row.currency, locale)} left")
            for row in typed(rows.get("budgets", []), BillBudget)
        ],
        taxes=[(row.id, _tax(row)) for row in typed(rows.get("taxes", []), Tax)],
        problem=_problem(actor, missing),
        has_more_vendors=has_more,
    )


def _vendors(actor: Actor, chosen: str, term: str) -> tuple[Choices, bool]:
    active = visible_vendors(actor).filter(status="ACTIVE").order_by("sort_name", "pk").values_list("remote_id", "name")
    named = list((active.filter(name__icontains=term) if term else active)[: MAX_VENDORS + 1])
    vendors = named[:MAX_VENDORS]
    if chosen and all(vendor_id != chosen for vendor_id, _ in vendors):
        vendors = [*active.filter(remote_id=chosen), *vendors]
    return vendors, bool(term) or len(named) > MAX_VENDORS


def with_vendor(actor: Actor, entry_choices: EntryChoices, vendor_id: str) -> EntryChoices:
    """The choices with this vendor among them, where the actor sees it and it is active."""
    if not vendor_id or any(known == vendor_id for known, _ in entry_choices.vendors):
        return entry_choices
    return replace(entry_choices, vendors=_vendors(actor, vendor_id, "")[0])


def vendors_like(actor: Actor, name: str) -> Choices:
    """The active vendors whose name has the longest word of this one: among them is every one of the same name."""
    longest = max(re.findall(r"\w{2,}", name), key=len, default="")
    if not longest:
        return []
    rows = visible_vendors(actor).filter(status="ACTIVE", name__icontains=longest).order_by("sort_name", "pk")
    return list(rows.values_list("remote_id", "name")[:MAX_VENDORS])


def _problem(actor: Actor, missing: str) -> str:
    unread = "" if is_filled(actor.business, Vendor) else "The vendors are still being read: more appear in a minute."
    failed = f"The {missing} could not be read: they can be added later." if missing else ""
    return " ".join(sentence for sentence in (unread, failed) if sentence)


def _tax(tax: Tax) -> str:
    resident, abroad = (f"{bps / 100:g}\xa0%" for bps in (tax.resident_rate_bps, tax.non_resident_rate_bps))
    return f"{tax.name}: {resident}" if resident == abroad else f"{tax.name}: {resident}, non-resident {abroad}"


@dataclass(frozen=True, slots=True)
class Dropped:
    """A file that was uploaded for a bill: as the viewer opens it, what it holds, and the SHA-256 of its bytes."""

    document: Document
    opened: Opened
    sha256: str


def dropped_file(actor: Actor, file_id: str) -> Dropped | None:
    """The uploaded file of that id, opened; None for none. Raises as `content_of` does."""
    if not file_id:
        return None
    document = uploaded_file(actor, file_id)
    content = content_of(actor, document)
    return Dropped(document, opened(content), hashlib.sha256(content).hexdigest())


@dataclass(frozen=True, slots=True)
class Received:
    """An attachment of a message that a bill is entered from: what it holds, and the SHA-256 of its bytes."""

    attachment: ReceivedAttachment
    opened: Opened
    sha256: str


def received_bill(actor: Actor, attachment_id: str) -> Received | None:
    """The attachment of that id, opened; None for none. Http404 for another business's, and for no id at all."""
    if not attachment_id:
        return None
    try:
        attachment = get_attachment(actor, UUID(attachment_id))
    except ValueError:
        raise Http404("this is no attachment") from None
    return Received(attachment, opened(bytes(attachment.content)), attachment.sha256)


def new_duplicate_bills(
    actor: Actor, bill: Bill, *, bill_no: str, total_minor: int, issued_on: date | None, purchase_order: str
) -> list[tuple[Bill, str]]:
    """The bills that a changed one may be, and that it was not likely to be before."""
    before = likely_duplicate_bills(
        actor, vendor_id=bill.vendor_id, currency=bill.currency, bill_no=bill.bill_no, total_minor=bill.total_minor,
        issued_on=bill.issued_on, purchase_order=bill.purchase_order,
    )  # fmt: skip
    return likely_duplicate_bills(
        actor, vendor_id=bill.vendor_id, currency=bill.currency, bill_no=bill_no, total_minor=total_minor,
        issued_on=issued_on, purchase_order=purchase_order, besides={bill.pk, *(other.pk for other, _ in before)},
    )  # fmt: skip


def likely_duplicate_bills(
    actor: Actor, *, vendor_id: str = "", bill_no: str = "", total_minor: int = 0, currency: str = "",
    issued_on: date | None = None, sha256: str = "", look: str = "", purchase_order: str = "",
    besides: Collection[int] = (),
) -> list[tuple[Bill, str]]:  # fmt: skip
    """Bills that may be the same, each with what is the same: the number or, within 30 days or for the same purchase order, the
    amount of the vendor, or the file, or a picture that looks nearly like it (its `look`). MAX_DUPLICATES at most; a cancelled one is none, nor are those `besides`."""
    near = near_pictures(actor.business, look, sha256)
    same = Q(file_hashes__overlap=[sha256, *near]) if sha256 else Q(pk=None)
    key = number_key(bill_no)
    if vendor_id and key:
        same |= Q(vendor_id=vendor_id, number_key=key)
    if vendor_id and issued_on and total_minor:
        days = (issued_on - WINDOW, issued_on + WINDOW)
        same |= Q(vendor_id=vendor_id, total_minor=total_minor, currency=currency, issued_on__range=days)
    if vendor_id and purchase_order and total_minor:
        amount = Q(total_minor=total_minor, currency=currency)
        same |= amount & Q(vendor_id=vendor_id, purchase_order__iexact=purchase_order)
    others = visible_bills(actor).filter(same).exclude(status="CANCELLED").exclude(pk__in=list(besides))
    rows = others.order_by("-issued_on", "-pk")[:MAX_DUPLICATES]
    return [(row, _shared(row, vendor_id, key, sha256, near, purchase_order)) for row in rows]


def _shared(row: Bill, vendor_id: str, key: str, sha256: str, near: Collection[str], purchase_order: str) -> str:
    if sha256 and sha256 in row.file_hashes:
        return "the same file"
    if not set(near).isdisjoint(row.file_hashes):
        return "a picture that looks nearly the same"
    if row.vendor_id == vendor_id and row.number_key == key:
        return "the same number"
    if purchase_order and row.purchase_order.casefold() == purchase_order.casefold():
        return "the same amount for the same purchase order"
    return "the same amount within 30 days"


def credited_bills(actor: Actor, bill_no: str) -> list[Bill]:
    """The bills of that number that a credit note can be recorded for, the newest first; none for no number."""
    key = number_key(bill_no)
    rows = visible_bills(actor).filter(number_key=key or "-").exclude(status__in=("DRAFT", "CANCELLED"))
    return list(rows.order_by("-issued_on", "-pk")[:MAX_DUPLICATES])


def vendor_of(actor: Actor, vendor_id: str) -> Vendor | None:
    """The vendor of that id; None where the actor sees none."""
    vendor: Vendor | None = visible_vendors(actor).filter(remote_id=vendor_id or "-").first()
    return vendor
