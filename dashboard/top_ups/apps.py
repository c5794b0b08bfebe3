from django.apps import AppConfig


class TopUpsConfig(AppConfig):
    name = "dashboard.top_ups"
    label = "top_ups"
