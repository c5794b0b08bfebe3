"""Whether a card may be used: every question in its fixed order (decisions B.7), with a trace, in one place.

Order: card state, employee status, wallet state, controls, business policies, wallet policy, available balance, risk.
The wallet is the one that the card spends: its holder's, or the business's (funding.py). The card's row is locked
meanwhile, so that two uses at once never both pass a limit; the hold on the wallet keeps the uses of several cards,
which may spend one allocation, from both passing its balance.
"""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from service import errors, periods
from service.accounts.wallets import Wallet
from service.auth import Caller
from service.businesses.models import Employee
from service.cards import funding, policies, risk, spend
from service.cards.controls import Check, Use, check_controls
from service.cards.models import Card, CardStatus
from service.ledger.models import LedgerHold
from service.ledger.post import hold
from service.wallet_policies import limits

HOLD_LIFE = timedelta(days=7)
PERMISSION = "WALLET_CARD_FUND"
STATE_CODES = {
    CardStatus.BLOCKED: "card_blocked",
    CardStatus.RETIRED: "card_retired",
    CardStatus.EXPIRED: "card_expired",
    CardStatus.ACTIVE: "",
}


@dataclass(slots=True)
class AuthorizationChecks:
    """The checks in their order; `refused` is the one that decided, else money is held and policies have spoken.

    `remaining_minor` is what the wallet had left, where that was too little.
    """

    checks: list[Check] = field(default_factory=list)
    held: LedgerHold | None = None
    policy_outcome: policies.PolicyOutcome | None = None
    remaining_minor: int | None = None

    @property
    def refused(self) -> Check | None:
        """The first check that was not passed."""
        return next((check for check in self.checks if not check.passed), None)


def decide_use(caller: Caller, card: Card, use: Use, authorization_id: str) -> AuthorizationChecks:
    """Asks everything about a use of a locked card and holds the money where nothing is against it."""
    paying = funding.paying(card)
    decision = AuthorizationChecks([*states(caller, card, paying, use.at), *controls(caller, card, use)])
    if decision.refused is None:
        decision.policy_outcome = policies.evaluate_use(caller, card, use)
        blocked = decision.policy_outcome.blocked
        decision.checks.append(Check("business_policies", not blocked, "policy_blocked" if blocked else ""))
    if decision.refused is None:
        _hold(caller, card, paying, use, decision, authorization_id)
    return decision


def states(caller: Caller, card: Card, paying: Wallet, at: datetime) -> list[Check]:
    """Whether card, holder and wallet are in order."""
    state = STATE_CODES.get(CardStatus(card.status), "card_inactive")
    day = periods.day_of(at, caller.business)
    if not state and (card.expiry_year, card.expiry_month) < (day.year, day.month):
        state = "card_expired"
    person = "" if card.employee.status == Employee.Status.ACTIVE else "employee_suspended"
    purse = "" if paying.status == Wallet.Status.ACTIVE else "wallet_suspended"
    return [
        Check("card_state", not state, state),
        Check("employee_status", not person, person),
        Check("wallet_state", not purse, purse),
    ]


def controls(caller: Caller, card: Card, use: Use, *, without: str = "") -> list[Check]:
    """Whether the card's controls let the use through; `without` is a use that is decided on again."""
    if card.type == Card.Type.SINGLE_USE and "single_use" not in card.controls:
        card.controls["single_use"] = {"comparison": "LTE"}
    if not card.controls:
        return []
    zone = periods.zone_of(caller.business)
    past = spend.past(card, use.at, zone, without=without)
    overdue = spend.receipt_overdue(card, use.at)
    return check_controls(card.controls, use, past, zone, receipt_overdue=overdue)


def _hold(
    caller: Caller, card: Card, paying: Wallet, use: Use, checks: AuthorizationChecks, authorization_id: str
) -> None:
    """The last three questions: a refusal by any of them leaves neither a hold nor a counted use behind."""
    with transaction.atomic():
        allowed = _count(card, paying, use.amount_minor, authorization_id)
        checks.checks.append(Check("wallet_policy", allowed, "" if allowed else "policy_blocked"))
        if allowed:
            ref, until = hold_ref(authorization_id), timezone.now() + HOLD_LIFE
            checks.held = reserve(caller, paying, use.amount_minor, ref, until)
            is_covered = checks.held is not None
            refusal_code = funding.SHORT_CODES[funding.allocations_of(paying)]
            checks.checks.append(Check("available_balance", is_covered, "" if is_covered else refusal_code))
            checks.remaining_minor = None if is_covered else funding.remaining(paying)
        if checks.held is not None:
            checks.checks.append(risk.assess(card, use))
        if checks.refused is not None:
            checks.held = None
            transaction.set_rollback(True)


def _count(card: Card, paying: Wallet, amount_minor: int, authorization_id: str) -> bool:
    """Counts the use towards the limits of the holder's policy on the wallet; False where it does not allow it."""
    try:
        limits.check_person(card.employee, paying, PERMISSION, amount_minor, ref=policy_ref(authorization_id))
    except errors.ServiceError as refusal:
        if refusal.code not in ("policy_blocked", "limit_exceeded"):
            raise
        return False
    return True


def policy_ref(authorization_id: str) -> str:
    """What a use is counted under by the holder's wallet policy, once."""
    return f"authorization:{authorization_id}"


def hold_ref(authorization_id: str) -> str:
    """What the ledger knows the first hold of a use by; those that take its place add to it."""
    return f"authorization:{authorization_id}"


def reserve(caller: Caller, paying: Wallet, amount_minor: int, ref: str, until: datetime) -> LedgerHold | None:
    """Holds so much on the wallet; None where it has not."""
    try:
        with transaction.atomic():
            return hold(caller.business, paying.ledger_account_id, amount_minor, ref, until)
    except errors.ServiceError as refusal:
        if refusal.code != "insufficient_funds":
            raise
        return None
