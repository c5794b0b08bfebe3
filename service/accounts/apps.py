from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "service.accounts"
    label = "accounts"
