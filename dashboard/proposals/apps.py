from django.apps import AppConfig


class ProposalsConfig(AppConfig):
    name = "dashboard.proposals"
    label = "proposals"

    def ready(self) -> None:
        """Registers which businesses require a second admin, with whatever gives roles."""
        from dashboard.access.second_admin import register_requirement
        from dashboard.proposals.four_eyes import requires_second_admin

        register_requirement(requires_second_admin)
