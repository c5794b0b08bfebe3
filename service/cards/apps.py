"""The Django app of service/cards."""

from django.apps import AppConfig


class CardsConfig(AppConfig):
    name = "service.cards"
    label = "cards"

    def ready(self) -> None:
        """Says what follows from a vote on a request for a card."""
        from service.approvals import subjects
        from service.cards.single_use import KIND, voted

        subjects.register(KIND, voted)
