from django.apps import AppConfig


class DecisionsConfig(AppConfig):
    name = "dashboard.decisions"
    label = "decisions"

    def ready(self) -> None:
        """Tells the daily mail what waits for somebody."""
        from dashboard.decisions.digest import waiting_for
        from dashboard.notifications.digest import register_waiting

        register_waiting(waiting_for)
