"""The Django app of service/accounts."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "service.accounts"
    label = "accounts"

    def ready(self) -> None:
        """The relay tells of changed balances before it numbers what happened; the guard of views knows the wallets."""
        from service import auth
        from service.accounts.balance_events import has_changed, record_balance_changes
        from service.accounts.wallets import has_wallet
        from service.events import relay

        relay.register(record_balance_changes, has_changed)
        auth.register_wallets(has_wallet)
