"""Cards in words: their states, who may lift a block, and why a purchase was declined, so that a holder can act on it."""

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.mirror.models import Card, CardDecline
from dashboard.mirror.scopes import visible_employees
from dashboard.money import text
from dashboard.schemas.cards import ALLOCATION, BUSINESS_WALLET

STATES = {
    "REQUESTED": ("Asked for", "info"),
    "REJECTED": ("Rejected", "bad"),
    "ORDERED": ("On its way", "info"),
    "INACTIVE": ("To be activated", "warn"),
    "ACTIVE": ("Active", "ok"),
    "BLOCKED": ("Blocked", "bad"),
    "RETIRED": ("Closed", ""),
    "EXPIRED": ("Expired", ""),
}
KINDS = {"VIRTUAL": "Virtual", "PHYSICAL": "Physical", "SINGLE_USE": "Single use"}
FUNDINGS = {ALLOCATION: "Allocation", BUSINESS_WALLET: "Business wallet"}
ENDED = frozenset({"RETIRED", "EXPIRED", "REJECTED"})
# Reasons that the service itself writes.
REASONS = {"REISSUED": "A new card took its place.", "SPENT": "It was for one purchase, and that was made."}
LIMITS = {
    "PER_MONTH": "this month", "PER_DAY": "today", "ALL_TIME": "in all", "ONCE": "once", "": "this month",
}  # fmt: skip
ASK = "ask an approver or an admin"

# What happened, and what can be done now.
DECLINES: dict[str, tuple[str, str]] = {
    "card_blocked": ("The card was blocked.", "The card's page says who blocked it and who may unblock it."),
    "card_inactive": ("The card was not activated yet.", "Activate it here once you have it in hand."),
    "card_retired": ("The card was closed.", "Use another card, or ask for a new one."),
    "card_expired": ("The card had expired.", "Ask for a new one."),
    "employee_suspended": ("The holder's account was suspended.", "An admin can activate the account again."),
    "wallet_suspended": ("The wallet that the card spends from was suspended.", "An approver can activate the wallet."),
    "mcc_blocked": ("The card may not be used for this kind of merchant.", f"Use another card, or {ASK} to allow it."),
    "merchant_blocked": ("The card may not be used at this merchant.", f"Use another card, or {ASK} to allow it."),
    "country_blocked": ("The card may not be used in this country.", f"Before a trip, {ASK} to allow the country."),
    "channel_blocked": ("The card may not be used in this way.", f"Pay in another way, or {ASK} to allow it."),
    "per_transaction_limit": (
        "The amount is not what one purchase with this card may cost.", f"Pay less at once, or {ASK} to raise the limit.",
    ),
    "interval_limit": (
        "The limit of the card was used up.", f"Wait until it resets, or {ASK} for a temporary limit.",
    ),
    "velocity": ("The card was used too often in a short time.", "Wait a while and try again."),
    "single_use_spent": ("The card was for one purchase, and that was made.", "Ask for another card."),
    "policy_blocked": ("A policy of the business forbids this purchase.", "Ask your reviewer before you buy it."),
    "insufficient_allocation": ("The allocation did not cover it.", "Ask an approver to allocate more."),
    "insufficient_funds": ("The wallet that the card spends from did not cover it.", "Ask an approver to top it up."),
    "suspected_fraud": ("The use looked like fraud.", "If it was you, try again; if not, block the card now."),
    "cvv_mismatch": ("The security code was wrong.", "Type it again; if it was not you, block the card now."),
    "timeout": ("The decision took too long.", "Try again."),
}  # fmt: skip
# Where the check says more than its code.
CHECKS: dict[str, tuple[str, str]] = {
    "active_window": ("The card may not be used at this time.", f"Use it within its hours, or {ASK} to widen them."),
    "auto_lock_at": ("The card was locked on its last day.", f"If you still need it, {ASK} for a later day."),
    "require_receipt_within_days": (
        "A receipt of an earlier purchase was overdue.", "Hand that receipt in; the card works again at once.",
    ),
    "wallet_policy": ("Your access to the wallet does not allow this.", "Ask an admin about your wallet policy."),
}  # fmt: skip
# What is asked beside the card's own controls, in the order in which it is asked.
QUESTIONS = {
    "card_state": "The state of the card",
    "employee_status": "The holder's account",
    "wallet_state": "The state of the wallet",
    "mcc": "Kinds of merchants",
    "merchant": "Merchants",
    "countries": "Countries",
    "channel": "Ways to pay",
    "per_transaction_limit": "Per-transaction limit",
    "max_count 1h": "Uses in an hour",
    "max_count 24h": "Uses in 24 hours",
    "single_use": "Single use",
    "active_window": "When",
    "auto_lock_at": "Last day",
    "require_receipt_within_days": "Receipts",
    "business_policies": "The policies of the business",
    "wallet_policy": "The holder's access to the wallet",
    "available_balance": "What is left of what the card spends",
    "risk": "Signs of fraud",
}


def decline_text(code: str, check: str, otherwise: str = "") -> tuple[str, str]:
    """(what happened, what can be done) for a decline; of an unknown code `otherwise`, the service's own sentence."""
    texts = CHECKS.get(check) or DECLINES.get(code)
    return texts or (
        otherwise or "The purchase was declined.",
        f"If it should have worked, {ASK} to look at the card.",
    )


def why_declined(actor: Actor, decline: CardDecline) -> tuple[str, str]:
    """(what happened, what can be done) for a declined use, with what was left then: of a wallet only for those who see
    wallets."""
    happened, advice = decline_text(decline.code, decline.check_name, decline.said)
    sees = decline.funding == ALLOCATION or bool(can_open(actor, operations.READ_ACCOUNT_BALANCE))
    if decline.remaining_minor is None or not sees:
        return happened, advice
    return f"{happened} {text(decline.remaining_minor, decline.currency, actor.business.locale)} was left.", advice


def blocker_of(actor: Actor, card: Card) -> str:
    """Who blocked it, by name for those who may see that person."""
    if card.blocked_by == "SYSTEM":
        return "The platform"
    if actor.employee_id and card.blocker_id == actor.employee_id:
        return "You"
    if card.blocked_by == "USER":
        return card.employee_name or "Its holder"
    name = visible_employees(actor).filter(remote_id=card.blocker_id or "-").values_list("name", flat=True).first()
    return name or "Somebody of the office"


def who_unblocks(card: Card) -> str:
    """Who may lift the block: the rule as a sentence, to be read before anybody clicks."""
    if card.blocked_by == "SYSTEM":
        return "The platform blocked this card and lifts the block itself."
    if card.blocked_by == "USER":
        return "Its holder, the reviewer of the team, an approver, an admin or a super admin can unblock it."
    return "Whoever blocked it (a reviewer), an approver, an admin or a super admin can unblock it; its holder cannot."
