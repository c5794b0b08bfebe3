"""Why a use of a card was declined, in words that its holder understands."""

DECLINES = {
    "card_blocked": "The card is blocked.",
    "card_inactive": "The card is not activated yet.",
    "card_retired": "The card was closed and cannot be used any more.",
    "card_expired": "The card has expired.",
    "employee_suspended": "Its holder's account is suspended.",
    "wallet_suspended": "The wallet that it spends is suspended.",
    "mcc_blocked": "The card may not be used for this kind of merchant.",
    "merchant_blocked": "The card may not be used at this merchant.",
    "country_blocked": "The card may not be used in this country.",
    "channel_blocked": "The card may not be used in this way.",
    "per_transaction_limit": "The amount is not what one purchase with this card may cost.",
    "interval_limit": "The limit of the card for this period is used up.",
    "velocity": "The card was used too often in a short time.",
    "single_use_spent": "The card was for one purchase, and that was made.",
    "policy_blocked": "A policy of the business forbids this purchase.",
    "insufficient_funds": "The wallet of the business that it spends does not have enough.",
    "insufficient_allocation": "The allocation that it spends does not have enough.",
    "suspected_fraud": "The use looked like fraud.",
    "cvv_mismatch": "The security code was wrong.",
    "timeout": "The decision took too long.",
}
# Where a check says more than its code.
CHECKS = {
    "active_window": "The card may not be used at this time.",
    "auto_lock_at": "The card was to be locked from this day on.",
    "require_receipt_within_days": "A receipt of an earlier purchase is overdue: hand it in first.",
    "wallet_policy": "The wallet policy of its holder does not allow this.",
}


def decline_reason(code: str, check: str = "") -> str:
    """The sentence for a decline code, made sharper by the check that failed; empty for no code."""
    if not code:
        return ""
    return CHECKS.get(check) or DECLINES.get(code, "The purchase was declined.")
