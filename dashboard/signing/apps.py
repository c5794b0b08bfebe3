from django.apps import AppConfig


class SigningConfig(AppConfig):
    name = "dashboard.signing"
    label = "signing"
