"""The Django app of service/cards."""

from django.apps import AppConfig


class CardsConfig(AppConfig):
    name = "service.cards"
    label = "cards"

    def ready(self) -> None:
        """Says what follows from a vote on a request for a card, and which cards keep a wallet or an account open."""
        from service.accounts import hooks as wallets
        from service.approvals import subjects
        from service.cards import on_wallets, receivers
        from service.cards.single_use import KIND, voted
        from service.employees import hooks as people

        subjects.register(KIND, voted)
        wallets.register(on_wallets.attached)
        people.register(receivers.attached)
