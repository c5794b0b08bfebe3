from django.apps import AppConfig


class PoliciesConfig(AppConfig):
    name = "dashboard.policies"
    label = "policies"
