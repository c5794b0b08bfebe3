"""How a vendor is shown on its own page, its accounts, and what waits to be confirmed: accounts by their last characters."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import NotRequired, TypedDict

from dashboard import operations, operations_payables
from dashboard.access.actor import Actor
from dashboard.access.check import Verdict, can, can_open
from dashboard.commands.discounts import vendor_terms_text
from dashboard.commands.vendors import KnownPayeeAccount, accounts_of, proposal_subject
from dashboard.errors import FinanceError
from dashboard.lists.detail_page import Facts
from dashboard.lists.states import state_in
from dashboard.mirror.mappers import moment
from dashboard.mirror.models import Vendor
from dashboard.mirror.schedule import today
from dashboard.money import text, to_minor
from dashboard.pages.vendors.forms.documents import DOCUMENT_KINDS, DocumentForm
from dashboard.pages.vendors.forms.vendors import VENDOR_TYPES, VendorForm
from dashboard.pages.vendors.presenters.activity import ActivityContext, activity_context
from dashboard.pages.vendors.presenters.payee_changes import ChangeRow, change_rows, proposed_by_text
from dashboard.pages.vendors.selectors.payee_changes import waiting_changes
from dashboard.pages.vendors.selectors.vendors import (
    MAX_RECENT,
    channels_in_use,
    duplicates_of,
    merged_into_of,
    recently_paid,
    way_of,
)
from dashboard.pages.vendors.tables import ACCOUNT_STATES, VENDOR_STATES
from dashboard.payee_accounts import PAYBILL
from dashboard.schemas.vendors import RecentVendor
from dashboard.times import as_of, day
from dashboard.web.submission import new_key
from dashboard.web.uploads import AddedFile

SOON_DAYS = 30


@dataclass(frozen=True, slots=True)
class AccountRow:
    """An account as a row: how it is paid, by its last characters, in which state, and who proposed it when."""

    id: str
    way: str
    last: str
    name: str
    state: str
    tone: str
    default: bool
    by: str
    at: str
    change: Verdict | None


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A document of a vendor; `remove` is None where it cannot be removed, `tone` says whether it ends soon or has ended."""

    id: str
    title: str
    kind: str
    ends: str
    tone: str
    remove: Verdict | None


class VendorContext(TypedDict):
    """What vendors/item.html reads; there is a form where the actor may change it."""

    vendor: Vendor
    state: tuple[str, str]
    facts: Facts
    accounts: list[AccountRow]
    changes: list[ChangeRow]
    seen: str
    live: bool
    delete: Verdict | None
    propose: Verdict | None
    restore: Verdict | None
    payment_method: Verdict | None
    activity: ActivityContext
    documents: list[DocumentRow]
    document_form: DocumentForm | None
    may_contact: bool
    upload_key: str
    added: Sequence[AddedFile]
    merged_into: Vendor | None
    duplicates: list[tuple[Vendor, str]]
    may_merge: Verdict
    key: str
    form: NotRequired[VendorForm]


@dataclass(frozen=True, slots=True)
class RecentRow:
    """Somebody who was paid lately: the account by its last characters, and the `reference` there of a paybill, likewise; `vendor_id`
    is empty for who is no vendor yet."""

    name: str
    last: str
    reference: str
    amount: str
    count: int
    when: str
    vendor_id: str


def vendor_context(actor: Actor, vendor: Vendor, *, live: bool) -> VendorContext:
    """A vendor with its accounts, and what the actor may do; `live` says whether it was just read."""
    is_active = vendor.status == "ACTIVE"
    propose = can(actor, operations.ADD_PAYMENT_INSTRUCTION, proposal_subject(vendor)) if is_active else None
    context: VendorContext = {
        "vendor": vendor,
        "state": state_in(VENDOR_STATES, vendor.status),
        "facts": facts_of(vendor),
        "accounts": [account_row(actor, account, propose) for account in accounts_of(vendor)],
        "changes": change_rows(actor, waiting_changes(actor, vendor)) if is_active else [],
        "seen": as_of(vendor.last_seen, actor.business),
        "live": live,
        "delete": can(actor, operations.DELETE_VENDOR, vendor) if is_active else None,
        "propose": propose,
        "restore": can(actor, operations_payables.RESTORE_VENDOR, vendor) if _can_return(vendor) else None,
        "payment_method": can(actor, operations.ADD_VENDOR_PAYMENT_METHOD, proposal_subject(vendor))
        if is_active
        else None,
        "activity": activity_context(actor, vendor),
        "documents": document_rows(actor, vendor),
        "document_form": DocumentForm()
        if is_active and can(actor, operations_payables.ADD_VENDOR_DOCUMENT, vendor)
        else None,
        "may_contact": is_active and bool(can(actor, operations_payables.CHANGE_VENDOR_CONTACT, vendor)),
        "upload_key": new_key(),
        "added": (),
        "merged_into": merged_into_of(actor, vendor),
        "may_merge": can_open(actor, operations_payables.MERGE_VENDOR),
        "duplicates": duplicates_of(actor, vendor) if is_active else [],
        "key": new_key(),
    }
    if is_active and can(actor, operations.UPDATE_VENDOR, vendor):
        initial = VendorForm.initial_of(vendor)
        context["form"] = VendorForm(initial=initial, vendor=vendor, locale=actor.business.locale)
    return context


def _can_return(vendor: Vendor) -> bool:
    return vendor.status == "DELETED" and not vendor.merged_into


def document_rows(actor: Actor, vendor: Vendor) -> list[DocumentRow]:
    """The documents of a vendor, each with when it ends."""
    now, is_active = today(actor.business), vendor.status == "ACTIVE"
    remove = can(actor, operations_payables.REMOVE_VENDOR_DOCUMENT, vendor) if is_active else None
    rows = []
    for document in vendor.documents:
        ends = date.fromisoformat(document["ends_on"]) if document["ends_on"] else None
        left = (ends - now).days if ends else SOON_DAYS + 1
        verb = "Ended" if left < 0 else "Ends"
        rows.append(
            DocumentRow(
                id=document["id"],
                title=document["title"],
                kind=dict(DOCUMENT_KINDS).get(document["kind"], document["kind"]),
                ends=f"{verb} on {ends:%d %b %Y}" if ends else "",
                tone="bad" if left < 0 else "warn" if left <= SOON_DAYS else "",
                remove=remove,
            )
        )
    return rows


def facts_of(vendor: Vendor) -> Facts:
    """The label and the text of what is known of a vendor beside its accounts."""
    return [
        ("Type", dict(VENDOR_TYPES).get(vendor.type, vendor.type)),
        ("Email", vendor.email),
        ("Phone", vendor.phone),
        ("Tax PIN", vendor.tax_pin),
        ("Country", vendor.country),
        ("Currency", vendor.currency),
        ("Early-payment discount", vendor_terms_text(vendor)),
        ("Also known as", ", ".join(vendor.also_known_as)),
    ]


def account_row(actor: Actor, payee_account: KnownPayeeAccount, propose: Verdict | None) -> AccountRow:
    """An account of a vendor; a change of it can be proposed where it is in use."""
    state = ACCOUNT_STATES.get(payee_account.status, payee_account.status.capitalize())
    if payee_account.status == "ACTIVE" and not payee_account.verified:
        state = "In use, never confirmed"
    return AccountRow(
        id=payee_account.id,
        way=way_of(payee_account.channel),
        last=payee_account.last,
        name=payee_account.name,
        state=state,
        tone="ok" if payee_account.verified and payee_account.status == "ACTIVE" else "warn",
        # One that waits is the default only once it is confirmed.
        default=payee_account.default and not payee_account.is_waiting,
        by=proposed_by_text(actor, payee_account),
        at=day(moment(payee_account.at), actor.business) if payee_account.at else "",
        change=propose if payee_account.status == "ACTIVE" else None,
    )


class RecentContext(TypedDict):
    """What vendors/recent.html reads: who was paid lately on a channel, the channels in use, and at how many the rows were cut, 0
    where there are no more; `problem` where they cannot be read."""

    channel: str
    channels: NotRequired[list[tuple[str, str]]]
    cut: NotRequired[int]
    rows: NotRequired[list[RecentRow]]
    problem: NotRequired[str]


def recent_context(actor: Actor, channel: str) -> RecentContext:
    """Who was paid lately on a channel; on the first in use where it is none of them."""
    try:
        channels = channels_in_use(actor)
        codes = [code for code, _ in channels]
        in_use = channel if channel in codes else next(iter(codes), "")
        paid = recently_paid(actor, in_use) if in_use else []
    except FinanceError as trouble:
        return {"channel": channel, "problem": trouble.user_message}
    cut = MAX_RECENT if len(paid) > MAX_RECENT else 0
    return {"channels": channels, "channel": in_use, "cut": cut, "rows": recent_payees(actor, paid[:MAX_RECENT])}


def recent_payees(actor: Actor, recent: Sequence[RecentVendor]) -> list[RecentRow]:
    """Who was paid lately, as rows: the last digits of the account, the last amount, how often, and the day of the last
    payment."""
    return [
        RecentRow(
            name=row.name,
            last=row.account[-4:],
            reference=row.account_reference[-4:] if row.channel == PAYBILL else "",
            amount=text(to_minor(row.last_amount, row.currency), row.currency, actor.business.locale),
            count=row.count,
            when=day(row.last_paid_at, actor.business),
            vendor_id=row.id,
        )
        for row in recent
    ]
