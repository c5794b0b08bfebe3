from django.apps import AppConfig


class DelegationConfig(AppConfig):
    name = "dashboard.delegation"
    label = "delegation"
