from django.apps import AppConfig


class EvidenceConfig(AppConfig):
    name = "dashboard.evidence"
    label = "evidence"
