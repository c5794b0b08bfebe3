"""The Django app of service/employees."""

from django.apps import AppConfig


class EmployeesConfig(AppConfig):
    name = "service.employees"
    label = "employees"
