from django.apps import AppConfig


class FxConfig(AppConfig):
    name = "service.fx"
    label = "fx"

    def ready(self) -> None:
        """Says what follows from a vote on an exchange."""
        from service.approvals import subjects
        from service.fx.transfers import KIND, voted

        subjects.register(KIND, voted)
