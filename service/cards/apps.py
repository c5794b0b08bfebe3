"""The Django app of service/cards."""

from django.apps import AppConfig


class CardsConfig(AppConfig):
    name = "service.cards"
    label = "cards"
