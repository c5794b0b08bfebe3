"""Transactions: filing one under another category. Raises what `run` raises. Interface: Transactions."""

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.commands.run import CommandResult, Key, run
from dashboard.mirror.models import Transaction


def categorise(
    actor: Actor, transaction: Transaction, subcategory_id: str, *, key: Key, deadline: float | None = None
) -> CommandResult:
    """Files it, and its expense with it, under one of the business's subcategories. Answers with the transaction."""
    path, body = {"id": transaction.remote_id}, {"subcategory_id": subcategory_id}
    operation = operations.TAG_TRANSACTION
    return run(actor, operation, transaction, body, key=key, path=path, kind="transaction", deadline=deadline)
