from django.apps import AppConfig


class PermissionsConfig(AppConfig):
    name = "service.permissions"
    label = "permissions"

    def ready(self) -> None:
        """Makes PEOPLE_EDIT known to whoever asks for the grant, and what was taken away to the guard of every view."""
        from service import grants
        from service.permissions.rights import check_scope, everywhere

        grants.register("PEOPLE_EDIT", everywhere)
        grants.register_refusal(check_scope)
