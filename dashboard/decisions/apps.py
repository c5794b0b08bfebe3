from django.apps import AppConfig


class DecisionsConfig(AppConfig):
    name = "dashboard.decisions"
    label = "decisions"
