from django.apps import AppConfig


class NotificationsConfig(AppConfig):
    name = "dashboard.notifications"
    label = "notifications"

    def ready(self) -> None:
        """Hears of every event that the copy applies, for those whose item was decided on, and those who are answered."""
        from dashboard.mirror.events import on_event
        from dashboard.notifications.decided import notify_of_answer, notify_of_decision

        on_event(notify_of_decision)
        on_event(notify_of_answer)
