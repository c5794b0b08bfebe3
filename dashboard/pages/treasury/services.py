"""What the treasury changes of our own: the copy of wallets that are read again, and what is noted and refused of exchange."""

from django.utils import timezone

from dashboard import cache, operations
from dashboard.access.actor import Actor
from dashboard.access.check import can, can_open
from dashboard.audit.record import record_denial
from dashboard.client.reads import Ok, ReadCall, read_together
from dashboard.errors import FinanceError, NotAllowed
from dashboard.mirror.live_rows import store_rows
from dashboard.mirror.models import Wallet
from dashboard.pages.treasury.selectors import can_transfer

ENTITLEMENT_LASTS_S = 600


def refresh_wallets(actor: Actor, wallets: list[Wallet]) -> list[Wallet]:
    """The wallets as they are now, read live and written through to the copy, in the order given.

    Those of which the actor may not see what they hold, or that do not answer, are left out.
    """
    readable = [wallet for wallet in wallets if can(actor, operations.READ_ACCOUNT_BALANCE, wallet)]
    calls = {
        wallet.remote_id: ReadCall(operations.READ_ACCOUNT, path={"id": wallet.remote_id}, subject=wallet)
        for wallet in readable
    }
    began = timezone.now()
    try:
        results = read_together(actor, calls)
    except FinanceError:
        return []
    payloads = {name: result.answer.data for name, result in results.items() if isinstance(result, Ok)}
    store_rows(actor, "wallet", payloads.values(), read_at=began)
    rows = Wallet.objects.filter(business=actor.business, remote_id__in=payloads)
    fresh = {row.remote_id: row for row in rows}
    return [fresh[wallet.remote_id] for wallet in readable if wallet.remote_id in fresh]


def note_missing_entitlement(actor: Actor) -> None:
    """Notes for a while that the business's account may not transfer, so that its people are not led into it again."""
    cache.store(_entitlement(actor), True, ENTITLEMENT_LASTS_S)


def lacks_entitlement(actor: Actor) -> bool:
    """Whether it was noted that the business's account may not transfer."""
    return bool(cache.load(_entitlement(actor)))


def _entitlement(actor: Actor) -> str:
    return f"fx:unentitled:{actor.business.pk}"


def check_can_transfer(actor: Actor) -> None:
    """Raises NotAllowed, audited as a denial, for whoever may move money out of no wallet."""
    if not can_transfer(actor):
        verdict = can_open(actor, operations.TRANSFER_FX)
        record_denial(actor, operations.TRANSFER_FX, reason=verdict.reason, rule=verdict.rule)
        raise NotAllowed(verdict.reason, code=verdict.rule)
