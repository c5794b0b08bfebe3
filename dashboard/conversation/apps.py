from django.apps import AppConfig


class ConversationConfig(AppConfig):
    name = "dashboard.conversation"
    label = "conversation"

    def ready(self) -> None:
        """Tells the policy gate which flags were dismissed: those block no approval, and leave the score of what comes into
        the copy."""
        from dashboard.conversation.dismissals import dismissed_keys, write_dismissed_of
        from dashboard.decisions.preconditions import register_dismissals
        from dashboard.mirror.events import on_written

        register_dismissals(dismissed_keys)
        on_written(write_dismissed_of)
