from django.apps import AppConfig


class DelegationConfig(AppConfig):
    name = "dashboard.delegation"
    label = "delegation"

    def ready(self) -> None:
        """Registers the reader of delegations with the gate, and the items without an approver with the daily mail."""
        from dashboard.access.standing import register_reader
        from dashboard.delegation.presenters import stuck_lines
        from dashboard.delegation.selectors import read_delegations
        from dashboard.notifications.digest import register_stuck

        register_reader("delegation", read_delegations)
        register_stuck(stuck_lines)
