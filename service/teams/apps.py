"""The Django app of service/teams."""

from django.apps import AppConfig


class TeamsConfig(AppConfig):
    name = "service.teams"
    label = "teams"
