"""The Django app of the lists: saved views and exports are kept in its tables."""

from django.apps import AppConfig


class ListsConfig(AppConfig):
    name = "dashboard.lists"
    label = "lists"
