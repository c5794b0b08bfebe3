from django.apps import AppConfig


class MirrorConfig(AppConfig):
    name = "dashboard.mirror"
    label = "mirror"
