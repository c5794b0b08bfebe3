"""What the hooks of areas below reach here: payouts that keep a wallet open."""

from service.accounts.hooks import MOST_NAMED
from service.accounts.models import Wallet
from service.errors import FieldError
from service.payments.models import Batch
from service.payments.transitions import FINAL


def payouts_on_wallet(wallet: Wallet) -> list[FieldError]:
    """The payouts that a wallet is still to pay."""
    rows = Batch.objects.filter(wallet=wallet).exclude(status__in=FINAL).order_by("id")
    return [
        {"field": "payouts", "code": number, "message": f"payout {number} ({status})"}
        for number, status in rows.values_list("batch_no", "status")[:MOST_NAMED]
    ]
