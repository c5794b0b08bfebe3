"""The Django app of service/vendors."""

from django.apps import AppConfig


class VendorsConfig(AppConfig):
    name = "service.vendors"
    label = "vendors"
