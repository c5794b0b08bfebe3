from django.apps import AppConfig


class CategorisationConfig(AppConfig):
    name = "dashboard.categorisation"
    label = "categorisation"
