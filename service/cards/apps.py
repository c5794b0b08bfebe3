"""The Django app of service/cards."""

from django.apps import AppConfig


class CardsConfig(AppConfig):
    name = "service.cards"
    label = "cards"

    def ready(self) -> None:
        """Says what follows from a vote on a request for a card, and which cards keep a wallet or an account open."""
        from service.accounts import hooks as wallets
        from service.approvals.hooks import on_decided
        from service.cards import receivers, single_use
        from service.employees import hooks as people

        on_decided(single_use.KIND, single_use.voted)
        wallets.register_dependents(receivers.cards_on_wallet)
        people.register_dependents(receivers.cards_of)
