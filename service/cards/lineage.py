"""Lines of reissued cards: what was one card to a merchant, however often it got another number."""

from collections.abc import Iterable

from service.businesses.models import Business
from service.cards.models import Card


def lineages(card_ids: Iterable[str]) -> dict[str, str]:
    """Of each card the first of the line of reissued ones that it is of: itself, where it is in the place of none."""
    ids = set(filter(None, card_ids))
    rows = Card.objects.filter(id__in=ids) if ids else Card.objects.none()
    return {card_id: line or card_id for card_id, line in rows.values_list("id", "lineage")}


def line_of(card: Card) -> list[str]:
    """All cards of its line, itself included."""
    first = card.lineage or card.id
    later = Card.objects.filter(business_id=card.business_id, lineage=first)
    return [first, *later.values_list("id", flat=True)]


def successors(business: Business) -> dict[str, str]:
    """Of each card that was reissued the last one of its line."""
    rows = Card.objects.filter(business=business).exclude(lineage="", replaced_by="")
    reissued = list(rows.values_list("id", "lineage", "replaced_by"))
    last = {line or card_id: card_id for card_id, line, replaced_by in reissued if not replaced_by}
    return {card_id: last.get(line or card_id, card_id) for card_id, line, replaced_by in reissued if replaced_by}
