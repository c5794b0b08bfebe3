from django.apps import AppConfig


class FxConfig(AppConfig):
    name = "service.fx"
    label = "fx"

    def ready(self) -> None:
        """Says what follows from a vote on an exchange, and which exchanges keep a wallet open."""
        from service.accounts import hooks
        from service.approvals.hooks import on_decided
        from service.fx import transfers
        from service.fx.receivers import transfers_on_wallet

        on_decided(transfers.KIND, transfers.voted)
        hooks.register_dependents(transfers_on_wallet)
