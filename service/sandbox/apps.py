"""The Django app of service/sandbox."""

from django.apps import AppConfig


class SandboxConfig(AppConfig):
    name = "service.sandbox"
    label = "sandbox"
