"""How a change of a movement is written down: the row with its event and audit line, and its line in the journal."""

from service.auth import Caller
from service.events.audit import record_audit
from service.events.outbox import record_event
from service.investments import serializers
from service.investments.models import Movement
from service.journal import services as journal


def save(row: Movement) -> None:
    """Saves a changed movement as its next version."""
    row.version += 1
    row.save()


def record_change(caller: Caller, row: Movement, event: str, action: str, previous: str = "") -> None:
    """The event and the audit line of a movement that was just saved."""
    payload = serializers.movement(row)
    before = {"status": previous} if previous else None
    record_event(caller.business, event, payload, previous=before, actor=caller)
    record_audit(
        caller, action, "investment_movement", row.id, before, {"status": row.status, "amount_minor": row.amount_minor}
    )


def write_down(caller: Caller, row: Movement, direction: str) -> None:
    """In the book of transactions, where a wallet of the business itself is concerned."""
    if row.wallet is None or row.wallet.holder_id or not row.amount_minor or row.ledger_transaction_id is None:
        return
    journal.record_movement(
        caller,
        type="IFT",
        org_wallet_ref=row.wallet.org_wallet_ref,
        currency=row.wallet.currency,
        amount_minor=row.amount_minor,
        direction="OUT" if direction == "OUT" else "IN",
        ref=row.ref,
        ledger_transaction_id=row.ledger_transaction_id,
        counterparty=row.account.fund.name,
        channel="INVESTMENT",
    )
