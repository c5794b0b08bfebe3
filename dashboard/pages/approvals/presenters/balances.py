"""What a wallet would hold once an item is approved for good, by the last balance of the copy."""

from dashboard.access.actor import Actor
from dashboard.decisions.movements import wallet_movement_of
from dashboard.mirror.models import Approval, ApprovalRequest, Wallet
from dashboard.money import text
from dashboard.times import as_of

UNKNOWN = "unknown"


def balance_after(actor: Actor, payment_subject: Approval | ApprovalRequest, wallet: Wallet | None) -> str:
    """The text of the fact "Balance after": "Main: KES 13,500.00, as of 10:42 EAT", its fees taken off too, or "before fees"
    where they are not known, and what the balance says that is without the amount already; "unknown" in place of the
    amount where the copy has no balance in the item's currency; "" where approving moves no money, or nobody here knows
    which way.

    `wallet` is the one that the item names, None where it names none that the actor sees.
    """
    movement = wallet_movement_of(payment_subject)
    if movement is None:
        return ""
    name = (
        (wallet.name or wallet.org_wallet_ref)
        if wallet is not None
        else payment_subject.org_wallet_ref or "Unnamed wallet"
    )
    known = (
        wallet is not None and wallet.currency == payment_subject.currency and payment_subject.amount_minor is not None
    )
    if wallet is None or wallet.available_minor is None or not known:
        return f"{name}: {UNKNOWN}"
    minor = wallet.available_minor + movement.still_to_come(wallet.last_seen)
    after = text(minor, wallet.currency, actor.business.locale)
    after += "" if movement.knows_fees else " before fees"
    held = "; the amount is on hold already" if movement.is_held_in(wallet.last_seen) else ""
    return f"{name}: {after}, {as_of(wallet.last_seen, actor.business)}{held}"
