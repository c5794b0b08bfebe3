"""Accounts of vendors that wait for a second person, as they are decided on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict

from django.urls import reverse
from django.utils import timezone

from dashboard import operations_payables
from dashboard.access.actor import Actor
from dashboard.access.check import Verdict, can
from dashboard.commands.vendors import KnownPayeeAccount, accounts_of, proposer_of
from dashboard.mirror.bill_payments import PAYMENT_KIND
from dashboard.mirror.mappers import moment
from dashboard.mirror.models import ApprovalRequest, Bill, Vendor
from dashboard.mirror.scopes import visible_employees
from dashboard.money import text
from dashboard.notifications.digest import MOST_OF_SECTION, DigestSection, WaitingItem, register_section
from dashboard.pages.vendors.forms.accounts import CallBackForm, RejectAccountForm
from dashboard.pages.vendors.presenters.activity import SharedRow, shared_row
from dashboard.pages.vendors.selectors.payee_changes import (
    MAX_WAITING,
    ChangeEffects,
    EffectGap,
    PayeeChange,
    earlier_phone,
    effects_of,
    shared_accounts,
    waiting_changes,
    waiting_count,
)
from dashboard.pages.vendors.selectors.vendors import way_of
from dashboard.schemas.vendors import SharedDetail
from dashboard.times import day_and_time
from dashboard.web.submission import new_key

MOST_NAMED = 5
STOPPED_WAY_OUT = "Withdraw a bill payment and request approval again: it then pays to the account in use. Cancel a payout and make another."

NOT_KNOWN = {
    EffectGap.NOT_LISTED: "Your role does not list bills and payouts: some of them may wait for this account or pay to the one before",
    EffectGap.NOT_READ: "Not every open payout could be read: some of them may pay to these accounts as well",
    EffectGap.ALSO_OTHERS: "Another vendor may have the account that is replaced in use: a payout to it is paid all the same then",
}


@dataclass(frozen=True, slots=True)
class EffectLine:
    """A bill, a payment or a payout that a change of an account concerns, and its page."""

    text: str
    address: str


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """An account that waits for a second person: old and new last characters, who proposed it, whether the actor may decide,
    and the forms to do so. `is_beside` says that it replaces none of the accounts that the vendor has in use. `earlier_phone` is the number before the record was changed shortly before, "" where it was not.
    `held` is what waits for it and `stopped` what is not paid any more once it is confirmed, the first of them with the addresses of
    their pages; `held_more` and `stopped_more` are how many there are besides, `is_held_known` says whether `held` is all, and
    `unknown` are the sentences on what is not known of either. `shared` is whose the account is besides, where the list asks for it. `cool_off` is "" where the service says none.
    """

    vendor: Vendor
    id: str
    way: str
    is_beside: bool
    old: str
    new: str
    name: str
    by: str
    at: str
    may: Verdict
    earlier_phone: str | None
    why: str
    cool_off: str
    held: list[EffectLine]
    held_more: int
    is_held_known: bool
    stopped: list[EffectLine]
    stopped_more: int
    unknown: list[str]
    shared: list[SharedRow]
    call_back: CallBackForm
    rejection: RejectAccountForm


class PayeeChangesContext(TypedDict):
    """What vendors/payee_changes.html reads: what waits, the oldest first; `cut` is of how many vendors it is where there are
    more, else 0."""

    changes: list[ChangeRow]
    key: str
    cut: int


def change_rows(
    actor: Actor, changes: Sequence[PayeeChange], shared: Mapping[str, Sequence[SharedDetail]] | None = None
) -> list[ChangeRow]:
    """Accounts that wait, each with whether the actor may decide on it, what hangs on it, and whose it is besides."""
    effects = effects_of(actor, changes)
    return [
        _change_row(actor, change, effects[change.account.id], (shared or {}).get(change.account.id, ()))
        for change in changes
    ]


def _change_row(actor: Actor, change: PayeeChange, effects: ChangeEffects, shared: Sequence[SharedDetail]) -> ChangeRow:
    account, old = change.account, change.replaces
    number = earlier_phone(account)
    on_record = account.vendor.phone if number is None else number
    return ChangeRow(
        vendor=account.vendor,
        id=account.id,
        way=way_of(account.channel),
        is_beside=not old and any(known.status == "ACTIVE" for known in accounts_of(account.vendor)),
        old=f"···{old.last}" if old else "",
        new=f"···{account.last}",
        name=account.name,
        by=proposed_by_text(actor, account),
        at=day_and_time(moment(account.at), actor.business) if account.at else "",
        may=can(actor, operations_payables.CONFIRM_PAYMENT_INSTRUCTION, account),
        earlier_phone=number,
        why=account.why,
        cool_off=cool_off_text(actor, account),
        held=[
            *(_bill_line(actor, bill) for bill in effects.held_bills),
            *(_request_line(actor, row) for row in effects.held_payouts),
        ],
        held_more=effects.bill_count - len(effects.held_bills),
        is_held_known=effects.unknown <= {EffectGap.ALSO_OTHERS},
        stopped=[_request_line(actor, row) for row in effects.stopped],
        stopped_more=effects.stopped_count - len(effects.stopped),
        unknown=[sentence for why, sentence in NOT_KNOWN.items() if why in effects.unknown],
        shared=[shared_row(detail) for detail in shared],
        call_back=CallBackForm(
            initial={"number": on_record},
            business=actor.business,
            auto_id=f"id_{account.id}_%s",
            on_record=on_record,
            proposed_at=account.proposed_at,
        ),
        rejection=RejectAccountForm(auto_id=f"id_{account.id}_%s"),
    )


def cool_off_text(actor: Actor, payee_account: KnownPayeeAccount) -> str:
    """Until when the service confirms an account only with a recorded call-back; "" where it says no such moment."""
    ends = moment(payee_account.cool_off_ends) if payee_account.cool_off_ends else None
    if ends is None:
        return ""
    when = day_and_time(ends, actor.business)
    if ends > timezone.now():
        return f"Until {when} the finance service refuses a confirmation without a recorded call-back"
    return f"Ended {when}. A call-back is still required here"


def payee_changes_context(actor: Actor) -> PayeeChangesContext:
    """Every account of every vendor that waits for a second person."""
    changes = waiting_changes(actor)
    return {
        "changes": change_rows(actor, changes, shared_accounts(actor, changes)),
        "key": new_key(),
        "cut": MAX_WAITING if waiting_count(actor) > MAX_WAITING else 0,
    }


def changes_to_confirm(actor: Actor) -> DigestSection | None:
    """The accounts that wait for this person to confirm or reject them, as the daily mail lists them; the oldest first."""
    confirm = operations_payables.CONFIRM_PAYMENT_INSTRUCTION
    accounts = [change.account for change in waiting_changes(actor) if can(actor, confirm, change.account)]
    items = [
        WaitingItem(
            account.vendor.name, _about(actor, account), "",
            reverse("vendors_item", args=[actor.business.slug, account.vendor.remote_id]),
        )
        for account in accounts[:MOST_OF_SECTION]
    ]  # fmt: skip
    return DigestSection("Payee changes to confirm", items, len(accounts)) if items else None


register_section("payee changes", changes_to_confirm)


def _about(actor: Actor, payee_account: KnownPayeeAccount) -> str:
    by = proposed_by_text(actor, payee_account)
    return f"{way_of(payee_account.channel)} ···{payee_account.last}{f', proposed by {by}' if by else ''}"


def _bill_line(actor: Actor, bill: Bill) -> EffectLine:
    amount = text(bill.balance_minor, bill.currency, actor.business.locale)
    return EffectLine(
        f"Bill {bill.bill_no}, {amount}", reverse("bills_item", args=[actor.business.slug, bill.remote_id])
    )


def _request_line(actor: Actor, row: ApprovalRequest) -> EffectLine:
    slug = actor.business.slug
    if row.kind == PAYMENT_KIND:
        address = reverse("bills_item", args=[slug, str(row.payload.get("bill_id") or "-")])
        return EffectLine(f"{row.title}, {row.amount_text} ({row.ref})", address)
    return EffectLine(
        f"Payout {row.title}, {row.amount_text} ({row.ref})", reverse("payouts_item", args=[slug, row.remote_id])
    )


def released_text(effects: ChangeEffects) -> str:
    """What a confirmed account lets go on: bills can be paid, payouts that were on hold go on by themselves."""
    bills, payouts = effects.bill_count, len(effects.held_payouts)
    sentences = [
        f" {bills:,} bill{'' if bills == 1 else 's'} that waited for it can be paid." if bills else "",
        f" {payouts:,} payout{'' if payouts == 1 else 's'} that waited for it can go on." if payouts else "",
    ]
    return "".join(sentences)


def stopped_text(actor: Actor, effects: ChangeEffects) -> str:
    """What a confirmed account stops, by name, and what to do about it; "" for nothing."""
    lines = [_request_line(actor, row).text for row in effects.stopped]
    if not lines:
        return ""
    lines = lines[:MOST_NAMED]
    count = effects.stopped_count - len(lines)
    more = f" and {count:,} more" if count else ""
    others = f"{NOT_KNOWN[EffectGap.ALSO_OTHERS]}. " if EffectGap.ALSO_OTHERS in effects.unknown else ""
    return f"Not paid any more, because the account before is no longer in use: {'; '.join(lines)}{more}. {others}{STOPPED_WAY_OUT}"


def proposed_by_text(actor: Actor, payee_account: KnownPayeeAccount) -> str:
    """Who proposed an account, by name; "" where nobody says."""
    if not payee_account.by:
        return ""
    if member := proposer_of(payee_account):
        return str(member.user)
    name = (
        visible_employees(actor)
        .filter(remote_id=payee_account.proposer_id or "-")
        .values_list("name", flat=True)
        .first()
    )
    return name or "Outside this dashboard"
