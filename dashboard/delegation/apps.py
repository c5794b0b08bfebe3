from django.apps import AppConfig


class DelegationConfig(AppConfig):
    name = "dashboard.delegation"
    label = "delegation"

    def ready(self) -> None:
        """Tells the gate who stands in for whom."""
        from dashboard.access.standing import register_reader
        from dashboard.delegation.standing import read_standing

        register_reader("delegation", read_standing)
