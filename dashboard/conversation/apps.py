from django.apps import AppConfig


class ConversationConfig(AppConfig):
    name = "dashboard.conversation"
    label = "conversation"
