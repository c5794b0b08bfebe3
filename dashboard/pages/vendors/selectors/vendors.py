"""What is read for the vendors: one of them, those likely the same, and who was paid lately."""

from dataclasses import dataclass
from unicodedata import normalize

from django.db.models import Q
from django.db.models.functions import Lower
from django.shortcuts import get_object_or_404

from dashboard import operations, operations_payables
from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.client.page import read_page, typed
from dashboard.client.reads import read_live
from dashboard.commands.vendors import KnownPayeeAccount, accounts_of
from dashboard.errors import NotFound
from dashboard.mirror.live_rows import refresh_row
from dashboard.mirror.models import Bill, Subscription, Vendor
from dashboard.mirror.scopes import visible_bills, visible_subscriptions, visible_vendors
from dashboard.phones import same_number
from dashboard.proposals.models import VENDOR_MERGE, Proposal
from dashboard.proposals.selectors import open_proposals
from dashboard.schemas.payments import Bank, Channel
from dashboard.schemas.vendors import DuplicateVendors, MergePlan, RecentVendor, VendorActivity

LIVE_S = 1.5
MAX_DUPLICATES = 5
MAX_READ = 200
MAX_RECENT = 50
MAX_BILLS = MAX_SUBSCRIPTIONS = 10


def vendor_for(actor: Actor, remote_id: str) -> Vendor:
    """The vendor of that id; Http404 outside what the actor may see."""
    vendor: Vendor = get_object_or_404(visible_vendors(actor), remote_id=remote_id)
    return vendor


def refresh_vendor(actor: Actor, vendor: Vendor) -> bool:
    """Writes the vendor through to the copy as it is at the service now; False where that does not answer."""
    return refresh_row(actor, "vendor", vendor, operations.READ_VENDOR)


def account_for(actor: Actor, vendor: Vendor, account_id: str) -> KnownPayeeAccount:
    """One of the vendor's accounts; NotFound where the copy knows none of that id."""
    account = next((account for account in accounts_of(vendor) if account.id == account_id), None)
    if account is None:
        raise NotFound("This account is no longer there.", code="not_found")
    return account


def likely_duplicate_vendors(
    actor: Actor, *, phone: str = "", email: str = "", tax_pin: str = "", name: str = ""
) -> list[tuple[Vendor, str]]:
    """Active vendors with the same tax PIN, phone, email or name, each with what is the same; MAX_DUPLICATES at most."""
    phone, email, tax_pin, name = (value.strip() for value in (phone, email, tax_pin, name))
    spellings = same_number(phone, actor.business.locale)
    same = Q()
    if tax_pin:
        same |= Q(tax_pin__iexact=tax_pin)
    if phone:
        same |= Q(phone__in=spellings)
    if email:
        same |= Q(email__iexact=email)
    if name:
        same |= Q(sort_name=normalize("NFC", name).lower())
    if not same:
        return []
    rows = visible_vendors(actor).filter(same, status="ACTIVE").order_by("sort_name", "pk")[:MAX_DUPLICATES]
    return [(vendor, _shared(vendor, spellings, email, tax_pin)) for vendor in rows]


def _shared(vendor: Vendor, spellings: frozenset[str], email: str, tax_pin: str) -> str:
    if tax_pin and vendor.tax_pin.casefold() == tax_pin.casefold():
        return "the same tax PIN"
    if vendor.phone in spellings:
        return "the same phone"
    return "the same email" if email and vendor.email.casefold() == email.casefold() else "the same name"


@dataclass(frozen=True, slots=True)
class VendorDestinations:
    """The ways to pay in the business's country and its banks, each as (code, name)."""

    channels: list[tuple[str, str]]
    banks: list[tuple[str, str]]


def vendor_destinations(actor: Actor) -> VendorDestinations:
    """What an account can be of. Raises the FinanceError tree where the service does not say."""
    banks = typed(read_page(read_live(actor, operations.LIST_BANKS, deadline=LIVE_S).data).rows, Bank)
    return VendorDestinations(_channels(actor), [(row.code, row.name or row.code) for row in banks])


def _channels(actor: Actor) -> list[tuple[str, str]]:
    answer = read_live(actor, operations.LIST_PAYMENT_CHANNELS, deadline=LIVE_S)
    # One's own wallets are no vendor's.
    rows = [row for row in typed(read_page(answer.data).rows, Channel) if row.code != "WALLET"]
    return [(row.code, row.name or row.code) for row in rows]


def channels_in_use(actor: Actor) -> list[tuple[str, str]]:
    """The ways to pay that can be looked at, each as (code, name): all of the country, and for whoever may not read those,
    the ones that vendors are paid on. Raises the FinanceError tree."""
    if can_open(actor, operations.LIST_PAYMENT_CHANNELS):
        return _channels(actor)
    rows = visible_vendors(actor).exclude(instructions=[]).values_list("instructions", flat=True)[:MAX_READ]
    return [(code, way_of(code)) for code in sorted({account["channel"] for accounts in rows for account in accounts})]


def way_of(channel: str) -> str:
    """A channel in words: "M-Pesa paybill" for MPESA_PAYBILL, "EFT" for BANK_EFT."""
    words = channel.removeprefix("BANK_").replace("_", " ").lower().split()
    named = {"mpesa": "M-Pesa", "eft": "EFT", "rtgs": "RTGS", "swift": "SWIFT", "pesalink": "PesaLink"}
    return " ".join(named.get(word, word) for word in words)


def recently_paid(actor: Actor, channel: str) -> list[RecentVendor]:
    """Whom the business paid lately on a channel, the newest first; one more than MAX_RECENT where there are more. Raises the
    FinanceError tree."""
    path, query = {"channel": channel}, {"limit": MAX_RECENT + 1}
    answer = read_live(actor, operations.LIST_RECENT_VENDORS, path=path, query=query, deadline=LIVE_S)
    return typed(read_page(answer.data).rows, RecentVendor)


def duplicates_of(actor: Actor, vendor: Vendor) -> list[tuple[Vendor, str]]:
    """Other active vendors with the same tax PIN, phone, email or name as this one."""
    contact = {"phone": vendor.phone, "email": vendor.email, "tax_pin": vendor.tax_pin, "name": vendor.name}
    return [(other, shared) for other, shared in likely_duplicate_vendors(actor, **contact) if other.pk != vendor.pk]


def merged_into_of(actor: Actor, vendor: Vendor) -> Vendor | None:
    """The vendor that has what belonged to this one; None where it was not merged."""
    return visible_vendors(actor).filter(remote_id=vendor.merged_into).first() if vendor.merged_into else None


def duplicate_pairs(actor: Actor) -> list[DuplicateVendors]:
    """The pairs that may be one vendor. Raises the FinanceError tree."""
    answer = read_live(actor, operations_payables.LIST_DUPLICATE_VENDORS, deadline=LIVE_S)
    return typed(read_page(answer.data).rows, DuplicateVendors)


def merge_plan(actor: Actor, vendor: Vendor, duplicate: Vendor) -> MergePlan:
    """What merging the duplicate into the vendor would do. Raises the FinanceError tree."""
    path = {"id": vendor.remote_id, "duplicateId": duplicate.remote_id}
    answer = read_live(actor, operations_payables.READ_VENDOR_MERGE, path=path, subject=vendor, deadline=LIVE_S)
    return MergePlan.model_validate(answer.data)


def open_merge_of(actor: Actor, *vendors: Vendor) -> Proposal | None:
    """The merge into one of these vendors, or of one of them, that waits; None where none does, or the actor may not see it."""
    ids = [vendor.remote_id for vendor in vendors]
    merges = open_proposals(actor).filter(target_type=VENDOR_MERGE)
    waiting: Proposal | None = merges.filter(Q(target_id__in=ids) | Q(body__duplicate_id__in=ids)).first()
    return waiting


def vendor_activity(actor: Actor, vendor: Vendor) -> VendorActivity:
    """What a vendor was paid, and what it shares with others. Raises the FinanceError tree."""
    path = {"id": vendor.remote_id}
    answer = read_live(
        actor, operations_payables.READ_VENDOR_ACTIVITY, path=path, subject=vendor, deadline=LIVE_S, tries=1
    )
    return VendorActivity.model_validate(answer.data)


def bills_of(actor: Actor, vendor: Vendor) -> list[Bill]:
    """The bills of a vendor that the actor may see, those due last first; one more than MAX_BILLS where there are more."""
    rows = visible_bills(actor).filter(vendor_id=vendor.remote_id)
    return list(rows.order_by("-due_on", "-id")[: MAX_BILLS + 1])


def subscriptions_of(actor: Actor, vendor: Vendor) -> list[Subscription]:
    """The subscriptions that are charged under the vendor's name or one of those merged into it; one more
    than MAX_SUBSCRIPTIONS where there are more."""
    names = [name.lower() for name in (vendor.name, *vendor.also_known_as)]
    rows = visible_subscriptions(actor).annotate(charged_as=Lower("vendor")).filter(charged_as__in=names)
    return list(rows.order_by("sort_name", "id")[: MAX_SUBSCRIPTIONS + 1])
