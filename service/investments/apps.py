from django.apps import AppConfig


class InvestmentsConfig(AppConfig):
    name = "service.investments"
    label = "investments"

    def ready(self) -> None:
        """Says who operates fund accounts, and what follows from a vote on an investment."""
        from service import grants
        from service.approvals import subjects
        from service.investments.access import operated
        from service.investments.voting import KIND, voted

        grants.register("TREASURY_OPERATOR", operated)
        subjects.register(KIND, voted)
