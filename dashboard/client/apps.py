from django.apps import AppConfig


class ClientConfig(AppConfig):
    name = "dashboard.client"
    label = "client"
