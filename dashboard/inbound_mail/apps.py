"""The Django app of e-mail that comes in: its tables store messages and their attachments."""

from django.apps import AppConfig


class InboundMailConfig(AppConfig):
    name = "dashboard.inbound_mail"
    label = "inbound_mail"
