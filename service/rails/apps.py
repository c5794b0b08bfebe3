from django.apps import AppConfig


class RailsConfig(AppConfig):
    name = "service.rails"
    label = "rails"
