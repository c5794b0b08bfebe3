"""The Django app of service/cards."""

from django.apps import AppConfig


class CardsConfig(AppConfig):
    name = "service.cards"
    label = "cards"

    def ready(self) -> None:
        """Says what follows from a vote on a request for a card, and which cards keep a wallet open."""
        from service.accounts import attached
        from service.approvals import subjects
        from service.cards import on_wallets
        from service.cards.single_use import KIND, voted

        subjects.register(KIND, voted)
        attached.register(on_wallets.attached)
