"""The Django app of service/publishing: the published documents of the whole interface, above its routers."""

from django.apps import AppConfig


class PublishingConfig(AppConfig):
    name = "service.publishing"
    label = "publishing"
