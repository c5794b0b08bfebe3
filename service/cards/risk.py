"""What makes a use of a card look like fraud: the last question of the decision, answered from what the card did."""

from datetime import timedelta

from service.cards.controls import Check, Use
from service.cards.models import Authorization, Card

# Somebody who tries out a stolen number is declined over and over.
DECLINES, WITHIN = 10, timedelta(minutes=10)
# Nobody stands in two countries within an hour.
TRAVEL = timedelta(hours=1)
PRESENT = ("CARD_PRESENT", "CONTACTLESS", "ATM")


def assess(card: Card, use: Use) -> Check:
    """Refuses a use as suspected_fraud after many declines in a short time, or in two countries at once."""
    suspect = _tried_out(card, use) or _two_places(card, use)
    return Check("risk", not suspect, "suspected_fraud" if suspect else "")


def _tried_out(card: Card, use: Use) -> bool:
    recent = Authorization.objects.filter(
        card=card, status=Authorization.Status.DECLINED, created_at__gt=use.at - WITHIN, created_at__lte=use.at
    )
    return recent.count() >= DECLINES


def _two_places(card: Card, use: Use) -> bool:
    if use.channel not in PRESENT or not use.country:
        return False
    recent = Authorization.objects.filter(
        card=card, channel__in=PRESENT, created_at__gt=use.at - TRAVEL, created_at__lte=use.at
    )
    elsewhere = recent.exclude(status=Authorization.Status.DECLINED).exclude(country__in=["", use.country])
    return elsewhere.exists()
