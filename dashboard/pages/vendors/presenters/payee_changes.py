"""Accounts of vendors that wait for a second person, as they are decided on."""

from dataclasses import dataclass
from typing import TypedDict

from django.utils import timezone

from dashboard import operations_extra
from dashboard.access.actor import Actor
from dashboard.access.check import Verdict, can
from dashboard.commands.vendors import KnownPayeeAccount, proposer_of
from dashboard.mirror.mappers import moment
from dashboard.mirror.models import Vendor
from dashboard.mirror.scopes import visible_employees
from dashboard.pages.vendors.forms.accounts import CallBackForm, RejectAccountForm
from dashboard.pages.vendors.selectors import (
    MAX_WAITING,
    PayeeChange,
    earlier_phone,
    held_payments,
    waiting_changes,
    waiting_count,
    way_of,
)
from dashboard.times import day_and_time
from dashboard.web.submission import new_key


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """An account that waits for a second person: old and new last characters, who proposed it, whether the actor may decide,
    and the forms to do so. `earlier_phone` is the number before the record was changed shortly before, "" where it was not.
    `held` are the payments that wait for it, as sentences; `cool_off` is "" where the service says none."""

    vendor: Vendor
    id: str
    way: str
    old: str
    new: str
    name: str
    by: str
    at: str
    may: Verdict
    earlier_phone: str | None
    why: str
    cool_off: str
    held: list[str]
    call_back: CallBackForm
    rejection: RejectAccountForm


class PayeeChangesContext(TypedDict):
    """What vendors/payee_changes.html reads: what waits, the oldest first; `cut` is of how many vendors it is where there are
    more, else 0."""

    changes: list[ChangeRow]
    key: str
    cut: int


def change_row(actor: Actor, change: PayeeChange) -> ChangeRow:
    """An account that waits, with whether the actor may decide on it."""
    account, old = change.account, change.replaces
    number = earlier_phone(account)
    on_record = account.vendor.phone if number is None else number
    return ChangeRow(
        vendor=account.vendor,
        id=account.id,
        way=way_of(account.channel),
        old=f"···{old.last}" if old else "",
        new=f"···{account.last}",
        name=account.name,
        by=proposed_by_text(actor, account),
        at=day_and_time(moment(account.at), actor.business) if account.at else "",
        may=can(actor, operations_extra.CONFIRM_PAYMENT_INSTRUCTION, account),
        earlier_phone=number,
        why=account.why,
        cool_off=cool_off_text(actor, account),
        held=[f"{row.title}, {row.amount_text}" for row in held_payments(actor, account.vendor)],
        call_back=CallBackForm(
            initial={"number": on_record},
            business=actor.business,
            auto_id=f"id_{account.id}_%s",
            on_record=on_record,
            proposed_at=account.proposed_at,
        ),
        rejection=RejectAccountForm(auto_id=f"id_{account.id}_%s"),
    )


def cool_off_text(actor: Actor, account: KnownPayeeAccount) -> str:
    """Until when the service confirms an account only with a recorded call-back; "" where it says no such moment."""
    ends = moment(account.cool_off_ends) if account.cool_off_ends else None
    if ends is None:
        return ""
    when = day_and_time(ends, actor.business)
    if ends > timezone.now():
        return f"Until {when} the finance service refuses a confirmation without a recorded call-back"
    return f"Ended {when}. A call-back is still required here"


def payee_changes_context(actor: Actor) -> PayeeChangesContext:
    """Every account of every vendor that waits for a second person."""
    return {
        "changes": [change_row(actor, change) for change in waiting_changes(actor)],
        "key": new_key(),
        "cut": MAX_WAITING if waiting_count(actor) > MAX_WAITING else 0,
    }


def released_text(held: int) -> str:
    """What a confirmed account lets go on, after how many payments it held."""
    if not held:
        return ""
    return f" {held:,} payment{'' if held == 1 else 's'} that waited for it can go on."


def proposed_by_text(actor: Actor, account: KnownPayeeAccount) -> str:
    """Who proposed an account, by name; "" where nobody says."""
    if not account.by:
        return ""
    if member := proposer_of(account):
        return str(member.user)
    name = visible_employees(actor).filter(remote_id=account.proposer_id or "-").values_list("name", flat=True).first()
    return name or "Outside this dashboard"
