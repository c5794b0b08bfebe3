from django.apps import AppConfig


class ApprovalsConfig(AppConfig):
    name = "service.approvals"
    label = "approvals"
