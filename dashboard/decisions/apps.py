from django.apps import AppConfig


class DecisionsConfig(AppConfig):
    name = "dashboard.decisions"
    label = "decisions"

    def ready(self) -> None:
        """Registers what waits for somebody with the daily mail, and the delegable kinds of requests with delegation."""
        from dashboard.decisions.digest import waiting_for
        from dashboard.decisions.registry import REQUEST_KINDS
        from dashboard.delegation.kinds import register_kind
        from dashboard.notifications.digest import register_waiting

        for kind, declared in REQUEST_KINDS.items():
            if declared.is_delegable:
                register_kind(kind, declared.plural.lower(), declared.approve)
        register_waiting(waiting_for)
