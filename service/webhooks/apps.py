"""The Django app of service/webhooks."""

from django.apps import AppConfig


class WebhooksConfig(AppConfig):
    name = "service.webhooks"
    label = "webhooks"
