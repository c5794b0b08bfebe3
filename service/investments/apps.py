from django.apps import AppConfig


class InvestmentsConfig(AppConfig):
    name = "service.investments"
    label = "investments"

    def ready(self) -> None:
        """Says who operates fund accounts and may invest from their wallets, what follows from a vote on an investment, and
        which keep a wallet open."""
        from service import grants
        from service.accounts import hooks
        from service.approvals import subjects
        from service.investments.access import operated, seats
        from service.investments.approvals import KIND, voted
        from service.investments.movements import keeping_open
        from service.wallet_policies import computed

        grants.register("TREASURY_OPERATOR", operated)
        computed.register(seats)
        subjects.register(KIND, voted)
        hooks.register(keeping_open)
