"""The Django app of service/customers."""

from django.apps import AppConfig


class CustomersConfig(AppConfig):
    name = "service.customers"
    label = "customers"
