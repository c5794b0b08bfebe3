from django.apps import AppConfig


class ConversationConfig(AppConfig):
    name = "dashboard.conversation"
    label = "conversation"

    def ready(self) -> None:
        """Tells the policy gate which flags were dismissed: those block no approval."""
        from dashboard.conversation.dismissals import dismissed_keys
        from dashboard.decisions.policy_gate import register_dismissals

        register_dismissals(dismissed_keys)
