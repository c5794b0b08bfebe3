from django.apps import AppConfig


class InvestmentsConfig(AppConfig):
    name = "service.investments"
    label = "investments"

    def ready(self) -> None:
        """Says who operates fund accounts and may invest from their wallets, what follows from a vote on an investment, and
        which keep a wallet open."""
        from service import grants
        from service.accounts import hooks
        from service.approvals.hooks import on_decided
        from service.investments import receivers
        from service.investments.access import operated, operator_seats
        from service.investments.receivers import movements_on_wallet
        from service.wallet_policies import effective_permissions

        grants.register("TREASURY_OPERATOR", operated)
        effective_permissions.register(operator_seats)
        on_decided(receivers.KIND, receivers.voted)
        hooks.register_dependents(movements_on_wallet)
