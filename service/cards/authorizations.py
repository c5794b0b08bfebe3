"""A card is used: decided on, held, captured. The card's row is locked meanwhile, so that two uses cannot both pass."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from service import errors, periods
from service.accounts.wallets import Wallet, wallet
from service.auth import Caller
from service.business_policies import swiping
from service.cards.controls import Check, Past, Use, evaluate
from service.cards.models import Authorization, Card, CardStatus
from service.employees.models import Employee
from service.events.outbox import record
from service.expenses import posting
from service.ids import object_id
from service.ledger.chart import system_account
from service.ledger.models import HoldStatus, LedgerHold
from service.ledger.post import capture, hold, release
from service.money import to_number
from service.rails import card_network
from service.rails.card_network import ClearingKind
from service.wallet_policies import limits

HOLD_LIFE = timedelta(days=7)
STATE_CODES = {
    CardStatus.BLOCKED: "card_blocked",
    CardStatus.RETIRED: "card_retired",
    CardStatus.EXPIRED: "card_expired",
    CardStatus.ACTIVE: "",
}
SPENT = (Authorization.Status.APPROVED, Authorization.Status.CAPTURED)


@dataclass(frozen=True, slots=True)
class Swipe:
    """What the merchant's terminal sends."""

    amount_minor: int
    merchant: str
    mcc: str = ""
    merchant_id: str = ""
    country: str = "KE"
    channel: str = "CARD_PRESENT"
    at: datetime | None = None
    note: str = ""
    receipt_required: bool = False


def authorize(caller: Caller, card_id: str, swipe: Swipe, *, settle_now: bool = True) -> Authorization:
    """Decides on a use and holds the money; with `settle_now` captures it at once. A decline is an answer, no error.

    Order (decisions B.7): card, employee, wallet, controls, business policies, wallet policy, balance.
    """
    with transaction.atomic():
        card = _locked(caller, card_id)
        paying = wallet(caller.business, card.org_wallet_ref)
        use = _use(swipe)
        checks = [*_states(card, paying, use), *_controls(caller, card, use)]
        refused = next((check for check in checks if not check.passed), None)
        said = None if refused else swiping.ask(caller, card, use)
        if said is not None:
            checks.append(Check("business_policies", not said.blocked, "policy_blocked" if said.blocked else ""))
            refused = checks[-1] if said.blocked else None
        held = None if refused else _hold(caller, card, paying, swipe)
        if isinstance(held, Check):
            refused, held = held, None
            checks.append(refused)
        row = _write(card, use, checks, refused, held)
        if held is not None and said is not None:
            _spend(caller, card, row, swipe, use, held, said, settle_now=settle_now)
        _tell(caller, row)
    return row


def settle(caller: Caller, authorization: Authorization) -> Authorization:
    """The network clears the use: the merchant takes the held money, less, more, none of it yet, or gives it up.

    More than was held is posted even where that leaves the wallet below zero. 409 unless money is held.
    """
    with transaction.atomic():
        row = (
            Authorization.objects.select_for_update(of=("self",))
            .select_related("card", "expense")
            .get(pk=authorization.pk)
        )
        if row.status != Authorization.Status.APPROVED or row.expense is None:
            raise errors.invalid_state("There is no held money to take.")
        clearing = card_network.network.clear(_reference(row), row.amount_minor)
        if clearing.kind == ClearingKind.NOTHING:
            return row
        if clearing.kind == ClearingKind.REVERSE:
            posting.delete(caller, row.expense.id)
            row.status = Authorization.Status.REVERSED
        else:
            posted = _capture(caller, row, clearing.amount_minor)
            row.expense.amount_minor = clearing.amount_minor
            posting.settle(caller, row.expense, posted)
            row.status = Authorization.Status.CAPTURED
        row.save(update_fields=["status"])
        _tell(caller, row)
    return row


def waiting(caller: Caller) -> list[Authorization]:
    """The business's uses whose money is held but not taken."""
    return list(
        Authorization.objects.filter(card__business_id=caller.business.id, status=Authorization.Status.APPROVED)
        .exclude(expense__status="DELETED")
        .order_by("id")
    )


def _locked(caller: Caller, card_id: str) -> Card:
    found = (
        Card.objects.select_for_update(of=("self",))
        .select_related("employee")
        .filter(business_id=caller.business.id, id=card_id)
        .first()
    )
    if found is None:
        raise errors.not_found("card")
    return found


def _use(swipe: Swipe) -> Use:
    return Use(
        amount_minor=swipe.amount_minor,
        merchant=swipe.merchant,
        merchant_id=swipe.merchant_id,
        mcc=swipe.mcc,
        country=swipe.country,
        channel=swipe.channel,
        at=swipe.at or timezone.now(),
    )


def _states(card: Card, paying: Wallet, use: Use) -> list[Check]:
    state = STATE_CODES.get(CardStatus(card.status), "card_inactive")
    if not state and (card.expiry_year, card.expiry_month) < (use.at.year, use.at.month):
        state = "card_expired"
    person = "" if card.employee.status == Employee.Status.ACTIVE else "employee_suspended"
    purse = "" if paying.status == "ACTIVE" else "wallet_suspended"
    return [
        Check("card_state", not state, state),
        Check("employee_status", not person, person),
        Check("wallet_state", not purse, purse),
    ]


def _controls(caller: Caller, card: Card, use: Use) -> list[Check]:
    if card.type == Card.Type.SINGLE_USE and "single_use" not in card.controls:
        card.controls["single_use"] = {"comparison": "LTE"}
    if not card.controls:
        return []
    past = [
        Past(amount, mcc, at)
        for amount, mcc, at in Authorization.objects.filter(card=card, status__in=SPENT).values_list(
            "amount_minor", "mcc", "created_at"
        )
    ]
    return evaluate(card.controls, use, past, periods.zone_of(caller.business))


NOT_HELD = {
    "insufficient_funds": Check("available_balance", passed=False, code="insufficient_funds"),
    "policy_blocked": Check("wallet_policy", passed=False, code="policy_blocked"),
    "limit_exceeded": Check("wallet_policy", passed=False, code="policy_blocked"),
}


def _hold(caller: Caller, card: Card, paying: Wallet, swipe: Swipe) -> LedgerHold | Check:
    """The hold, or what stands against it: the holder's policy on the wallet, or that it does not have that much."""
    try:
        with transaction.atomic():
            limits.check_person(card.employee, paying, "WALLET_CARD_FUND", swipe.amount_minor)
            return hold(
                caller.business,
                paying.ledger_account_id,
                swipe.amount_minor,
                f"authorization:{card.id}:{object_id()}",
                timezone.now() + HOLD_LIFE,
            )
    except errors.ServiceError as refusal:
        if refusal.code not in NOT_HELD:
            raise
        return NOT_HELD[refusal.code]


def _write(card: Card, use: Use, checks: list[Check], refused: Check | None, held: LedgerHold | None) -> Authorization:
    row = Authorization(
        card=card,
        status=Authorization.Status.DECLINED if refused else Authorization.Status.APPROVED,
        code=refused.code if refused else "",
        checks=[check.as_dict() for check in checks],
        amount_minor=use.amount_minor,
        currency=card.currency,
        merchant=use.merchant,
        merchant_id=use.merchant_id,
        mcc=use.mcc,
        country=use.country,
        channel=use.channel,
        ledger_hold_id=held.pk if held else None,
        created_at=use.at,
    )
    row.save(force_insert=True)
    return row


def _spend(
    caller: Caller,
    card: Card,
    row: Authorization,
    swipe: Swipe,
    use: Use,
    held: LedgerHold,
    said: swiping.Said,
    *,
    settle_now: bool,
) -> None:
    posted = _capture(caller, row, row.amount_minor) if settle_now else None
    row.expense = posting.write(
        caller,
        said.flagged(_expense(card, row, swipe, use)),
        transaction_id=posted,
        hold_id=None if settle_now else held.pk,
    )
    row.status = Authorization.Status.CAPTURED if settle_now else Authorization.Status.APPROVED
    row.save(update_fields=["expense", "status"])
    said.follow(caller, row.expense)
    if card.type == Card.Type.SINGLE_USE:
        Card.objects.filter(pk=card.pk).update(
            status=CardStatus.RETIRED, version=card.version + 1, updated_at=timezone.now()
        )


def _capture(caller: Caller, row: Authorization, amount_minor: int) -> int:
    """Takes so much of the held money, and gives back what is left of it."""
    other = system_account(caller.business, "CARD_FLOAT", row.currency)
    held = LedgerHold.objects.get(pk=row.ledger_hold_id or 0)
    ref = posting.ledger_ref(_reference(row))
    late_or_more = held.status != HoldStatus.PENDING or amount_minor > row.amount_minor
    posted = capture(held, amount_minor, ref, other, kind="EXPENSE", description=row.merchant, force=late_or_more)
    if amount_minor < row.amount_minor:
        release(held, f"{ref}:rest")
    return posted.id


def _reference(row: Authorization) -> str:
    return f"CD{row.id}"


def _expense(card: Card, row: Authorization, swipe: Swipe, use: Use) -> posting.NewExpense:
    return posting.NewExpense(
        employee=card.employee,
        org_wallet_ref=card.org_wallet_ref,
        currency=card.currency,
        amount_minor=use.amount_minor,
        transaction_ref=_reference(row),
        transaction_date=use.at,
        receiver=use.merchant,
        payment_type="CARD",
        channel=use.channel,
        mcc=use.mcc,
        merchant_id=use.merchant_id,
        card_id=card.id,
        card_token=card.token,
        notes=swipe.note,
        receipt_required=swipe.receipt_required,
    )


def shown(row: Authorization) -> dict[str, object]:
    """The decision as the interface shows it: `{approved, code, checks}` and what it was about."""
    return {
        "_id": row.id,
        "card_id": row.card_id,
        "approved": row.status != Authorization.Status.DECLINED,
        "status": row.status,
        "code": row.code or None,
        "checks": row.checks,
        "amount": to_number(row.amount_minor, row.currency),
        "amount_minor": row.amount_minor,
        "currency": row.currency,
        "merchant": row.merchant,
        "expense_id": row.expense_id,
        "createdAt": row.created_at,
    }


def _tell(caller: Caller, row: Authorization) -> None:
    if row.status == Authorization.Status.DECLINED:
        kind = "card_authorization.declined"
    elif row.status == Authorization.Status.CAPTURED:
        kind = "card_authorization.captured"
    elif row.status == Authorization.Status.REVERSED:
        kind = "card_authorization.reversed"
    else:
        kind = "card_authorization.approved"
    record(caller.business, kind, shown(row), actor=caller)
