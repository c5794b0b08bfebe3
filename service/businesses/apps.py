"""The Django app of service/businesses."""

from django.apps import AppConfig


class BusinessesConfig(AppConfig):
    name = "service.businesses"
    label = "businesses"

    def ready(self) -> None:
        """Has revoked tokens forgotten everywhere."""
        from service.businesses import revocation  # noqa: F401  its receiver keeps the token cache true
