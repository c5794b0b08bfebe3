"""The ledger's periodic work."""

from celery import shared_task

from service.ledger import post, seals


@shared_task(name="service.ledger.seal")
def seal() -> int:
    """Every second: seals settled transactions into the hash chain."""
    return seals.seal()


@shared_task(name="service.ledger.snapshots")
def snapshots() -> int:
    """Daily: remembers balances."""
    return seals.write_snapshots()


@shared_task(name="service.ledger.expire_holds")
def expire_holds() -> int:
    """Every minute: ends holds whose time is over."""
    return len(post.expire_holds())
