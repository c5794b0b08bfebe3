"""The Django app of offboarding: its tables store each one, with a row for each step."""

from django.apps import AppConfig


class OffboardingConfig(AppConfig):
    name = "dashboard.offboarding"
    label = "offboarding"
