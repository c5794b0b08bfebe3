"""The Django app of service/subscriptions."""

from django.apps import AppConfig


class SubscriptionsConfig(AppConfig):
    name = "service.subscriptions"
    label = "subscriptions"
