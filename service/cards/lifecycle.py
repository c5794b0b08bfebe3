"""Activating, blocking, unblocking and retiring cards, and their end by date. Each locks the card, then moves it."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from service import errors, periods
from service.auth import OFFICE, Caller, system_caller
from service.businesses.models import Employee, Role, TeamReviewer
from service.cards import selectors, services, transitions
from service.cards.models import Blocker, Card, CardStatus
from service.cards.orders import cancel_order
from service.cards.services import carry_out
from service.cards.transitions import leads


def activate(caller: Caller, card_id: str) -> Card:
    """The holder, or the office, has the card in hands; 409 unless it was delivered, or its holder is not active."""
    with transaction.atomic():
        row = selectors.lock_card(caller, card_id)
        if caller.employee_id != row.employee_id and caller.role not in OFFICE:
            raise errors.insufficient_role("Its holder activates a card, or Finance.")
        if leads(row, transitions.ACTIVATE):
            if row.employee.status != Employee.Status.ACTIVE:
                raise errors.invalid_state("Its holder's account is not active.")
            _check_date(caller, row)
            carry_out(caller, row, transitions.ACTIVATE)
    return row


def block(caller: Caller, card_id: str, reason: str = "") -> Card:
    """Blocks a card, USER where its holder does it, else ADMIN. A block by the office takes the place of the holder's."""
    with transaction.atomic():
        row = selectors.lock_card(caller, card_id)
        side = Blocker.USER if caller.employee_id == row.employee_id else Blocker.ADMIN
        if leads(row, transitions.BLOCK):
            carry_out(caller, row, transitions.BLOCK, reason=reason, blocked_by=side, blocker=caller.label)
        elif row.blocked_by == Blocker.USER and side == Blocker.ADMIN:
            before = {"blocked_by": row.blocked_by, "blocker": row.blocker, "reason": row.reason}
            row.blocked_by, row.blocker, row.reason = side, caller.label, reason
            services.save_card(caller, row, "card.blocked", "card.block", before)
    return row


def unblock(caller: Caller, card_id: str) -> Card:
    """Lifts a block; 403 for who may not (see `check_lifts`), 409 for a card that has ended or whose date is over."""
    with transaction.atomic():
        row = selectors.lock_card(caller, card_id)
        if leads(row, transitions.UNBLOCK):
            check_lifts(caller, row)
            _check_date(caller, row)
            carry_out(caller, row, transitions.UNBLOCK, blocked_by="", blocker="")
    return row


def check_lifts(caller: Caller, row: Card) -> None:
    """The rule blocker_lifts: who blocked decides who unblocks.

    Blocked by its holder: the holder or above. By anyone else: APPROVER, ADMIN, SUPER_ADMIN, or the reviewer who did
    it. A block by the platform is the platform's.
    """
    if row.status != CardStatus.BLOCKED:
        return
    if row.blocked_by == Blocker.SYSTEM:
        if caller.client is not None or caller.api_key is not None:
            raise errors.insufficient_role("The platform blocked this card, and lifts the block itself.")
        return
    if caller.role in OFFICE:
        return
    if row.blocked_by == Blocker.USER:
        if caller.employee_id == row.employee_id or _reviews(caller, row):
            return
        raise errors.insufficient_role("Its holder blocked this card: the holder or someone above unblocks it.")
    if caller.role != Role.REVIEWER or caller.employee_id != row.blocker:
        raise errors.insufficient_role("Somebody else blocked this card: they, an approver or an admin unblock it.")


def _reviews(caller: Caller, row: Card) -> bool:
    seats = TeamReviewer.objects.filter(employee_id=caller.employee_id or "", read_only=False)
    return caller.role == Role.REVIEWER and seats.filter(team_id=row.employee.team_id or "").exists()


def retire(caller: Caller, card_id: str, reason: str = "") -> Card:
    """Ends a card for good; a second time nothing happens. 403 for a card user who has no such virtual card."""
    with transaction.atomic():
        row = selectors.lock_card(caller, card_id)
        check_virtual(caller, row)
        if leads(row, transitions.RETIRE):
            carry_out(caller, row, transitions.RETIRE, reason=reason)
            cancel_order(caller, row)
    return row


def check_virtual(caller: Caller, row: Card) -> None:
    """The rule holder_virtual_only: a card user does this with their own virtual cards only, whatever seat they have."""
    own = caller.employee_id == row.employee_id
    holder = own and caller.employee is not None and caller.employee.role == Role.CARD_USER
    if (holder and row.type == Card.Type.PHYSICAL) or (caller.role == Role.CARD_USER and not own):
        raise errors.insufficient_role("You can do this with your own virtual cards only.")


def _check_date(caller: Caller, row: Card) -> None:
    if is_over(row, caller):
        raise errors.invalid_state("The card's date is over: close it.")


def is_over(row: Card, caller: Caller) -> bool:
    """Whether the card's last month has passed in the business's time zone."""
    today = periods.day_of(timezone.now(), caller.business)
    return (row.expiry_year, row.expiry_month) < (today.year, today.month)


def expire_due_cards(limit: int = 500) -> int:
    """Ends active cards whose date is over, each in a transaction of its own; answers how many."""
    # In no time zone the month is more than this ahead; each card is looked at again in its own.
    now = timezone.now() + timedelta(hours=14)
    due = Card.objects.filter(status=CardStatus.ACTIVE, expiry_year__lte=now.year).exclude(
        expiry_year=now.year, expiry_month__gte=now.month
    )
    return sum(_expire(card_id) for card_id in due.order_by("id").values_list("id", flat=True)[:limit])


def _expire(card_id: str) -> int:
    with transaction.atomic():
        rows = Card.objects.select_for_update(no_key=True, of=("self",), skip_locked=True).select_related(
            "business", "employee__team"
        )
        row = rows.filter(pk=card_id, status=CardStatus.ACTIVE).first()
        if row is None or not is_over(row, system_caller(row.business)):
            return 0
        return int(carry_out(system_caller(row.business), row, transitions.EXPIRE))
