"""What was spent with cards, and what may still be: of one card, of many, and of a line of reissued ones."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, Sum, When
from django.db.models.functions import Greatest
from django.utils import timezone

from service import periods
from service.accounts.wallets import Wallet
from service.auth import OFFICE, Caller
from service.cards.controls import EVER, LimitState, Past, controls_in_force, earliest_relevant, lines, window_start
from service.cards.models import Authorization, Capture, Card, CardStatus
from service.cards.schemas_shapes import CardBalanceShape, CardSourceShape, LimitLeftShape
from service.expenses.models import ExpenseStatus, Receipt
from service.ledger.balances import balance
from service.money import to_number

SPENT = (Authorization.Status.APPROVED, Authorization.Status.CAPTURED)
# What a use counts for: what was taken, or as long as more may be taken, what may be.
WORTH = Case(
    When(status=Authorization.Status.CAPTURED, then=F("captured_minor")),
    default=Greatest("amount_minor", "captured_minor"),
)
NOT_DUE = (ExpenseStatus.DELETED, ExpenseStatus.REFUNDED, ExpenseStatus.REJECTED)


def uses(card: Card) -> QuerySet[Authorization]:
    """The uses of a card and of those that it replaces: together they use up its limits."""
    if not card.lineage:
        return Authorization.objects.filter(card_id=card.id)
    line = Card.objects.filter(Q(id=card.lineage) | Q(lineage=card.lineage))
    return Authorization.objects.filter(card_id__in=line.values("id"))


def past(card: Card, at: datetime, zone: ZoneInfo, *, without: str = "") -> list[Past]:
    """The allowed uses that the card's controls look back to, save the one that is decided on again."""
    since = earliest_relevant(controls_in_force(card.controls, at), at, zone)
    if since is None:
        return []
    rows = uses(card).filter(status__in=SPENT).exclude(id=without)
    if since != EVER:
        rows = rows.filter(created_at__gte=since)
    refunded = Sum("captures__amount_minor", filter=Q(captures__expense__status=ExpenseStatus.REFUNDED), default=0)
    used = rows.annotate(worth=WORTH, refunded=refunded).values_list("worth", "mcc", "created_at", "refunded")
    return [Past(*fields) for fields in used]


def receipt_overdue(card: Card, at: datetime) -> bool:
    """Whether a purchase with the card is older than its controls give to hand in a receipt."""
    days = card.controls.get("require_receipt_within_days")
    if days is None:
        return False
    receipts = Receipt.objects.filter(expense_id=OuterRef("expense_id"))
    bare = Capture.objects.filter(authorization__in=uses(card), expense__transaction_date__lt=at - timedelta(days=days))
    return bare.exclude(expense__status__in=NOT_DUE).filter(~Exists(receipts)).exists()


def spend_of(cards: Sequence[Card]) -> dict[str, tuple[Decimal, Decimal, Decimal]]:
    """What was spent with each in the running day, the running month, and ever."""
    if not cards:
        return {}
    zone, now = periods.zone_of(cards[0].business), timezone.now()
    day, month = window_start("PER_DAY", now, zone), window_start("PER_MONTH", now, zone)
    sums = {
        row["card_id"]: row
        for row in Authorization.objects.filter(card__in=cards, status__in=SPENT)
        .values("card_id")
        .annotate(
            day=Sum(WORTH, filter=Q(created_at__gte=day), default=0),
            month=Sum(WORTH, filter=Q(created_at__gte=month), default=0),
            lifetime=Sum(WORTH, default=0),
        )
    }
    nothing = {"day": 0, "month": 0, "lifetime": 0}
    return {card.id: _numbers(sums.get(card.id, nothing), card.currency) for card in cards}


def _numbers(row: Mapping[str, Any], currency: str) -> tuple[Decimal, Decimal, Decimal]:
    day, month, lifetime = (to_number(row[name], currency) for name in ("day", "month", "lifetime"))
    return day, month, lifetime


def balance_of(caller: Caller, card: Card, paying: Wallet) -> CardBalanceShape:
    """What a card can spend now off the wallet that pays for it: its limits as they stand, what is held, the source and
    what that has, and the dearest purchase that would fit."""
    zone, now = periods.zone_of(caller.business), timezone.now()
    controls = controls_in_force(card.controls, now)
    standing = lines(controls, past(card, now, zone), now, zone)
    single = [controls.get("per_transaction_limit"), (controls.get("single_use") or {}).get("amount")]
    bounds = [bound for bound in single if bound is not None]
    bounds += [line.remaining_minor for line in standing if not line.mcc]
    held = Authorization.objects.filter(card=card, status=Authorization.Status.APPROVED)
    held_minor = held.aggregate(sum=Sum(F("amount_minor") - F("captured_minor"), default=0))["sum"]
    source = _source(caller, card, paying)
    available = _available(card, bounds, paying, sees_balance=source["available_minor"] is not None)
    day, month, lifetime = spend_of([card])[card.id]
    limit = controls.get("per_transaction_limit")
    return {
        "card_id": card.id,
        "status": card.status,
        "org_wallet_ref": card.org_wallet_ref,
        "currency": card.currency,
        "source": source,
        "held": to_number(held_minor, card.currency),
        "held_minor": held_minor,
        "spend": {"day": day, "month": month, "lifetime": lifetime},
        "per_transaction_limit": None if limit is None else to_number(limit, card.currency),
        "limits": [_serialize(line, card.currency, zone) for line in standing],
        "available": None if available is None else to_number(available, card.currency),
        "available_minor": available,
        "as_of": now,
    }


def _source(caller: Caller, card: Card, paying: Wallet) -> CardSourceShape:
    """What the card spends. What a wallet of the business has is for those who see wallets."""
    sees_balance = bool(paying.holder_id) or caller.role in OFFICE
    now = balance(paying.ledger_account_id) if sees_balance else None
    return {
        "funding": card.funding,
        "name": f"{card.employee.name}'s allocation" if paying.holder_id else paying.name,
        "status": paying.status,
        "available": None if now is None else to_number(now.available, card.currency),
        "available_minor": None if now is None else now.available,
        "on_hold": None if now is None else to_number(now.pending_out, card.currency),
        "on_hold_minor": None if now is None else now.pending_out,
    }


def _available(card: Card, bounds: list[int], paying: Wallet, *, sees_balance: bool) -> int | None:
    """Nothing on a card that cannot pay; unless the caller `sees_balance` of the wallet, only what the card's own limits leave."""
    if card.status != CardStatus.ACTIVE or paying.status != "ACTIVE":
        return 0
    if not sees_balance and not bounds:
        return None
    in_wallet = balance(paying.ledger_account_id).available
    return max(0, min([*bounds, in_wallet]))


def _serialize(limit: LimitState, currency: str, zone: ZoneInfo) -> LimitLeftShape:
    return {
        "interval": limit.interval,
        "mcc": list(limit.mcc),
        "amount": to_number(limit.amount_minor, currency),
        "spent": to_number(limit.spent_minor, currency),
        "remaining": to_number(limit.remaining_minor, currency),
        "remaining_minor": limit.remaining_minor,
        "resets_at": _next_start(limit, zone),
    }


def _next_start(limit: LimitState, zone: ZoneInfo) -> datetime | None:
    if limit.start is None:
        return None
    longest = {"PER_DAY": 1, "PER_WEEK": 7, "PER_MONTH": 31, "PER_YEAR": 366}[limit.interval]
    return window_start(limit.interval, limit.start + timedelta(days=longest), zone)
