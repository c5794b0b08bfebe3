from django.apps import AppConfig


class PaymentsConfig(AppConfig):
    name = "service.payments"
    label = "payments"
