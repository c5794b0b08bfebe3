"""What the hooks of areas below reach here: transfers that keep a wallet open."""

from django.db.models import Q

from service.accounts.hooks import MOST_NAMED
from service.accounts.wallets import Wallet
from service.errors import FieldError
from service.fx.models import FxTransfer, TransferStatus


def transfers_on_wallet(wallet: Wallet) -> list[FieldError]:
    """The transfers that wait for votes, out of a wallet or into it."""
    waiting = FxTransfer.objects.filter(status=TransferStatus.PENDING_APPROVAL).order_by("id")
    rows = waiting.filter(Q(source_wallet=wallet) | Q(target_wallet=wallet))
    return [
        {"field": "transfers", "code": transfer_id, "message": f"transfer {transfer_id} that waits for approval"}
        for transfer_id in rows.values_list("id", flat=True)[:MOST_NAMED]
    ]
