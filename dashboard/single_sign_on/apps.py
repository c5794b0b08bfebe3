from django.apps import AppConfig


class SingleSignOnConfig(AppConfig):
    name = "dashboard.single_sign_on"
    label = "single_sign_on"
