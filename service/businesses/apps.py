"""The Django app of service/businesses."""

from django.apps import AppConfig
from ninja import Schema
from ninja.params.models import ParamModel


class BusinessesConfig(AppConfig):
    name = "service.businesses"
    label = "businesses"

    def ready(self) -> None:
        """Has revoked tokens forgotten everywhere, and the types of an operation built by the first request for it: of eleven
        hundred a process needs some dozens, and building them all was a third of what it took to load."""
        # Before any schema is declared: the addresses are loaded after all apps are ready.
        for base in (Schema, ParamModel):
            base.model_config["defer_build"] = True
        from service.businesses import revocation  # noqa: F401  its receiver keeps the token cache true
