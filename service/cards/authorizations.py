"""A card is used: decided on, held, and where the merchant takes the money at once, captured."""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from service import effects, errors
from service.auth import OFFICE, Caller
from service.cards import policies, selectors
from service.cards.captures import capture_amount, expense_of, record_decision
from service.cards.clearing import settle, waiting
from service.cards.controls import Use
from service.cards.decisions import HOLD_LIFE, AuthorizationChecks, decide_use
from service.cards.issuance import stored_controls
from service.cards.models import Authorization, Card
from service.cards.schemas_controls import Controls
from service.cards.services import carry_out
from service.cards.transitions import RETIRE
from service.expenses import posting

__all__ = ["Swipe", "authorize", "force_post", "settle", "try_out", "waiting"]

SPENT_ONCE = "SPENT"


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


def try_out(
    caller: Caller, card_id: str, swipe: Swipe, card_controls: Controls | None = None, funding: str | None = None
) -> Authorization:
    """What would be said to a use, under other controls or another funding than the card's own where they are given;
    nothing stays. 403 insufficient_role for another funding by whoever does not see wallets: the answer says what one
    has."""
    if funding is not None and caller.role not in OFFICE:
        raise errors.insufficient_role("Another funding is tried by those who see the wallets of the business.")
    return authorize(caller, card_id, swipe, dry_run=True, card_controls=card_controls, funding=funding)


def authorize(
    caller: Caller,
    card_id: str,
    swipe: Swipe,
    *,
    settle_now: bool = True,
    dry_run: bool = False,
    card_controls: Controls | None = None,
    funding: str | None = None,
) -> Authorization:
    """Decides on a use and holds the money; with `settle_now` captures it at once. A decline is an answer, no error.

    With `dry_run` everything is asked all the same and nothing stays: no hold, no row, no event; it is asked under
    `card_controls` and `funding` where they are given, and under the card's own else.
    """
    with transaction.atomic():
        card = _locked(caller, card_id)
        if (done := _earlier(caller)) is not None:
            return done
        if dry_run:
            card.controls = card.controls if card_controls is None else stored_controls(card_controls)
            card.funding = card.funding if funding is None else funding
        use, authorization_id = _use(swipe), effects.new_id(caller)
        decision = decide_use(caller, card, use, authorization_id)
        row = _row(card, use, decision, authorization_id)
        if dry_run:
            transaction.set_rollback(True)
            return row
        row.save(force_insert=True)
        if decision.held is not None and decision.policy_outcome is not None:
            _spend(caller, row, swipe, decision.policy_outcome, settle_now=settle_now)
            _close_if_spent(caller, card)
        if not row.captured_minor:
            record_decision(caller, row)
    return row


def force_post(caller: Caller, card_id: str, swipe: Swipe) -> Authorization:
    """The network presents what was never authorised, such as a toll booth that was offline: it is posted all the same,
    whatever the card's state and even where that leaves below zero what the card spends."""
    with transaction.atomic():
        card = _locked(caller, card_id)
        if (done := _earlier(caller)) is not None:
            return done
        row = _row(card, _use(swipe), AuthorizationChecks(), effects.new_id(caller))
        row.expires_at = None
        row.save(force_insert=True)
        capture_amount(
            caller, row, swipe.amount_minor, final=True, note=swipe.note, receipt_required=swipe.receipt_required
        )
    return row


def find(caller: Caller, *, card_id: str | None = None, status: str | None = None) -> QuerySet[Authorization]:
    """The uses of the cards that the caller sees, declines with them; 404 for a card that is none of theirs."""
    rows = Authorization.objects.filter(business_id=caller.business.id).select_related("card")
    if card_id:
        rows = rows.filter(card_id=selectors.get_card(caller, card_id).id)
    else:
        rows = rows.filter(card_id__in=selectors.visible(caller).values("id"))
    return rows.filter(status=status) if status else rows


def get_authorization(caller: Caller, authorization_id: str) -> Authorization:
    """One use of a card that the caller sees; 404 otherwise."""
    authorization = find(caller).filter(id=authorization_id).first()
    if authorization is None:
        raise errors.not_found("authorization")
    return authorization


def of_card(caller: Caller, card_id: str) -> QuerySet[Authorization]:
    """The uses of one card that were allowed: its transactions."""
    card = selectors.get_card(caller, card_id)
    rows = Authorization.objects.filter(card_id=card.id).exclude(status=Authorization.Status.DECLINED)
    return rows.select_related("card")


def _earlier(caller: Caller) -> Authorization | None:
    """The use that the same request played before, however long ago; None for the first."""
    rows = Authorization.objects.filter(business_id=caller.business.id)
    return effects.earlier(caller, rows.select_related("card"))


def _locked(caller: Caller, card_id: str) -> Card:
    rows = Card.objects.select_for_update(no_key=True, of=("self",)).select_related("employee__team", "business")
    card = rows.filter(business_id=caller.business.id, id=card_id).first()
    if card is None:
        raise errors.not_found("card")
    return card


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


def _row(card: Card, use: Use, checks: AuthorizationChecks, authorization_id: str) -> Authorization:
    refused = checks.refused
    return Authorization(
        id=authorization_id,
        business_id=card.business_id,
        card=card,
        status=Authorization.Status.DECLINED if refused else Authorization.Status.APPROVED,
        code=refused.code if refused else "",
        checks=[check.as_dict() for check in checks.checks],
        amount_minor=use.amount_minor,
        currency=card.currency,
        funding=card.funding,
        remaining_minor=checks.remaining_minor,
        merchant=use.merchant,
        merchant_id=use.merchant_id,
        mcc=use.mcc,
        country=use.country,
        channel=use.channel,
        ledger_hold_id=checks.held.pk if checks.held else None,
        expires_at=None if refused else timezone.now() + HOLD_LIFE,
        created_at=use.at,
        updated_at=timezone.now(),
    )


def _spend(
    caller: Caller, row: Authorization, swipe: Swipe, policy_outcome: policies.PolicyOutcome, *, settle_now: bool
) -> None:
    """The expense that comes of it, flagged and voted on as the policies want it."""
    flagged = policy_outcome.flagged(expense_of(row, note=swipe.note, receipt_required=swipe.receipt_required))
    if settle_now:
        capture_amount(caller, row, row.amount_minor, final=True, flagged=flagged)
    else:
        row.expense = posting.write(caller, flagged, hold_id=row.ledger_hold_id)
        row.save(update_fields=["expense", "updated_at"])
    if row.expense is not None:
        policy_outcome.follow(caller, row.expense)


def _close_if_spent(caller: Caller, card: Card) -> None:
    """A card for one purchase ends with the first that is allowed."""
    if card.type == Card.Type.SINGLE_USE or "single_use" in card.controls:
        carry_out(caller, card, RETIRE, reason=SPENT_ONCE)
