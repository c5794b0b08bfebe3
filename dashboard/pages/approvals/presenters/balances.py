"""What a wallet would hold once an item is approved for good, by the last balance of the copy."""

from dashboard.access.actor import Actor
from dashboard.decisions.registry import knows_fees, money_arrives, money_leaves, money_moved
from dashboard.mirror.models import Approval, ApprovalRequest, Wallet
from dashboard.money import text
from dashboard.times import as_of

UNKNOWN = "unknown"


def balance_after(actor: Actor, subject: Approval | ApprovalRequest, wallet: Wallet | None) -> str:
    """The text of the fact "Balance after": "Main: KES 13,500.00, as of 10:42 EAT", its fees taken off too, or "before fees"
    where they are not known; "unknown" in place of the amount where the copy has no balance in the item's currency; ""
    where approving moves no money.

    `wallet` is the one that the item names, None where it names none that the actor sees.
    """
    if not (money_leaves(subject) or money_arrives(subject)):
        return ""
    name = (wallet.name or wallet.org_wallet_ref) if wallet is not None else subject.org_wallet_ref or "Unnamed wallet"
    known = wallet is not None and wallet.currency == subject.currency and subject.amount_minor is not None
    if wallet is None or wallet.available_minor is None or not known:
        return f"{name}: {UNKNOWN}"
    after = text(wallet.available_minor + money_moved(subject), wallet.currency, actor.business.locale)
    after += "" if knows_fees(subject) else " before fees"
    return f"{name}: {after}, {as_of(wallet.last_seen, actor.business)}"
