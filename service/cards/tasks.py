"""The jobs of the cards: holds and cards whose time is over, and orders on their way."""

from celery import shared_task

from service.cards import clearing, lifecycle, orders


@shared_task(name="service.cards.expire_holds")
def expire_holds() -> int:
    """Every minute: ends uses whose money nobody took in seven days."""
    return clearing.expire_due_holds()


@shared_task(name="service.cards.expire_cards")
def expire_cards() -> int:
    """Every hour: ends cards whose date is over."""
    return lifecycle.expire_due_cards()


@shared_task(name="service.cards.follow_shipping")
def follow_shipping() -> int:
    """Every five seconds: notes which ordered cards were shipped and delivered."""
    return orders.follow_shipping()
