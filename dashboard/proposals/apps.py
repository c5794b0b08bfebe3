from django.apps import AppConfig


class ProposalsConfig(AppConfig):
    name = "dashboard.proposals"
    label = "proposals"
