"""The Django app of service/bill_schedules."""

from django.apps import AppConfig


class BillSchedulesConfig(AppConfig):
    name = "service.bill_schedules"
    label = "bill_schedules"
