from django.apps import AppConfig


class FxConfig(AppConfig):
    name = "service.fx"
    label = "fx"

    def ready(self) -> None:
        """Says what follows from a vote on an exchange, and which exchanges keep a wallet open."""
        from service.accounts import hooks
        from service.approvals import subjects
        from service.fx.transfers import KIND, keeping_open, voted

        subjects.register(KIND, voted)
        hooks.register(keeping_open)
