from django.apps import AppConfig


class ScimConfig(AppConfig):
    name = "dashboard.scim"
    label = "scim"
