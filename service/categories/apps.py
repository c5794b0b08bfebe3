"""The Django app of service/categories."""

from django.apps import AppConfig


class CategoriesConfig(AppConfig):
    name = "service.categories"
    label = "categories"
