"""Cards in words: their states, who may lift a block, and why a purchase was declined, so that a holder can act on it."""

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.mirror.models import Card, CardDecline
from dashboard.mirror.scopes import visible_employees
from dashboard.money import text
from dashboard.schemas.cards import ALLOCATION, BUSINESS_WALLET

CARD_STATES = {
    "REQUESTED": ("Requested", "info"),
    "REJECTED": ("Rejected", "bad"),
    "ORDERED": ("Ordered", "info"),
    "INACTIVE": ("Awaiting activation", "warn"),
    "ACTIVE": ("Active", "ok"),
    "BLOCKED": ("Blocked", "bad"),
    "RETIRED": ("Closed", ""),
    "EXPIRED": ("Expired", ""),
}
CARD_KINDS = {"VIRTUAL": "Virtual", "PHYSICAL": "Physical", "SINGLE_USE": "Single use"}
FUNDINGS = {ALLOCATION: "Allocation", BUSINESS_WALLET: "Business wallet"}
ENDED_CARD_STATES = frozenset({"RETIRED", "EXPIRED", "REJECTED"})
# Reasons that the service itself writes.
REASONS = {"REISSUED": "Replaced by a new card.", "SPENT": "A single-use card: its purchase was made."}
LIMITS = {
    "PER_MONTH": "this month", "PER_DAY": "today", "ALL_TIME": "total", "ONCE": "once", "": "this month",
}  # fmt: skip
ASK = "ask an approver or an admin"

# What happened, and what can be done now.
DECLINES: dict[str, tuple[str, str]] = {
    "card_blocked": ("The card was blocked.", "The card's page says who blocked it and who can unblock it."),
    "card_inactive": ("The card was not activated yet.", "Activate it here once you have received it."),
    "card_retired": ("The card was closed.", "Use another card, or request a new one."),
    "card_expired": ("The card had expired.", "Request a new one."),
    "employee_suspended": ("The holder's account was suspended.", "An admin can activate the account again."),
    "wallet_suspended": ("The funding wallet was suspended.", "An approver can activate the wallet."),
    "mcc_blocked": ("The card does not allow this merchant category.", f"Use another card, or {ASK} to allow it."),
    "merchant_blocked": ("The card does not allow this merchant.", f"Use another card, or {ASK} to allow it."),
    "country_blocked": ("The card does not allow this country.", f"Before a trip, {ASK} to allow the country."),
    "channel_blocked": ("The card does not allow this channel.", f"Use another channel, or {ASK} to allow it."),
    "per_transaction_limit": (
        "The amount is outside the card's per-transaction limit.", f"Pay a smaller amount, or {ASK} to raise the limit.",
    ),
    "interval_limit": (
        "The card's spending limit was used up.", f"Wait until it resets, or {ASK} for a temporary limit.",
    ),
    "velocity": ("The card was used too often in a short time.", "Wait a while and try again."),
    "single_use_spent": ("The card was single-use, and its purchase was made.", "Request another card."),
    "policy_blocked": ("A policy of the business blocks this purchase.", "Ask your reviewer first."),
    "insufficient_allocation": ("The allocation was too low.", "Ask an approver to allocate more."),
    "insufficient_funds": ("The balance of the funding wallet was too low.", "Ask an approver to top it up."),
    "suspected_fraud": ("The purchase was flagged as possible fraud.", "If it was you, try again; if not, block the card now."),
    "cvv_mismatch": ("The security code was wrong.", "Enter it again; if it was not you, block the card now."),
    "timeout": ("The decision took too long.", "Try again."),
}  # fmt: skip
# Where the check says more than its code.
CHECKS: dict[str, tuple[str, str]] = {
    "active_window": ("The card does not allow purchases at this time.", f"Use it within its schedule, or {ASK} to widen them."),
    "auto_lock_at": ("The card was locked on its auto-lock date.", f"If you still need it, {ASK} for a later day."),
    "require_receipt_within_days": (
        "The receipt of an earlier purchase was overdue.", "Add that receipt; the card then works again immediately.",
    ),
    "wallet_policy": ("Your access to the wallet does not allow this.", "Ask an admin about your wallet policy."),
}  # fmt: skip
# What is asked beside the card's own controls, in the order in which it is asked.
QUESTIONS = {
    "card_state": "Card status",
    "employee_status": "Cardholder's account",
    "wallet_state": "Wallet status",
    "mcc": "Merchant categories",
    "merchant": "Merchants",
    "countries": "Countries",
    "channel": "Channels",
    "per_transaction_limit": "Per-transaction limit",
    "max_count 1h": "Transactions per hour",
    "max_count 24h": "Transactions per 24 hours",
    "single_use": "Single use",
    "active_window": "Schedule",
    "auto_lock_at": "Auto-lock date",
    "require_receipt_within_days": "Receipts",
    "business_policies": "Business policies",
    "wallet_policy": "Cardholder's access to the wallet",
    "available_balance": "Available balance",
    "risk": "Fraud signals",
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
        return card.employee_name or "The cardholder"
    name = visible_employees(actor).filter(remote_id=card.blocker_id or "-").values_list("name", flat=True).first()
    return name or "Finance"


def who_unblocks(card: Card) -> str:
    """Who may lift the block: the rule as a sentence, to be read before anybody clicks."""
    if card.blocked_by == "SYSTEM":
        return "The platform blocked this card and lifts the block itself."
    if card.blocked_by == "USER":
        return "The cardholder, the reviewer of the team, an approver, an admin or a super admin can unblock it."
    return (
        "Whoever blocked it (a reviewer), an approver, an admin or a super admin can unblock it; the cardholder cannot."
    )
